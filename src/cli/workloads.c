#include "cli/workloads.h"
#include "base/memory.h"
#include "io/random.h"
#include "io/rmat.h"
#include <string.h>

#define GRAPH_SCALE 14
#define GRAPH_DEGREE 8
#define SEED 1
#define UNREACHED UINT32_MAX

void gf_workload_free(gf_workload_data *data) {
    for (size_t i = 0; i < data->buffer_count; i++) {
        gf_free(data->buffers[i].data);
        gf_free(data->buffers[i].initial);
        gf_free(data->buffers[i].expected);
    }
    memset(data, 0, sizeof *data);
}

/* All blocks are zeros; NULL with a message. */
static gf_workload_buffer *add_buffer(gf_workload_data *data, const char *name, gf_buffer_role role, size_t count,
                                      gf_diags *diags) {
    gf_workload_buffer *buffer = &data->buffers[data->buffer_count++];
    *buffer = (gf_workload_buffer){.name = name, .role = role, .bytes = count * 4};
    buffer->data = gf_calloc(count + 1, 4);
    buffer->initial = gf_calloc(count + 1, 4);
    buffer->expected = role == GF_BUFFER_IN ? NULL : gf_calloc(count + 1, 4);
    if (buffer->data == NULL || buffer->initial == NULL || (role != GF_BUFFER_IN && buffer->expected == NULL)) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    return buffer;
}

/* ---- reach: breadth-first search ---- */

static const char reach_text[] = "program reach;\n"
                                 "const u32 INF = 0xffffffff;\n"
                                 "param u32 n;\n"
                                 "in u32 row[n + 1];\n"
                                 "in u32 col[];\n"
                                 "out u32 level[n];\n"
                                 "kernel (n) workgroup(256) {\n"
                                 "    let v = gid.x;\n"
                                 "    level[v] = select(v == 0, 0, INF);\n"
                                 "    var u32 depth = 0;\n"
                                 "    var bool more = true;\n"
                                 "    while more {\n"
                                 "        var bool grew = false;\n"
                                 "        if atomic_load(level[v]) == depth {\n"
                                 "            for e in row[v] .. row[v + 1] {\n"
                                 "                if atomic_compare_exchange(level[col[e]], INF, depth + 1) == INF {\n"
                                 "                    grew = true;\n"
                                 "                }\n"
                                 "            }\n"
                                 "        }\n"
                                 "        more = grid_any(grew);\n"
                                 "        depth += 1;\n"
                                 "    }\n"
                                 "}\n";

static bool make_graph(gf_workload_data *data, gf_diags *diags) {
    gf_edges edges = {0};
    gf_array row = {0};
    gf_array col = {0};
    bool done = gf_rmat_generate(GRAPH_SCALE, GRAPH_DEGREE, SEED, &edges, diags) &&
                gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U32, "graph", &row, &col, diags);
    data->n = (uint32_t)edges.rows;
    gf_workload_buffer *rows = done ? add_buffer(data, "row", GF_BUFFER_IN, (size_t)row.count, diags) : NULL;
    gf_workload_buffer *cols = rows != NULL ? add_buffer(data, "col", GF_BUFFER_IN, (size_t)col.count, diags) : NULL;
    done = cols != NULL;
    if (done) {
        memcpy(rows->initial, row.data, rows->bytes);
        memcpy(cols->initial, col.data, cols->bytes);
    }
    gf_edges_free(&edges);
    gf_array_free(&row);
    gf_array_free(&col);
    return done;
}

static bool make_reach(gf_workload_data *data, gf_diags *diags) {
    if (!make_graph(data, diags)) {
        return false;
    }
    gf_workload_buffer *level = add_buffer(data, "level", GF_BUFFER_OUT, data->n, diags);
    uint32_t *queue = gf_calloc((size_t)data->n + 1, sizeof *queue);
    if (level == NULL || queue == NULL) {
        gf_free(queue);
        return level == NULL ? false : gf_fail_memory(diags);
    }
    const uint32_t *row = data->buffers[0].initial;
    const uint32_t *col = data->buffers[1].initial;
    uint32_t *right = level->expected;
    for (uint32_t v = 1; v < data->n; v++) {
        right[v] = UNREACHED;
    }
    size_t end = 1;
    for (size_t begin = 0; begin < end; begin++) {
        uint32_t v = queue[begin];
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            if (right[col[e]] == UNREACHED) {
                right[col[e]] = right[v] + 1;
                queue[end++] = col[e];
            }
        }
    }
    gf_free(queue);
    return true;
}

/* ---- components ---- */

