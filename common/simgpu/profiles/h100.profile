# Profile of one NVIDIA H100 SXM (HBM3, 80 GB) for the simulated device.
# From plots/data/NVIDIA_H100_80GB_HBM3 (driver 580.159.04, CUDA 13.0, 2026-11-22); a word after "probe" is a key of probe.csv.
# "derived" values follow from several rows by the sums given; "estimate" marks what was not measured. What is not here is
# as on the H200.
base                       h200

name                       NVIDIA H100 80GB HBM3 # shown as Simulated NVIDIA H100 80GB HBM3

# what the device is: properties.txt and attributes.csv beside probe.csv
compute_major              9
compute_minor              0
sm_count                   132
sm_threads                 2048
sm_blocks                  32
sm_registers               65536
sm_shared_bytes            233472      # bytes
block_shared_bytes_optin   232448      # bytes
clock_khz                  1980000
memory_clock_khz           2619000
memory_bus_bits            5120
l2_bytes                   52428800    # bytes
copy_engines               3
memory_bytes               85017493504 # bytes

# copies
h2d_gbps                   55.2        # GB/s; by make fit
d2h_gbps                   55.9        # GB/s; by make fit
bidir_gbps                 49.8        # GB/s, probe bandwidth.h2d_d2h, half of it
pageable_h2d_gbps          7.2         # GB/s, pageable.csv 6.4 to 7.5 from 1 MiB up; probe bandwidth.pageable_h2d 8.5
pageable_d2h_gbps          9.8         # GB/s, pageable.csv 9.4 to 9.8 from 4 MiB up; probe bandwidth.pageable_d2h 11.2
pageable_small_gbps        4.7         # GB/s, 65536 less 4096 bytes: pageable.csv 4.7, probe trip 6.2
pageable_chunk_gbps        8.05        # GB/s; by make fit
peer_gbps                  360         # GB/s, as on the H200
h2d_overhead_us            2.52        # us; by make fit
d2h_overhead_us            2.21        # us; by make fit
inline_copy_us             2.2         # us, probe queue.h2d.1_streams.4
d2d_gbps                   2950        # GB/s, read plus written; 64 MiB by probe trip.memcpy_async.d2d
d2d_overhead_us            1.85        # us, derived: probe queue.d2d.4 1.97 with same_stream_us
memset_gbps                2500        # GB/s, probe trip.memset_async.67108864 less .4194304, as on the H200 in proportion
memset_overhead_us         1.9         # us, derived: probe queue.memset.65536 2.05 with same_stream_us
memset_small_us            0.67        # us, derived: probe queue.memset.4 0.78 with same_stream_us
memset_small_gbps          6.7         # GB/s, probe queue.memset: 4 bytes 0.78 us, 4096 1.39

# stream-ordered pools
pool_grow_us               48          # us, probe host.malloc_async_after_sync.1048576; 46 to 72 for other sizes
pool_shrink_us             48          # us, derived: alloc.csv stream less stream.kept 96 to 115, less pool_grow_us

# kernels
kernel_overhead_us         1.79        # us; by make fit
kernel_memory_us           0.25        # us, probe kernel.saxpy.1024.1_streams, .consume, .produce1 2.06 to 2.08 less queue.kernel; none for a kernel that only writes
kernel_issue_us            0.95        # us, probe kernel.empty.1 over 2 streams 0.93, over 4 and 8 0.97
sm_dram_gbps               41          # GB/s, probe kernel.read_gbps.1
dram_gbps                  2710        # GB/s, probe kernel.read_gbps.264 2710, kernel.saxpy.16777216 2660

# latencies
same_stream_us             0.1         # us, as on the H200
cross_engine_us            2.3         # us, conditional.csv host.stream 12.5 an iteration; probe queue.kernel_d2h.65536 9.2 to 13 for two (multiples of 4.096 when queued)
event_wait_us              0.13        # us, probe queue.ping_pong less queue.kernel
event_record_us            1.64        # us; by make fit
host_func_us               22.8        # us; by make fit
host_func_next_us          1.4         # us, probe queue.host_func 1.14; on the H200 0.9 to 1.6
host_func_done_us          3.8         # us, probe latency.host_func_to_kernel 4.7 less a store that crosses PCIe
sync_return_us             2.55        # us, probe latency.flag_to_sync 2.7

