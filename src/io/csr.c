#include "base/diag.h"
#include "base/memory.h"
#include "io/convert.h"
#include "io/graph.h"
#include "io/sort.h"
#include <inttypes.h>
#include <stdio.h>

bool gf_edges_sort(gf_edges *edges, gf_diags *diags) {
    uint64_t *columns[3] = {edges->from, edges->to, edges->weights};
    size_t count = edges->weights ? 3 : 2;
    /* Both sorts are stable, so the last one decides first. */
    bool ok = edges->count == 0 ||
              (gf_sort_columns(columns, count, 1, edges->count) && gf_sort_columns(columns, count, 0, edges->count));
    edges->from = columns[0];
    edges->to = columns[1];
    edges->weights = columns[2];
    /* The blocks may have changed for shorter ones. */
    edges->capacity = edges->count < edges->capacity ? edges->count : edges->capacity;
    return ok || gf_fail_memory(diags);
}

/* Cells as elements of a type. They are what `what` says, in messages. */
static bool convert_cells(const uint64_t *cells, uint64_t count, gf_type type, const char *name, const char *what,
                          gf_array *out, gf_diags *diags) {
    size_t width = gf_type_bytes(type);
    if (!gf_array_create(out, type, count, diags)) {
        return false;
    }
    char *element = out->data;
    for (uint64_t i = 0; i < count; i++, element += width) {
        gf_number number = {.is_integer = true, .magnitude = cells[i]};
        if (gf_number_store(number, type, element) != GF_FIT_EXACT) {
            gf_array_free(out);
            return gf_fail(diags, GF_CODE_GRAPH_FIT, GF_NO_SPAN, "'%s': %s %" PRIu64 " does not fit %s (%s)", name,
                           what, cells[i], gf_type_name(type), gf_type_range(type));
        }
    }
    return true;
}

static bool check_rows(const gf_edges *edges, const char *name, gf_diags *diags) {
    if (edges->rows <= (uint64_t)1 << 24 || edges->rows / 256 <= edges->count) {
        return true;
    }
    gf_fail(diags, GF_CODE_GRAPH_SPARSE, GF_NO_SPAN, "'%s' has %" PRIu64 " rows for %" PRIu64 " edges", name,
            edges->rows, edges->count);
    gf_fix(diags, "number the ids that occur anew with --remap");
    return false;
}

bool gf_edges_csr(gf_edges *edges, gf_type row_type, gf_type col_type, const char *name, gf_array *row, gf_array *col,
                  gf_diags *diags) {
    *row = *col = (gf_array){0};
    if (!check_rows(edges, name, diags) || !gf_edges_sort(edges, diags)) {
        return false;
    }
    uint64_t *offsets = gf_calloc((size_t)edges->rows + 1, sizeof *offsets);
    if (offsets == NULL) {
        return gf_fail_memory(diags);
    }
    for (uint64_t i = 0; i < edges->count; i++) {
        offsets[edges->from[i] + 1]++;
    }
    for (uint64_t i = 0; i < edges->rows; i++) {
        offsets[i + 1] += offsets[i];
    }
    bool ok = convert_cells(offsets, edges->rows + 1, row_type, name, "offset", row, diags) &&
              gf_edges_ends(edges, true, col_type, name, col, diags);
    gf_free(offsets);
    if (!ok) {
        gf_array_free(row);
    }
    return ok;
}

bool gf_edges_ends(const gf_edges *edges, bool to, gf_type type, const char *name, gf_array *out, gf_diags *diags) {
    return convert_cells(to ? edges->to : edges->from, edges->count, type, name, "vertex id", out, diags);
}

bool gf_edges_weights(const gf_edges *edges, gf_type type, const char *name, gf_array *out, gf_diags *diags) {
    size_t width = gf_type_bytes(type);
    if (!gf_array_create(out, type, edges->count, diags)) {
        return false;
    }
    char *element = out->data;
    for (uint64_t i = 0; i < edges->count; i++, element += width) {
        gf_number weight = gf_edges_weight(edges, i);
        gf_fit fit = gf_number_store(weight, type, element);
        if (fit > GF_FIT_ROUNDED) {
            char what[320], value[GF_NUMBER_TEXT];
            gf_number_format(edges->weight == GF_WEIGHT_REAL ? GF_TYPE_F64 : GF_TYPE_I64, &edges->weights[i], value);
            snprintf(what, sizeof what, "'%.200s': weight of edge %" PRIu64 " to %" PRIu64, name, edges->from[i],
                     edges->to[i]);
            gf_array_free(out);
            return gf_fail_fit(diags, what, value, type, fit);
        }
    }
    return true;
}
