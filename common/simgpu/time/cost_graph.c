/* cost_graph.c: the costs of graphs, on the host and on the device. See cost.c. */
#include "sim.h"

/* ---- graphs, host time ----------------------------------------------------------------------- */

ns_t cost_capture_end(int nodes)
{
    return us_to_ns(sim.profile.graph_capture_end_node_us * nodes);
}

ns_t cost_graph_destroy(int nodes)
{
    return us_to_ns(sim.profile.graph_destroy_node_us * nodes);
}

double cost_instantiate_us(int width)
{
    return width > 1 ? sim.profile.graph_instantiate_branch_us * (width - 1) : 0;
}

double cost_instantiate_node_us(bool is_kernel)
{
    const struct profile *p = &sim.profile;
    return is_kernel ? p->graph_instantiate_kernel_us : p->graph_instantiate_node_us;
}

COST_IS_US(cost_instantiate_condition_us, graph_instantiate_condition_us)
COST_IS_US(cost_instantiate_body_us, graph_instantiate_body_us)

double cost_exec_destroy_us(int nodes)
{
    return sim.profile.graph_exec_destroy_node_us * nodes;
}

COST_IS_US(cost_exec_destroy_body_us, graph_exec_destroy_body_us)

ns_t cost_graph_update(int nodes)
{
    return us_to_ns(sim.profile.graph_update_node_us * nodes);
}

double cost_switch_us(bool enabled)
{
    return enabled ? sim.profile.graph_switch_on_us : sim.profile.graph_switch_off_us;
}

double cost_upload_run_us(int kernels)
{
    return sim.profile.graph_upload_run_us + sim.profile.graph_upload_kernel_us * kernels;
}

COST_IS_US(cost_upload_condition_us, graph_upload_condition_us)
COST_IS_US(cost_launch_node_us, graph_launch_node_us)

double cost_launch_kind_us(enum op_kind kind, bool is_kernel, bool first_of_run)
{
    const struct profile *p = &sim.profile;
    if (is_kernel)
        return first_of_run ? p->graph_launch_run_us : 0;
    switch (kind) {
    case OP_COPY:
        return p->graph_launch_copy_us;
    case OP_MEMSET:
        return p->graph_launch_memset_us;
    case OP_HOST_FUNC:
        return p->graph_launch_host_us;
    case OP_EVENT_RECORD:
    case OP_EVENT_WAIT:
        return p->graph_launch_event_us;
    case OP_CONDITION:
        return p->graph_launch_condition_us;
    default:
        return 0;
    }
}

COST_IS_US(cost_launch_crossing_us, graph_launch_crossing_us)

ns_t cost_launch_devices(int n)
{
    return n > 1 ? us_to_ns(sim.profile.graph_launch_device_us * (n - 1)) : 0;
}

double cost_launch_cold_us(double made, int nodes)
{
    const struct profile *p = &sim.profile;
    double share = made / p->graph_launch_cold_nodes;
    double us = p->graph_launch_cold_us + p->graph_launch_cold_node_us * nodes;
    return us * (share < 1 ? share : 1);
}

COST_IS(cost_launch_conditions, graph_launch_conditions_us)
COST_IS(cost_launch_for_device, device_host_call_us)

/* ---- graphs, device time --------------------------------------------------------------------- */

COST_IS(cost_upload_on_device, graph_upload_us)
COST_IS(cost_disabled_node, graph_disabled_us)

bool kernels_in_company(uint64_t all, uint64_t in_one_stream)
{
    const uint64_t company = (uint64_t)sim.profile.graph_company_kernels;
    return all >= 2 * company && all - in_one_stream >= company;
}

COST_IS(cost_condition_begin, graph_condition_us)
COST_IS(cost_condition_skip, graph_condition_skip_us)

ns_t cost_condition_end(bool inner)
{
    return us_to_ns(inner ? sim.profile.graph_inner_end_us : sim.profile.graph_condition_end_us);
}

COST_IS(cost_while, graph_while_us)

/* ---- graphs launched by kernels -------------------------------------------------------------- */

COST_IS_US(cost_tail_call_us, device_tail_call_us)

double cost_fire_call_us(int roots)
{
    return sim.profile.device_fire_call_us + sim.profile.device_fire_root_us * (roots - 1);
}

COST_IS_US(cost_fire_us, device_fire_us)
COST_IS(cost_root, device_root_us)
COST_IS(cost_tail, device_tail_us)
COST_IS(cost_join, device_join_us)
COST_IS(cost_device_launch_end, device_host_end_us)
