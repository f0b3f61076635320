#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 32
#define MOST_BEGUN 64 /* nodes between two looks of the host */

/* ---- conditions ---- */

static struct {
    bool is_assigned; /* at each launch */
    unsigned first, value;
} conditions[FAKE_CONDITIONS];
static CUgraphConditionalHandle condition_count = 1;

CUgraphConditionalHandle fake_new_condition(bool is_assigned, unsigned first) {
    if (condition_count == FAKE_CONDITIONS) {
        (void)fprintf(stderr, "fake cuda: too many conditions\n");
        abort();
    }
    conditions[condition_count].is_assigned = is_assigned;
    conditions[condition_count].first = first;
    return condition_count++;
}

void fake_set_condition(uint64_t handle, unsigned value) {
    if (handle < condition_count) {
        conditions[handle].value = value;
    }
}

/* ---- kernels ---- */

typedef struct place {
    CUgraphNode node; /* that is next */
    bool was_here;    /* in its body */
} place;

typedef struct job {
    CUcontext context;
    place places[DEEPEST]; /* of a graph, from the outermost; none: a kernel alone */
    int depth;
    fake_grid *grid; /* under way */
    uint64_t launch; /* of a graph: its number; else 0 */
} job;

static fake_grid *begin_kernel(CUfunction function, const fake_shape *shape, const void *params) {
    return fake_grid_begin(function->ptx, shape->grid[0], shape->block[0], shape->shared, params,
                           fake_constants(function));
}

/* True once it has ended. A kernel that did wrong takes the context with it. */
static bool run_grid(job *j, uint64_t instructions) {
    if (!fake_grid_run(j->grid, instructions)) {
        return false;
    }
    const char *why = fake_grid_why(j->grid);
    if (why != NULL) {
        (void)fprintf(stderr, "fake cuda: %s\n", why);
        j->context->lost = CUDA_ERROR_LAUNCH_FAILED;
        j->depth = 0;
    }
    fake_grid_free(j->grid);
    j->grid = NULL;
    return true;
}

static void set_memory(const CUDA_MEMSET_NODE_PARAMS *params) {
    char *to = fake_resolve(params->dst, params->width * params->elementSize);
    for (size_t i = 0; to != NULL && i < params->width; i++) {
        memcpy(to + i * params->elementSize, &params->value, params->elementSize);
    }
}

/* ---- graphs ---- */

/* Begins the next node, or carries it out. */
static void advance(job *j) {
    place *p = &j->places[j->depth - 1];
    CUgraphNode node = p->node;
    if (node == NULL) {
        j->depth--;
        return;
    }
    if (node->body != NULL) {
        bool goes_on = conditions[node->condition].value != 0 && (node->is_while || !p->was_here);
        p->was_here = goes_on;
        if (goes_on && j->depth < DEEPEST) {
            j->places[j->depth++] = (place){.node = node->body->nodes};
            return;
        }
    } else if (node->function != NULL) {
        j->grid = begin_kernel(node->function, &node->shape, node->params);
        fake_grid_in_graph(j->grid, j->launch);
        if (node->is_early) {
            fake_grid_is_early(j->grid);
        }
    } else {
        set_memory(&node->memset);
    }
    p->node = node->next;
}

static bool run_job(void *state, uint64_t instructions) {
    job *j = state;
    unsigned begun = 0;
    while (j->grid != NULL || j->depth > 0) {
        if (j->grid == NULL && instructions != UINT64_MAX && begun++ == MOST_BEGUN) {
            return false; /* a loop of a graph may go on for ever, and somebody wants to stop it */
        }
        if (j->grid == NULL) {
            advance(j);
        } else if (!run_grid(j, instructions)) {
            return false;
        }
    }
    return true;
}

static void end_job(void *state) {
    job *j = state;
    fake_grid_free(j->grid);
    free(j);
}

static job *make_job(void) {
    job *made = calloc(1, sizeof *made);
    if (made == NULL) {
        abort();
    }
    made->context = fake_current();
    return made;
}

fake_work fake_kernel_work(CUfunction function, const fake_shape *shape, void **arguments) {
    job *made = make_job();
    made->grid = begin_kernel(function, shape, arguments != NULL ? arguments[0] : NULL);
    return (fake_work){.run = run_job, .end = end_job, .state = made};
}

fake_work fake_graph_work(CUgraph graph) {
    static uint64_t launches;
    job *made = make_job();
    made->launch = ++launches;
    for (CUgraphConditionalHandle i = 1; i < condition_count; i++) {
        conditions[i].value = conditions[i].is_assigned ? conditions[i].first : conditions[i].value;
    }
    made->places[0].node = graph->nodes;
    made->depth = 1;
    return (fake_work){.run = run_job, .end = end_job, .state = made};
}
