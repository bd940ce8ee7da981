# Profile of one NVIDIA H200 SXM for the simulated device.
# From plots/data/NVIDIA_H200/probe.csv (driver 580.159.04, CUDA 13.0, 2026-11-21); a word after "probe" is a key there.
# "derived" values follow from several rows by the sums given; "estimate" marks what was not measured.

name                       NVIDIA H200   # shown as Simulated NVIDIA H200

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
memory_clock_khz           3201000
memory_bus_bits            6016
l2_bytes                   62914560    # bytes
copy_engines               3
concurrent_kernels         128         # probe kernel.delay100_each_in_own_stream: 128 at once, 256 in two waves
memory_bytes               150109880320 # bytes

# copies
h2d_gbps                   55.6        # GB/s, probe queue.h2d.1_streams: slope from 1 MiB to 4 MiB; by make fit
d2h_gbps                   56.2        # GB/s, probe queue.d2h.1_streams: slope from 1 MiB to 4 MiB; by make fit
bidir_gbps                 50.3        # GB/s, probe bandwidth.h2d_d2h, half of it
pageable_h2d_gbps          11          # GB/s, pageable.csv 10.1 from 4 MiB up; by process and moment 8 to 17 (probe bandwidth.pageable_h2d 17)
pageable_d2h_gbps          17.5        # GB/s, pageable.csv pageable.d2h.67108864 17.8, 16777216 less 4194304 17.2; probe bandwidth.pageable_d2h 18.6
pageable_small_bytes       65536       # bytes, 65536 take longer than 131072 (21.9 and 15.3 us)
pageable_small_gbps        5.5         # GB/s, 65536 less 4096 bytes: pageable.csv 5.2, probe 7.8, another process 4.1
pageable_chunk_bytes       1048576     # bytes, pageable.csv and probe host.memcpy.d2h.pageable: up to 1 MiB slower than from there on
pageable_chunk_gbps        9.67        # GB/s, probe host.memcpy.d2h.pageable: 65536 to 1048576 bytes 11, pageable.csv 8.5; another process 14; by make fit
peer_gbps                  394.7       # GB/s, 256 MiB less 64 MiB in one stream; devices.csv copy.peer.16777216 less 1048576 385
peer_staged_gbps           37.6        # GB/s, 256 MiB less 64 MiB in one stream; devices.csv copy.staged.16777216 36
peer_overhead_us           2.45        # us, devices.csv copy.peer less bytes / rate, less a tenth of cross_engine_us
graph_peer_overhead_us     2.25        # us, with graph_edge_us: devices.csv graph.copy less bytes / rate, less a tenth of graph_cross_us
peer_staged_us             17          # us, devices.csv copy.staged.4096 15.8, 65536 less bytes / rate 20
h2d_overhead_us            2.45        # us, probe queue.h2d.1_streams less bytes / rate; the same in 2 and 4 streams; by make fit
d2h_overhead_us            2.02        # us, probe queue.d2h.1_streams less bytes / rate: 2.1; twenty in a stream of their own 1.74; by make fit
copy_switch_us             2.0         # us, traces of lab 03, n = 256: the H2D engine idles 2 to 4.8 us between copies of two streams
inline_copy_us             2.2         # us, probe queue.h2d.1_streams.4
inline_copy_bytes          1024        # bytes, probe queue.kernel_h2d: 1 KiB goes inline, 4 KiB crosses to the engine
pageable_overhead_us       0.6         # us, probe trip.memcpy_async.*.pageable.4 less pinned: H2D 0.2, D2H 1.1
d2d_gbps                   4011        # GB/s, read plus written; 64 MiB by probe trip.memcpy_async.d2d
d2d_overhead_us            1.6         # us, derived: probe queue.d2d.4 1.71 with same_stream_us
memset_gbps                3300        # GB/s, probe trip.memset_async.67108864 less .4194304
memset_overhead_us         1.7         # us, derived: probe queue.memset.65536 1.82 with same_stream_us
memset_small_us            0.7         # us, derived: probe queue.memset.4 0.82 with same_stream_us
memset_small_gbps          6.6         # GB/s, probe queue.memset: 4 bytes 0.82 us, 1024 0.98, 4096 1.44
memset_small_bytes         4096        # bytes, probe queue.memset

