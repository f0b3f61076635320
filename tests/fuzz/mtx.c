/* Any bytes as a Matrix Market file: read or refused; what is read goes through every option and into arrays. */
#include "base/memory.h"
#include "io/graph.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(gf_edges *edges, bool remap, gf_diags *diags) {
    gf_array row, col, val;
    if (remap && !gf_edges_remap(edges, diags)) {
        return;
    }
    gf_edges_transpose(edges);
    if (gf_edges_symmetrize(edges, diags) && gf_edges_weights(edges, GF_TYPE_F32, "g.mtx", &val, diags)) {
        gf_array_free(&val);
    }
    if (gf_edges_csr(edges, GF_TYPE_U32, GF_TYPE_U16, "g.mtx", &row, &col, diags)) {
        gf_array_free(&row);
        gf_array_free(&col);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gf_diags *diags = gf_diags_create();
    gf_edges edges;
    char *text = gf_malloc(size + 1);
    if (text) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        text[size] = 0;
        if (gf_mtx_parse(text, size, "g.mtx", &edges, diags)) {
            /* Many rows are many offsets: right, but no work for a fuzzer. */
            use(&edges, edges.rows > 65536 || edges.cols > 65536 || size % 2, diags);
        }
        gf_edges_free(&edges);
        gf_free(text);
    }
    gf_diags_destroy(diags);
    return 0;
}
