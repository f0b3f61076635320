/* Who else comes to the cache on disk: folders that are others' or may not be written, processes and threads at once,
 * and what the environment says of where it is. Nobody else's file is believed. */
#define _GNU_SOURCE
#include "disk_cache_test.h"

#include <pthread.h>
#include <sys/wait.h>

#define NOBODY 65534

/* Runs `act` in a process that is not root, with the folder as its own; true if it said so. */
static bool as_nobody(bool (*act)(void)) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (chown(folder, NOBODY, NOBODY) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
            _exit(2);
        }
        _exit(act() ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool use_read_only(void) {
    gf_disk_cache *cache = gf_disk_cache_open(path_of("cache"), 0);
    bool fine = put_text(cache, "key", "blob") && chmod(path_of("cache"), 0500) == 0;
    gf_disk_cache_close(cache);
    cache = gf_disk_cache_open(path_of("cache"), 0);
    fine = fine && has(cache, "key") && !put_text(cache, "key", "new") && !put_text(cache, "key 2", "blob") &&
           has(cache, "key") && !has(cache, "key 2");
    gf_disk_cache_close(cache);
    fine = fine && chmod(path_of(""), 0500) == 0;
    cache = gf_disk_cache_open(path_of("none"), 0);
    fine = fine && !put_text(cache, "key", "blob") && !has(cache, "key");
    gf_disk_cache_close(cache);
    return fine;
}

static void test_read_only(void **state) {
    (void)state;
    assert_true(as_nobody(use_read_only));
}

static void test_folder_is_a_file(void **state) {
    (void)state;
    write_file(path_of("file"), "text", 4);
    static const char *const names[] = {"file", "file/below"};
    for (size_t i = 0; i < 2; i++) {
        gf_disk_cache *cache = gf_disk_cache_open(path_of(names[i]), 0);
        assert_false(put_text(cache, "key", "blob"));
        assert_false(has(cache, "key"));
        gf_disk_cache_close(cache);
    }
}

static void test_strangers_are_refused(void **state) {
    (void)state;
    const char *where = path_of("cache");
    static const mode_t modes[] = {0777, 0720, 0702, 01777};
    char name[PATH_BYTES];
    gf_disk_cache *cache = gf_disk_cache_open(where, 0);
    assert_true(put_text(cache, "key", "blob"));
    gf_disk_cache_close(cache);
    assert_int_equal(count_files(where, "", name), 1);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(where, modes[i]), 0);
        cache = gf_disk_cache_open(where, 0);
        assert_false(has(cache, "key"));
        assert_false(put_text(cache, "key", "blob"));
        gf_disk_cache_close(cache);
    }
    assert_int_equal(chmod(where, 0755), 0);
    cache = gf_disk_cache_open(where, 0);
    assert_true(has(cache, "key"));
    assert_int_equal(chmod(name, 0620), 0);
    assert_false(has(cache, "key"));
    assert_int_equal(chmod(name, 0602), 0);
    assert_false(has(cache, "key"));
    assert_true(put_text(cache, "key", "our blob")); /* in place of that one */
    assert_true(has_text(cache, "key", "our blob"));
    /* A link might lead anywhere. */
    char elsewhere[PATH_BYTES];
    (void)snprintf(elsewhere, sizeof elsewhere, "%s", path_of("elsewhere"));
    assert_int_equal(rename(name, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, name), 0);
    assert_false(has(cache, "key"));
    assert_int_equal(unlink(name), 0);
    assert_int_equal(mkfifo(name, 0600), 0); /* and a pipe would have no end */
    assert_false(has(cache, "key"));
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rename(elsewhere, name), 0);
    assert_true(has(cache, "key"));
    if (geteuid() == 0) {
        assert_int_equal(chown(name, NOBODY, NOBODY), 0);
        assert_false(has(cache, "key"));
        assert_int_equal(chown(name, 0, 0), 0);
        assert_int_equal(chown(where, NOBODY, NOBODY), 0);
        gf_disk_cache *again = gf_disk_cache_open(where, 0);
        assert_false(has(again, "key"));
        assert_false(put_text(again, "key", "blob"));
        gf_disk_cache_close(again);
    }
    gf_disk_cache_close(cache);
}

static void set(const char *name, const char *value) {
    assert_int_equal(value == NULL ? unsetenv(name) : setenv(name, value, 1), 0);
}

/* Puts something by a cache of the environment, and looks where it went. */
static void expect_in(const char *where) {
    gf_disk_cache *cache = gf_disk_cache_open(NULL, 0);
    assert_non_null(cache);
    assert_true(put_text(cache, "key", "blob"));
    assert_true(has_text(cache, "key", "blob"));
    gf_disk_cache_close(cache);
    assert_int_equal(count_files(where, ".gfc", NULL), 1);
}