# stream-ordered pools
pool_grow_us               35          # us, probe host.malloc_async_after_sync.1048576; 37 to 59 for other sizes
pool_shrink_us             32          # us, derived: alloc.csv stream less stream.kept 67.8, less pool_grow_us

# kernels
kernel_overhead_us         1.44        # us, with same_stream_us: probe queue.kernel 1.48, launch.csv stream.device 1.60 a kernel; by make fit
kernel_memory_us           0.35        # us, probe kernel.saxpy.1024.1_streams, .consume, .produce1 1.81 to 1.84 less queue.kernel; nodes of a graph 0.34 to 0.46; none for a kernel that only writes
kernel_issue_us            0.8         # us, probe queue.kernel over 2 streams 0.77, over 4 and 8 0.95 to 1.0
block_issue_us             0.0006      # us, probe kernel.empty: 4096 blocks 3.99 us, 65536 blocks 41 us
sm_gflops                  232         # GFLOP/s, probe kernel.produce1000.4194304: 3 x 1000 x n floating-point operations
sm_shared_gbps             282         # GB/s, probe kernel.matmul.2048: 8 bytes for each multiply-add
sm_dram_gbps               42          # GB/s, probe kernel.read_gbps.1
dram_gbps                  3600        # GB/s, probe kernel.read_gbps.264 3580, kernel.saxpy.16777216 3250 (4194304: 4700, partly L2)
sm_half_threads            148         # threads, probe kernel.produce1000
sm_shared_half_threads     367         # threads, probe kernel.matmul.256 and .512
block_us                   0.6         # us, estimates.csv empty_4096_blocks, fill_32M
atomic_us                  0.0009      # us, estimates.csv one_counter_1M 0.0008, histogram_global_8M 0.0009, reduce_tree_32M 0.0018
memory_wait_us             0.175       # us, sums of n floats in L2 by one warp, four loads at a time: n 64 5.95, 256 14.4, 1024 48.1

# latencies
submit_us                  1.6         # us, derived: probe trip.launch and trip.memcpy_async less call, work and return; latency.launched_to_flag 3.5
same_stream_us             0.1         # us, derived: probe queue.kernel 1.48 to 1.54, kernel.produce1.1024 1.81 to 1.97 in all
cross_engine_us            4.0         # us, probe queue.kernel_d2h.65536 8.2 for two; whole chains: 3.6 to 4.5 (multiples of 4.096 when queued)
event_wait_us              0.1         # us, probe queue.ping_pong less queue.kernel
device_hop_us              5.45        # us, devices.csv hop.two 6.92, less kernel_overhead_us
graph_hop_us               5.05        # us, devices.csv graph.hop.two 6.21, less a kernel node
event_record_us            1.57        # us, probe queue.kernel_record_timing less queue.kernel 1.87, queue.events_only 1.28; without timing nothing; by make fit
host_func_us               19.8        # us, with host_func_done_us: probe queue.kernel_host_func 20.7, node_kinds.csv 28.9, in other processes 20 to 48 (after a long idle 127: latency.kernel_to_host_func); by make fit
host_func_next_us          1.2         # us, probe queue.host_func: 0.9 to 1.6
host_func_idle_us          2.0         # us, derived: probe trip.host_func on an idle stream 7.7 less call, submit and return
host_func_done_us          5.0         # us, probe latency.host_func_to_kernel 5.95 less a store that crosses PCIe
sync_return_us             2.1         # us, probe latency.flag_to_sync 2.2
stream_depth               1022        # operations, probe depth.kernel, with the one that held the stream

