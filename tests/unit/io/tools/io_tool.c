/* The readers and writers as a command, for numpy_check.py:
 *   io_tool copy SOURCE TYPE SINK          --in and --out without a program between
 *   io_tool csr FILE ROW COL VAL [remap] [transpose] [symmetric]      sinks; u64, u64 and f64 */
#include "io/graph.h"
#include "io/input.h"
#include "io/sink.h"
#include <string.h>

static bool copy(char **words, gf_diags *diags) {
    gf_array array;
    gf_type type = GF_TYPE_NONE;
    for (int i = GF_TYPE_U8; i < GF_TYPE_COUNT; i++) {
        if (strcmp(gf_type_name((gf_type)i), words[1]) == 0) {
            type = (gf_type)i;
        }
    }
    if (type == GF_TYPE_NONE || !gf_input_read("b", words[0], type, GF_COUNT_UNKNOWN, &array, diags)) {
        return false;
    }
    bool ok = gf_sink_write("b", words[2], &array, stdout, diags);
    gf_array_free(&array);
    return ok;
}

static bool make_csr(int count, char **words, gf_diags *diags) {
    gf_edges edges;
    gf_array arrays[3] = {{0}};
    gf_graph_options options = {0};
    for (int i = 4; i < count; i++) {
        options.remap |= strcmp(words[i], "remap") == 0;
        options.transpose |= strcmp(words[i], "transpose") == 0;
        options.symmetric |= strcmp(words[i], "symmetric") == 0;
    }
    bool ok = gf_graph_read(words[0], options, &edges, diags) &&
              gf_edges_csr(&edges, GF_TYPE_U64, GF_TYPE_U64, words[0], &arrays[0], &arrays[1], diags) &&
              gf_edges_weights(&edges, GF_TYPE_F64, words[0], &arrays[2], diags);
    for (int i = 0; i < 3; i++) {
        ok = ok && gf_sink_write("b", words[i + 1], &arrays[i], stdout, diags);
        gf_array_free(&arrays[i]);
    }
    gf_edges_free(&edges);
    return ok;
}

int main(int argc, char **argv) {
    gf_diags *diags = gf_diags_create();
    bool ok = false;
    if (argc == 5 && strcmp(argv[1], "copy") == 0) {
        ok = copy(argv + 2, diags);
    } else if (argc >= 6 && strcmp(argv[1], "csr") == 0) {
        ok = make_csr(argc - 2, argv + 2, diags);
    }
    gf_diags_print(diags, stderr);
    gf_diags_destroy(diags);
    return ok ? 0 : 1;
}
