#include "io/file.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/temporary.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gf_file_has_extension(const char *path, const char *extension) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name && strcmp(dot + 1, extension) == 0;
}

/* strerror is not safe in threads, and its text depends on the locale: the reasons that users meet are spelled here. */
static const char *reason(int error) {
    switch (error) {
    case ENOENT:
        return "there is no such file";
    case ENOTDIR:
        return "a part of the path is not a directory";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EISDIR:
        return "it is a directory";
    case ENOSPC:
        return "no space is left on the device";
    case EDQUOT:
        return "the disk quota is used up";
    case EFBIG:
        return "the file would be larger than the system allows";
    case EROFS:
        return "the file system is read-only";
    case ENAMETOOLONG:
        return "the name is too long";
    case ELOOP:
        return "too many symbolic links";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    case EIO:
        return "the device reports an input or output error";
    default:
        return NULL;
    }
}

static bool fail_system(gf_diags *diags, gf_code code, const char *verb, const char *path, int error) {
    if (error == ENOMEM) {
        return gf_fail_memory(diags);
    }
    if (error == ENOENT && strcmp(verb, "write") == 0) { /* a file that is not there is made */
        return gf_fail(diags, code, GF_NO_SPAN, "cannot write '%s': there is no such directory", path);
    }
    if (reason(error)) {
        return gf_fail(diags, code, GF_NO_SPAN, "cannot %s '%s': %s", verb, path, reason(error));
    }
    return gf_fail(diags, code, GF_NO_SPAN, "cannot %s '%s': system error %d", verb, path, error);
}

static const char *kind_name(mode_t mode) {
    if (S_ISDIR(mode)) {
        return "a directory";
    }
    if (S_ISFIFO(mode)) {
        return "a pipe";
    }
    if (S_ISSOCK(mode)) {
        return "a socket";
    }
    return "a device";
}

/* A signal that the process catches may come between: on a file system of the network, say. */
static int open_file(const char *path, int flags) {
    int file = -1;
    do {
        file = open(path, flags, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
}

static bool read_all(int file, const char *path, size_t expected, gf_file *out, gf_diags *diags) {
    /* One byte more than the file is said to hold, to see its end without another round; files that grow are taken
     * as far as they go. */
    size_t capacity = expected + 1;
    char *data = gf_malloc_data(capacity + 1); /* it may become an array */
    size_t size = 0;
    if (data == NULL) {
        return gf_fail_memory(diags);
    }
    for (;;) {
        if (size == capacity) {
            char *larger = capacity < SIZE_MAX / 4 ? gf_realloc(data, 2 * capacity + 1) : NULL;
            if (larger == NULL) {
                gf_free(data);
                return gf_fail_memory(diags);
            }
            data = larger;
            capacity *= 2;
        }
        ssize_t got = read(file, data + size, capacity - size < SSIZE_MAX ? capacity - size : SSIZE_MAX);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            int error = errno;
            gf_free(data);
            return fail_system(diags, GF_CODE_FILE_READ, "read", path, error);
        }
        if (got == 0) {
            break;
        }
        size += (size_t)got;
    }
    data[size] = 0;
    *out = (gf_file){data, size};
    return true;
}

bool gf_file_read(const char *path, gf_file *out, gf_diags *diags) {
    *out = (gf_file){0};
    /* Without O_NONBLOCK a pipe that nobody writes to would be waited for here. */
    int file = open_file(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return fail_system(diags, GF_CODE_FILE_OPEN, "open", path, errno);
    }
    struct stat about;
    bool ok;
    if (fstat(file, &about) != 0) {
        ok = fail_system(diags, GF_CODE_FILE_OPEN, "open", path, errno);
    } else if (!S_ISREG(about.st_mode)) {
        ok = gf_fail(diags, GF_CODE_FILE_KIND, GF_NO_SPAN, "'%s' is %s, expected a file", path,
                     kind_name(about.st_mode));
    } else if ((uintmax_t)about.st_size > SIZE_MAX / 4) {
        ok = gf_fail(diags, GF_CODE_FILE_SIZE, GF_NO_SPAN, "'%s' has %jd bytes, more than can be addressed", path,
                     (intmax_t)about.st_size);
    } else {
        ok = read_all(file, path, (size_t)about.st_size, out, diags);
    }
    close(file);
    return ok;
}

void gf_file_free(gf_file *file) {
    gf_free(file->data);
    *file = (gf_file){0};
}

static void forget(gf_file_writer *writer) {
    gf_temporary_forget(writer->noted);
    gf_free(writer->path);
    gf_free(writer->temporary);
    *writer = (gf_file_writer){0};
}

static char *append(const char *path, const char *tail) {
    size_t length = strlen(path), more = strlen(tail);
    char *text = gf_malloc(length + more + 1);
    if (text) {
        memcpy(text, path, length);
        memcpy(text + length, tail, more);
        text[length + more] = 0;
    }
    return text;
}

/* What a symbolic link leads to, through further ones; owned by the caller. NULL, errno set, where that fails. */
static char *follow_links(const char *path) {
    char *at = gf_strdup(path);
    for (int depth = 0; at && depth < 40; depth++) {
        char target[PATH_MAX];
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0) {
            return at; /* no link, or nothing there: the end */
        }
        target[length] = 0;
        char *slash = strrchr(at, '/');
        if (target[0] != '/' && slash) {
            slash[1] = 0; /* relative to the folder of the link */
        } else {
            at[0] = 0;
        }
        char *next = append(at, target);
        gf_free(at);
        at = next;
    }
    errno = at ? ELOOP : ENOMEM;
    gf_free(at);
    return NULL;
}

