/* Every allocation of the readers and writers fails in turn: a clean error, and (under a sanitizer) no leak. */
#include "base/memory.h"
#include "io/graph.h"
#include "io/input.h"
#include "io/npy.h"
#include "io/rmat.h"
#include "io/sink.h"
#include "io_test.h"

static bool read_npy(gf_diags *diags) {
    gf_array array;
    bool ok = gf_input_read("b", in_folder("x.npy"), GF_TYPE_F32, 6, &array, diags);
    gf_array_free(&array);
    return ok;
}

static bool read_graph(const char *name, gf_graph_options options, gf_diags *diags) {
    gf_edges edges;
    gf_array row = {0}, col = {0}, val = {0};
    bool ok = gf_graph_read(in_folder(name), options, &edges, diags) &&
              gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U32, name, &row, &col, diags) &&
              gf_edges_weights(&edges, GF_TYPE_F32, name, &val, diags);
    gf_edges_free(&edges);
    gf_array_free(&row);
    gf_array_free(&col);
    gf_array_free(&val);
    return ok;
}

static bool read_mtx(gf_diags *diags) {
    return read_graph("g.mtx", (gf_graph_options){.transpose = true}, diags);
}

static bool read_edges(gf_diags *diags) {
    return read_graph("g.txt", (gf_graph_options){.remap = true, .symmetric = true}, diags);
}

static bool read_text(gf_diags *diags) {
    gf_array array;
    bool ok = gf_input_read("b", in_folder("x.txt"), GF_TYPE_U32, 100, &array, diags);
    gf_array_free(&array);
    return ok;
}

static bool read_generated(gf_diags *diags) {
    static const char *const sources[] = {"1,2,3", "fill:1", "iota", "random:1"};
    bool ok = true;
    for (size_t i = 0; i < 4; i++) {
        gf_array array;
        ok = ok && gf_input_read("b", sources[i], GF_TYPE_U32, 3, &array, diags);
        if (ok) {
            gf_array_free(&array);
        }
    }
    return ok;
}

static bool write_all(gf_diags *diags) {
    static const char *const names[] = {"o.npy", "o.txt", "o.bin"};
    uint32_t values[2] = {1, 2};
    gf_array array = {.type = GF_TYPE_U32, .data = values, .count = 2, .dims = 1, .shape = {2}};
    bool ok = true;
    for (size_t i = 0; i < 3; i++) {
        ok = ok && gf_sink_write("b", in_folder(names[i]), &array, NULL, diags);
    }
    return ok;
}

static bool make_rmat(gf_diags *diags) {
    gf_edges edges;
    bool ok = gf_rmat_generate(3, 2, 1, &edges, diags);
    gf_edges_free(&edges);
    return ok;
}

static void write_inputs(void) {
    static const uint64_t values[6] = {1, 2, 3, 4, 5, 6};
    gf_array array = {.type = GF_TYPE_U64, .data = (void *)values, .count = 6, .dims = 2, .shape = {2, 3}};
    assert_true(gf_npy_write(in_folder("x.npy"), &array, NULL));
    write_string("g.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n4 4 2\n4 1 1.5\n3 2 2\n");
    write_string("g.txt", "9 3 1\n3 4 0.5\n4 4 2\n");
    char text[512] = "";
    for (int i = 0; i < 100; i++) {
        (void)snprintf(text + (size_t)i * 2, 3, "1\n");
    }
    write_string("x.txt", text);
}

static void test_every_allocation_fails(void **state) {
    (void)state;
    bool (*const works[])(gf_diags *) = {read_npy,       read_mtx,  read_edges, read_text,
                                         read_generated, write_all, make_rmat};
    write_inputs();
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        for (int all = 0; all < 2; all++) {
            uint64_t n = 1;
            for (bool ok = false; !ok; n++) {
                gf_diags *diags = gf_diags_create();
                int files = count_files();
                assert_non_null(diags);
                gf_memory_fail_at(n, all);
                ok = works[i](diags);
                gf_memory_fail_at(0, false);
                assert_true(ok || gf_diags_error_count(diags) > 0);
                gf_diag diag;
                if (!ok) {
                    assert_true(gf_diags_get(diags, 0, &diag));
                    assert_string_equal(diag.code, "GF0001");
                    assert_true(count_files() <= files + 2); /* whole files only; nothing temporary */
                }
                gf_diags_destroy(diags);
                assert_true(n < 1000);
            }
            assert_true(n > 2); /* something did fail */
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation_fails)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
