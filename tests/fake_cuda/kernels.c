/* Modules, launches and graphs: arguments are checked; what runs is in work.c. */
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VARIABLES 16

CUresult fake_put_nothing(CUstream stream);

struct CUmod_st {
    char *text;
    fake_ptx *ptx; /* where kernels are carried out */
    struct CUfunc_st *functions;
    char *names[MOST_VARIABLES];
    CUdeviceptr addresses[MOST_VARIABLES];
    size_t sizes[MOST_VARIABLES];
};

struct CUgraphExec_st {
    CUgraph graph; /* which must not go before it */
};

static void *make(size_t bytes) {
    void *made = calloc(1, bytes);
    if (made == NULL) {
        abort();
    }
    fake_count(1);
    return made;
}

static void destroy(void *made) {
    free(made);
    fake_count(-1);
}

#define ENTER(symbol)                                                                                                  \
    CUresult entered = fake_enter_context(symbol);                                                                     \
    if (entered != CUDA_SUCCESS) {                                                                                     \
        return entered;                                                                                                \
    }

/* For destroying: a lost context will do. */
#define ENTER_TO_FREE(symbol)                                                                                          \
    CUresult entered = fake_enter(symbol);                                                                             \
    if (entered != CUDA_SUCCESS) {                                                                                     \
        return entered;                                                                                                \
    }

