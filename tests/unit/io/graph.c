#include "io/graph.h"
#include "base/memory.h"
#include "io/rmat.h"
#include "io/sort.h"
#include "io_test.h"

static gf_diags *diags;

#define HEAD "%%MatrixMarket matrix coordinate "

static bool parse(const char *text, bool matrix, gf_edges *out) {
    return matrix ? gf_mtx_parse(text, strlen(text), "g.mtx", out, diags)
                  : gf_edge_list_parse(text, strlen(text), "g.txt", out, diags);
}

/* The edges as "from>to*weight ...". */
static void expect_edges(const gf_edges *edges, const char *wanted) {
    char text[1024] = "";
    size_t length = 0;
    for (uint64_t i = 0; i < edges->count; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%ju>%ju", i ? " " : "",
                                   (uintmax_t)edges->from[i], (uintmax_t)edges->to[i]);
        if (edges->weight != GF_WEIGHT_NONE) {
            char number[GF_NUMBER_TEXT];
            gf_number_format(edges->weight == GF_WEIGHT_REAL ? GF_TYPE_F64 : GF_TYPE_I64, &edges->weights[i], number);
            length += (size_t)snprintf(text + length, sizeof text - length, "*%s", number);
        }
    }
    assert_string_equal(text, wanted);
}

static void expect_parse(const char *text, bool matrix, uint64_t rows, uint64_t cols, const char *wanted) {
    gf_edges edges;
    bool ok = parse(text, matrix, &edges);
    expect_no_error(diags);
    assert_true(ok);
    assert_int_equal(edges.rows, rows);
    assert_int_equal(edges.cols, cols);
    expect_edges(&edges, wanted);
    gf_edges_free(&edges);
}

static void test_mtx(void **state) {
    (void)state;
    expect_parse(HEAD "pattern general\n% c\n\n3 4 2\n1 4\n3 1\n", true, 3, 4, "0>3 2>0");
    expect_parse("%%matrixmarket MATRIX Coordinate Pattern GENERAL\r\n2 2 1\r\n1 2\r\n", true, 2, 2, "0>1");
    expect_parse("\xef\xbb\xbf" HEAD "integer general\n2 2 2\n1 1 -5\n% in between\n\n2 2 9223372036854775807", true, 2,
                 2, "0>0*-5 1>1*9223372036854775807");
    expect_parse(HEAD "real general\n2 2 3\n 1\t1 0.1 \n2 1 3\n1 2 -1e-3\n", true, 2, 2, "0>0*0.1 1>0*3 0>1*-0.001");
    expect_parse(HEAD "real symmetric\n3 3 2\n2 1 1.5\n3 3 2\n", true, 3, 3, "1>0*1.5 0>1*1.5 2>2*2");
    expect_parse(HEAD "integer skew-symmetric\n3 3 1\n3 1 7\n", true, 3, 3, "2>0*7 0>2*-7");
    expect_parse(HEAD "real skew-symmetric\n3 3 1\n3 1 0\n", true, 3, 3, "2>0*0 0>2*-0");
    expect_parse(HEAD "pattern symmetric\n2 2 1\n2 1\n", true, 2, 2, "1>0 0>1");
    expect_parse(HEAD "unsigned-integer general\n1 1 1\n1 1 3\n", true, 1, 1, "0>0*3");
    expect_parse(HEAD "pattern general\n0 0 0\n", true, 0, 0, "");
    expect_parse(HEAD "pattern general\n1000000000000 5 1\n1000000000000 5\n", true, 1000000000000, 5,
                 "999999999999>4");
}

typedef struct broken {
    const char *text, *code;
    uint32_t line;
    const char *words;
} broken;

static void expect_broken(const broken *rows, size_t count, bool matrix) {
    for (size_t i = 0; i < count; i++) {
        gf_edges edges;
        assert_false(parse(rows[i].text, matrix, &edges));
        assert_null(edges.from);
        expect_error(diags, rows[i].code, rows[i].line, rows[i].words);
    }
}

