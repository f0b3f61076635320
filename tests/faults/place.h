/* A folder of a test's own, with the cache of compiled kernels in it, and the GPU that tests/fake_cuda plays. */
#ifndef GF_TESTS_FAULTS_PLACE_H
#define GF_TESTS_FAULTS_PLACE_H

#include "unit/unit.h"
#include <dirent.h>
#include <unistd.h>

static char place[64];

static inline void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *item; folder != NULL && (item = readdir(folder)) != NULL;) {
        char inside[512];
        (void)snprintf(inside, sizeof inside, "%s/%s", path, item->d_name);
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0 && unlink(inside) != 0) {
            remove_folder(inside);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    (void)rmdir(path);
}

static inline int make_place(void **state) {
    (void)state;
    char cache[80];
    (void)snprintf(place, sizeof place, "/tmp/gridfence-faults-XXXXXX");
    assert_non_null(mkdtemp(place));
    (void)snprintf(cache, sizeof cache, "%s/cache", place);
    assert_int_equal(setenv("GRIDFENCE_CACHE", cache, 1), 0);
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    return 0;
}

static inline int remove_place(void **state) {
    (void)state;
    remove_folder(place);
    return 0;
}

#endif
