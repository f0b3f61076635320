/* What the tests of the cache on disk share: a folder for each, and what is put into a cache and got back. */
#ifndef GF_TESTS_DISK_CACHE_TEST_H
#define GF_TESTS_DISK_CACHE_TEST_H

#include "base/disk_cache.h"
#include "base/memory.h"
#include "scratch.h"
#include "unit/unit.h"

#define PATH_BYTES SCRATCH_INSIDE

static char folder[SCRATCH_BYTES]; /* a new one for each test; the cache's is below it */

static inline const char *path_of(const char *below) {
    static char path[4][PATH_BYTES * 2];
    static unsigned next;
    char *here = path[next++ % 4];
    (void)snprintf(here, sizeof path[0], "%s%s%s", folder, below[0] != 0 ? "/" : "", below);
    return here;
}

static inline int make_folder(void **state) {
    (void)state;
    return scratch_make(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    scratch_remove(folder);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* How many files with the suffix lie in the cache; the name of the last one found in `name`. */
static inline size_t count_files(const char *path, const char *suffix, char name[PATH_BYTES]) {
    size_t count = 0;
    DIR *stream = opendir(path);
    for (struct dirent *item; stream != NULL && (item = readdir(stream)) != NULL;) {
        size_t length = strlen(item->d_name), tail = strlen(suffix);
        if (length >= tail && item->d_name[0] != '.' && strcmp(item->d_name + length - tail, suffix) == 0) {
            count++;
            if (name != NULL) {
                (void)snprintf(name, PATH_BYTES, "%s/%s", path, item->d_name);
            }
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    return count;
}

static inline bool put_text(gf_disk_cache *cache, const char *key, const char *text) {
    return gf_disk_cache_put(cache, key, strlen(key), text, strlen(text));
}

static inline bool has_text(gf_disk_cache *cache, const char *key, const char *text) {
    void *data = NULL;
    size_t bytes = 0;
    bool got = gf_disk_cache_get(cache, key, strlen(key), &data, &bytes);
    bool same = got && bytes == strlen(text) && memcmp(data, text, bytes) == 0;
    assert_true(!got || same); /* something else than was put must never come out */
    gf_free(data);
    return same;
}

static inline bool has(gf_disk_cache *cache, const char *key) {
    void *data = NULL;
    size_t bytes = 0;
    bool got = gf_disk_cache_get(cache, key, strlen(key), &data, &bytes);
    gf_free(data);
    return got;
}

/* Over the same file, so that owner and mode stay. */
static inline void write_file(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#endif
