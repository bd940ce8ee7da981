# Profile of one NVIDIA GeForce RTX 4070 for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA, GeForce RTX 4070; Ada whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA GeForce RTX 4070

compute_major              8 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              9
sm_count                   46 # published
sm_threads                 1536
sm_blocks                  24
sm_shared_bytes            102400
block_shared_bytes_optin   101376
clock_khz                  2475000 # published boost clock
memory_clock_khz           10501000 # published
memory_bus_bits            192 # published
l2_bytes                   37748736 # published
copy_engines               2 # as such cards report (asyncEngineCount)
memory_bytes               12000000000 # published

h2d_gbps                   25 # PCIe 4.0 x16: estimate, 80 % of the nominal rate
d2h_gbps                   25
bidir_gbps                 22.5 # derived: 0.9 of one direction, as on an H200
pageable_d2h_gbps          15 # derived: the host copies, as on an H200, but at most 0.6 of the bus
d2d_gbps                   421.2 # derived: 504 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                346.5 # derived, likewise
dram_gbps                  378 # derived, likewise

sm_gflops                  290 # derived: 232 of an H200, times 128 of 128 lanes, times 2475 of 1980 MHz
sm_shared_gbps             352.5 # derived: 282 of an H200, by the clock
sm_dram_gbps               52.5 # derived: 42 of an H200, by the clock
