/* The cache on disk: what was put is got, damage is found, the limit is kept. */
#define _GNU_SOURCE
#include "base/clock.h"
#include "disk_cache_test.h"

#include <fcntl.h>
#include <time.h>

static void test_round_trip(void **state) {
    (void)state;
    gf_disk_cache *cache = gf_disk_cache_open(path_of("a/b/cache"), 0);
    assert_non_null(cache);
    assert_false(has(cache, "key"));
    assert_int_equal(access(path_of("a"), F_OK), -1); /* asking makes nothing */
    assert_true(put_text(cache, "key", "blob"));
    assert_true(has_text(cache, "key", "blob"));
    assert_false(has(cache, "key2"));
    assert_false(has(cache, "ke"));
    assert_false(has(cache, ""));
    assert_true(put_text(cache, "key", "another, longer blob"));
    assert_true(put_text(cache, "", "of the empty key"));
    assert_true(put_text(cache, "empty", ""));
    gf_disk_cache_close(cache);
    struct stat about;
    assert_int_equal(stat(path_of("a/b/cache"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);

    cache = gf_disk_cache_open(path_of("a/b/cache"), 0);
    assert_true(has_text(cache, "key", "another, longer blob"));
    assert_true(has_text(cache, "", "of the empty key"));
    assert_true(has_text(cache, "empty", ""));
    assert_int_equal(count_files(path_of("a/b/cache"), "", NULL), 3);

    /* Bytes of all values, larger than what one read gives from a pipe. */
    size_t size = 300000;
    unsigned char *large = gf_malloc(size), binary_key[] = {0, 1, 0, 255};
    for (size_t i = 0; i < size; i++) {
        large[i] = (unsigned char)(i * 7 + i / 251);
    }
    assert_true(gf_disk_cache_put(cache, binary_key, sizeof binary_key, large, size));
    void *data = NULL;
    size_t bytes = 0;
    assert_true(gf_disk_cache_get(cache, binary_key, sizeof binary_key, &data, &bytes));
    assert_int_equal(bytes, size);
    assert_memory_equal(data, large, size);
    gf_free(data);
    gf_free(large);

    /* Somebody clears the caches while we run. */
    scratch_remove(path_of("a"));
    assert_false(has(cache, "key"));
    assert_true(put_text(cache, "key", "back"));
    assert_true(has_text(cache, "key", "back"));
    gf_disk_cache_close(cache);
}

static void test_null(void **state) {
    (void)state;
    assert_false(has(NULL, "key"));
    assert_false(put_text(NULL, "key", "blob"));
    gf_disk_cache_close(NULL);
    assert_null(gf_disk_cache_open("", 0));
}

static size_t read_file(const char *path, char *bytes, size_t room) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void test_damage(void **state) {
    (void)state;
    const char *where = path_of("cache");
    gf_disk_cache *cache = gf_disk_cache_open(where, 0);
    char name[PATH_BYTES], good[512], bad[512];
    assert_true(put_text(cache, "the key", "the blob"));
    assert_int_equal(count_files(where, "", name), 1);
    size_t size = read_file(name, good, sizeof good);
    assert_true(size > 20 && size < sizeof good);
    for (size_t at = 0; at < size; at++) {
        for (int kind = 0; kind < 3; kind++) { /* a bit, all bits, nothing from here on */
            memcpy(bad, good, size);
            bad[at] = (char)(bad[at] ^ (kind == 0 ? 1 << at % 8 : 0xff));
            (void)umask(077);
            write_file(name, bad, kind == 2 ? at : size);
            assert_false(has(cache, "the key"));
            assert_int_equal(count_files(where, "", NULL), 0);
            assert_true(put_text(cache, "the key", "the blob"));
            assert_true(has_text(cache, "the key", "the blob"));
        }
    }
    memcpy(bad, good, size);
    memset(bad + size, 0, 8);
    write_file(name, bad, size + 8);
    assert_false(has(cache, "the key"));
    /* A whole entry under another's name is another's, and is left alone. */
    assert_true(put_text(cache, "the key", "the blob"));
    assert_true(put_text(cache, "other", "other blob"));
    assert_int_equal(unlink(name), 0);
    char other[PATH_BYTES];
    assert_int_equal(count_files(where, "", other), 1);
    assert_int_equal(rename(other, name), 0);
    assert_false(has(cache, "the key"));
    assert_int_equal(count_files(where, "", NULL), 1);
    gf_disk_cache_close(cache);
}

/* As if written so long ago. */
static void make_older(const char *name, long seconds) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

static const char *key_of(int number) {
    static char key[16];
    (void)snprintf(key, sizeof key, "key %d", number);
    return key;
}

static void test_limit(void **state) {
    (void)state;
    char where[PATH_BYTES];
    (void)snprintf(where, sizeof where, "%s", path_of("cache"));
    static char blob[1001], names[12][PATH_BYTES];
    memset(blob, 'x', sizeof blob - 1);
    /* Each entry is a little over 1000 bytes: the eleventh is too much, and seven are left. */
    gf_disk_cache *cache = gf_disk_cache_open(where, 10800);
    for (int i = 0; i < 10; i++) {
        gf_disk_cache *single = gf_disk_cache_open(path_of("single"), 0);
        assert_true(put_text(single, key_of(i), blob));
        char only[PATH_BYTES];
        assert_int_equal(count_files(path_of("single"), "", only), 1);
        (void)snprintf(names[i], PATH_BYTES, "%s/cache%s", folder, strrchr(only, '/'));
        gf_disk_cache_close(single);
        scratch_remove(path_of("single"));
        assert_true(put_text(cache, key_of(i), blob));
        make_older(names[i], 10000 - i * 100);
    }
    assert_int_equal(count_files(where, "", NULL), 10);
    assert_true(has(cache, key_of(0))); /* the oldest was used: it is new again */
    static const char *strangers[] = {"notes.txt", "0123456789abcdef.gfc", "0123456789abcdef0123456789abcdeg.gfc",
                                      "0123456789abcdef0123456789abcdef.txt"};
    for (size_t i = 0; i < 4; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "%s/%s", where, strangers[i]);
        write_file(path, "mine", 4);
        make_older(path, 1000000);
    }
    static const char *strays[] = {"0123456789abcdef0123456789abcdef.1.2.3.tmp",
                                   "0123456789abcdef0123456789abcdef.4.5.6.tmp"};
    char stray[2][PATH_BYTES];
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(stray[i], sizeof stray[i], "%s/%s", where, strays[i]);
        write_file(stray[i], "half", 4);
        make_older(stray[i], i == 0 ? 7200 : 600);
    }
    assert_true(put_text(cache, key_of(10), blob));
    assert_int_equal(count_files(where, ".gfc", NULL), 7 + 2);
    for (int i = 0; i <= 10; i++) {
        assert_int_equal(has(cache, key_of(i)), i == 0 || i >= 5);
    }
    for (size_t i = 0; i < 4; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "%s/%s", where, strangers[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    assert_int_equal(access(stray[0], F_OK), -1);
    assert_int_equal(access(stray[1], F_OK), 0);
    gf_disk_cache_close(cache);
    /* What is larger than all may be is not put. */
    cache = gf_disk_cache_open(where, 900);
    assert_false(put_text(cache, "large", blob));
    assert_true(put_text(cache, "small", "x"));
    assert_true(has_text(cache, "small", "x"));
    assert_int_equal(count_files(where, ".gfc", NULL), 1 + 2);
    gf_disk_cache_close(cache);
}

/* A clock that went wrong: what it has dated ahead is not the newest for ever, and goes first. */
static void test_dated_ahead(void **state) {
    (void)state;
    char where[PATH_BYTES], name[PATH_BYTES], stray[PATH_BYTES];
    (void)snprintf(where, sizeof where, "%s", path_of("ahead"));
    static char blob[1001];
    memset(blob, 'x', sizeof blob - 1);
    gf_disk_cache *cache = gf_disk_cache_open(where, 3800);
    assert_true(put_text(cache, key_of(0), blob));
    assert_int_equal(count_files(where, ".gfc", name), 1);
    make_older(name, -400000000L);
    (void)snprintf(stray, sizeof stray, "%s/0123456789abcdef0123456789abcdef.1.2.3.tmp", where);
    write_file(stray, "half", 4);
    make_older(stray, -400000000L);
    for (int i = 1; i <= 3; i++) {
        assert_true(put_text(cache, key_of(i), blob));
    }
    assert_false(has(cache, key_of(0)));
    assert_true(has(cache, key_of(3)));
    assert_int_equal(access(stray, F_OK), -1);
    /* One that is used is as new as its use. */
    assert_int_equal(count_files(where, ".gfc", name), 2);
    make_older(name, -400000000L);
    struct stat about;
    assert_true(has(cache, key_of(2)) && has(cache, key_of(3)));
    assert_int_equal(stat(name, &about), 0);
    assert_true(about.st_mtime <= time(NULL) + 1);
    gf_disk_cache_close(cache);
}

/* What another process has put is counted too. */
static void test_limit_of_many(void **state) {
    (void)state;
    const char *where = path_of("cache");
    static char blob[1001];
    memset(blob, 'x', sizeof blob - 1);
    for (int i = 0; i < 100; i++) {
        gf_disk_cache *cache = gf_disk_cache_open(where, 10800);
        assert_true(put_text(cache, key_of(i), blob));
        assert_true(count_files(where, "", NULL) <= 10);
        gf_disk_cache_close(cache);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 4; n++) {
        (void)gf_memory_fail_at(n, false);
        gf_disk_cache *cache = gf_disk_cache_open(path_of("cache"), 0);
        (void)gf_memory_fail_at(0, false);
        assert_int_equal(cache != NULL, n == 3);
        gf_disk_cache_close(cache);
    }
    gf_disk_cache *cache = gf_disk_cache_open(path_of("cache"), 0);
    bool put = false;
    for (uint64_t n = 1; !put; n++) {
        (void)gf_memory_fail_at(n, false);
        put = put_text(cache, "key", "blob");
        (void)gf_memory_fail_at(0, false);
        assert_true(n < 20);
        assert_int_equal(has(cache, "key"), put);
    }
    (void)gf_memory_fail_at(1, false);
    assert_false(has(cache, "key"));
    (void)gf_memory_fail_at(0, false);
    assert_true(has_text(cache, "key", "blob")); /* that was no damage */
    gf_disk_cache_close(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip),  TEST(test_null),          TEST(test_damage),    TEST(test_limit),
        TEST(test_dated_ahead), TEST(test_limit_of_many), TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
