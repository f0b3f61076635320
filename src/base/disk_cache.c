/* An entry is a file: header, key, data, checksum of all that. Its name is a hash of the key. It is written under a
 * name of its own and then renamed, so that a reader finds all of it or nothing; a damaged one is found by its
 * checksum. Nothing is locked: the worst that two processes can do to each other is to forget an entry. */
#define _GNU_SOURCE
#include "base/disk_cache.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define LIMIT_DEFAULT ((uint64_t)256 << 20)
#define SUFFIX ".gfc"
#define TEMPORARY ".tmp"
#define HASH_DIGITS 32
#define NAME_BYTES 96
#define STRAY_SECONDS 3600 /* a temporary file that old is of a process that has died */
#define TOUCH_SECONDS 60   /* an entry is not made newer more often */
#define NAME_TRIES 16

static const char magic[8] = {'g', 'f', 'c', 'a', 'c', 'h', 'e', '1'};

typedef struct entry_header {
    char magic[sizeof magic];
    uint64_t key_bytes, data_bytes;
} entry_header;

#define SUM_BYTES sizeof(XXH128_canonical_t)

struct gf_disk_cache {
    char *folder;
    uint64_t limit;
    atomic_uint counter; /* for names of temporary files */
    pthread_mutex_t lock;
    int handle;       /* of the folder, once it was found fit; -1 */
    bool counted;     /* `total` was counted once */
    uint64_t total;   /* bytes of all entries: as counted last, and what was put since */
    uint64_t written; /* put since */
};

/* ---- the folder ---- */

static const char *read_environment(const char *name) {
    const char *value = secure_getenv(name);
    return value != NULL && value[0] != 0 ? value : NULL;
}

static char *join_path(const char *folder, const char *below) {
    size_t size = strlen(folder) + strlen(below) + 1;
    char *path = gf_malloc(size);
    if (path != NULL) {
        (void)snprintf(path, size, "%s%s", folder, below);
    }
    return path;
}

static char *find_folder(const char *folder) {
    if (folder == NULL) {
        folder = read_environment("GRIDFENCE_CACHE");
    }
    if (folder != NULL) {
        return folder[0] != 0 ? gf_strdup(folder) : NULL;
    }
    /* Only what begins at the root counts, says the convention of XDG. */
    const char *base = read_environment("XDG_CACHE_HOME");
    if (base != NULL && base[0] == '/') {
        return join_path(base, "/gridfence");
    }
    base = read_environment("HOME");
    return base != NULL && base[0] == '/' ? join_path(base, "/.cache/gridfence") : NULL;
}

static uint64_t find_limit(uint64_t limit) {
    const char *text = read_environment("GRIDFENCE_CACHE_LIMIT");
    if (limit != 0 || text == NULL) {
        return limit != 0 ? limit : LIMIT_DEFAULT;
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        if (!gf_mul_u64(limit, 10, &limit) || !gf_add_u64(limit, (uint64_t)(*text - '0'), &limit)) {
            return LIMIT_DEFAULT;
        }
    }
    return *text == 0 ? limit : LIMIT_DEFAULT;
}

gf_disk_cache *gf_disk_cache_open(const char *folder, uint64_t limit_bytes) {
    gf_disk_cache *cache = gf_calloc(1, sizeof *cache);
    if (cache == NULL) {
        return NULL;
    }
    cache->handle = -1;
    cache->limit = find_limit(limit_bytes);
    cache->folder = find_folder(folder);
    if (cache->folder == NULL || pthread_mutex_init(&cache->lock, NULL) != 0) {
        gf_free(cache->folder);
        gf_free(cache);
        return NULL;
    }
    return cache;
}

void gf_disk_cache_close(gf_disk_cache *cache) {
    if (cache == NULL) {
        return;
    }
    if (cache->handle >= 0) {
        (void)close(cache->handle);
    }
    (void)pthread_mutex_destroy(&cache->lock);
    gf_free(cache->folder);
    gf_free(cache);
}

/* What is there can only have been put there by the effective user. */
static bool is_private(const struct stat *about) {
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool make_folders(const char *path) {
    char *copy = gf_strdup(path);
    bool made = copy != NULL;
    for (char *at = copy; made && *at != 0;) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char end = *at;
        *at = 0;
        made = mkdir(copy, S_IRWXU) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES;
        *at = end;
    }
    gf_free(copy);
    return made;
}

/* The folder as it is named now, if it is fit; -1. */
static int open_fit(const char *path) {
    struct stat about;
    int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0 && (fstat(handle, &about) != 0 || !is_private(&about))) {
        (void)close(handle);
        return -1;
    }
    return handle;
}

static bool is_removed(int handle) {
    struct stat about;
    return fstat(handle, &about) != 0 || about.st_nlink == 0;
}

