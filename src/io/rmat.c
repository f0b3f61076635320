#include "io/rmat.h"
#include "base/checked.h"
#include "base/diag.h"
#include "io/random.h"

bool gf_rmat_generate(uint32_t scale, uint64_t edges_per_vertex, uint64_t seed, gf_edges *out, gf_diags *diags) {
    uint64_t count;
    *out = (gf_edges){0};
    if (scale > GF_RMAT_SCALE_MAX || !gf_mul_u64((uint64_t)1 << scale, edges_per_vertex, &count)) {
        return gf_fail(diags, GF_CODE_GRAPH_SIZE, GF_NO_SPAN,
                       "an R-MAT graph of scale %u is too large, expected a scale of at most %d", (unsigned)scale,
                       GF_RMAT_SCALE_MAX);
    }
    out->rows = out->cols = (uint64_t)1 << scale;
    if (!gf_edges_reserve(out, count, diags)) {
        gf_edges_free(out);
        return false;
    }
    for (uint64_t edge = 0; edge < count; edge++) {
        uint64_t from = 0, to = 0;
        for (uint32_t level = 0; level < scale; level++) {
            uint64_t part = gf_random_below(gf_random_draw(seed, edge * scale + level), 100);
            from = from << 1 | (part >= 76);
            to = to << 1 | ((part >= 57 && part < 76) || part >= 95);
        }
        out->from[edge] = from;
        out->to[edge] = to;
    }
    out->count = count;
    return true;
}
