/* Sources, sinks, conversion and whole files. */
#include "io/convert.h"
#include "io/file.h"
#include "io/input.h"
#include "io/npy.h"
#include "io/random.h"
#include "io/sink.h"
#include "io/text.h"
#include "io_test.h"
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

static gf_diags *diags;

static gf_array read_input(const char *source, gf_type type, uint64_t count) {
    gf_array array;
    bool ok = gf_input_read("b", source, type, count, &array, diags);
    expect_no_error(diags);
    assert_true(ok);
    assert_int_equal(array.type, type);
    return array;
}

/* The elements as text, as a sink writes them. */
static void expect_values(const gf_array *array, const char *wanted) {
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_true(gf_sink_write("b", "-", array, stream, diags));
    (void)fclose(stream);
    assert_string_equal(text, wanted);
}

static void expect_input(const char *source, gf_type type, uint64_t count, const char *wanted) {
    gf_array array = read_input(source, type, count);
    expect_values(&array, wanted);
    gf_array_free(&array);
}

static void test_literals_and_generators(void **state) {
    (void)state;
    expect_input("1,2,3", GF_TYPE_U32, GF_COUNT_UNKNOWN, "b: 1 2 3\n");
    expect_input(" -1 , 0x10,+7", GF_TYPE_I16, 2, "b: -1 16 7\n");
    expect_input("0.1,inf,-inf,nan,-0,1e-3", GF_TYPE_F32, GF_COUNT_UNKNOWN, "b: 0.1 inf -inf nan -0 0.001\n");
    expect_input("5", GF_TYPE_F16, 1, "b: 5\n");
    expect_input("fill:0xffffffff", GF_TYPE_U32, 2, "b: 4294967295 4294967295\n");
    expect_input("fill(-2.5)", GF_TYPE_F64, 3, "b: -2.5 -2.5 -2.5\n");
    expect_input("fill:1", GF_TYPE_U8, 0, "b:\n");
    expect_input("iota", GF_TYPE_I8, 4, "b: 0 1 2 3\n");
    expect_input("iota", GF_TYPE_F16, 3, "b: 0 1 2\n");
    expect_input("random:3:-2:-1", GF_TYPE_I32, 3, "b: -2 -2 -2\n");
    assert_true(gf_input_is_generated("fill:1") && gf_input_is_generated("random(1, 2, 3)"));
    assert_true(gf_input_is_generated("iota") && !gf_input_is_generated("1,2") && !gf_input_is_generated("fill.npy"));
}

static void test_random(void **state) {
    (void)state;
    /* The first outputs of SplitMix64 from 42, as published implementations give them. */
    gf_array array = read_input("random:42", GF_TYPE_U64, 2);
    assert_true(((uint64_t *)array.data)[0] == 0xbdd732262feb6e95U);
    assert_true(((uint64_t *)array.data)[1] == 0x28efe333b266f103U);
    gf_array_free(&array);
    array = read_input("random(7, -3, 4)", GF_TYPE_I8, 7000);
    unsigned seen[7] = {0};
    for (size_t i = 0; i < 7000; i++) {
        int value = (int)gf_number_load(GF_TYPE_I8, (char *)array.data + i).magnitude *
                    (gf_number_load(GF_TYPE_I8, (char *)array.data + i).negative ? -1 : 1);
        assert_in_range(value + 3, 0, 6);
        seen[value + 3]++;
    }
    for (size_t i = 0; i < 7; i++) {
        assert_in_range(seen[i], 850, 1150);
    }
    gf_array_free(&array);
    array = read_input("random:1:0:4294967296", GF_TYPE_U32, 4);
    gf_array_free(&array);
    array = read_input("random:1:-9223372036854775808:9223372036854775808", GF_TYPE_I64, 1);
    gf_array_free(&array);
    gf_array again = read_input("random(9)", GF_TYPE_F32, 1000);
    array = read_input("random:9", GF_TYPE_F32, 2000);
    assert_memory_equal(array.data, again.data, 4000); /* an element does not depend on the length */
    for (size_t i = 0; i < 2000; i++) {
        float value = ((float *)array.data)[i];
        assert_true(value >= 0 && value < 1);
    }
    gf_array_free(&array);
    gf_array_free(&again);
    static const gf_type types[] = {GF_TYPE_F16, GF_TYPE_F32, GF_TYPE_F64};
    for (size_t t = 0; t < 3; t++) {
        array = read_input("random:5:1000:1001", types[t], 3000);
        for (uint64_t i = 0; i < 3000; i++) {
            double value = gf_number_load(types[t], (char *)array.data + i * gf_type_bytes(types[t])).real;
            assert_true(value >= 1000 && value < 1001);
        }
        gf_array_free(&array);
    }
    assert_true(gf_random_below(UINT64_MAX, 10) == 9 && gf_random_below(0, 0) == 0);
}

