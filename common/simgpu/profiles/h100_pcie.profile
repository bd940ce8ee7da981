# Profile of one NVIDIA H100 PCIe for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA H100 PCIe data sheet; Hopper whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA H100 PCIe

compute_major              9 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              0
sm_count                   114 # published
sm_threads                 2048
sm_blocks                  32
sm_shared_bytes            233472
block_shared_bytes_optin   232448
clock_khz                  1755000 # published boost clock
memory_clock_khz           1593000 # published
memory_bus_bits            5120 # published
l2_bytes                   52428800 # published
copy_engines               3 # as such cards report (asyncEngineCount)
memory_bytes               80000000000 # published

h2d_gbps                   55.6 # PCIe 5.0 x16: as measured on an H200
d2h_gbps                   55.6
bidir_gbps                 50.04 # derived: 0.9 of one direction, as on an H200
d2d_gbps                   1704 # derived: 2039 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                1402 # derived, likewise
dram_gbps                  1529 # derived, likewise

sm_gflops                  205.6 # derived: 232 of an H200, times 128 of 128 lanes, times 1755 of 1980 MHz
sm_shared_gbps             250 # derived: 282 of an H200, by the clock
sm_dram_gbps               37.23 # derived: 42 of an H200, by the clock
