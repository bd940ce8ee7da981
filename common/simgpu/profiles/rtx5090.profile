# Profile of one NVIDIA GeForce RTX 5090 for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA RTX Blackwell whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA GeForce RTX 5090

compute_major              12 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              0
sm_count                   170 # published
sm_threads                 1536
sm_blocks                  24
sm_shared_bytes            102400
block_shared_bytes_optin   101376
clock_khz                  2407000 # published boost clock
memory_clock_khz           14001000 # published
memory_bus_bits            512 # published
l2_bytes                   100663296 # published
copy_engines               2 # as such cards report (asyncEngineCount)
memory_bytes               32000000000 # published

h2d_gbps                   55.6 # PCIe 5.0 x16: as measured on an H200
d2h_gbps                   55.6
bidir_gbps                 50.04 # derived: 0.9 of one direction, as on an H200
d2d_gbps                   1497 # derived: 1792 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                1232 # derived, likewise
dram_gbps                  1344 # derived, likewise

sm_gflops                  282 # derived: 232 of an H200, times 128 of 128 lanes, times 2407 of 1980 MHz
sm_shared_gbps             342.8 # derived: 282 of an H200, by the clock
sm_dram_gbps               51.06 # derived: 42 of an H200, by the clock
