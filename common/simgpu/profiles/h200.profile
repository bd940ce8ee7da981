# Profile of one NVIDIA H200 SXM for the simulated device.
# PROVISIONAL: estimated from coarse figures of one H200 (driver 580, CUDA 13.0); to be replaced by a fitted one.

name                       NVIDIA H200   # shown as Simulated NVIDIA H200

# what the device is: cudaGetDeviceProperties on an H200
compute_major              9
compute_minor              0
sm_count                   132
sm_threads                 2048
sm_blocks                  32
sm_registers               65536
sm_shared_bytes            233472      # bytes
block_shared_bytes_optin   232448      # bytes
clock_khz                  1980000
memory_clock_khz           3201000
memory_bus_bits            6144
l2_bytes                   62914560    # bytes
copy_engines               3
concurrent_kernels         128
memory_bytes               150110011392 # bytes

# copies
h2d_gbps                   55.5        # GB/s, measured
d2h_gbps                   55.3        # GB/s, measured
bidir_gbps                 50.8        # GB/s, measured
pageable_h2d_gbps          9.9         # GB/s, measured
pageable_d2h_gbps          19.0        # GB/s, measured
peer_gbps                  360         # GB/s, guessed
copy_overhead_us           1.5         # us, guessed
copy_dependent_us          1.0         # us, guessed
pageable_overhead_us       4.0         # us, guessed
d2d_gbps                   4011        # GB/s, measured
memset_gbps                3000        # GB/s, guessed
memset_overhead_us         1.6         # us, guessed

# kernels
kernel_overhead_us         1.9         # us, guessed
sm_gflops                  250         # GFLOP/s, guessed
sm_shared_gbps             240         # GB/s, guessed
sm_dram_gbps               70          # GB/s, guessed
dram_gbps                  4000        # GB/s, guessed
sm_half_threads            256         # threads, guessed

# latencies
submit_us                  2.5         # us, guessed
same_stream_us             0.7         # us, guessed
cross_engine_us            2.0         # us, guessed
event_wait_us              2.0         # us, guessed
event_record_us            0.5         # us, guessed
host_func_us               8.0         # us, guessed
host_func_done_us          8.0         # us, guessed
sync_return_us             2.5         # us, guessed
stream_depth               1024        # operations, guessed

# host time of one call
host.query                 0.05        # us, guessed
host.malloc                60          # us, guessed
host.free                  80          # us, guessed
host.malloc_host           300         # us, guessed
host.free_host             200         # us, guessed
host.malloc_async          0.6         # us, guessed
host.free_async            0.6         # us, guessed
host.stream_create         15          # us, guessed
host.stream_destroy        10          # us, guessed
host.stream_query          0.6         # us, guessed
host.event_create          0.4         # us, guessed
host.event_destroy         0.3         # us, guessed
host.event_record          1.0         # us, guessed
host.event_query           0.4         # us, guessed
host.stream_wait           0.7         # us, guessed
host.sync                  1.5         # us, guessed
host.memcpy_async          2.2         # us, guessed
host.memset_async          2.0         # us, guessed
host.launch                2.8         # us, measured: chain of empty kernels
host.host_func             1.5         # us, guessed