# graphs: rows of plots/data/NVIDIA_H200/graphs.csv. Host time first: what the calls take for each node
graph_capture_end_node_us  0.0176      # us; by make fit
graph_instantiate_kernel_us 1.27        # us; by make fit
graph_instantiate_node_us  0.706       # us; by make fit
graph_instantiate_branch_us 1.9         # us, instantiate.closed_32.128 183, instantiate.parallel.64 159, .128 364
graph_upload_run_us        0.5         # us, as on the H200, by the host times of the two
graph_upload_kernel_us     1.05        # us, first_launch.csv upload: 1024 kernels 1129 to 1162, 128 156 to 169
graph_upload_us            3.5         # us, derived: first_launch.csv, upload.1
graph_switch_on_us         1.56        # us, switch.on.first.100.host 83.1 against .second 4.9, 50 kernels
graph_switch_off_us        0.56        # us, switch.off.first.100.host 33.2 against .second 5.0
graph_launch_node_us       0.00239     # us; by make fit
graph_launch_run_us        1.12        # us; by make fit
graph_launch_cold_nodes    500         # nodes, as on the H200, where a launch after 64 to 1024 were instantiated took 1.62 to 5.41 us
graph_launch_cold_us       5.0         # us, launch.csv relaunch.host: 10.5 us for 512 nodes
graph_launch_cold_node_us  0.018       # us, the same, 21.2 us for 1024 nodes
graph_launch_copy_us       2.18        # us; by make fit
graph_launch_memset_us     0.765       # us; by make fit
graph_launch_host_us       2.12        # us; by make fit
graph_launch_event_us      0.778       # us; by make fit
graph_update_node_us       0.035       # us, update.call.100 4.0, .256 11.3
graph_destroy_node_us      0.0811      # us; by make fit
graph_exec_destroy_node_us 0.278       # us; by make fit
# device time
graph_kernel_us            0.656       # us; by make fit
graph_first_kernel_us      1.05        # us, with graph_company_us: node_kinds.csv event 0.74, inside.each.kernel_record 1.68 a pair, around.same_exec.1 1.89
graph_company_us           0.169       # us; by make fit
graph_disabled_us          0.35        # us, switch.off.second.100 72.0, with 50 kernels disabled
graph_h2d_overhead_us      2.31        # us; by make fit
graph_d2h_overhead_us      1.57        # us; by make fit
graph_d2d_overhead_us      0.779       # us; by make fit
graph_memset_overhead_us   0.857       # us; by make fit
graph_edge_us              0.13        # us, as on the H200
graph_cross_us             2.0         # us, node_kinds.csv h2d 6.6, d2h 6.1; conditional.csv host.graph 9.5 an iteration; inside.each.kernel_h2d.65536 2.9
# conditional nodes: rows of plots/data/NVIDIA_H200/conditions.csv, without their first word, condition
graph_launch_conditions_us 1           # us, as on the H200, by the host times of the two
graph_launch_condition_us  0.79        # us, the same
graph_instantiate_condition_us 2.3         # us, the same
graph_instantiate_body_us  2           # us, the same
graph_upload_condition_us  2.5         # us, the same
graph_exec_destroy_body_us 1.5         # us, the same

# graphs launched by kernels: rows of plots/data/NVIDIA_H200/device_shapes.csv, which another day and machine gave up
# to 15 % less and more (fire and forget 2.6 and 3.1 us to the first node, tail 4.1 and 5.1, a self relaunch 4.0 and 4.9)
device_host_call_us        2           # us, as on the H200, by the host times of the two

# host time of one call
host.query                 0.041       # us; by make fit
host.malloc                44.4        # us; by make fit
host.free                  36.9        # us; by make fit
host.malloc_host           671         # us; by make fit
host.free_host             263         # us; by make fit
host.malloc_async          0.414       # us; by make fit
host.free_async            0.413       # us; by make fit
host.stream_create         2.14        # us; by make fit
host.stream_destroy        2.14        # us; by make fit
host.stream_query          0.383       # us; by make fit
host.event_create          0.237       # us; by make fit
host.event_destroy         0.25        # us; by make fit
host.event_record          0.377       # us; by make fit
host.event_record_timing   1.35        # us; by make fit
host.event_query           0.302       # us; by make fit
host.stream_wait           0.458       # us; by make fit
host.sync                  0.664       # us; by make fit
host.memcpy_async          1.6         # us, probe host.memcpy_async: 1.2 to 3.4
host.memcpy_d2d            3.8         # us, probe host.memcpy_async.d2d: 3.4 to 4.0
host.memset_async          1           # us, probe host.memset_async.4: 0.84 to 0.94 where least
host.memset_large          3.3         # us, probe host.memset_async.65536: 2.7 to 3.3 where least
host.launch                4.01        # us; by make fit
host.host_func             3.18        # us; by make fit
host.graph_create          0.163       # us; by make fit
host.graph_node            0.129       # us; by make fit
host.graph_work            0.336       # us; by make fit
host.capture_begin         0.369       # us; by make fit
host.capture_end           0.11        # us; by make fit
host.capture_node          0.742       # us; by make fit
host.capture_mark          0.169       # us; by make fit
host.graph_instantiate     2.51        # us; by make fit
host.graph_upload          2.01        # us; by make fit
host.graph_launch          1.27        # us; by make fit
host.graph_set             0.26        # us, set.kernel; set.memset 0.46, set.h2d 0.47
host.exec_destroy          2.71        # us; by make fit
