# Profile of one NVIDIA A100-SXM4-40GB for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA A100 data sheet and whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA A100-SXM4-40GB

compute_major              8 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              0
sm_count                   108 # published
sm_threads                 2048
sm_blocks                  32
sm_shared_bytes            167936
block_shared_bytes_optin   166912
clock_khz                  1410000 # published boost clock
memory_clock_khz           1215000 # published
memory_bus_bits            5120 # published
l2_bytes                   41943040 # published
copy_engines               3 # as such cards report (asyncEngineCount)
memory_bytes               40000000000 # published

h2d_gbps                   25 # PCIe 4.0 x16: estimate, 80 % of the nominal rate
d2h_gbps                   25
bidir_gbps                 22.5 # derived: 0.9 of one direction, as on an H200
pageable_d2h_gbps          15 # derived: the host copies, as on an H200, but at most 0.6 of the bus
d2d_gbps                   1299 # derived: 1555 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                1069 # derived, likewise
dram_gbps                  1166 # derived, likewise

sm_gflops                  82.61 # derived: 232 of an H200, times 64 of 128 lanes, times 1410 of 1980 MHz
sm_shared_gbps             200.8 # derived: 282 of an H200, by the clock
sm_dram_gbps               29.91 # derived: 42 of an H200, by the clock