/* ---- modules ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): the driver declares it so */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned options, CUjit_option *names, void **values) {
    ENTER("cuModuleLoadDataEx")
    char why[256] = "";
    fake_ptx *ptx = fake_runs() ? fake_ptx_read(image, why, sizeof why) : NULL;
    if (fake_runs() && ptx == NULL) {
        for (unsigned i = 0; i < options; i++) {
            if (names[i] == CU_JIT_ERROR_LOG_BUFFER) {
                (void)snprintf(values[i], sizeof why, "%s", why);
            }
        }
        return fake_leave(CUDA_ERROR_INVALID_PTX);
    }
    *module = make(sizeof **module);
    (*module)->ptx = ptx;
    (*module)->text = strdup(image);
    return fake_leave((*module)->text != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult cuModuleUnload(CUmodule module) {
    ENTER_TO_FREE("cuModuleUnload")
    for (struct CUfunc_st *at = module->functions; at != NULL;) {
        struct CUfunc_st *next = at->next;
        destroy(at);
        at = next;
    }
    void *memory[MOST_VARIABLES] = {NULL};
    for (size_t i = 0; i < MOST_VARIABLES && module->names[i] != NULL; i++) {
        memory[i] = fake_resolve(module->addresses[i], 1);
        free(module->names[i]);
    }
    CUdeviceptr addresses[MOST_VARIABLES];
    memcpy(addresses, module->addresses, sizeof addresses);
    free(module->text);
    fake_ptx_free(module->ptx);
    destroy(module);
    (void)fake_leave(CUDA_SUCCESS);
    for (size_t i = 0; i < MOST_VARIABLES; i++) {
        if (memory[i] != NULL) {
            (void)cuMemFree_v2(addresses[i]);
        }
    }
    return CUDA_SUCCESS;
}

/* Where a name stands as a word, behind which one of `ends` follows; NULL: nowhere. */
static const char *find_name(const char *text, const char *name, const char *ends) {
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        bool begins = at == text || strchr(" \t\n", at[-1]) != NULL;
        if (begins && at[length] != '\0' && strchr(ends, at[length]) != NULL) {
            return at;
        }
    }
    return NULL;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    ENTER("cuModuleGetFunction")
    if (find_name(module->text, name, "( \t\n") == NULL) {
        return fake_leave(CUDA_ERROR_NOT_FOUND);
    }
    *function = make(sizeof **function);
    (*function)->module = module;
    (*function)->ptx = module->ptx != NULL ? fake_ptx_find(module->ptx, name) : NULL;
    (*function)->next = module->functions;
    module->functions = *function;
    return fake_leave(CUDA_SUCCESS);
}

/* Bytes of a variable `.b64 NAME[COUNT]` or `.u32 NAME;`: the width stands right before the name. */
static size_t size_variable(const char *text, const char *at, const char *name) {
    const char *bracket = at + strlen(name);
    size_t count = *bracket == '[' ? (size_t)strtoull(bracket + 1, NULL, 10) : 1;
    const char *type = at - 1;
    while (type > text && *type != '.') {
        type--;
    }
    return count * (size_t)strtoull(type + 2, NULL, 10) / 8;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    size_t i = 0;
    size_t size = 0;
    {
        ENTER("cuModuleGetGlobal_v2")
        const char *at = find_name(module->text, name, "[;= \t");
        size = at != NULL ? size_variable(module->text, at, name) : 0;
        while (i < MOST_VARIABLES && module->names[i] != NULL && strcmp(module->names[i], name) != 0) {
            i++;
        }
        (void)fake_leave(CUDA_SUCCESS);
    }
    if (size == 0 || i == MOST_VARIABLES) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (module->names[i] == NULL) {
        CUresult result = cuMemAlloc_v2(&module->addresses[i], size);
        if (result != CUDA_SUCCESS) {
            return result;
        }
        module->names[i] = strdup(name);
        module->sizes[i] = size;
    }
    if (address != NULL) {
        *address = module->addresses[i];
    }
    if (bytes != NULL) {
        *bytes = module->sizes[i];
    }
    return CUDA_SUCCESS;
}

void *fake_constants(CUfunction function) {
    CUmodule module = function->module;
    return module->addresses[0] != 0 ? fake_resolve(module->addresses[0], module->sizes[0]) : NULL;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    (void)function;
    ENTER("cuFuncGetAttribute")
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
             : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 32
                                                                  : 0;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)function;
    (void)attribute;
    ENTER("cuFuncSetAttribute")
    return fake_leave(value < 0 || value > 98304 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

static int count_resident(int threads, size_t shared) {
    int warps = (threads + 31) / 32;
    int blocks = threads > 1024 || threads < 1 ? 0 : FAKE_THREADS_PER_SM / 32 / warps;
    blocks = blocks > FAKE_BLOCKS_PER_SM ? FAKE_BLOCKS_PER_SM : blocks;
    int by_shared = shared > 0 ? (int)(98304 / shared) : blocks;
    return by_shared < blocks ? by_shared : blocks;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared) {
    (void)function;
    ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor")
    *blocks = count_resident(threads, dynamic_shared);
    return fake_leave(CUDA_SUCCESS);
}

/* ---- launches ---- */

typedef fake_shape shape;

static CUresult check_shape(const shape *asked) {
    uint64_t threads = (uint64_t)asked->block[0] * asked->block[1] * asked->block[2];
    uint64_t blocks = (uint64_t)asked->grid[0] * asked->grid[1] * asked->grid[2];
    if (threads == 0 || threads > 1024 || blocks == 0 || asked->grid[0] > INT32_MAX || asked->grid[1] > 65535 ||
        asked->grid[2] > 65535) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    uint64_t resident = (uint64_t)count_resident((int)threads, asked->shared) * (uint64_t)fake_sms();
    return asked->cooperative && blocks > resident ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

static CUresult launch(CUfunction function, const shape *asked, void **arguments, CUstream stream) {
    CUresult result = check_shape(asked);
    if (result == CUDA_SUCCESS && function->ptx != NULL) {
        return fake_put_work(stream, fake_kernel_work(function, asked, arguments));
    }
    return result == CUDA_SUCCESS ? fake_put_nothing(stream) : result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned dynamic_shared, CUstream stream, void **arguments,
                        void **extra) {
    (void)extra;
    ENTER("cuLaunchKernel")
    shape asked = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, false};
    return fake_leave(launch(function, &asked, arguments, stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                   CUstream stream, void **arguments) {
    ENTER("cuLaunchCooperativeKernel")
    shape asked = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, true};
    return fake_leave(launch(function, &asked, arguments, stream));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    (void)extra;
    ENTER("cuLaunchKernelEx")
    shape asked = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                   {config->blockDimX, config->blockDimY, config->blockDimZ},
                   config->sharedMemBytes,
                   false};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        asked.cooperative = asked.cooperative || (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE &&
                                                  config->attrs[i].value.cooperative != 0);
    }
    return fake_leave(launch(function, &asked, arguments, config->hStream));
}

/* ---- graphs ---- */

static void destroy_graph(CUgraph graph) {
    for (CUgraphNode at = graph->nodes; at != NULL;) {
        CUgraphNode next = at->next;
        if (at->body != NULL) {
            destroy_graph(at->body);
        }
        free(at->params);
        destroy(at);
        at = next;
    }
    destroy(graph);
}

static CUgraphNode add_node(CUgraph graph) {
    CUgraphNode node = make(sizeof *node);
    CUgraphNode *last = &graph->nodes;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    node->graph = graph;
    *last = node;
    return node;
}

static bool are_of(CUgraph graph, const CUgraphNode *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] == NULL || nodes[i]->graph != graph) {
            return false;
        }
    }
    return true;
}

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
    ENTER("cuGraphCreate")
    if (flags != 0) {
        return fake_leave(CUDA_ERROR_INVALID_VALUE);
    }
    *graph = make(sizeof **graph);
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuGraphDestroy(CUgraph graph) {
    ENTER_TO_FREE("cuGraphDestroy")
    destroy_graph(graph);
    return fake_leave(CUDA_SUCCESS);
}

static shape shape_of(const CUDA_KERNEL_NODE_PARAMS *params) {
    return (shape){{params->gridDimX, params->gridDimY, params->gridDimZ},
                   {params->blockDimX, params->blockDimY, params->blockDimZ},
                   params->sharedMemBytes,
                   false};
}

static CUresult check_kernel(const CUDA_KERNEL_NODE_PARAMS *params) {
    shape asked = shape_of(params);
    return params->func == NULL ? CUDA_ERROR_INVALID_VALUE : check_shape(&asked);
}

