/* Blobs under keys, in a folder of the user's that many processes may share: what a key stood for once, it stands for
 * in the next process. Nothing here is an error for the user: what cannot be kept is not kept.
 *
 * Some of what is stored is machine code, so nothing is read or written where others than the effective user could have
 * put it: the folder and each entry must be owned by that user, and writable by nobody else. Environment variables
 * count for nothing in a process that has more rights than who started it.
 *
 * Calls on one cache may come from several threads. All take NULL, as a cache that has nothing. */
#ifndef GF_BASE_DISK_CACHE_H
#define GF_BASE_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gf_disk_cache gf_disk_cache;

/* folder: NULL is $GRIDFENCE_CACHE, else $XDG_CACHE_HOME/gridfence, else $HOME/.cache/gridfence. It is made, with those
 * above it, at the first put. limit_bytes, of all entries together: 0 is $GRIDFENCE_CACHE_LIMIT, else 256 MiB.
 * NULL where there is nowhere, or no memory. */
gf_disk_cache *gf_disk_cache_open(const char *folder, uint64_t limit_bytes);
/* Where it is; NULL for NULL. */
const char *gf_disk_cache_folder(const gf_disk_cache *cache);
void gf_disk_cache_close(gf_disk_cache *cache);

/* The blob stored under the key: *data by gf_malloc, then the caller's. The key is compared whole. False: not there, or
 * damaged, which is the same. An entry that is read counts as new again when the oldest are removed. */
bool gf_disk_cache_get(gf_disk_cache *cache, const void *key, size_t key_bytes, void **data, size_t *bytes);

/* Replaces what was there. False where it could not be stored. When all entries together exceed the limit, the oldest
 * go until three quarters of it are left. Other processes' entries are counted at the first put and now and then. */
bool gf_disk_cache_put(gf_disk_cache *cache, const void *key, size_t key_bytes, const void *data, size_t bytes);

#endif
