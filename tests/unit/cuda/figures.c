/* What a device measures of itself, and where it is kept. */
#include "backend/cuda/measure.h"
#include "backend/cuda/weigh.h"
#include "base/memory.h"
#include "cuda_test.h"
#include "scratch.h"
#include <math.h>

static char folder[SCRATCH_BYTES];
static char cache[SCRATCH_BYTES + 16];

static int begin(void **state) {
    assert_true(scratch_make(folder));
    (void)snprintf(cache, sizeof cache, "%s/gridfence", folder);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    assert_int_equal(unsetenv("GRIDFENCE_CACHE"), 0);
    return use_fake(state);
}

static int finish(void **state) {
    (void)state;
    scratch_remove(folder);
    return 0;
}

/* The one file in the cache; false where there is none. */
static bool find_file(char path[SCRATCH_INSIDE]) {
    bool found = false;
    DIR *stream = opendir(cache);
    for (struct dirent *item; stream != NULL && (item = readdir(stream)) != NULL;) {
        if (item->d_name[0] != '.') {
            assert_false(found);
            found = true;
            (void)snprintf(path, SCRATCH_INSIDE, "%s/%s", cache, item->d_name);
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    return found;
}

static gf_cuda_figures some_figures(void) {
    gf_cuda_figures figures = gf_cuda_figures_default();
    figures.barrier[0] = 1.5e-6;
    figures.turn = 4.25e-6;
    return figures;
}

/* They are numbers of one type, side by side. */
static bool is_same(const gf_cuda_figures *a, const gf_cuda_figures *b) {
    double left[sizeof *a / sizeof(double)];
    double right[sizeof *a / sizeof(double)];
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        if (left[i] < right[i] || left[i] > right[i]) {
            return false;
        }
    }
    return true;
}

static gf_device *open_how(bool no_cache) {
    gf_device_options options = {.size = sizeof options, .no_cache = no_cache};
    gf_device *device = gf_device_open_backend(gf_cuda_backend(), &options, "", NULL);
    assert_non_null(device);
    return device;
}

/* Asks a new device; says where its figures come from, and how often the driver was asked for anything meanwhile. */
static gf_cuda_figures_origin ask(bool no_cache, gf_cuda_figures *figures, uint64_t *calls) {
    gf_cuda_figures_origin origin = GF_CUDA_FIGURES_NONE;
    gf_device *device = open_how(no_cache);
    fake_fail("");
    *figures = gf_cuda_figures_get(gf_cuda_device_of(device), &origin);
    *calls = fake_calls(NULL);
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
    return origin;
}

static void kept_and_found(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_cuda_figures given = some_figures();
    uint64_t calls = 0;
    gf_device *device = open_how(false);
    gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
    gf_device_destroy(device);
    assert_int_equal(ask(false, &figures, &calls), GF_CUDA_FIGURES_MEASURED);
    assert_true(is_same(&figures, &given));
    assert_int_equal(calls, 0);
    scratch_remove(cache);
}

/* Others were at the device when they were measured: another process would measure again, and is not told this. */
static void not_of_a_shared_device(void **state) {
    (void)state;
    gf_cuda_figures usual = gf_cuda_figures_default();
    for (int i = 0; i < 2; i++) {
        gf_cuda_figures figures, given = some_figures();
        uint64_t calls = 0;
        *(i == 0 ? &given.launch : &given.graph) = 543e-6;
        gf_device *device = open_how(false);
        gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
        gf_device_destroy(device);
        assert_int_equal(ask(false, &figures, &calls),
                         GF_CUDA_FIGURES_DEFAULT); /* of a driver whose clock stands still */
        assert_true(is_same(&figures, &usual) && calls > 0);
        scratch_remove(cache);
    }
}

/* The fake driver's clock stands still, so that measuring comes to nothing. */
static void nothing_to_find(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_cuda_figures usual = gf_cuda_figures_default();
    uint64_t calls = 0;
    char path[SCRATCH_INSIDE];
    assert_int_equal(ask(false, &figures, &calls), GF_CUDA_FIGURES_DEFAULT);
    assert_true(is_same(&figures, &usual));
    assert_true(calls > 0);
    assert_false(find_file(path));
}

static void no_cache_neither_reads_nor_writes(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_cuda_figures given = some_figures();
    uint64_t calls = 0;
    char path[SCRATCH_INSIDE];
    gf_device *device = open_how(true);
    gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
    gf_device_destroy(device);
    assert_false(find_file(path));
    device = open_how(false);
    gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
    gf_device_destroy(device);
    assert_true(find_file(path));
    assert_int_equal(ask(true, &figures, &calls), GF_CUDA_FIGURES_DEFAULT);
    assert_true(calls > 0);
    scratch_remove(cache);
}

static void of_this_device_and_driver_alone(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_cuda_figures given = some_figures();
    for (int what = 0; what < 4; what++) {
        gf_device *device = open_how(false);
        gf_cuda_device *cuda = gf_cuda_device_of(device);
        gf_cuda_figures_keep(cuda, &given);
        cuda->facts.driver_version += what == 1 ? 10 : 0;
        cuda->facts.uuid.bytes[15] ^= what == 2 ? 1 : 0;
        cuda->facts.name[0] ^= what == 3 ? 1 : 0;
        assert_int_equal(gf_cuda_figures_peek(cuda, &figures), what == 0);
        gf_device_destroy(device);
    }
    scratch_remove(cache);
}

/* Damaged, or of values that nobody has measured: as if it were not there, and no error. */
static void damage_is_seen(void **state) {
    (void)state;
    gf_cuda_figures figures;
    uint64_t calls = 0;
    char path[SCRATCH_INSIDE];
    for (int what = 0; what < 6; what++) {
        gf_cuda_figures given = some_figures();
        given.copy = what == 2 ? 0 : given.copy;
        given.node[1] = what == 3 ? 1 : given.node[1];
        given.barrier[0] = what == 4 ? -1e-6 : given.barrier[0];
        given.launch = what == 5 ? (double)NAN : given.launch;
        gf_device *device = open_how(false);
        gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
        gf_device_destroy(device);
        assert_true(find_file(path));
        if (what < 2) {
            FILE *file = fopen(path, "r+b");
            assert_non_null(file);
            assert_int_equal(fseek(file, what == 0 ? 150 : -3, what == 0 ? SEEK_SET : SEEK_END), 0);
            int old = fgetc(file);
            assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
            assert_int_equal(fputc(old ^ 0x10, file), old ^ 0x10);
            assert_int_equal(fclose(file), 0);
        }
        assert_int_equal(ask(false, &figures, &calls), GF_CUDA_FIGURES_DEFAULT);
        assert_true(calls > 0);
        scratch_remove(cache);
    }
}

static void nowhere_to_keep(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_cuda_figures given = some_figures();
    uint64_t calls = 0;
    /* A file is where the folder should be. */
    FILE *file = fopen(cache, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    gf_device *device = open_how(false);
    gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
    gf_device_destroy(device);
    assert_int_equal(ask(false, &figures, &calls), GF_CUDA_FIGURES_DEFAULT);
    assert_int_equal(unlink(cache), 0);
}

static void described_where_they_are(void **state) {
    (void)state;
    char text[2048];
    gf_cuda_figures given = some_figures();
    gf_device *device = open_how(false);
    gf_device_describe(device, text, sizeof text);
    assert_null(strstr(text, "grid barrier"));
    gf_cuda_figures_keep(gf_cuda_device_of(device), &given);
    gf_device_describe(device, text, sizeof text);
    assert_non_null(strstr(text, "grid barrier: 1.5 us by 4 x 256, 0.86 us by 8 x 256"));
    assert_non_null(strstr(text, "\nlaunch: 8.8 us and back, 3.7 us each behind another\n"));
    assert_non_null(strstr(text, "a turn of a loop 4.25 us\n"));
    assert_non_null(strstr(text, "\nbandwidth: 55 GB/s up, 55 GB/s down, 4200 GB/s on the device\n"));
    char little[40];
    gf_device_describe(device, little, sizeof little);
    assert_true(strlen(little) < sizeof little);
    gf_device_destroy(device);
    scratch_remove(cache);
}

/* Whatever fails while measuring: defaults, nothing left behind, and the device goes on unless it is lost. */
static void measuring_fails(void **state) {
    (void)state;
    static const int results[] = {1, 2, 700};
    gf_device *device = open_how(true);
    fake_fail("");
    (void)gf_cuda_figures_get(gf_cuda_device_of(device), NULL);
    char symbols[64][64];
    size_t count = 0;
    for (; fake_symbol(count) != NULL; count++) {
        assert_true(count < 64);
        (void)snprintf(symbols[count], sizeof symbols[count], "%s", fake_symbol(count));
    }
    assert_true(count > 8);
    gf_device_destroy(device);
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < 3; r++) {
            char plan[128];
            gf_cuda_figures_origin origin = GF_CUDA_FIGURES_NONE;
            bool frees = strstr(symbols[i], "Free") != NULL || strstr(symbols[i], "Destroy") != NULL ||
                         strstr(symbols[i], "Unload") != NULL || strstr(symbols[i], "Pop") != NULL;
            if (frees) {
                continue;
            }
            device = open_how(true);
            int64_t live = fake_live();
            (void)snprintf(plan, sizeof plan, "%s:1=%d", symbols[i], results[r]);
            fake_fail(plan);
            gf_cuda_figures figures = gf_cuda_figures_get(gf_cuda_device_of(device), &origin);
            gf_cuda_figures usual = gf_cuda_figures_default();
            assert_int_equal(origin, GF_CUDA_FIGURES_DEFAULT);
            assert_true(is_same(&figures, &usual));
            fake_fail("");
            assert_int_equal(fake_live(), live);
            gf_device_destroy(device);
        }
    }
    assert_int_equal(fake_live(), 0);
}

