/* The rules are those of measurements with hand-written kernels on an H200: a grid barrier and a kernel boundary in a
 * graph cost about the same, so that what decides is what stays with invocations (memory, where it does not stay in
 * registers), loops whose turns nobody knows (turns of a graph's loop, and kernels past the end), and the shape of the
 * grid. Once a pass takes tens of microseconds none of it matters. */
#include "backend/cuda/weigh.h"
#include <stdio.h>

#define LATE 0.15       /* of the time of segments with uneven invocations: some threads of one grid are the last */
#define STEP 0.25e-6    /* what a little work adds to a barrier; a kernel's figure has it in it */
#define FEW_BLOCKS 0.65 /* a barrier of one block, of that of one for each multiprocessor */
#define FEW_STEPS 6     /* as stages.c: launched one by one */
#define NODE_SETUP 5e-6 /* of a graph, for each kernel in it */
#define SETUP_RUNS 16   /* over which that is spread: graphs are kept */

static double at_most(double a, double b) {
    return a < b ? a : b;
}

/* On the line through (x0, y0) and (x1, y1). */
static double on_line(double x, double x0, double y0, double x1, double y1) {
    return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y0;
}

/* Between the two measured shapes of such blocks around it, and on along the last two. */
double gf_cuda_barrier_seconds(const gf_cuda_figures *figures, const gf_cuda_facts *facts, unsigned blocks,
                               unsigned threads) {
    static const unsigned each[] = GF_CUDA_BARRIER_BLOCKS, of[] = GF_CUDA_BARRIER_THREADS;
    unsigned shape = threads >= 768 ? 1024 : 256;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    for (int i = 0; i < GF_CUDA_BARRIERS; i++) {
        if (of[i] != shape || figures->barrier[i] <= 0) {
            continue;
        }
        bool is_first = y1 <= 0;
        x0 = is_first ? 1 : x1;
        y0 = is_first ? FEW_BLOCKS * figures->barrier[i] : y1;
        x1 = (double)each[i] * facts->sms;
        y1 = figures->barrier[i];
        if (blocks <= x1) {
            break;
        }
    }
    return y1 > 0 ? on_line(blocks, x0, y0, x1, y1) : figures->barrier[0];
}

/* What lies in the second cache goes about twice as fast. `each`: bytes between two barriers. */
static double memory_rate(const gf_cuda_figures *figures, const gf_cuda_facts *facts, double each) {
    double cache = facts->l2_bytes, some = cache / 3;
    if (each >= cache || cache <= 0) {
        return figures->copy;
    }
    return each <= some ? 2 * figures->copy : on_line(each, some, 2 * figures->copy, cache, figures->copy);
}

/* The part of the memory's speed that so many threads of a multiprocessor have; 0: not known. */
static double busy_part(unsigned resident) {
    return resident > 0 ? at_most(1, (double)resident / GF_CUDA_BUSY_THREADS) : 1;
}

static double per(double all, double count) {
    return count > 1 ? all / count : all;
}

gf_cuda_costs gf_cuda_weigh(const gf_cuda_load *load, const gf_cuda_figures *figures, const gf_cuda_facts *facts,
                            const gf_cuda_grid *grid) {
    double eighth = 7.0 * facts->sms;
    double node_slope = eighth > 0 ? (figures->node[1] - figures->node[0]) / eighth : 0;
    double idle_slope = eighth > 0 ? (figures->idle[1] - figures->idle[0]) / eighth : 0;
    double work = load->bytes / memory_rate(figures, facts, per(load->bytes, load->kernels));
    double values = load->values / memory_rate(figures, facts, per(load->values, load->value_segments));
    double spilled = 0;
    if (grid->spilled > 0) {
        double bytes = 2.0 * grid->spilled * grid->blocks * grid->threads;
        spilled = load->barriers * bytes / memory_rate(figures, facts, bytes);
    }
    gf_cuda_costs costs = {.work = work,
                           .barrier = gf_cuda_barrier_seconds(figures, facts, grid->blocks, grid->threads),
                           .turn = figures->turn};
    double late = LATE * load->uneven / memory_rate(figures, facts, per(load->bytes, load->kernels));
    double one =
        figures->launch + load->barriers * (costs.barrier + STEP) + work / busy_part(grid->resident) + spilled + late;
    costs.native = one;
    costs.persistent = one + values;
    costs.is_graph = load->loops > 0 || load->nodes > FEW_STEPS;
    double split_work = work / busy_part(grid->stage_resident) + values;
    double kernels = load->kernels > 1 ? load->kernels - 1 : 0;
    double boundaries = kernels * figures->node[0] + load->wide_blocks * node_slope;
    if (!costs.is_graph) {
        /* The host hands over the next while the device works. */
        double issue = figures->launch_more - per(work, load->kernels);
        double issued = kernels * issue;
        costs.resident = figures->launch + (issued > boundaries ? issued : boundaries) + split_work;
    } else {
        costs.resident = figures->graph + boundaries + load->idle * figures->idle[0] + load->idle_blocks * idle_slope +
                         load->turns * figures->turn + split_work + load->nodes * NODE_SETUP / SETUP_RUNS;
    }
    costs.kernel = kernels > 0 ? boundaries / kernels : figures->node[0];
    return costs;
}

char *gf_cuda_spell_seconds(double seconds, char text[16]) {
    if (seconds < 0.9995e-3) {
        (void)snprintf(text, 16, "%.3g us", seconds * 1e6);
    } else if (seconds < 0.9995) {
        (void)snprintf(text, 16, "%.3g ms", seconds * 1e3);
    } else {
        (void)snprintf(text, 16, "%.3g s", seconds);
    }
    return text;
}