/* A file of a name that nobody has, next to where it will go. */
static int open_temporary(gf_file_writer *writer, gf_diags *diags) {
    static atomic_uint serial;
    for (int attempt = 0; attempt < 100; attempt++) {
        char tail[64];
        snprintf(tail, sizeof tail, ".%ld-%u.part", (long)getpid(), atomic_fetch_add(&serial, 1));
        gf_free(writer->temporary);
        writer->temporary = append(writer->path, tail);
        if (writer->temporary == NULL) {
            return gf_fail_memory(diags), -1;
        }
        gf_temporary_forget(writer->noted);
        writer->noted = gf_temporary_note(AT_FDCWD, writer->temporary);
        int file = open_file(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
        if (file >= 0) {
            return file;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    fail_system(diags, GF_CODE_FILE_OPEN, "write", writer->path, errno);
    return -1;
}

/* Nothing can take the place of a device or a pipe: what is written goes there. A pipe that nobody reads is refused. */
static bool begin_there(gf_file_writer *writer, const char *path, gf_diags *diags) {
    writer->path = gf_strdup(path);
    if (writer->path == NULL) {
        return gf_fail_memory(diags);
    }
    writer->file = open_file(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int flags = writer->file < 0 ? -1 : fcntl(writer->file, F_GETFL);
    if (flags < 0 || fcntl(writer->file, F_SETFL, flags & ~O_NONBLOCK) < 0) {
        int error = errno;
        if (writer->file >= 0) {
            (void)close(writer->file);
        }
        forget(writer);
        return error == ENXIO
                   ? gf_fail(diags, GF_CODE_FILE_OPEN, GF_NO_SPAN, "cannot write '%s': nobody reads it", path)
                   : fail_system(diags, GF_CODE_FILE_OPEN, "write", path, error);
    }
    return true;
}

static bool is_written_to(mode_t mode) {
    return S_ISCHR(mode) || S_ISFIFO(mode);
}

bool gf_file_begin(gf_file_writer *writer, const char *path, gf_diags *diags) {
    *writer = (gf_file_writer){.file = -1, .noted = -1};
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && is_written_to(about.st_mode)) {
        return begin_there(writer, path, diags);
    }
    if (exists && !S_ISREG(about.st_mode)) {
        return gf_fail(diags, GF_CODE_FILE_KIND, GF_NO_SPAN, "cannot write '%s': it is %s", path,
                       kind_name(about.st_mode));
    }
    /* Replacing is renaming, which would ignore that the file itself is protected. */
    if (exists && access(path, W_OK) != 0) {
        return fail_system(diags, GF_CODE_FILE_OPEN, "write", path, errno);
    }
    writer->path = follow_links(path);
    if (writer->path == NULL) {
        return fail_system(diags, GF_CODE_FILE_OPEN, "write", path, errno);
    }
    writer->file = open_temporary(writer, diags);
    if (writer->file < 0) {
        forget(writer);
        return false;
    }
    if (exists) {
        writer->error = fchmod(writer->file, about.st_mode & 0777) == 0 ? 0 : errno;
    }
    return true;
}

void gf_file_put(gf_file_writer *writer, const void *data, size_t size) {
    for (const char *at = data; size > 0 && writer->error == 0;) {
        ssize_t written = write(writer->file, at, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            writer->error = written < 0 ? errno : EIO;
        }
    }
}

static void remove_temporary(const gf_file_writer *writer) {
    if (writer->temporary != NULL) {
        (void)unlink(writer->temporary);
    }
}

bool gf_file_commit(gf_file_writer *writer, gf_diags *diags) {
    int error = writer->error;
    /* Some file systems say only here that the disk is full. After EINTR the file is closed all the same. */
    if (close(writer->file) != 0 && errno != EINTR && error == 0) {
        error = errno;
    }
    if (error == 0 && writer->temporary != NULL && rename(writer->temporary, writer->path) != 0) {
        error = errno;
    }
    if (error != 0) {
        remove_temporary(writer);
        fail_system(diags, GF_CODE_FILE_WRITE, "write", writer->path, error);
    }
    forget(writer);
    return error == 0;
}

void gf_file_discard(gf_file_writer *writer) {
    (void)close(writer->file);
    remove_temporary(writer);
    forget(writer);
}

bool gf_file_check(const char *path, gf_diags *diags) {
    gf_file_writer writer;
    struct stat about;
    if (stat(path, &about) == 0 && is_written_to(about.st_mode)) { /* a pipe's reader takes a close for the end */
        return access(path, W_OK) == 0 || fail_system(diags, GF_CODE_FILE_OPEN, "write", path, errno);
    }
    if (!gf_file_begin(&writer, path, diags)) {
        return false;
    }
    gf_file_discard(&writer);
    return true;
}