# graphs: rows of plots/data/NVIDIA_H200/graphs.csv. Host time first: what the calls take for each node
graph_capture_end_node_us  0.0114      # us, capture.end.1024 12.9; by make fit
graph_instantiate_kernel_us 0.547       # us, instantiate.chain: 128 68.7, 256 135, 1024 702; by make fit
graph_instantiate_node_us  0.293       # us, instantiate.kind_u.128 39.3, kind_m 34.9, kind_f 28.0, kind_r 28.9, kind_e 27.9; by make fit
graph_instantiate_branch_us 1.35        # us, instantiate.closed_32.128 122, instantiate.parallel.64 112, .128 258
graph_upload_run_us        0.4         # us, launch.kernel_h2d.262144.64: first.host 37 more than later.host, upload.host 50, with 32 runs
graph_upload_kernel_us     0.8         # us, launch.chain, the same: 1 kernel 1.2, 128 98, 1024 645; in other processes 123 and 724, 115 and 660 (launch.csv)
graph_upload_us            2.7         # us, derived: first_launch.csv, upload.1 6.7 until done, of which the call 2.3
graph_switch_on_us         1.2         # us, switch.on.first.100.host 61.4 against .second 1.06, 50 kernels
graph_switch_off_us        0.39        # us, switch.off.first.100.host 21.6
graph_launch_node_us       0.000878    # us, launch.chain.1024.later.host 2.03 against .1 1.02; by make fit
graph_launch_run_us        0.666       # us, launch.width_N.128.later.host: 2 1.5, 8 5.1, 32 22.2; with one root (closed_N) 1.0 to 1.3; by make fit
graph_launch_cold_nodes    650         # nodes; a launch after 64, 256, 512 and 1024 were instantiated: 1.62, 3.15, 4.45 and 5.41 us for 512, 1.45 without
graph_launch_cold_us       3.0         # us, a launch after 1024 nodes were instantiated: 4.05 us for 1 node, 1.03 without
graph_launch_cold_node_us  0.002       # us, the same for 1024 nodes: 7.05 us, 1.95 without
graph_launch_copy_us       0.805       # us, launch.h2d.65536.64.later.host 52.6, d2h 51.1; by make fit
graph_launch_memset_us     0.47        # us, launch.memset.4.64.later.host 31.2; by make fit
graph_launch_host_us       1.18        # us, launch.host.64.later.host 77, launch.kernel_host.64 96 with 32 runs; by make fit
graph_launch_event_us      0.105       # us, launch.record.64.later.host 7.8; by make fit
graph_launch_device_us     4.0         # us, devices.csv graph.hop.two.host less graph.hop.one.host, less the crossings
graph_launch_crossing_us   0.4         # us, devices.csv graph.hop.two.host: with graph_launch_run_us 1.0 for each edge between devices
graph_update_node_us       0.021       # us, update.call.100 2.18, .256 5.3 to 6.3
graph_destroy_node_us      0.0548      # us, graph.destroy.1024 57.4; by make fit
graph_exec_destroy_node_us 0.172       # us, launch.chain.128.destroy 19.0, exec_destroy.chain.128 21.3; by make fit
# device time
graph_kernel_us            0.37        # us, with graph_edge_us: first_launch.csv later 0.50 a node; by make fit
graph_first_kernel_us      1.08        # us, with graph_company_us: inside.each.kernel_record 1.26 a pair, around.same_exec.1 1.50, launch.chain.1.later.total 5.78
graph_company_kernels      8           # kernels; chains of 200 and 1000: 0.50 a node, 0.68 once 8 of 16 kernels or more went to other streams than the one with most
graph_company_us           0.17        # us, inside.each.kernel 0.67 less what a node takes alone; by make fit
graph_disabled_us          0.29        # us, switch.off.second.100 53.3, with 50 kernels disabled
graph_issue_us             0.19        # us, launch.width_8.128.later.total 29.0, inside.fan.step.32 5.51
graph_h2d_overhead_us      2.26        # us, with graph_edge_us: inside.each.h2d less bytes / rate; by make fit
graph_d2h_overhead_us      1.49        # us, with graph_edge_us: inside.each.d2h less bytes / rate; by make fit
graph_d2d_overhead_us      0.696       # us, with graph_edge_us and graph_company_us: inside.each.d2d.4 1.00; by make fit
graph_memset_overhead_us   0.8         # us, with graph_edge_us and graph_company_us: inside.each.memset.65536 1.10; by make fit
early_start_us             0.1         # us, in a graph 0.67 a kernel without a trigger, less its launch; trigger to start 0.2 to 0.5 by the device's clock
early_kernel_us            0.6         # us, chains in a stream: 0.78 a kernel that starts early and whose predecessor has no trigger
early_resume_us            0.7         # us, chains in a stream: kernels that trigger first, wait, and last 5 us take 5.76
graph_early_resume_us      0.45        # us, the same in a graph 5.46; 0.42 to 0.51 without the 5 us, whatever comes before the wait
graph_edge_us              0.13        # us, derived: with graph_kernel_us
graph_cross_us             3.49        # us, inside.each.kernel_h2d.65536 4.2 a crossing, node_kinds.csv h2d 2.9: one is 2 or 10 by chance; by make fit
# conditional nodes: rows of plots/data/NVIDIA_H200/conditions.csv, without their first word, condition
graph_condition_us         2.95        # us, if.taken.1 to .4.total 7.5 a node with a kernel, less that and graph_condition_end_us
graph_condition_skip_us    0.2         # us, if.skipped.1 to .16.total 3.2 a node, less graph_condition_end_us
graph_condition_end_us     2.9         # us, if.skipped_between_kernels.4.total 4.4 a node and a kernel, less graph_condition_skip_us
graph_inner_end_us         1.5         # us, while.if_skipped.100.total 6.19 a round, while.if_taken.100 10.4, while.100 4.47
graph_while_us             3.1         # us, while.1000.total 4.49 a round, with the kernel (4.33 and 4.39 with others)
graph_body_h2d_us          1.3         # us, while.h2d_65536.100.total 7.9 a round; while.d2h_65536 5.7, while.d2h_4 5.5
graph_launch_conditions_us 0.75        # us, if.taken.1.host 1.76, less graph_launch_condition_us and host.graph_launch
graph_launch_condition_us  0.59        # us, if.taken.16.host 10.6
graph_instantiate_condition_us 1.7     # us, if.empty.4.instantiate 9.0
graph_instantiate_body_us  1.5         # us, if.taken.4.instantiate 17.0, if.else.4 25.6 (switch_8.4 96, switch_32.4 425)
graph_upload_condition_us  1.9         # us, if.taken.16.upload 52
graph_exec_destroy_body_us 1.1         # us, if.taken.16.destroy 24, if.else.4 13.4