static void test_mtx_broken(void **state) {
    (void)state;
    static const broken rows[] = {
        {"", "GF0805", 0, "is empty"},
        {"\xff\xfe%", "GF0807", 0, "UTF-16"},
        {"1 1 1\n1 1\n", "GF0850", 1, "begins with '%%MatrixMarket matrix coordinate"},
        {"%%MatrixMarket\n", "GF0850", 1, "the line ends where matrix is expected"},
        {"%%MatrixMarket vector coordinate real general\n", "GF0850", 1, "'vector' found, expected matrix"},
        {"%%MatrixMarket matrix array real general\n", "GF0851", 1, "'array' found, expected coordinate"},
        {"%%MatrixMarket matrix sparse real general\n", "GF0850", 1, "'sparse' found, expected coordinate"},
        {HEAD "complex general\n", "GF0851", 1, "'complex' found, expected pattern, integer or real"},
        {HEAD "float general\n", "GF0850", 1, "'float' found, expected pattern, integer or real"},
        {HEAD "real hermitian\n", "GF0851", 1, "'hermitian' found, expected general, symmetric"},
        {HEAD "real\n", "GF0850", 1, "the line ends where general, symmetric"},
        {HEAD "pattern skew-symmetric\n", "GF0851", 1, "no sign"},
        {HEAD "real general x\n", "GF0850", 1, "'x' found, expected the line's end"},
        {HEAD "real general", "GF0852", 2, "the file ends where a line of rows"},
        {HEAD "real general\n% c\n", "GF0852", 3, "the file ends where a line of rows"},
        {HEAD "real general\n2 2\n1 1 1\n", "GF0852", 2, "the line ends where the number of entries"},
        {HEAD "real general\n2 -2 1\n", "GF0852", 2, "'-2' found, expected the number of columns"},
        {HEAD "real general\n2 2 1 1\n", "GF0852", 2, "'1' found, expected the line's end"},
        {HEAD "real general\n99999999999999999999 2 1\n", "GF0852", 2, "expected the number of rows"},
        {HEAD "real symmetric\n2 3 1\n1 1 1\n", "GF0852", 2, "this one has 2 and 3"},
        {HEAD "pattern general\n2 2 1000000000000000000\n1 1\n", "GF0855", 2,
         "1000000000000000000 entries are announced"},
        {HEAD "pattern general\n2 2 2\n1 1\n% padding\n", "GF0855", 5,
         "ends after 1 entries, its size line announces 2"},
        {HEAD "pattern general\n2 2 1\n1 1\n2 2\n", "GF0855", 4, "an entry more than the 1"},
        {HEAD "pattern general\n2 2 1\n0 1\n", "GF0854", 3, "0 is no row, expected 1 to 2"},
        {HEAD "pattern general\n2 2 1\n1 3\n", "GF0854", 3, "3 is no column, expected 1 to 2"},
        {HEAD "pattern general\n2 2 1\n-1 1\n", "GF0854", 3, "-1 is no row"},
        {HEAD "pattern general\n2 2 1\n1 99999999999999999999\n", "GF0854", 3, "99999999999999999999 is no column"},
        {HEAD "pattern general\n2 2 1\n1 x\n", "GF0853", 3, "'x' found, expected column"},
        {HEAD "pattern general\n2 2 1\n1.5 1\n", "GF0853", 3, "'1.5' found, expected row"},
        {HEAD "pattern general\n2 2 1\n1 2 3\n", "GF0853", 3, "'3' found, expected the line's end"},
        {HEAD "real general\n2 2 1\n1   \n", "GF0853", 3, "the line ends where column is expected"},
        {HEAD "real general\n2 2 1\n1 2\n", "GF0853", 3, "the line ends where a number is expected"},
        {HEAD "real general\n2 2 1\n1 2 3 4\n", "GF0853", 3, "'4' found"},
        {HEAD "real general\n2 2 1\n1 2 1e999\n", "GF0853", 3, "at most about 1.8e308"},
        {HEAD "real general\n2 2 1\n1 2 1.5x\n", "GF0853", 3, "'1.5x' found, expected a number"},
        {HEAD "integer general\n2 2 1\n1 2 1.5\n", "GF0853", 3, "'1.5' found, expected a whole number"},
        {HEAD "integer general\n2 2 1\n1 2 9223372036854775808\n", "GF0853", 3, "64 bits with sign"},
        {HEAD "integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n", "GF0853", 3, "no negative"},
        {HEAD "integer skew-symmetric\n2 2 1\n1 1 3\n", "GF0853", 3, "no entries on the diagonal"},
        {HEAD "pattern general\r\n2 2 2\r\n1 1\r\n1 3\r\n", "GF0854", 4, "3 is no column"},
    };
    expect_broken(rows, sizeof rows / sizeof *rows, true);
}

