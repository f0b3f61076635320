/* Graphs: nodes one behind the other, and loops, which drivers have since CUDA 12.4. */
#include "backend/cuda/kernel.h"
#include <string.h>

/* The host goes on when a kernel tells it of the end, and the graph may not be through by then. */
void gf_cuda_graph_drop(const gf_cuda_driver *driver, gf_cuda_graph *graph) {
    if (graph->exec != NULL) {
        (void)driver->cuEventSynchronize(graph->done);
        (void)driver->cuGraphExecDestroy(graph->exec);
    }
    if (graph->graph != NULL) {
        (void)driver->cuGraphDestroy(graph->graph);
    }
    graph->exec = NULL;
    graph->graph = NULL;
}

bool gf_cuda_graph_build(gf_cuda_context *context, gf_cuda_graph *graph, CUstream stream, gf_cuda_fill_graph *fill,
                         void *user, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    gf_cuda_graph_drop(driver, graph);
    bool done = gf_cuda_try(context, driver->cuGraphCreate(&graph->graph, 0), "cuGraphCreate", diags) &&
                fill(user, graph->graph) &&
                gf_cuda_try(context, driver->cuGraphInstantiateWithFlags(&graph->exec, graph->graph, 0),
                            "cuGraphInstantiateWithFlags", diags) &&
                gf_cuda_try(context, driver->cuGraphUpload(graph->exec, stream), "cuGraphUpload", diags);
    if (!done) {
        gf_cuda_graph_drop(driver, graph);
    }
    return done;
}

bool gf_cuda_add_kernel(gf_cuda_context *context, CUgraph graph, CUDA_KERNEL_NODE_PARAMS node, CUgraphNode *last,
                        gf_diags *diags) {
    CUgraphNode made = NULL;
    node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    if (!gf_cuda_try(context, context->driver->cuGraphAddKernelNode(&made, graph, last, *last != NULL ? 1 : 0, &node),
                     "cuGraphAddKernelNode", diags)) {
        return false;
    }
    *last = made;
    return true;
}

bool gf_cuda_has_loops(const gf_cuda_context *context, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    if (driver->cuGraphConditionalHandleCreate != NULL &&
        (driver->cuGraphAddNode != NULL || driver->cuGraphAddNode_v2 != NULL)) {
        return true;
    }
    (void)gf_fail(diags, GF_CODE_STRATEGY, GF_NO_SPAN,
                  "strategy resident wants graphs with loops, which this driver does not have");
    gf_fix(diags, "take a driver of CUDA 12.4 or later, or another strategy");
    return false;
}

bool gf_cuda_add_while(gf_cuda_context *context, CUgraph graph, CUgraphConditionalHandle flag, CUgraphNode *last,
                       CUgraph *body, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    CUgraphNodeParams params;
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = flag;
    params.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    params.conditional.size = 1;
    params.conditional.ctx = context->context;
    CUgraphNode made = NULL;
    size_t after = *last != NULL ? 1 : 0;
    CUresult result = driver->cuGraphAddNode != NULL
                          ? driver->cuGraphAddNode(&made, graph, last, after, &params)
                          : driver->cuGraphAddNode_v2(&made, graph, last, NULL, after, &params);
    if (!gf_cuda_try(context, result, "cuGraphAddNode", diags)) {
        return false;
    }
    *body = params.conditional.phGraph_out[0];
    *last = made;
    return true;
}