static void test_input_errors(void **state) {
    (void)state;
    static const struct {
        const char *source;
        gf_type type;
        uint64_t count;
        const char *code, *words;
    } rows[] = {
        {"", GF_TYPE_U32, 1, "GF0830", "buffer 'b': '' is no source"},
        {"x.dat", GF_TYPE_U32, 1, "GF0830", "'x.dat' is no source"},
        {".npy", GF_TYPE_U32, 1, "GF0823", "'.npy' is no number"},
        {"fill", GF_TYPE_U32, 1, "GF0830", "'fill' is no source"},
        {"fill:1:2", GF_TYPE_U32, 1, "GF0830", "is no source"},
        {"fill(1", GF_TYPE_U32, 1, "GF0830", "is no source"},
        {"random:1:2", GF_TYPE_U32, 1, "GF0830", "is no source"},
        {"random:1:2:3:4", GF_TYPE_U32, 1, "GF0830", "is no source"},
        {"fill:", GF_TYPE_U32, 1, "GF0823", "fill: '' is no number"},
        {"fill:x", GF_TYPE_U32, 1, "GF0823", "'x' is no number, expected a value of type u32"},
        {"fill:300", GF_TYPE_U8, 1, "GF0820", "value 300 does not fit u8 (0 to 255)"},
        {"fill:1.5", GF_TYPE_U8, 1, "GF0821", "value 1.5 is not a whole number"},
        {"fill:1", GF_TYPE_U8, GF_COUNT_UNKNOWN, "GF0832", "has no length of its own"},
        {"iota", GF_TYPE_U8, GF_COUNT_UNKNOWN, "GF0832", "has no length of its own"},
        {"iota", GF_TYPE_U8, 257, "GF0820", "value 256 does not fit u8"},
        {"iota", GF_TYPE_F16, 2050, "GF0822", "value 2049 cannot be kept exactly as f16"},
        {"random:-1", GF_TYPE_U8, 1, "GF0820", "value -1 does not fit u64"},
        {"random:x", GF_TYPE_U8, 1, "GF0823", "'x' is no number"},
        {"random:1:5:5", GF_TYPE_U8, 1, "GF0833", "no range of u8 from 5 up to, not including, 5"},
        {"random:1:0:257", GF_TYPE_U8, 1, "GF0833", "0 to 255"},
        {"random:1:0.5:2", GF_TYPE_U8, 1, "GF0833", "no range of u8"},
        {"random:1:0:inf", GF_TYPE_F32, 1, "GF0833", "no range of f32"},
        {"random:1:-1e308:1e308", GF_TYPE_F64, 1, "GF0833", "no range of f64"},
        {"random:1:0:y", GF_TYPE_F64, 1, "GF0823", "'y' is no number"},
        {"1,,2", GF_TYPE_U32, 1, "GF0823", "'' is no number"},
        {"1,2,", GF_TYPE_U32, 1, "GF0823", "'' is no number"},
        {"1,2x", GF_TYPE_U32, 1, "GF0823", "'2x' is no number"},
        {"1,-2", GF_TYPE_U32, 1, "GF0820", "value -2 does not fit u32"},
        {"1,2", GF_TYPE_U32, 3, "GF0831", "buffer 'b' has 3 elements, '1,2' holds only 2"},
        {"fill:1", GF_TYPE_U64, (uint64_t)1 << 61, "GF0001", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_array array;
        assert_false(gf_input_read("b", rows[i].source, rows[i].type, rows[i].count, &array, diags));
        assert_null(array.data);
        if (strcmp(rows[i].code, "GF0830") == 0) {
            expect_fix(diags, "x.npy, x.bin, x.txt, numbers such as 1,2,3, fill:V, iota, random:SEED");
        } else if (strcmp(rows[i].code, "GF0832") == 0) {
            expect_fix(diags, "--size b=N");
        }
        expect_error(diags, rows[i].code, 0, rows[i].words);
    }
}

static void test_text(void **state) {
    (void)state;
    expect_input(write_string("x.txt", "\xef\xbb\xbf"
                                       "1 2,3\r\n# c\n 4 , 5,\n\n6#c"),
                 GF_TYPE_U8, GF_COUNT_UNKNOWN, "b: 1 2 3 4 5 6\n");
    expect_input(write_string("x.txt", "1.000e+00\n-2e0\n"), GF_TYPE_I32, 2, "b: 1 -2\n");
    static const struct {
        const char *text, *code;
        uint32_t line;
        const char *words;
    } rows[] = {{"", "GF0805", 0, "is empty"},
                {"1\n2 x\n", "GF0823", 2, "'x' is no number, expected a value of type i32"},
                {"1,,2", "GF0823", 1, "expected before ','"},
                {",1", "GF0823", 1, "expected before ','"},
                {"1\n\n3000000000", "GF0820", 3, "3000000000 does not fit i32 (-2147483648 to 2147483647)"},
                {"1.5", "GF0821", 1, "1.5 is not a whole number, expected i32"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_array array;
        assert_false(gf_text_parse(rows[i].text, strlen(rows[i].text), "x.txt", GF_TYPE_I32, &array, diags));
        expect_error(diags, rows[i].code, rows[i].line, rows[i].words);
    }
}

static void test_files_in(void **state) {
    (void)state;
    gf_array array;
    static const unsigned char raw[] = {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 9};
    expect_input(write_bytes("x.bin", raw, 8), GF_TYPE_I32, 2, "b: 1 -1\n");
    expect_input(write_bytes("x.bin", raw, 0), GF_TYPE_I32, 0, "b:\n");
    assert_false(gf_input_read("b", write_bytes("x.bin", raw, 9), GF_TYPE_I32, 2, &array, diags));
    expect_error(diags, "GF0806", 0, "has 9 bytes, expected a multiple of 4");
    array = read_input("1,2,300", GF_TYPE_I64, 3);
    assert_true(gf_npy_write(in_folder("x.npy"), &array, diags));
    gf_array_free(&array);
    expect_input(in_folder("x.npy"), GF_TYPE_F16, 3, "b: 1 2 300\n");
    assert_false(gf_input_read("b", in_folder("x.npy"), GF_TYPE_U8, 3, &array, diags));
    expect_error(diags, "GF0820", 0, "x.npy[2]: value 300 does not fit u8");
    assert_false(gf_input_read("b", in_folder("x.npy"), GF_TYPE_U32, 4, &array, diags));
    expect_error(diags, "GF0831", 0, "has 4 elements");
    assert_false(gf_input_read("b", in_folder("none.npy"), GF_TYPE_U32, 4, &array, diags));
    expect_error(diags, "GF0801", 0, "none.npy': there is no such file");
    assert_int_equal(mkdir(in_folder("d.npy"), 0777), 0);
    assert_false(gf_input_read("b", in_folder("d.npy"), GF_TYPE_U32, 4, &array, diags));
    expect_error(diags, "GF0802", 0, "is a directory, expected a file");
    assert_int_equal(rmdir(in_folder("d.npy")), 0);
    assert_int_equal(mkfifo(in_folder("p.txt"), 0600), 0);
    assert_false(gf_input_read("b", in_folder("p.txt"), GF_TYPE_U32, 4, &array, diags));
    expect_error(diags, "GF0802", 0, "is a pipe, expected a file");
}

static void test_convert(void **state) {
    (void)state;
    static const struct {
        const char *from;
        gf_type type, to;
        const char *wanted; /* "GFnnnn words" for an error */
    } rows[] = {
        {"0,255", GF_TYPE_U64, GF_TYPE_U8, "b: 0 255\n"},
        {"-128,127", GF_TYPE_I64, GF_TYPE_I8, "b: -128 127\n"},
        {"1,-1", GF_TYPE_I8, GF_TYPE_U64, "GF0820x[1]: value -1 does not fit u64"},
        {"4294967296", GF_TYPE_U64, GF_TYPE_U32, "GF0820x[0]: value 4294967296 does not fit u32"},
        {"16777216", GF_TYPE_U32, GF_TYPE_F32, "b: 16777216\n"},
        {"16777217", GF_TYPE_U32, GF_TYPE_F32, "GF0822x[0]: value 16777217 cannot be kept exactly as f32"},
        {"18446744073709551615", GF_TYPE_U64, GF_TYPE_F64, "GF0822cannot be kept exactly as f64"},
        {"2048,2049", GF_TYPE_U16, GF_TYPE_F16, "GF0822x[1]: value 2049"},
        {"65520", GF_TYPE_U16, GF_TYPE_F16, "GF0820value 65520 does not fit f16 (up to 65504)"},
        {"0.5,nan,inf,-0", GF_TYPE_F64, GF_TYPE_F16, "b: 0.5 nan inf -0\n"},
        {"0.1", GF_TYPE_F64, GF_TYPE_F32, "GF0822value 0.1 cannot"},
        {"1e300", GF_TYPE_F64, GF_TYPE_F32, "GF0820value 1e+300 does not fit f32"},
        {"0.5,6.103515625e-05,5.9604644775390625e-08", GF_TYPE_F32, GF_TYPE_F16, "b: 0.5 6.104e-05 6e-08\n"},
        {"2.98023223876953125e-08", GF_TYPE_F32, GF_TYPE_F16, "GF0822cannot be kept exactly as f16"},
        {"3,-4", GF_TYPE_F32, GF_TYPE_I32, "b: 3 -4\n"},
        {"3.5", GF_TYPE_F32, GF_TYPE_I32, "GF0821x[0]: value 3.5 is not a whole number"},
        {"nan", GF_TYPE_F16, GF_TYPE_U8, "GF0821value nan is not a whole number"},
        {"1.8446744073709552e19", GF_TYPE_F64, GF_TYPE_U64, "GF0820does not fit u64"},
        {"-9.223372036854775808e18", GF_TYPE_F64, GF_TYPE_I64, "b: -9223372036854775808\n"},
        {"0.1,3", GF_TYPE_F16, GF_TYPE_F64, "b: 0.0999755859375 3\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_array array = read_input(rows[i].from, rows[i].type, GF_COUNT_UNKNOWN);
        bool ok = gf_array_convert(&array, rows[i].to, "x", diags);
        if (strncmp(rows[i].wanted, "GF", 2) == 0) {
            char code[7] = "";
            memcpy(code, rows[i].wanted, 6);
            assert_false(ok);
            assert_int_equal(array.type, rows[i].type);
            expect_error(diags, code, 0, rows[i].wanted + 6);
        } else {
            expect_no_error(diags);
            assert_true(ok);
            expect_values(&array, rows[i].wanted);
        }
        gf_array_free(&array);
    }
    gf_array array = read_input("1,2,3,4,5,-6", GF_TYPE_I32, 6);
    assert_true(gf_array_reshape(&array, (uint64_t[]){2, 3}, 2, "b", diags));
    assert_false(gf_array_convert(&array, GF_TYPE_U32, "x", diags));
    expect_error(diags, "GF0820", 0, "x[1, 2]: value -6");
    assert_false(gf_array_reshape(&array, (uint64_t[]){4, 2}, 2, "b", diags));
    expect_error(diags, "GF0841", 0, "has 6 elements");
    assert_false(gf_array_reshape(&array, (uint64_t[]){UINT64_MAX, 2, 3}, 3, "b", diags));
    expect_error(diags, "GF0841", 0, "has 6 elements");
    gf_array_free(&array);
}

static void test_sinks(void **state) {
    (void)state;
    gf_array array = read_input("1,-2,3", GF_TYPE_I16, 3);
    size_t size;
    static const struct {
        const char *name, *wanted;
        size_t size;
    } rows[] = {{"o.txt", "1\n-2\n3\n", 7}, {"o.bin", "\1\0\376\377\3\0", 6}};
    for (size_t i = 0; i < 2; i++) {
        assert_true(gf_sink_write("b", in_folder(rows[i].name), &array, NULL, diags));
        char *text = slurp(in_folder(rows[i].name), &size);
        assert_int_equal(size, rows[i].size);
        assert_memory_equal(text, rows[i].wanted, size);
        free(text);
    }
    assert_true(gf_sink_write("b", in_folder("o.npy"), &array, NULL, diags));
    expect_input(in_folder("o.npy"), GF_TYPE_I16, 3, "b: 1 -2 3\n");
    assert_false(gf_sink_check("b", "o.dat", diags));
    expect_fix(diags, "x.npy, x.bin, x.txt, or -");
    expect_error(diags, "GF0840", 0, "buffer 'b': 'o.dat' is no sink");
    assert_false(gf_sink_write("b", "no/such/folder/o.txt", &array, NULL, diags));
    expect_error(diags, "GF0801", 0, "cannot write 'no/such/folder/o.txt': there is no such directory");
    /* Many values go out in several pieces. */
    gf_array many = read_input("iota", GF_TYPE_U32, 50000);
    assert_true(gf_sink_write("b", in_folder("m.txt"), &many, NULL, diags));
    gf_array back = read_input(in_folder("m.txt"), GF_TYPE_U32, 50000);
    assert_memory_equal(many.data, back.data, 200000);
    gf_array_free(&back);
    gf_array_free(&many);
    gf_array_free(&array);
}

static void test_writing_keeps_what_was(void **state) {
    (void)state;
    gf_array array = read_input("1", GF_TYPE_U8, 1);
    gf_file_writer writer;
    size_t size;
    const char *path = write_string("k.txt", "old");
    assert_int_equal(chmod(path, 0640), 0);
    int before = count_files();
    assert_true(gf_file_begin(&writer, path, diags));
    gf_file_put(&writer, "new", 3);
    gf_file_discard(&writer);
    assert_int_equal(count_files(), before);
    char *text = slurp(path, &size);
    assert_string_equal(text, "old");
    free(text);
    /* A link stays one, permissions stay. */
    assert_int_equal(symlink("k.txt", in_folder("l.txt")), 0);
    assert_true(gf_sink_write("b", in_folder("l.txt"), &array, NULL, diags));
    text = slurp(in_folder("k.txt"), &size);
    assert_string_equal(text, "1\n");
    free(text);
    struct stat about;
    assert_int_equal(lstat(in_folder("l.txt"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(in_folder("k.txt"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(mkdir(in_folder("d.txt"), 0777), 0);
    assert_false(gf_sink_write("b", in_folder("d.txt"), &array, NULL, diags));
    expect_error(diags, "GF0802", 0, "it is a directory");
    assert_int_equal(rmdir(in_folder("d.txt")), 0);
    /* A full disk, told when it is closed at the latest. */
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        assert_false(gf_sink_write("b", "-", &array, full, diags));
        expect_error(diags, "GF0804", 0, "cannot write buffer 'b' to standard output");
        (void)fclose(full);
    }
    gf_array_free(&array);
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
        cmocka_unit_test(test_literals_and_generators),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_input_errors),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_files_in),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_writing_keeps_what_was),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