static void test_message_shows_line(void **state) {
    (void)state;
    gf_edges edges;
    gf_diag diag;
    assert_false(parse("0 1\n1 \x1b[31m\r\n", false, &edges));
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_string_equal(diag.file, "g.txt");
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.column, 3);
    assert_string_equal(diag.source, "1 ?[31m"); /* nothing that a terminal would obey */
    gf_diags_clear(diags);
}

static void test_edge_lists(void **state) {
    (void)state;
    expect_parse("# c\n% c\n\n0 1\n2\t0\n", false, 3, 3, "0>1 2>0");
    expect_parse("0,1\n 2 , 3 # behind\n4 4%\n", false, 5, 5, "0>1 2>3 4>4");
    expect_parse("\xef\xbb\xbf"
                 "0 1\r\n1 0\r\n",
                 false, 2, 2, "0>1 1>0");
    expect_parse("0 1 5\n1,2,-6\n1\t0\t7", false, 3, 3, "0>1*5 1>2*-6 1>0*7");
    expect_parse("0 1 5\n1 2 0.5\n2 0 3\n", false, 3, 3, "0>1*5 1>2*0.5 2>0*3");
    expect_parse("18446744073709551614 0\n", false, UINT64_MAX, UINT64_MAX, "18446744073709551614>0");
    expect_parse("# only this", false, 0, 0, "");
}

static void test_edge_lists_broken(void **state) {
    (void)state;
    static const broken rows[] = {
        {"", "GF0805", 0, "is empty"},
        {"\xfe\xff\0001", "GF0807", 0, "UTF-16"},
        {"0 1\n\n5\n", "GF0860", 3, "the line ends where a second vertex id is expected"},
        {"from,to\n0,1\n", "GF0860", 1, "'from' found, expected a vertex id"},
        {"0 1\n0 -1\n", "GF0861", 2, "'-1' found, expected a vertex id from 0 on"},
        {"0 99999999999999999999\n", "GF0861", 1, "below 2^64 - 1"},
        {"18446744073709551615 0\n", "GF0861", 1, "below 2^64 - 1"},
        {"0 1.5\n", "GF0860", 1, "'1.5' found, expected a second vertex id"},
        {"0,,1\n", "GF0860", 1, "',' found, expected a second vertex id"},
        {"0 1,\n", "GF0860", 1, "the line ends where a weight is expected"},
        {"0 1 x\n", "GF0860", 1, "'x' found, expected a weight"},
        {"0 1 2x\n", "GF0860", 1, "'2x' found, expected a weight"},
        {"0 1 2 3\n", "GF0860", 1, "'3' found, expected the line's end"},
        {"0 1 2\n0 1\n", "GF0860", 2, "two columns, expected a weight in the third"},
        {"0 1\n0 1 2\n", "GF0860", 2, "has a third column, expected two"},
        {"0 1 9223372036854775808\n", "GF0860", 1, "a weight of 64 bits with sign"},
        {"0 1 1e400\n", "GF0860", 1, "1.8e308"},
    };
    expect_broken(rows, sizeof rows / sizeof *rows, false);
    gf_edges edges;
    static const char zero[] = "0 1\n0\0 1\n";
    assert_false(gf_edge_list_parse(zero, sizeof zero - 1, "g.txt", &edges, diags));
    expect_error(diags, "GF0860", 2, "found, expected a vertex id");
}

