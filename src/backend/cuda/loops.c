/* Loops in graphs, which drivers have since CUDA 12.4. */
#include "backend/cuda/kernel.h"
#include <string.h>

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
