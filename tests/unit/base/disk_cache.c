/* The cache on disk: what was put is got, damage is found, the limit is kept, and nobody else's file is believed. */
#define _GNU_SOURCE
#include "base/disk_cache.h"
#include "base/clock.h"
#include "base/memory.h"
#include "unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 512
#define NOBODY 65534

static char folder[PATH_BYTES]; /* a new one for each test; the cache's is below it */

static const char *path_of(const char *below) {
    static char path[4][PATH_BYTES * 2];
    static unsigned next;
    char *here = path[next++ % 4];
    (void)snprintf(here, sizeof path[0], "%s%s%s", folder, below[0] != 0 ? "/" : "", below);
    return here;
}

static void remove_tree(const char *path) {
    (void)chmod(path, S_IRWXU);
    DIR *stream = opendir(path);
    if (stream != NULL) {
        for (struct dirent *item; (item = readdir(stream)) != NULL;) {
            if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0) {
                char below[PATH_BYTES * 2];
                (void)snprintf(below, sizeof below, "%s/%s", path, item->d_name);
                remove_tree(below);
            }
        }
        (void)closedir(stream);
    }
    (void)remove(path);
}

static int make_folder(void **state) {
    (void)state;
    char here[PATH_BYTES / 2]; /* XDG_CACHE_HOME counts where it is absolute */
    if (getcwd(here, sizeof here) == NULL) {
        return -1;
    }
    (void)snprintf(folder, sizeof folder, "%s/gf-cache-XXXXXX", here);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    remove_tree(folder);
    return 0;
}

/* How many files with the suffix lie in the cache; the name of the last one found in `name`. */
static size_t count_files(const char *path, const char *suffix, char name[PATH_BYTES]) {
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

static bool put_text(gf_disk_cache *cache, const char *key, const char *text) {
    return gf_disk_cache_put(cache, key, strlen(key), text, strlen(text));
}

static bool has_text(gf_disk_cache *cache, const char *key, const char *text) {
    void *data = NULL;
    size_t bytes = 0;
    bool got = gf_disk_cache_get(cache, key, strlen(key), &data, &bytes);
    bool same = got && bytes == strlen(text) && memcmp(data, text, bytes) == 0;
    assert_true(!got || same); /* something else than was put must never come out */
    gf_free(data);
    return same;
}

static bool has(gf_disk_cache *cache, const char *key) {
    void *data = NULL;
    size_t bytes = 0;
    bool got = gf_disk_cache_get(cache, key, strlen(key), &data, &bytes);
    gf_free(data);
    return got;
}

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
    remove_tree(path_of("a"));
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

/* Over the same file, so that owner and mode stay. */
static void write_file(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
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
    char where[PATH_BYTES * 2];
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
        remove_tree(path_of("single"));
        assert_true(put_text(cache, key_of(i), blob));
        make_older(names[i], 10000 - i * 100);
    }
    assert_int_equal(count_files(where, "", NULL), 10);
    assert_true(has(cache, key_of(0))); /* the oldest was used: it is new again */
    static const char *strangers[] = {"notes.txt", "0123456789abcdef.gfc", "0123456789abcdef0123456789abcdeg.gfc",
                                      "0123456789abcdef0123456789abcdef.txt"};
    for (size_t i = 0; i < 4; i++) {
        char path[PATH_BYTES * 2];
        (void)snprintf(path, sizeof path, "%s/%s", where, strangers[i]);
        write_file(path, "mine", 4);
        make_older(path, 1000000);
    }
    static const char *strays[] = {"0123456789abcdef0123456789abcdef.1.2.3.tmp",
                                   "0123456789abcdef0123456789abcdef.4.5.6.tmp"};
    char stray[2][PATH_BYTES * 2];
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
        char path[PATH_BYTES * 2];
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
    char where[PATH_BYTES * 2], name[PATH_BYTES], stray[PATH_BYTES * 2];
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
    char elsewhere[PATH_BYTES * 2];
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
            remove_tree(path_of("cache"));
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip),
        TEST(test_null),
        TEST(test_damage),
        TEST(test_limit),
        TEST(test_dated_ahead),
        TEST(test_limit_of_many),
        TEST(test_read_only),
        TEST(test_folder_is_a_file),
        TEST(test_strangers_are_refused),
        TEST(test_environment),
        TEST(test_many_processes),
        TEST(test_threads),
        TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