static void test_options(void **state) {
    (void)state;
    gf_edges edges;
    const char *path = write_string("g.txt", "30 10 1\n10 10 2\n20 30 3\n");
    assert_true(gf_graph_read(path, (gf_graph_options){.remap = true}, &edges, diags));
    expect_edges(&edges, "2>0*1 0>0*2 1>2*3");
    assert_int_equal(edges.rows, 3);
    assert_int_equal(edges.ids[0], 10);
    assert_int_equal(edges.ids[1], 20);
    assert_int_equal(edges.ids[2], 30);
    gf_edges_free(&edges);
    assert_true(gf_graph_read(path, (gf_graph_options){.remap = true, .transpose = true}, &edges, diags));
    expect_edges(&edges, "0>2*1 0>0*2 2>1*3");
    gf_edges_free(&edges);
    assert_true(gf_graph_read(path, (gf_graph_options){.remap = true, .symmetric = true}, &edges, diags));
    expect_edges(&edges, "2>0*1 0>2*1 0>0*2 1>2*3 2>1*3");
    gf_edges_free(&edges);
    path = write_string("g.mtx", HEAD "pattern general\n2 5 2\n1 5\n2 2\n");
    assert_true(gf_graph_read(path, (gf_graph_options){.transpose = true}, &edges, diags));
    assert_int_equal(edges.rows, 5);
    assert_int_equal(edges.cols, 2);
    expect_edges(&edges, "4>0 1>1");
    gf_edges_free(&edges);
    assert_true(gf_graph_read(path, (gf_graph_options){.symmetric = true}, &edges, diags));
    assert_int_equal(edges.rows, 5);
    assert_int_equal(edges.cols, 5);
    gf_edges_free(&edges);
    /* What the header expands is not doubled. */
    path = write_string("g.mtx", HEAD "pattern symmetric\n2 2 1\n2 1\n");
    assert_true(gf_graph_read(path, (gf_graph_options){.symmetric = true}, &edges, diags));
    expect_edges(&edges, "1>0 0>1");
    gf_edges_free(&edges);
    assert_false(gf_graph_read("g.graph", (gf_graph_options){0}, &edges, diags));
    expect_fix(diags, ".mtx, or an edge list .txt, .tsv or .csv");
    expect_error(diags, "GF0862", 0, "'g.graph'");
    assert_false(gf_graph_read(in_folder("none.txt"), (gf_graph_options){0}, &edges, diags));
    expect_error(diags, "GF0801", 0, "there is no such file");
}

static void test_csr(void **state) {
    (void)state;
    gf_edges edges;
    gf_array row, col, val;
    static const uint32_t rows[] = {0, 2, 2, 5, 5};
    static const uint64_t cols[] = {1, 3, 0, 0, 2};
    static const float weights[] = {2, 1, 4, 5, 3};
    assert_true(parse("0 3 1\n0 1 2\n2 2 3\n2 0 4\n2 0 5\n", false, &edges));
    assert_true(gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U64, "g.txt", &row, &col, diags));
    assert_true(gf_edges_weights(&edges, GF_TYPE_F32, "g.txt", &val, diags));
    assert_int_equal(row.count, 5);
    assert_int_equal(col.count, 5);
    assert_memory_equal(row.data, rows, sizeof rows);
    assert_memory_equal(col.data, cols, sizeof cols);
    assert_memory_equal(val.data, weights, sizeof weights);
    gf_array_free(&row);
    gf_array_free(&col);
    gf_array_free(&val);
    gf_edges_free(&edges);
    /* No weights: all 1. No edges: offsets alone. */
    assert_true(parse("0 1\n", false, &edges));
    assert_true(gf_edges_weights(&edges, GF_TYPE_I8, "g.txt", &val, diags));
    assert_int_equal(*(int8_t *)val.data, 1);
    gf_array_free(&val);
    gf_edges_free(&edges);
    assert_true(parse(HEAD "pattern general\n2 3 0\n", true, &edges));
    assert_true(gf_edges_csr(&edges, GF_TYPE_I32, GF_TYPE_I32, "g.mtx", &row, &col, diags));
    assert_int_equal(row.count, 3);
    assert_int_equal(col.count, 0);
    gf_array_free(&row);
    gf_array_free(&col);
    gf_edges_free(&edges);
    expect_no_error(diags);
}

