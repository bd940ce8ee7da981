# Profile of one NVIDIA B200 for the simulated device: derived from published figures, not measured. Its times are estimates.
# Published: NVIDIA DGX B200 data sheet; Blackwell architecture brief. All other figures, the times of calls among them, are those of the H200 and its host.
base                       h200

name                       NVIDIA B200

compute_major              10 # CUDA Programming Guide, table of compute capabilities, as the limits of an SM
compute_minor              0
sm_count                   148 # published
sm_threads                 2048
sm_blocks                  32
sm_shared_bytes            233472
block_shared_bytes_optin   232448
clock_khz                  1980000 # published boost clock
memory_clock_khz           3996000 # published
memory_bus_bits            8192 # published
l2_bytes                   132120576 # published figures differ: 65 to 126 MB
copy_engines               3 # as such cards report (asyncEngineCount)
memory_bytes               180000000000 # published

h2d_gbps                   55.6 # PCIe 5.0 x16: as measured on an H200
d2h_gbps                   55.6
bidir_gbps                 50.04 # derived: 0.9 of one direction, as on an H200
d2d_gbps                   6685 # derived: 8000 GB/s published, 4800 of an H200, times 4011 measured there
memset_gbps                5500 # derived, likewise
dram_gbps                  6000 # derived, likewise
