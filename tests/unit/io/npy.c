#include "io/npy.h"
#include "io_test.h"

static gf_diags *diags;

/* A .npy file in memory: version, dictionary, data. */
typedef struct image {
    unsigned char bytes[512];
    size_t size;
} image;

static image make_image(unsigned version, const char *dictionary, const void *data, size_t size) {
    image made = {.bytes = "\x93NUMPY"};
    size_t length = strlen(dictionary), width = version == 1 ? 2 : 4;
    made.bytes[6] = (unsigned char)version;
    for (size_t i = 0; i < width; i++) {
        made.bytes[8 + i] = (unsigned char)(length >> (8 * i));
    }
    memcpy(made.bytes + 8 + width, dictionary, length);
    memcpy(made.bytes + 8 + width + length, data, size);
    made.size = 8 + width + length + size;
    return made;
}

static bool parse(const image *from, gf_array *out) {
    return gf_npy_parse(from->bytes, from->size, "x.npy", out, diags);
}

static const struct {
    const char *code;
    gf_type type;
} types[] = {{"b1", GF_TYPE_U8},  {"u1", GF_TYPE_U8},  {"i1", GF_TYPE_I8},  {"u2", GF_TYPE_U16},
             {"i2", GF_TYPE_I16}, {"u4", GF_TYPE_U32}, {"i4", GF_TYPE_I32}, {"u8", GF_TYPE_U64},
             {"i8", GF_TYPE_I64}, {"f2", GF_TYPE_F16}, {"f4", GF_TYPE_F32}, {"f8", GF_TYPE_F64}};

static void test_types_orders_versions(void **state) {
    (void)state;
    unsigned char data[16];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (unsigned char)(i * 17 + 1);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (unsigned version = 1; version <= 3; version++) {
            for (int big = 0; big < 2; big++) {
                char dictionary[128];
                size_t width = gf_type_bytes(types[i].type);
                (void)snprintf(dictionary, sizeof dictionary,
                               "{'descr': '%c%s', 'fortran_order': False, 'shape': (2,), }\n", big ? '>' : '<',
                               types[i].code);
                image made = make_image(version, dictionary, data, 2 * width);
                gf_array array;
                assert_true(parse(&made, &array));
                assert_int_equal(array.type, types[i].type);
                assert_int_equal(array.count, 2);
                for (size_t byte = 0; byte < 2 * width; byte++) {
                    size_t from = big == gf_host_is_little() ? byte / width * width + width - 1 - byte % width : byte;
                    assert_int_equal(((unsigned char *)array.data)[byte], data[from]);
                }
                gf_array_free(&array);
            }
        }
    }
    expect_no_error(diags);
}

static void test_fortran_order(void **state) {
    (void)state;
    static const unsigned char data[] = {0, 12, 4, 16, 8,  20, 1, 13, 5, 17, 9,  21,
                                         2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23};
    image made = make_image(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", data, sizeof data);
    gf_array array;
    assert_true(parse(&made, &array));
    assert_int_equal(array.dims, 3);
    for (unsigned i = 0; i < 24; i++) {
        assert_int_equal(((unsigned char *)array.data)[i], i);
    }
    gf_array_free(&array);
}

static void test_shapes(void **state) {
    (void)state;
    static const unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        const char *shape;
        size_t size;
        uint32_t dims;
    } rows[] = {{"()", 1, 0},
                {"(0,)", 0, 1},
                {"(0, 18446744073709551615, 18446744073709551615)", 0, 3},
                {"(18446744073709551615, 18446744073709551615, 0)", 0, 3},
                {"( 2 , 3 )", 6, 2},
                {"(3L,)", 3, 1},
                {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", 1, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char dictionary[256];
        gf_array array;
        (void)snprintf(dictionary, sizeof dictionary, "{\"shape\":%s ,'fortran_order' : False,\t'descr':\"|u1\"}  \n",
                       rows[i].shape);
        image made = make_image(1, dictionary, data, rows[i].size);
        assert_true(parse(&made, &array));
        assert_int_equal(array.dims, rows[i].dims);
        assert_int_equal(array.count, rows[i].size);
        gf_array_free(&array);
    }
    expect_no_error(diags);
}

static void test_broken(void **state) {
    (void)state;
    static const struct {
        const char *dictionary, *code, *words;
        size_t size;
    } rows[] = {
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "GF0812", "type '<c8', expected", 8},
        {"{'descr': '|u4', 'fortran_order': False, 'shape': (1,)}", "GF0812", "type '|u4', expected", 4},
        {"{'descr': '=u4', 'fortran_order': False, 'shape': (1,)}", "GF0812", "type '=u4', expected", 4},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "GF0812", "type '|O', expected", 8},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "GF0812", "type '', expected", 8},
        {"{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (1,)}", "GF0812", "holds records", 4},
        {"{'descr': 3, 'fortran_order': False, 'shape': (1,)}", "GF0811", "expected a quoted type", 4},
        {"{'descr': '<u4', 'fortran_order': 0, 'shape': (1,)}", "GF0811", "expected True or False", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1)}", "GF0811", "the only extent", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': 1}", "GF0811", "expected a shape", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (-1,)}", "GF0811", "a number of elements", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1 2)}", "GF0811", "',' or ')'", 8},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (,)}", "GF0811", "a number of elements", 4},
        {"{'descr': '<u4', 'fortran_order': False}", "GF0811", "the keys 'descr'", 4},
        {"{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", "GF0811", "once each", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "GF0811", "once each", 4},
        {"{'descr': '<u4' 'fortran_order': False, 'shape': (1,)}", "GF0811", "',' or '}'", 4},
        {"{'descr' '<u4', 'fortran_order': False, 'shape': (1,)}", "GF0811", "expected ':'", 4},
        {"{descr: '<u4', 'fortran_order': False, 'shape': (1,)}", "GF0811", "a quoted key", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1,)} x", "GF0811", "nothing behind", 4},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1,)", "GF0811", "',' or '}'", 4},
        {"{'descr': '<u4", "GF0811", "a quoted type", 0},
        {"", "GF0811", "expected '{'", 0},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (3,)}", "GF0814",
         "holds 8 bytes of data, its header says 12", 8},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", "GF0814",
         "holds 8 bytes of data, its header says 4", 8},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': ()}", "GF0814", "holds 0 bytes of data, its header says 4",
         0},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1000000000000000000,)}", "GF0814",
         "header says 4000000000000000000", 8},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (18446744073709551616,)}", "GF0813", "over 64 bits", 8},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (2305843009213693952,)}", "GF0813", "more elements", 8},
        {"{'descr': '<u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "GF0813", "more elements", 8},
        {"{'descr': '|u1', 'fortran_order': True, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1)}",
         "GF0813", "more than 32 dimensions", 1},
    };
    static const unsigned char data[8] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_array array;
        image made = make_image(1, rows[i].dictionary, data, rows[i].size);
        assert_false(parse(&made, &array));
        assert_null(array.data);
        expect_error(diags, rows[i].code, 0, rows[i].words);
    }
}

