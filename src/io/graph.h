/* Graphs and sparse matrices: files to edges, edges to the arrays that programs take. */
#ifndef GF_IO_GRAPH_H
#define GF_IO_GRAPH_H

#include "io/array.h"
#include "io/number.h"

typedef enum gf_weight { GF_WEIGHT_NONE, GF_WEIGHT_INTEGER, GF_WEIGHT_REAL } gf_weight;

/* Edges in the order of the file, or by (from, to) once sorted; ids count from 0. All blocks come from base/memory.h
 * and belong to whoever holds the edges. */
typedef struct gf_edges {
    uint64_t rows, cols; /* every from is below rows, every to below cols; equal for edge lists */
    bool is_open;        /* a list, which says nothing of vertices behind the last that has an edge */
    uint64_t count, capacity;
    uint64_t *from, *to;
    gf_weight weight;
    uint64_t *weights; /* the bits of an int64_t or double for each edge; NULL for GF_WEIGHT_NONE */
    bool mirrored;     /* the file said that it is symmetric (or skew), and was expanded: each edge has its reverse */
    uint64_t *ids;     /* after a remap: the id in the file of each new id (rows of them); else NULL */
} gf_edges;

/* NULL and zeroed edges are allowed. Leaves them zeroed. */
void gf_edges_free(gf_edges *edges);

typedef struct gf_graph_options {
    bool remap;     /* ids that occur become 0, 1, ... in their order; the matrix is then square */
    bool transpose; /* (from, to) become (to, from) */
    bool
        symmetric; /* the reverse of each edge that is no loop is added behind it; nothing where the file is expanded */
} gf_graph_options;

/* By the file's ending: .mtx, or an edge list .txt .tsv .csv. Options are applied in the order that they stand above.
 * Broken files are errors that show the line. On failure the edges are zeroed. */
bool gf_graph_read(const char *path, gf_graph_options options, gf_edges *out, gf_diags *diags);

/* From memory; text[length] must be 0; `name` is for messages.
 * Matrix Market: coordinate, of pattern, integer or real entries, general, symmetric or skew-symmetric.
 * https://math.nist.gov/MatrixMarket/formats.html */
bool gf_mtx_parse(const char *text, size_t length, const char *name, gf_edges *out, gf_diags *diags);
/* Two ids and perhaps a weight per line, between blanks, tabs or commas; lines from # or % on are comments. Weights are
 * integers as long as all are written as integers. */
bool gf_edge_list_parse(const char *text, size_t length, const char *name, gf_edges *out, gf_diags *diags);

bool gf_edges_remap(gf_edges *edges, gf_diags *diags);
void gf_edges_transpose(gf_edges *edges);
bool gf_edges_symmetrize(gf_edges *edges, gf_diags *diags);
/* By from, then by to; edges of the same ends stay in their order. */
bool gf_edges_sort(gf_edges *edges, gf_diags *diags);

/* Sorts, and makes compressed rows: `row` has rows + 1 offsets of `row_type`, `col` a column of `col_type` for each
 * edge. Refuses what does not fit the types, and row counts out of all proportion to the edges (over 2^24 and over 256
 * times as many). `name` is what messages call the file. */
bool gf_edges_csr(gf_edges *edges, gf_type row_type, gf_type col_type, const char *name, gf_array *row, gf_array *col,
                  gf_diags *diags);
/* One end of each edge, in the present order. */
bool gf_edges_ends(const gf_edges *edges, bool to, gf_type type, const char *name, gf_array *out, gf_diags *diags);
/* The weight of each edge in the present order, 1 where the file has none. Integers must fit; reals are rounded to a
 * float type, and must be whole for an integer type. */
bool gf_edges_weights(const gf_edges *edges, gf_type type, const char *name, gf_array *out, gf_diags *diags);

/* For the readers: one edge more (weight bits are kept if edges->weight says so), and room for many. */
bool gf_edges_add(gf_edges *edges, uint64_t from, uint64_t to, uint64_t weight, gf_diags *diags);
bool gf_edges_reserve(gf_edges *edges, uint64_t capacity, gf_diags *diags);
gf_number gf_edges_weight(const gf_edges *edges, uint64_t edge);

#endif