/* Kernels are carried out, an instruction a nanosecond: more blocks and threads take longer, and a turn of a loop or a
 * kernel without work takes its few. */
static void measured(void **state) {
    (void)state;
    gf_cuda_figures figures;
    gf_device *device = open_how(true);
    gf_cuda_device *cuda = gf_cuda_device_of(device);
    cuda->facts.sms = 1;
    gf_diags *diags = gf_diags_create();
    assert_true(gf_cuda_enter(&cuda->context, diags));
    assert_true(gf_cuda_measure(cuda, &figures, diags));
    gf_cuda_leave(&cuda->context);
    assert_int_equal(gf_diags_count(diags), 0);
    for (int i = 1; i < 4; i++) {
        assert_true(figures.barrier[i] > 1.5 * figures.barrier[i - 1]);
    }
    assert_true(figures.barrier[0] > 0);
    assert_true(figures.barrier[4] > 2 * figures.barrier[0]);
    assert_true(figures.barrier[5] > 1.5 * figures.barrier[4]);
    /* 25 instructions of 256 threads, and of 2048; without work there are 8 */
    assert_true(figures.node[0] > 256 * 15e-9 && figures.node[0] < 256 * 40e-9);
    assert_true(figures.node[1] > 6 * figures.node[0] && figures.node[1] < 10 * figures.node[0]);
    assert_true(figures.idle[0] > 0 && figures.idle[0] < figures.node[0] / 2);
    assert_true(figures.idle[1] > 6 * figures.idle[0]);
    assert_true(figures.launch > 0 && figures.graph > 0);
    assert_true(figures.up > 0 && figures.down > 0 && figures.copy > figures.up);
    /* Late in it a call fails. */
    int64_t live = fake_live();
    fake_fail("cuGraphInstantiateWithFlags:3=1");
    assert_true(gf_cuda_enter(&cuda->context, diags));
    assert_false(gf_cuda_measure(cuda, &figures, diags));
    gf_cuda_leave(&cuda->context);
    assert_says(diags, "GF0621", "cuGraphInstantiateWithFlags", "CUDA_ERROR_");
    fake_fail("");
    assert_int_equal(fake_live(), live);
    gf_diags_destroy(diags);
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

int main(int argc, char **argv) {
    /* Whether kernels are carried out is fixed when the driver starts. */
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        const struct CMUnitTest tests[] = {cmocka_unit_test(measured)};
        assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
        assert_int_equal(setenv("FAKE_CUDA_CLOCK", "1", 1), 0);
        return cmocka_run_group_tests(tests, begin, finish);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_and_found),
        cmocka_unit_test(not_of_a_shared_device),
        cmocka_unit_test(nothing_to_find),
        cmocka_unit_test(no_cache_neither_reads_nor_writes),
        cmocka_unit_test(of_this_device_and_driver_alone),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(nowhere_to_keep),
        cmocka_unit_test(described_where_they_are),
        cmocka_unit_test(measuring_fails),
    };
    int failed = cmocka_run_group_tests(tests, begin, finish);
    char command[600];
    (void)snprintf(command, sizeof command, "'%s' run", argv[0]);
    return failed != 0 ? failed : system(command) != 0;
}
