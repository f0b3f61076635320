/* Devices by name, and what they are opened with. */
#include "run_test.h"
#include <stdlib.h>

static bool is_built_in(const char *name) {
    for (size_t i = 0; gf_device_kind(i) != NULL; i++) {
        if (strcmp(gf_device_kind(i), name) == 0) {
            return true;
        }
    }
    return false;
}

static void threads_of_a_device(void **state) {
    (void)state;
    static const char *const bad[] = {"0", "-1", "x", "2x", " 2", "4097", "99999999999999999999", "1.5"};
    const char *name = is_built_in("cpu") ? "cpu" : "auto";
    gf_diags *diags = gf_diags_create();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gf_diag first;
        gf_diags_clear(diags);
        assert_int_equal(setenv("GRIDFENCE_THREADS", bad[i], 1), 0);
        assert_null(gf_device_open(name, diags));
        assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
        assert_true(gf_diags_get(diags, 0, &first) && strstr(first.message, "GRIDFENCE_THREADS") != NULL);
        /* What is asked for stands above the environment. */
        gf_device *device = gf_device_open_with(name, &(gf_device_options){.threads = 1}, NULL);
        assert_non_null(device);
        gf_device_destroy(device);
    }
    gf_diags_clear(diags);
    assert_int_equal(setenv("GRIDFENCE_THREADS", "3", 1), 0);
    gf_device *device = gf_device_open(name, diags);
    assert_non_null(device);
    assert_true(!is_built_in("cpu") || gf_device_limits(device)->threads == 3);
    gf_device_destroy(device);
    device = gf_device_open_with(name, &(gf_device_options){.size = sizeof(gf_device_options), .threads = 2}, diags);
    assert_non_null(device);
    assert_true(!is_built_in("cpu") || gf_device_limits(device)->threads == 2);
    gf_device_destroy(device);
    assert_int_equal(setenv("GRIDFENCE_THREADS", "", 1), 0);
    device = gf_device_open_with(name, NULL, diags);
    assert_non_null(device);
    gf_device_destroy(device);
    assert_int_equal(unsetenv("GRIDFENCE_THREADS"), 0);
    assert_null(gf_device_open_with(name, &(gf_device_options){.threads = 4097}, diags));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
    gf_diags_destroy(diags);
}

static void names_of_devices(void **state) {
    (void)state;
    static const char *const bad[] = {"abacus",   "cpux",  "cuda:",  "cuda:x", "cuda:-1", "cuda:99999", "interp:",
                                      "interp:1", "auto:", "auto:1", ":",      ":1",      "inter"};
    gf_diags *diags = gf_diags_create();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gf_diags_clear(diags);
        assert_null(gf_device_open(bad[i], diags));
        assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    }
    gf_diags_clear(diags);
    gf_device *device = gf_device_open("cpu", diags);
    gf_diag first;
    assert_true((device != NULL) == is_built_in("cpu"));
    if (device == NULL) {
        assert_true(gf_diags_get(diags, 0, &first) && first.note_count == 1);
    }
    gf_device_destroy(device);
    device = gf_device_open("auto", NULL);
    gf_device *gpu = gf_device_open("cuda", NULL); /* the fastest, where there is one */
    const char *next = is_built_in("cpu") ? "cpu" : "interp";
    assert_string_equal(gf_device_name(device), gpu != NULL ? "cuda" : next);
    assert_string_equal(gf_device_kind(0), "cuda");
    assert_string_equal(gf_device_kind(1), next);
    gf_device_destroy(gpu);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_a_device),
        cmocka_unit_test(names_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