static void keep_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
    const ptx_function *ptx = params->func->ptx;
    node->function = params->func;
    node->shape = shape_of(params);
    free(node->params);
    node->params = NULL;
    if (ptx != NULL && ptx->given_bytes > 0) {
        node->params = malloc(ptx->given_bytes);
        if (node->params == NULL) {
            abort();
        }
        memcpy(node->params, params->kernelParams[0], ptx->given_bytes); /* one struct is all that our kernels take */
    }
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t after_count,
                              const CUDA_KERNEL_NODE_PARAMS *params) {
    ENTER("cuGraphAddKernelNode")
    CUresult result = are_of(graph, after, after_count) ? check_kernel(params) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *node = add_node(graph);
        keep_kernel(*node, params);
    }
    return fake_leave(result);
}

static CUresult check_memset(const CUDA_MEMSET_NODE_PARAMS *params) {
    bool is_right = fake_resolve(params->dst, params->width * params->elementSize) != NULL && params->height == 1;
    return is_right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t after_count,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
    ENTER("cuGraphAddMemsetNode")
    CUresult result = are_of(graph, after, after_count) && context == fake_current() ? check_memset(params)
                                                                                     : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *node = add_node(graph);
        (*node)->memset = *params;
    }
    return fake_leave(result);
}

/* Edges that are not simply behind lead from a kernel, whose blocks have ended, to a kernel. */
static bool are_edges(const CUgraphNode *after, const CUgraphEdgeData *edges, size_t count, bool to_kernel) {
    for (size_t i = 0; edges != NULL && i < count; i++) {
        bool is_early = edges[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        if (edges[i].to_port != 0 || edges[i].from_port != (is_early ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC : 0) ||
            (is_early && (!to_kernel || after[i]->function == NULL))) {
            return false;
        }
    }
    return true;
}

static CUresult add_any(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, const CUgraphEdgeData *edges,
                        size_t after_count, CUgraphNodeParams *params) {
    bool is_kernel = params->type == CU_GRAPH_NODE_TYPE_KERNEL;
    const CUDA_KERNEL_NODE_PARAMS_v3 *asked = &params->kernel;
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = is_kernel ? asked->func : NULL};
    if (!are_of(graph, after, after_count) || !are_edges(after, edges, after_count, is_kernel)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (is_kernel) {
        kernel = (CUDA_KERNEL_NODE_PARAMS){
            asked->func,      asked->gridDimX,  asked->gridDimY,       asked->gridDimZ,     asked->blockDimX,
            asked->blockDimY, asked->blockDimZ, asked->sharedMemBytes, asked->kernelParams, NULL};
        if (check_kernel(&kernel) != CUDA_SUCCESS) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    *node = add_node(graph);
    if (is_kernel) {
        keep_kernel(*node, &kernel);
        (*node)->is_early = edges != NULL && after_count > 0 && edges[0].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    }
    if (params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        (*node)->body = make(sizeof *(*node)->body);
        (*node)->condition = params->conditional.handle;
        (*node)->is_while = params->conditional.type == CU_GRAPH_COND_TYPE_WHILE;
        params->conditional.phGraph_out = &(*node)->body;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t after_count,
                        CUgraphNodeParams *params) {
    ENTER("cuGraphAddNode")
    return fake_leave(add_any(node, graph, after, NULL, after_count, params));
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, const CUgraphEdgeData *edges,
                           size_t after_count, CUgraphNodeParams *params) {
    ENTER("cuGraphAddNode_v2")
    return fake_leave(add_any(node, graph, after, edges, after_count, params));
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
                                        unsigned first, unsigned flags) {
    (void)graph;
    (void)context;
    ENTER("cuGraphConditionalHandleCreate")
    *handle = fake_new_condition(flags == CU_GRAPH_COND_ASSIGN_DEFAULT, first);
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID attribute,
                                       const CUlaunchAttributeValue *value) {
    (void)node;
    (void)attribute;
    (void)value;
    ENTER("cuGraphKernelNodeSetAttribute")
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    (void)flags;
    ENTER("cuGraphInstantiateWithFlags")
    *exec = make(sizeof **exec);
    (*exec)->graph = graph;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
    (void)exec;
    ENTER("cuGraphExecKernelNodeSetParams")
    CUresult result = check_kernel(params);
    if (result == CUDA_SUCCESS) {
        keep_kernel(node, params);
    }
    return fake_leave(result);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext context) {
    (void)exec;
    (void)node;
    (void)context;
    ENTER("cuGraphExecMemsetNodeSetParams")
    return fake_leave(check_memset(params));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    (void)exec;
    ENTER("cuGraphUpload")
    return fake_leave(fake_put_nothing(stream));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    ENTER("cuGraphLaunch")
    return fake_leave(fake_runs() ? fake_put_work(stream, fake_graph_work(exec->graph)) : fake_put_nothing(stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
    ENTER_TO_FREE("cuGraphExecDestroy")
    destroy(exec);
    return fake_leave(CUDA_SUCCESS);
}
