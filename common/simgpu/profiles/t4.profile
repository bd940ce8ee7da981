# Profile of one Tesla T4 for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA T4 data sheet; Turing whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       Tesla T4

compute_major              7 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              5
sm_count                   40 # published
sm_threads                 1024
sm_blocks                  16
sm_shared_bytes            65536
block_shared_bytes_optin   65536
clock_khz                  1590000 # published boost clock
memory_clock_khz           5001000 # published
memory_bus_bits            256 # published
l2_bytes                   4194304 # published
copy_engines               3 # as such cards report (asyncEngineCount)
memory_bytes               16000000000 # published

h2d_gbps                   12 # PCIe 3.0 x16: estimate, 80 % of the nominal rate
d2h_gbps                   12
bidir_gbps                 10.8 # derived: 0.9 of one direction, as on an H200
pageable_h2d_gbps          7.2 # derived: the host copies, as on an H200, but at most 0.6 of the bus
pageable_d2h_gbps          7.2 # derived, likewise
pageable_small_gbps        4.8 # derived, likewise
pageable_chunk_gbps        6 # derived, likewise
d2d_gbps                   267.4 # derived: 320 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                220 # derived, likewise
dram_gbps                  240 # derived, likewise

sm_gflops                  93.15 # derived: 232 of an H200, times 64 of 128 lanes, times 1590 of 1980 MHz
sm_shared_gbps             226.5 # derived: 282 of an H200, by the clock
sm_dram_gbps               33.73 # derived: 42 of an H200, by the clock
