/* Any bytes as the file of an entry of the cache on disk, under the name of the key that is asked for: not there, or
 * what was stored. Half of the runs damage an entry that was whole. */
#include "base/disk_cache.h"
#include "base/memory.h"
#include "bytes.h"
#include "scratch.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char key[] = "a key of some length", value[] = "what it stands for, and a little more";
static char folder[SCRATCH_BYTES], entry[SCRATCH_INSIDE];
static uint8_t whole[1024];
static size_t whole_bytes;

static void remove_all(void) {
    scratch_remove(folder);
}

/* Finds out what the cache calls the entry. */
static void prepare(void) {
    if (!scratch_make(folder)) {
        abort();
    }
    (void)atexit(remove_all);
    gf_disk_cache *cache = gf_disk_cache_open(folder, 1 << 20);
    if (!gf_disk_cache_put(cache, key, sizeof key, value, sizeof value)) {
        abort();
    }
    gf_disk_cache_close(cache);
    DIR *list = opendir(folder);
    for (const struct dirent *item; list != NULL && (item = readdir(list)) != NULL;) {
        if (item->d_name[0] != '.') {
            (void)snprintf(entry, sizeof entry, "%s/%s", folder, item->d_name);
        }
    }
    (void)closedir(list);
    FILE *file = fopen(entry, "rb");
    whole_bytes = file != NULL ? fread(whole, 1, sizeof whole, file) : 0;
    if (whole_bytes == 0 || fclose(file) != 0) {
        abort();
    }
}

static void write_entry(const uint8_t *data, size_t size) {
    int file = open(entry, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (entry[0] == 0) {
        prepare();
    }
    if (size > 0 && data[0] % 2 == 1) {
        uint8_t damaged[sizeof whole];
        memcpy(damaged, whole, whole_bytes);
        for (size_t i = 1; i + 2 < size; i += 3) {
            damaged[((size_t)data[i] << 8 | data[i + 1]) % whole_bytes] ^= data[i + 2];
        }
        write_entry(damaged, size % 5 == 4 ? whole_bytes * (data[0] >> 1) / 128 : whole_bytes);
    } else {
        write_entry(data, size);
    }
    gf_disk_cache *cache = gf_disk_cache_open(folder, 1 << 20);
    void *found = NULL;
    size_t found_bytes = 0;
    if (gf_disk_cache_get(cache, key, sizeof key, &found, &found_bytes) &&
        (found_bytes != sizeof value || memcmp(found, value, found_bytes) != 0)) {
        abort();
    }
    gf_free(found);
    if (gf_disk_cache_get(cache, value, sizeof value, &found, &found_bytes)) {
        abort(); /* there is no such entry */
    }
    gf_disk_cache_close(cache);
    return 0;
}
