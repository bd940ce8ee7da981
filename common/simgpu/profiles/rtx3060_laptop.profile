# Profile of one NVIDIA GeForce RTX 3060 Laptop GPU for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA, GeForce RTX 30 laptop GPUs; GA102 whitepaper. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA GeForce RTX 3060 Laptop GPU

compute_major              8 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              6
sm_count                   30 # published
sm_threads                 1536
sm_blocks                  16
sm_shared_bytes            102400
block_shared_bytes_optin   101376
clock_khz                  1425000 # published boost clock
memory_clock_khz           7001000 # published
memory_bus_bits            192 # published
l2_bytes                   3145728 # published
copy_engines               2 # as such cards report (asyncEngineCount)
memory_bytes               6000000000 # published

h2d_gbps                   12.5 # PCIe 4.0 x8: estimate, 80 % of the nominal rate
d2h_gbps                   12.5
bidir_gbps                 11.25 # derived: 0.9 of one direction, as on an H200
pageable_h2d_gbps          7.5 # derived: the host copies, as on an H200, but at most 0.6 of the bus
pageable_d2h_gbps          7.5 # derived, likewise
pageable_small_gbps        5 # derived, likewise
pageable_chunk_gbps        6.25 # derived, likewise
d2d_gbps                   280.8 # derived: 336 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                231 # derived, likewise
dram_gbps                  252 # derived, likewise

sm_gflops                  167 # derived: 232 of an H200, times 128 of 128 lanes, times 1425 of 1980 MHz
sm_shared_gbps             203 # derived: 282 of an H200, by the clock
sm_dram_gbps               30.23 # derived: 42 of an H200, by the clock
