/* A folder for the files of a test: new, absolute, in $TMPDIR or else where the test runs. */
#ifndef GF_TESTS_SCRATCH_H
#define GF_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH_BYTES 512
#define SCRATCH_INSIDE (SCRATCH_BYTES + 512) /* the path of a file in one */

static inline bool scratch_make(char folder[SCRATCH_BYTES]) {
    char here[SCRATCH_BYTES / 2];
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/') {
        place = getcwd(here, sizeof here);
    }
    int length = place != NULL ? snprintf(folder, SCRATCH_BYTES, "%s/gf-scratch-XXXXXX", place) : -1;
    return length > 0 && length < SCRATCH_BYTES && mkdtemp(folder) != NULL;
}

/* With all that is in it, and whatever of that may not be written. */
static inline void scratch_remove(const char *path) {
    struct stat about;
    bool is_folder = lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && chmod(path, S_IRWXU) == 0;
    DIR *folder = is_folder ? opendir(path) : NULL;
    for (const struct dirent *item; folder != NULL && (item = readdir(folder)) != NULL;) {
        char inside[SCRATCH_INSIDE];
        (void)snprintf(inside, sizeof inside, "%s/%s", path, item->d_name);
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0) {
            scratch_remove(inside);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    (void)remove(path);
}

#endif