/* The folder, checked once and then held: whatever its name comes to mean later, what was checked is what is used. */
static int open_folder(gf_disk_cache *cache, bool make) {
    (void)pthread_mutex_lock(&cache->lock);
    if (cache->handle < 0) {
        if (!make || make_folders(cache->folder)) {
            cache->handle = open_fit(cache->folder);
        }
    } else if (make && is_removed(cache->handle) && make_folders(cache->folder)) {
        /* Somebody has cleared the caches. The number stays, as another thread may be using it. */
        int again = open_fit(cache->folder);
        if (again >= 0) {
            (void)dup3(again, cache->handle, O_CLOEXEC);
            (void)close(again);
            cache->counted = false;
        }
    }
    int handle = cache->handle;
    (void)pthread_mutex_unlock(&cache->lock);
    return handle;
}

/* ---- an entry ---- */

static void name_entry(const void *key, size_t key_bytes, char name[NAME_BYTES]) {
    XXH128_hash_t hash = XXH3_128bits(key, key_bytes);
    (void)snprintf(name, NAME_BYTES, "%016llx%016llx" SUFFIX, (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

/* The whole file, or NULL. */
static char *read_entry(int file, size_t size) {
    char *bytes = gf_malloc(size);
    for (size_t at = 0; bytes != NULL && at < size;) {
        ssize_t got = read(file, bytes + at, size - at);
        if (got > 0) {
            at += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            gf_free(bytes);
            return NULL;
        }
    }
    return bytes;
}

/* Nothing in it is believed before the checksum fits. */
static bool is_whole(const char *bytes, size_t size, entry_header *header) {
    if (size < sizeof *header + SUM_BYTES) {
        return false;
    }
    size -= SUM_BYTES;
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes, size));
    memcpy(header, bytes, sizeof *header);
    uint64_t inside;
    return memcmp(&sum, bytes + size, SUM_BYTES) == 0 && memcmp(header->magic, magic, sizeof magic) == 0 &&
           gf_add_u64(header->key_bytes, header->data_bytes, &inside) && inside == size - sizeof *header;
}

/* A time that lies ahead comes of a clock that went wrong, and says nothing: such a file counts as old, or it would
 * stay the newest for good. */
static bool is_older(const struct stat *about, time_t seconds) {
    time_t now = time(NULL);
    return now - about->st_mtime > seconds || about->st_mtime - now > seconds;
}

bool gf_disk_cache_get(gf_disk_cache *cache, const void *key, size_t key_bytes, void **data, size_t *bytes) {
    int folder = cache == NULL ? -1 : open_folder(cache, false);
    if (folder < 0) {
        return false;
    }
    char name[NAME_BYTES];
    name_entry(key, key_bytes, name);
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    struct stat about;
    char *content = NULL;
    bool fit = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && is_private(&about) &&
               (uint64_t)about.st_size <= cache->limit;
    if (fit) {
        content = read_entry(file, (size_t)about.st_size);
        if (content != NULL && is_older(&about, TOUCH_SECONDS)) {
            (void)futimens(file, NULL);
        }
    }
    (void)close(file);
    entry_header header;
    if (content == NULL || !is_whole(content, (size_t)about.st_size, &header)) {
        if (content != NULL) {
            (void)unlinkat(folder, name, 0);
        }
        gf_free(content);
        return false;
    }
    if (header.key_bytes != key_bytes || (key_bytes != 0 && memcmp(content + sizeof header, key, key_bytes) != 0)) {
        gf_free(content); /* another key of the same hash */
        return false;
    }
    memmove(content, content + sizeof header + key_bytes, (size_t)header.data_bytes);
    *data = content;
    *bytes = (size_t)header.data_bytes;
    return true;
}

/* ---- keeping the limit ---- */

typedef struct found_entry {
    char name[NAME_BYTES];
    struct timespec time;
    uint64_t bytes;
} found_entry;

static int compare_ages(const void *a, const void *b) {
    const found_entry *x = a, *y = b;
    if (x->time.tv_sec != y->time.tv_sec) {
        return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
    }
    if (x->time.tv_nsec != y->time.tv_nsec) {
        return x->time.tv_nsec < y->time.tv_nsec ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* Whatever else lies in the folder is not ours to count or remove. */
static bool is_ours(const char *name, const char *suffix) {
    size_t length = strlen(name), tail = strlen(suffix);
    return length < NAME_BYTES && length >= HASH_DIGITS + tail && strspn(name, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(name + length - tail, suffix) == 0;
}

/* All entries, by gf_malloc. Removes stray temporary files on the way. False: could not be read. */
static bool list_entries(int folder, found_entry **list, size_t *count) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closed by closedir */
    DIR *stream = again < 0 ? NULL : fdopendir(again);
    if (stream == NULL) {
        if (again >= 0) {
            (void)close(again);
        }
        return false;
    }
    size_t room = 0;
    *list = NULL;
    *count = 0;
    bool fine = true;
    for (struct dirent *item; fine && (item = readdir(stream)) != NULL;) {
        struct stat about;
        bool temporary = is_ours(item->d_name, TEMPORARY);
        if ((!temporary && !is_ours(item->d_name, SUFFIX)) ||
            fstatat(folder, item->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (temporary) {
            if (is_older(&about, STRAY_SECONDS)) {
                (void)unlinkat(folder, item->d_name, 0);
            }
            continue;
        }
        if (*count == room) {
            room = room == 0 ? 256 : room * 2;
            found_entry *larger = gf_realloc(*list, room * sizeof **list);
            fine = larger != NULL;
            if (!fine) {
                break;
            }
            *list = larger;
        }
        found_entry *entry = &(*list)[(*count)++];
        (void)snprintf(entry->name, sizeof entry->name, "%s", item->d_name);
        entry->time = about.st_mtim;
        if (about.st_mtime > time(NULL) && is_older(&about, STRAY_SECONDS)) {
            entry->time = (struct timespec){0};
        }
        entry->bytes = about.st_size > 0 ? (uint64_t)about.st_size : 0;
    }
    (void)closedir(stream);
    return fine;
}

/* Counts, and removes the oldest where there is too much. */
static void keep_limit(gf_disk_cache *cache, int folder) {
    found_entry *list = NULL;
    size_t count = 0;
    if (list_entries(folder, &list, &count)) {
        uint64_t total = 0;
        for (size_t i = 0; i < count; i++) {
            total += list[i].bytes;
        }
        if (total > cache->limit) {
            qsort(list, count, sizeof *list, compare_ages);
            for (size_t i = 0; i < count && total > cache->limit - cache->limit / 4; i++) {
                if (unlinkat(folder, list[i].name, 0) == 0 || errno == ENOENT) {
                    total -= list[i].bytes;
                }
            }
        }
        cache->counted = true;
        cache->total = total;
        cache->written = 0;
    }
    gf_free(list);
}

/* To look at each file after each put would cost more than the put: other processes are heard of at the first put, and
 * each time that this one has written a sixteenth of the limit. */
static void note_written(gf_disk_cache *cache, int folder, uint64_t bytes) {
    (void)pthread_mutex_lock(&cache->lock);
    cache->total += bytes;
    cache->written += bytes;
    if (!cache->counted || cache->total > cache->limit || cache->written > cache->limit / 16) {
        keep_limit(cache, folder);
    }
    (void)pthread_mutex_unlock(&cache->lock);
}

/* ---- storing ---- */

static bool write_all(int file, const void *data, size_t size) {
    for (const char *at = data; size > 0;) {
        ssize_t written = write(file, at, size);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* A file that nobody else writes to, open; its name in `name`, which holds the entry's. *noted: for
 * gf_temporary_forget.
 */
static int make_temporary(gf_disk_cache *cache, int folder, char name[NAME_BYTES], int *noted) {
    int file = -1;
    for (int i = 0; i < NAME_TRIES && file < 0 && (i == 0 || errno == EEXIST); i++) {
        /* The process alone does not tell: two machines or containers may share the folder. */
        struct timespec now = {0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        (void)snprintf(name + HASH_DIGITS, NAME_BYTES - HASH_DIGITS, ".%ld.%u.%ld" TEMPORARY, (long)getpid(),
                       atomic_fetch_add(&cache->counter, 1), (long)now.tv_nsec);
        gf_temporary_forget(*noted);
        *noted = gf_temporary_note(folder, name);
        file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    }
    return file;
}

/* Header, key and data in one piece, with the checksum behind; NULL without memory. */
static char *make_entry(const void *key, size_t key_bytes, const void *data, size_t bytes, size_t size) {
    char *content = gf_malloc(size);
    if (content == NULL) {
        return NULL;
    }
    entry_header header = {.key_bytes = key_bytes, .data_bytes = bytes};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(content, &header, sizeof header);
    if (key_bytes != 0) {
        memcpy(content + sizeof header, key, key_bytes);
    }
    if (bytes != 0) {
        memcpy(content + sizeof header + key_bytes, data, bytes);
    }
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits(content, size - SUM_BYTES));
    memcpy(content + size - SUM_BYTES, &sum, SUM_BYTES);
    return content;
}

bool gf_disk_cache_put(gf_disk_cache *cache, const void *key, size_t key_bytes, const void *data, size_t bytes) {
    uint64_t size;
    if (cache == NULL || !gf_add_u64(key_bytes, bytes, &size) ||
        !gf_add_u64(size, sizeof(entry_header) + SUM_BYTES, &size) || size > cache->limit - cache->limit / 4) {
        return false;
    }
    int folder = open_folder(cache, true);
    char *content = folder < 0 ? NULL : make_entry(key, key_bytes, data, bytes, (size_t)size);
    if (content == NULL) {
        return false;
    }
    char name[NAME_BYTES], temporary[NAME_BYTES];
    name_entry(key, key_bytes, name);
    memcpy(temporary, name, sizeof name);
    int noted = -1;
    int file = make_temporary(cache, folder, temporary, &noted);
    bool stored = file >= 0 && write_all(file, content, (size_t)size);
    gf_free(content);
    if (file >= 0) {
        /* Some file systems say only here that the disk is full. */
        stored = close(file) == 0 && stored;
        stored = stored && renameat(folder, temporary, folder, name) == 0;
        if (!stored) {
            (void)unlinkat(folder, temporary, 0);
        }
    }
    gf_temporary_forget(noted);
    if (stored) {
        note_written(cache, folder, size);
    }
    return stored;
}

const char *gf_disk_cache_folder(const gf_disk_cache *cache) {
    return cache != NULL ? cache->folder : NULL;
}