static void test_cut_short(void **state) {
    (void)state;
    static const unsigned char data[8] = {0};
    for (unsigned version = 1; version <= 3; version++) {
        image made = make_image(version, "{'descr': '<u4', 'fortran_order': False, 'shape': (2,)}", data, 8);
        for (size_t size = 0; size < made.size; size++) {
            gf_array array;
            /* In a block of just that size, where a sanitizer sees every byte too far. */
            unsigned char *copy = malloc(size ? size : 1);
            assert_non_null(copy);
            memcpy(copy, made.bytes, size);
            assert_false(gf_npy_parse(copy, size, "x.npy", &array, diags));
            size_t header = made.size - 8;
            expect_error(diags,
                         size == 0       ? "GF0805"
                         : size < 8      ? "GF0810"
                         : size < header ? "GF0811"
                                         : "GF0814",
                         0, "'x.npy'");
            free(copy);
        }
    }
    image made = make_image(1, "{}", data, 0);
    gf_array array;
    made.bytes[6] = 4;
    assert_false(parse(&made, &array));
    expect_error(diags, "GF0810", 0, "version 4.0, expected 1.0, 2.0 or 3.0");
    made.bytes[6] = 1;
    made.bytes[9] = 0xff;
    assert_false(parse(&made, &array));
    expect_error(diags, "GF0811", 0, "header takes 65292 bytes, the file has 12");
}

static void test_write_and_read(void **state) {
    (void)state;
    static const uint32_t values[6] = {0, 1, 2, 0xffffffff, 4, 5};
    for (uint32_t dims = 0; dims <= 3; dims++) {
        gf_array array = {.type = GF_TYPE_U32,
                          .data = (void *)values,
                          .count = dims ? 6 : 1,
                          .dims = dims,
                          .shape = {dims == 1   ? 6
                                    : dims == 2 ? 2
                                                : 1,
                                    dims == 2 ? 3 : 2, 3}};
        gf_array back;
        const char *path = in_folder("w.npy");
        assert_true(gf_npy_write(path, &array, diags));
        assert_true(gf_npy_read(path, &back, diags));
        assert_int_equal(back.type, GF_TYPE_U32);
        assert_int_equal(back.dims, dims);
        assert_memory_equal(back.shape, array.shape, dims * sizeof *array.shape);
        assert_memory_equal(back.data, values, array.count * 4);
        gf_array_free(&back);
        size_t size;
        char *text = slurp(path, &size);
        assert_int_equal((size - array.count * 4) % 64, 0);
        free(text);
    }
    gf_array widest = {.type = GF_TYPE_F64, .data = (void *)values, .dims = 32};
    for (size_t i = 0; i < 32; i++) {
        widest.shape[i] = i ? UINT64_MAX : 0;
    }
    gf_array back;
    assert_true(gf_npy_write(in_folder("w.npy"), &widest, diags));
    assert_true(gf_npy_read(in_folder("w.npy"), &back, diags));
    assert_memory_equal(back.shape, widest.shape, sizeof widest.shape);
    gf_array_free(&back);
    assert_int_equal(count_files(), 1); /* nothing temporary is left */
    expect_no_error(diags);
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
        cmocka_unit_test(test_types_orders_versions),
        cmocka_unit_test(test_fortran_order),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_write_and_read),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
