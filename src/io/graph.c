#include "io/graph.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/sort.h"
#include <string.h>

void gf_edges_free(gf_edges *edges) {
    if (edges == NULL) {
        return;
    }
    gf_free(edges->from);
    gf_free(edges->to);
    gf_free(edges->weights);
    gf_free(edges->ids);
    *edges = (gf_edges){0};
}

static bool grow_column(uint64_t **column, uint64_t capacity) {
    uint64_t *larger = gf_realloc(*column, (size_t)capacity * sizeof *larger);
    if (larger) {
        *column = larger;
    }
    return larger != NULL;
}

bool gf_edges_reserve(gf_edges *edges, uint64_t capacity, gf_diags *diags) {
    if (capacity <= edges->capacity) {
        return true;
    }
    if (capacity > SIZE_MAX / 4 / sizeof(uint64_t)) {
        return gf_fail(diags, GF_CODE_GRAPH_SIZE, GF_NO_SPAN, "a graph of more edges than can be addressed");
    }
    /* Columns that have grown when a later one cannot are longer than `capacity` says, which does no harm. */
    if (!grow_column(&edges->from, capacity) || !grow_column(&edges->to, capacity) ||
        (edges->weight != GF_WEIGHT_NONE && !grow_column(&edges->weights, capacity))) {
        return gf_fail_memory(diags);
    }
    edges->capacity = capacity;
    return true;
}

bool gf_edges_add(gf_edges *edges, uint64_t from, uint64_t to, uint64_t weight, gf_diags *diags) {
    if (edges->count == edges->capacity &&
        !gf_edges_reserve(edges, edges->capacity < 512 ? 1024 : edges->capacity * 2, diags)) {
        return false;
    }
    edges->from[edges->count] = from;
    edges->to[edges->count] = to;
    if (edges->weight != GF_WEIGHT_NONE) {
        edges->weights[edges->count] = weight;
    }
    edges->count++;
    return true;
}

gf_number gf_edges_weight(const gf_edges *edges, uint64_t edge) {
    switch (edges->weight) {
    case GF_WEIGHT_NONE:
        break;
    case GF_WEIGHT_INTEGER:
        return gf_number_load(GF_TYPE_I64, &edges->weights[edge]);
    case GF_WEIGHT_REAL:
        return gf_number_load(GF_TYPE_F64, &edges->weights[edge]);
    }
    return (gf_number){.is_integer = true, .magnitude = 1};
}

/* The place of an id that is there. */
static uint64_t find_id(const uint64_t *ids, uint64_t count, uint64_t id) {
    uint64_t low = 0;
    while (count > 1) {
        uint64_t half = count / 2;
        if (ids[low + half] <= id) {
            low += half;
        }
        count -= half;
    }
    return low;
}

bool gf_edges_remap(gf_edges *edges, gf_diags *diags) {
    /* Counts of edges are bounded by reserve, so twice as many do not overflow. */
    uint64_t count = 2 * edges->count, unique = 0;
    uint64_t *ids = gf_calloc((size_t)count + 1, sizeof *ids);
    if (ids == NULL) {
        return gf_fail_memory(diags);
    }
    for (uint64_t i = 0; i < edges->count; i++) {
        ids[2 * i] = edges->from[i];
        ids[2 * i + 1] = edges->to[i];
    }
    if (!gf_sort_columns(&ids, 1, 0, count)) {
        gf_free(ids);
        return gf_fail_memory(diags);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || ids[i] != ids[unique - 1]) {
            ids[unique++] = ids[i];
        }
    }
    for (uint64_t i = 0; i < edges->count; i++) {
        edges->from[i] = find_id(ids, unique, edges->from[i]);
        edges->to[i] = find_id(ids, unique, edges->to[i]);
    }
    gf_free(edges->ids);
    edges->ids = ids;
    edges->rows = edges->cols = unique;
    return true;
}

void gf_edges_transpose(gf_edges *edges) {
    uint64_t *ends = edges->from, extent = edges->rows;
    edges->from = edges->to;
    edges->to = ends;
    edges->rows = edges->cols;
    edges->cols = extent;
}

bool gf_edges_symmetrize(gf_edges *edges, gf_diags *diags) {
    uint64_t loops = 0;
    if (edges->mirrored) {
        return true;
    }
    for (uint64_t i = 0; i < edges->count; i++) {
        loops += edges->from[i] == edges->to[i];
    }
    uint64_t count = 2 * edges->count - loops, at = count;
    if (!gf_edges_reserve(edges, count, diags)) {
        return false;
    }
    /* From the end, so that every edge moves to where nothing is any more. */
    for (uint64_t i = edges->count; i-- > 0;) {
        uint64_t from = edges->from[i], to = edges->to[i];
        uint64_t copies = from == to ? 1 : 2, weight = edges->weights ? edges->weights[i] : 0;
        for (uint64_t copy = copies; copy-- > 0;) {
            at--;
            edges->from[at] = copy ? to : from;
            edges->to[at] = copy ? from : to;
            if (edges->weights) {
                edges->weights[at] = weight;
            }
        }
    }
    edges->count = count;
    edges->rows = edges->cols = edges->rows > edges->cols ? edges->rows : edges->cols;
    edges->mirrored = true;
    return true;
}

static bool parse_by_ending(const char *path, gf_edges *out, gf_diags *diags) {
    bool matrix = gf_file_has_extension(path, "mtx");
    gf_file file;
    if (!matrix && !gf_file_has_extension(path, "txt") && !gf_file_has_extension(path, "tsv") &&
        !gf_file_has_extension(path, "csv")) {
        gf_fail(diags, GF_CODE_GRAPH_FORM, GF_NO_SPAN, "'%s' does not end as graph files do", path);
        gf_fix(diags, "give a Matrix Market file .mtx, or an edge list .txt, .tsv or .csv");
        return false;
    }
    if (!gf_file_read(path, &file, diags)) {
        return false;
    }
    bool ok = matrix ? gf_mtx_parse(file.data, file.size, path, out, diags)
                     : gf_edge_list_parse(file.data, file.size, path, out, diags);
    gf_file_free(&file);
    return ok;
}

bool gf_graph_read(const char *path, gf_graph_options options, gf_edges *out, gf_diags *diags) {
    *out = (gf_edges){0};
    bool ok = parse_by_ending(path, out, diags) && (!options.remap || gf_edges_remap(out, diags));
    if (ok && options.transpose) {
        gf_edges_transpose(out);
    }
    ok = ok && (!options.symmetric || gf_edges_symmetrize(out, diags));
    if (!ok) {
        gf_edges_free(out);
    }
    return ok;
}