static const char components_text[] = "program components;\n"
                                      "param u32 n;\n"
                                      "in u32 row[n + 1];\n"
                                      "in u32 col[];\n"
                                      "inout u32 parent[n];\n"
                                      "kernel (n) workgroup(256) fixpoint(n + 1) on (parent) {\n"
                                      "    let v = gid.x;\n"
                                      "    for e in row[v] .. row[v + 1] {\n"
                                      "        let a = atomic_load(parent[v]);\n"
                                      "        let b = atomic_load(parent[col[e]]);\n"
                                      "        if a != b { atomic_min(parent[max(a, b)], min(a, b)); }\n"
                                      "        if a > b { atomic_min(parent[v], b); }\n"
                                      "        if b > a { atomic_min(parent[col[e]], a); }\n"
                                      "    }\n"
                                      "    grid_barrier;\n"
                                      "    let p = atomic_load(parent[v]);\n"
                                      "    atomic_min(parent[v], atomic_load(parent[p]));\n"
                                      "}\n";

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static bool make_components(gf_workload_data *data, gf_diags *diags) {
    if (!make_graph(data, diags)) {
        return false;
    }
    gf_workload_buffer *parent = add_buffer(data, "parent", GF_BUFFER_INOUT, data->n, diags);
    if (parent == NULL) {
        return false;
    }
    const uint32_t *row = data->buffers[0].initial;
    const uint32_t *col = data->buffers[1].initial;
    uint32_t *right = parent->expected;
    uint32_t *initial = parent->initial;
    for (uint32_t v = 0; v < data->n; v++) {
        right[v] = initial[v] = v;
    }
    for (uint32_t v = 0; v < data->n; v++) {
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            uint32_t a = find_root(right, v);
            uint32_t b = find_root(right, col[e]);
            right[a > b ? a : b] = a > b ? b : a; /* the root of a set is its least vertex */
        }
    }
    for (uint32_t v = 0; v < data->n; v++) {
        right[v] = find_root(right, v);
    }
    return true;
}

/* ---- scan ---- */

static const char scan_text[] = "program scan;\n"
                                "param u32 n;\n"
                                "in u32 x[n];\n"
                                "out u32 y[n];\n"
                                "kernel (n) {\n"
                                "    let a = x[gid.x];\n"
                                "    let before = grid_scan_add(a);\n"
                                "    y[gid.x] = before + a;\n"
                                "}\n";

static bool make_scan(gf_workload_data *data, gf_diags *diags) {
    data->n = 1000000;
    gf_workload_buffer *x = add_buffer(data, "x", GF_BUFFER_IN, data->n, diags);
    gf_workload_buffer *y = x != NULL ? add_buffer(data, "y", GF_BUFFER_OUT, data->n, diags) : NULL;
    if (y == NULL) {
        return false;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < data->n; i++) {
        uint32_t value = (uint32_t)gf_random_draw(SEED, i);
        sum += value;
        ((uint32_t *)x->initial)[i] = value;
        ((uint32_t *)y->expected)[i] = sum;
    }
    return true;
}

/* ---- smooth: a grid barrier a turn ---- */

static const char smooth_text[] = "program smooth;\n"
                                  "param u32 n;\n"
                                  "inout f32 u[n];\n"
                                  "scratch f32 w[n];\n"
                                  "kernel (n) {\n"
                                  "    let i = gid.x;\n"
                                  "    let left = select(i == 0, 0, i - 1);\n"
                                  "    let right = min(i + 1, n - 1);\n"
                                  "    for turn in 0 .. 10 {\n"
                                  "        w[i] = 0.25 * u[left] + 0.5 * u[i] + 0.25 * u[right];\n"
                                  "        grid_barrier;\n"
                                  "        u[i] = w[i];\n"
                                  "    }\n"
                                  "}\n";
#define SMOOTH_TURNS 10

static bool make_smooth(gf_workload_data *data, gf_diags *diags) {
    data->n = 100000;
    gf_workload_buffer *u = add_buffer(data, "u", GF_BUFFER_INOUT, data->n, diags);
    float *next = gf_calloc(data->n, sizeof *next);
    if (u == NULL || next == NULL) {
        gf_free(next);
        return u == NULL ? false : gf_fail_memory(diags);
    }
    float *initial = u->initial;
    float *right = u->expected;
    for (uint32_t i = 0; i < data->n; i++) {
        right[i] = initial[i] = (float)(gf_random_draw(SEED, i) >> 40) / 16777216.0F;
    }
    for (int turn = 0; turn < SMOOTH_TURNS; turn++) {
        for (uint32_t i = 0; i < data->n; i++) {
            float before = right[i == 0 ? 0 : i - 1];
            float behind = right[i + 1 < data->n ? i + 1 : data->n - 1];
            next[i] = 0.25F * before + 0.5F * right[i] + 0.25F * behind;
        }
        memcpy(right, next, u->bytes);
    }
    gf_free(next);
    return true;
}

static const gf_workload workloads[] = {
    {"reach", "R-MAT 2^14 vertices, 8 edges each", reach_text, make_reach},
    {"components", "R-MAT 2^14 vertices, 8 edges each", components_text, make_components},
    {"scan", "1000000 u32", scan_text, make_scan},
    {"smooth", "100000 f32, 10 turns", smooth_text, make_smooth},
};

const gf_workload *gf_workload_get(size_t index) {
    return index < sizeof workloads / sizeof workloads[0] ? &workloads[index] : NULL;
}
