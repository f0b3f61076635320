/* A machine without a driver, with one that is too old, and one without a GPU: each in a process of its own, since the
 * library is looked for once. */
#include "cuda_test.h"
#include <gridfence/cuda.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a child that opens a device with that library and writes its messages. */
static char *open_in_child(const char *library, const char *devices, const char *plan, int *status) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)setenv("GRIDFENCE_CUDA_LIBRARY", library, 1);
        (void)setenv("FAKE_CUDA_DEVICES", devices, 1);
        (void)setenv("FAKE_CUDA_FAIL", plan, 1);
        gf_diags *diags = gf_diags_create();
        gf_device *device = open_which("", diags);
        FILE *stream = fdopen(ends[1], "w");
        gf_diags_print(diags, stream);
        gf_device *theirs = gf_device_open_cuda(NULL, NULL, NULL);
        int code = device == NULL && theirs == NULL ? (int)gf_diags_status(diags) : 100;
        gf_device_destroy(device);
        gf_device_destroy(theirs);
        gf_diags_destroy(diags);
        (void)fclose(stream);
        _exit(code);
    }
    (void)close(ends[1]);
    char *text = calloc(1, 4096);
    assert_non_null(text);
    size_t length = 0;
    for (ssize_t got = 1; got > 0; length += (size_t)(got > 0 ? got : 0)) {
        got = read(ends[0], text + length, 4095 - length);
    }
    (void)close(ends[0]);
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    *status = WEXITSTATUS(ended);
    return text;
}

static void assert_child(const char *library, const char *devices, const char *plan, const char *const *says) {
    int status = -1;
    char *text = open_in_child(library, devices, plan, &status);
    for (size_t i = 0; says[i] != NULL; i++) {
        if (strstr(text, says[i]) == NULL) {
            print_message("%s", text);
        }
        assert_non_null(strstr(text, says[i]));
    }
    assert_non_null(strstr(text, "fix: "));
    assert_int_equal(status, GF_STATUS_DEVICE);
    free(text);
}

static void no_library(void **state) {
    (void)state;
    assert_child("/nowhere/libcuda.so.1", "2", "",
                 (const char *const[]){"GF0620", "`/nowhere/libcuda.so.1`", "was not found", "note: ", "cannot open",
                                       "install the NVIDIA driver", NULL});
}

static void library_without_the_functions(void **state) {
    (void)state;
    assert_child("libm.so.6", "2", "",
                 (const char *const[]){"GF0620", "`libm.so.6`", "has no `cuInit`", "update the NVIDIA driver", NULL});
}

static void no_gpu(void **state) {
    (void)state;
    assert_child(GF_FAKE_CUDA, "0", "", (const char *const[]){"GF0620", "sees no GPU", "nvidia-smi", NULL});
}

static void driver_does_not_start(void **state) {
    (void)state;
    assert_child(GF_FAKE_CUDA, "2", "cuInit:*=803",
                 (const char *const[]){"GF0621", "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: ", "restart", NULL});
    assert_child(GF_FAKE_CUDA, "2", "cuInit:*=3",
                 (const char *const[]){"GF0621", "cuInit: CUDA_ERROR_NOT_INITIALIZED: ", "forked", NULL});
    assert_child(GF_FAKE_CUDA, "2", "cuInit:*=12345",
                 (const char *const[]){"GF0621", "cuInit: an error without a name: ", "nvidia-smi", NULL});
}

static void child_that_opens(void **state) {
    (void)state;
    int status = -1;
    char *text = open_in_child(GF_FAKE_CUDA, "1", "", &status);
    assert_string_equal(text, "");
    assert_int_equal(status, 100);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_library),       cmocka_unit_test(library_without_the_functions),
        cmocka_unit_test(no_gpu),           cmocka_unit_test(driver_does_not_start),
        cmocka_unit_test(child_that_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