# graphs launched by kernels: rows of plots/data/NVIDIA_H200/device_shapes.csv, which another day and machine gave up
# to 15 % less and more (fire and forget 2.6 and 3.1 us to the first node, tail 4.1 and 5.1, a self relaunch 4.0 and 4.9)
device_first_kernel_us     0.53        # us, with graph_edge_us and graph_company_us: straight.fire.last less .first of 2 nodes 0.70 (1.0 another day), and nested launches
device_fire_us             1.7         # us, straight.fire.first.1 2.94 from clock to clock, less graph_first_kernel_us
device_fire_call_us        1.9         # us, several.fire.64 less .32, a launch 2.17; 1.7 to 1.98 another day
device_fire_root_us        0.15        # us, the call for a wide graph of 256, in clocks, less that for one of 2
device_root_us             0.265       # us, wide.fire.last.256 70.5
device_tail_call_us        1.4         # us, several.tail_kernel.64 less .32 1.61; 1.17 to 1.32 another day
device_tail_us             2.2         # us, derived: several.tail.64 less .tail_kernel, 2.95 a tail, less device_first_kernel_us
device_join_us             0.8         # us, from the end of the last child to the tail after it: 3.65 instead of 2.7
device_host_call_us        1.5         # us, straight.host.call.1 2.7; a graph that has nothing to do with it 1.0 in the same minute
device_host_end_us         2.9         # us, derived: straight.host.total.1 9.9 (the other 5.7), .queued.1 5.1 (1.5), less the call

