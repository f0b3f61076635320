/* Whole files in, whole files out. */
#ifndef GF_IO_FILE_H
#define GF_IO_FILE_H

#include <gridfence/base.h>
#include <gridfence/diag.h>

/* The bytes of a file. A 0 byte, not counted, follows them. `data` comes from base/memory.h, aligned for any object. */
typedef struct gf_file {
    char *data;
    size_t size; /* bytes */
} gf_file;

/* Regular files only: directories, pipes and devices are refused without waiting for them. */
bool gf_file_read(const char *path, gf_file *out, gf_diags *diags);
void gf_file_free(gf_file *file);

/* A file being written. It appears under its name as a whole at the commit, or not at all: until then the bytes are in
 * another file of the same folder. An existing file keeps its permissions; of a symbolic link the target is replaced.
 * A device (/dev/null) or a pipe takes the bytes as they come. */
typedef struct gf_file_writer {
    int file;
    int noted;       /* the number of the temporary one (base/temporary.h) */
    char *path;      /* where it goes */
    char *temporary; /* where it is; NULL: there already, which is no regular file */
    int error;       /* errno of the first write that failed; later ones do nothing */
} gf_file_writer;

bool gf_file_begin(gf_file_writer *writer, const char *path, gf_diags *diags);
/* Goes to the system as it is: large pieces are better than small ones. */
void gf_file_put(gf_file_writer *writer, const void *data, size_t size);
/* After begin exactly one of these two. Commit reports whatever went wrong since; on failure nothing is left. */
bool gf_file_commit(gf_file_writer *writer, gf_diags *diags);
void gf_file_discard(gf_file_writer *writer);

/* Whether a file of that name could be begun now; nothing is left of the try. */
bool gf_file_check(const char *path, gf_diags *diags);

/* Whether a path ends in `.extension` behind a name. */
bool gf_file_has_extension(const char *path, const char *extension);

#endif