static void test_environment(void **state) {
    (void)state;
    set("GRIDFENCE_CACHE", path_of("own"));
    set("XDG_CACHE_HOME", path_of("xdg"));
    set("HOME", path_of("home"));
    set("GRIDFENCE_CACHE_LIMIT", NULL);
    expect_in(path_of("own"));
    set("GRIDFENCE_CACHE", "");
    expect_in(path_of("xdg/gridfence"));
    set("XDG_CACHE_HOME", "relative");
    expect_in(path_of("home/.cache/gridfence"));
    set("XDG_CACHE_HOME", NULL);
    set("HOME", NULL);
    assert_null(gf_disk_cache_open(NULL, 0));
    set("HOME", "");
    assert_null(gf_disk_cache_open(NULL, 0));

    set("GRIDFENCE_CACHE", path_of("own"));
    set("GRIDFENCE_CACHE_LIMIT", "60"); /* less than an entry */
    gf_disk_cache *cache = gf_disk_cache_open(NULL, 0);
    assert_false(put_text(cache, "key 2", "blob"));
    gf_disk_cache_close(cache);
    cache = gf_disk_cache_open(NULL, 1000); /* who asks for a limit gets it */
    assert_true(put_text(cache, "key 2", "blob"));
    gf_disk_cache_close(cache);
    static const char *const nonsense[] = {"x", "60x", "-60", "99999999999999999999999", ""};
    for (size_t i = 0; i < 5; i++) {
        set("GRIDFENCE_CACHE_LIMIT", nonsense[i]);
        cache = gf_disk_cache_open(NULL, 0);
        assert_true(put_text(cache, "key 2", "blob"));
        gf_disk_cache_close(cache);
    }
    set("GRIDFENCE_CACHE_LIMIT", NULL);
    set("GRIDFENCE_CACHE", NULL);
}

#define PROCESSES 8
#define SHARED_KEYS 6

/* A blob that says which key it is of, and can be checked whole. */
static size_t fill_blob(unsigned char *blob, unsigned key, unsigned version) {
    size_t size = 500 + key * 1000 + version % 7 * 300;
    for (size_t i = 0; i < size; i++) {
        blob[i] = (unsigned char)(key + version + i * 31);
    }
    blob[0] = (unsigned char)key;
    blob[1] = (unsigned char)version;
    return size;
}

static int use_shared(const char *where, unsigned process) {
    static unsigned char blob[16384];
    unsigned got_some = 0;
    /* Small enough that entries are removed all the time. */
    gf_disk_cache *cache = gf_disk_cache_open(where, 24000);
    for (unsigned turn = 0; turn < 200; turn++) {
        unsigned key = (turn * 5 + process) % SHARED_KEYS;
        void *data = NULL;
        size_t bytes = 0;
        if (gf_disk_cache_get(cache, &key, sizeof key, &data, &bytes)) {
            const unsigned char *got = data;
            size_t size = bytes < 2 ? 0 : fill_blob(blob, key, got[1]);
            if (size != bytes || memcmp(blob, got, bytes) != 0) {
                return 1;
            }
            got_some++;
            gf_free(data);
        }
        size_t size = fill_blob(blob, key, (turn + process) % 256);
        if (!gf_disk_cache_put(cache, &key, sizeof key, blob, size)) {
            return 2;
        }
    }
    gf_disk_cache_close(cache);
    return got_some > 0 ? 0 : 3;
}

static void test_many_processes(void **state) {
    (void)state;
    const char *where = path_of("deep/cache");
    pid_t children[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            _exit(use_shared(where, i));
        }
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(count_files(where, ".tmp", NULL), 0);
    assert_true(count_files(where, ".gfc", NULL) <= SHARED_KEYS);
}

static void *use_from_thread(void *cache) {
    for (unsigned turn = 0; turn < 200; turn++) {
        char key[32];
        (void)snprintf(key, sizeof key, "key %u", turn % 10);
        if (!put_text(cache, key, key) || !has_text(cache, key, key)) {
            return cache;
        }
        if (turn % 50 == 49) {
            scratch_remove(path_of("cache"));
        }
    }
    return NULL;
}

static void *only_read(void *cache) {
    for (unsigned turn = 0; turn < 2000; turn++) {
        char key[32];
        (void)snprintf(key, sizeof key, "key %u", turn % 10);
        (void)has_text(cache, key, key);
    }
    return NULL;
}

/* One cache for several threads, while the folder comes and goes. */
static void test_threads(void **state) {
    (void)state;
    gf_disk_cache *cache = gf_disk_cache_open(path_of("cache"), 0);
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, i == 0 ? use_from_thread : only_read, cache), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    gf_disk_cache_close(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_read_only),   TEST(test_folder_is_a_file), TEST(test_strangers_are_refused),
        TEST(test_environment), TEST(test_many_processes),   TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
