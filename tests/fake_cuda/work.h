/* Kernels and graphs as work of a stream, where they are carried out. */
#ifndef GF_TESTS_FAKE_CUDA_WORK_H
#define GF_TESTS_FAKE_CUDA_WORK_H

#include "fake.h"
#include "ptx.h"

typedef struct fake_shape {
    unsigned grid[3], block[3], shared;
    bool cooperative;
} fake_shape;

struct CUfunc_st {
    CUmodule module;
    const ptx_function *ptx; /* NULL: it is not carried out */
    struct CUfunc_st *next;
};

struct CUgraphNode_st {
    CUgraph graph;
    /* a kernel */
    CUfunction function;
    fake_shape shape;
    void *params;
    bool is_early; /* comes when the blocks of the one before have ended */
    /* a memset */
    CUDA_MEMSET_NODE_PARAMS memset;
    /* a conditional node */
    CUgraph body;
    CUgraphConditionalHandle condition;
    bool is_while;
    struct CUgraphNode_st *next;
};

struct CUgraph_st {
    CUgraphNode nodes; /* each depends on those before it */
};

void *fake_constants(CUfunction function);
CUgraphConditionalHandle fake_new_condition(bool is_assigned, unsigned first);
fake_work fake_kernel_work(CUfunction function, const fake_shape *shape, void **arguments);
fake_work fake_graph_work(CUgraph graph);

#endif