static void test_csr_refuses(void **state) {
    (void)state;
    gf_edges edges;
    gf_array row, col, val;
    assert_true(parse("300 0 1.5\n0 300 -1\n", false, &edges));
    assert_false(gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U8, "g.txt", &row, &col, diags));
    expect_error(diags, "GF0863", 0, "vertex id 300 does not fit u8 (0 to 255)");
    assert_null(row.data);
    assert_false(gf_edges_weights(&edges, GF_TYPE_U32, "g.txt", &val, diags));
    expect_error(diags, "GF0820", 0, "weight of edge 0 to 300: value -1 does not fit u32");
    assert_false(gf_edges_weights(&edges, GF_TYPE_I32, "g.txt", &val, diags));
    expect_error(diags, "GF0821", 0, "weight of edge 300 to 0: value 1.5 is not a whole number");
    assert_false(gf_edges_ends(&edges, false, GF_TYPE_I8, "g.txt", &col, diags));
    expect_error(diags, "GF0863", 0, "vertex id 300 does not fit i8");
    gf_edges_free(&edges);
    char many[2000] = "";
    for (int i = 0; i < 300; i++) {
        (void)snprintf(many + (size_t)i * 4, 5, "0 0\n");
    }
    assert_true(parse(many, false, &edges));
    assert_false(gf_edges_csr(&edges, GF_TYPE_U8, GF_TYPE_U8, "g.txt", &row, &col, diags));
    expect_error(diags, "GF0863", 0, "offset 300 does not fit u8");
    gf_edges_free(&edges);
    assert_true(parse("4000000000 0\n", false, &edges));
    assert_false(gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U32, "g.txt", &row, &col, diags));
    expect_fix(diags, "--remap");
    expect_error(diags, "GF0864", 0, "4000000001 rows for 1 edges");
    gf_edges_free(&edges);
}

static void test_sort(void **state) {
    (void)state;
    uint64_t *columns[2] = {gf_calloc(1000, 8), gf_calloc(1000, 8)}, seed = 7;
    assert_true(columns[0] && columns[1]);
    for (uint64_t i = 0; i < 1000; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        columns[0][i] = (seed >> 60) << (seed >> 30 & 60);
        columns[1][i] = i;
    }
    assert_true(gf_sort_columns(columns, 2, 0, 1000));
    for (uint64_t i = 1; i < 1000; i++) {
        assert_true(columns[0][i - 1] < columns[0][i] ||
                    (columns[0][i - 1] == columns[0][i] && columns[1][i - 1] < columns[1][i]));
    }
    gf_free(columns[0]);
    gf_free(columns[1]);
}

static void test_rmat(void **state) {
    (void)state;
    gf_edges edges, again;
    assert_true(gf_rmat_generate(10, 16, 1, &edges, diags));
    assert_true(gf_rmat_generate(10, 16, 1, &again, diags));
    assert_int_equal(edges.count, 16384);
    assert_int_equal(edges.rows, 1024);
    assert_memory_equal(edges.from, again.from, (size_t)16384 * 8);
    uint64_t quarters[4] = {0}, sum = 0;
    for (uint64_t i = 0; i < edges.count; i++) {
        assert_true(edges.from[i] < 1024 && edges.to[i] < 1024);
        quarters[edges.from[i] / 512 * 2 + edges.to[i] / 512]++;
        sum = sum * 31 + edges.from[i] * 1024 + edges.to[i];
    }
    /* 57, 19, 19 and 5 percent of 16384 are 9339, 3113, 3113 and 819. */
    assert_in_range(quarters[0], 9139, 9539);
    assert_in_range(quarters[1], 2963, 3263);
    assert_in_range(quarters[2], 2963, 3263);
    assert_in_range(quarters[3], 719, 919);
    assert_true(sum == 0x95337b0c9ee4c164U); /* as computed elsewhere from the description */
    gf_edges_free(&edges);
    gf_edges_free(&again);
    assert_false(gf_rmat_generate(41, 1, 1, &edges, diags));
    expect_error(diags, "GF0865", 0, "scale 41");
    assert_false(gf_rmat_generate(40, UINT64_MAX / 2, 1, &edges, diags));
    expect_error(diags, "GF0865", 0, "too large");
    assert_false(gf_rmat_generate(40, 1 << 21, 1, &edges, diags));
    expect_error(diags, "GF0865", 0, "more edges than can be addressed");
}

static int create(void **state) {
    diags = gf_diags_create();
    return diags ? make_folder(state) : -1;
}

static int destroy(void **state) {
    gf_diags_destroy(diags);
    return remove_folder(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mtx),        cmocka_unit_test(test_mtx_broken),
        cmocka_unit_test(test_edge_lists), cmocka_unit_test(test_edge_lists_broken),
        cmocka_unit_test(test_options),    cmocka_unit_test(test_message_shows_line),
        cmocka_unit_test(test_csr),        cmocka_unit_test(test_csr_refuses),
        cmocka_unit_test(test_sort),       cmocka_unit_test(test_rmat),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