# host time of one call
host.query                 0.016       # us, probe host.query.cudaGetDevice; by make fit
host.malloc                28.9        # us, probe host.malloc.1048576; by make fit
host.free                  25.7        # us, probe host.free.1048576; by make fit
host.malloc_host           436         # us, probe host.malloc_host.1048576; by make fit
host.free_host             189         # us, probe host.free_host.1048576; by make fit
host.malloc_async          0.234       # us, probe host.malloc_async.1048576; by make fit
host.free_async            0.316       # us, probe host.free_async.1048576; by make fit
host.stream_create         1.32        # us, probe host.stream_create; by make fit
host.stream_destroy        1.04        # us, probe host.stream_destroy; by make fit
host.stream_query          0.168       # us, probe host.stream_query.idle; by make fit
host.event_create          0.093       # us, probe host.event_create; by make fit
host.event_destroy         0.1         # us, probe host.event_destroy; by make fit
host.event_record          0.156       # us, probe host.event_record; by make fit
host.event_record_timing   0.763       # us, probe host.event_record.timing; by make fit
host.event_query           0.141       # us, probe host.event_query.ready; by make fit
host.stream_wait           0.155       # us, probe host.stream_wait.pending; by make fit
host.sync                  0.3         # us, probe host.sync.cudaStreamSynchronize; by make fit
host.memcpy_async          1.4         # us, probe host.memcpy_async: 1.0 to 2.0, by process and moment
host.memcpy_d2d            3.5         # us, probe host.memcpy_async.d2d: 2.9 to 4.6
host.memset_async          0.9         # us, probe host.memset_async.4: 0.7 to 1.1
host.memset_large          3.0         # us, probe host.memset_async.65536: 2.4 to 3.9
host.launch                2.63        # us, probe host.launch.busy 2.8, launch.csv stream.host 2.5, break_even.csv stream 2.6 a kernel; by make fit
host.host_func             1.5         # us, probe host.host_func.idle; by make fit
host.peer_access           68          # us, disabling and enabling it for one device: 137, two H200s, 2026-11-22
host.graph_create          0.094       # us, graph.create; by make fit
host.graph_node            0.0743      # us, graph.add.empty, .host_func, .event_record; .edge 0.066; by make fit
host.graph_work            0.189       # us, graph.add.kernel 0.19, .h2d 0.24, .memset 0.13, .child 0.29; by make fit
host.capture_begin         0.229       # us, probe capture.begin.1 0.15, break_even.csv 0.37 with host.capture_end; by make fit
host.capture_end           0.06        # us, capture.end.1; by make fit
host.capture_node          0.255       # us, capture.kernel 0.23, break_even.csv 0.29 a kernel, with graph_capture_end_node_us; by make fit
host.capture_mark          0.0927      # us, capture.memset 0.11, .host_func 0.12, .record 0.09, .wait 0.05; by make fit
host.graph_instantiate     1.8         # us, instantiate.chain.1 2.6; by make fit
host.graph_upload          1.12        # us, launch.chain.1.upload.host 2.27; by make fit
host.graph_launch          0.403       # us, launch.chain.1.later.host 1.04; by make fit
host.graph_set             0.18        # us, set.kernel, set.memset; set.h2d 0.23
host.exec_destroy          1.94        # us, launch.chain.1.destroy 2.1 (never launched 4.8); by make fit
