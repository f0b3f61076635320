/* gridfence/diag.h - the one sink for everything that a user should be told.
 *
 * The caller creates a sink and hands it to the functions of this library; a function that fails has put at least one
 * error into it (unless it was handed a NULL handle: then the message is already there). Nothing in the library prints,
 * aborts on a user's mistake, or keeps a global last error. A sink belongs to one thread at a time. All functions take
 * NULL for the sink: messages are then lost, results are the same. */
#ifndef GRIDFENCE_DIAG_H
#define GRIDFENCE_DIAG_H

#include <gridfence/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gf_severity { GF_SEVERITY_ERROR, GF_SEVERITY_WARNING } gf_severity;

typedef struct gf_diags gf_diags;

GF_API gf_diags *gf_diags_create(void); /* NULL where there is no memory */
GF_API void gf_diags_destroy(gf_diags *diags);
GF_API void gf_diags_clear(gf_diags *diags);
/* Messages held, errors and warnings together. At most 64 errors and 64 warnings are kept; the rest are counted. */
GF_API size_t gf_diags_count(const gf_diags *diags);
/* All errors, those among them that were not kept. */
GF_API size_t gf_diags_error_count(const gf_diags *diags);

/* One message, as plain data. Strings belong to the sink and live until it is cleared or destroyed; none is NULL. */
typedef struct gf_diag {
    gf_severity severity;
    const char *code;    /* "GF0304"; stable from release to release */
    const char *name;    /* "not-uniform": the name of the code */
    const char *file;    /* "" where no file is concerned */
    uint32_t line;       /* from 1; 0: no place */
    uint32_t column;     /* from 1, in bytes */
    uint32_t length;     /* bytes underlined, at least 1 where there is a place */
    const char *message; /* one line */
    const char *source;  /* the source line, "" where there is no place */
    const char *fix;     /* one line, "" where none is known */
    size_t note_count;
    uint32_t source_skipped; /* bytes of the line left out before `source`: 0 but for lines over 4096 bytes, of which
                                4096 around the place are kept */
} gf_diag;

/* Message `index`, in the order of arrival; false past the end. */
GF_API bool gf_diags_get(const gf_diags *diags, size_t index, gf_diag *out);
/* Note `note` of message `index`: a gf_diag of which file, line, column, length, message and source are set. */
GF_API bool gf_diags_get_note(const gf_diags *diags, size_t index, size_t note, gf_diag *out);

/* All messages as text: `file:line:column: error[CODE]: message`, the source line, a caret, notes, fix. */
GF_API void gf_diags_print(const gf_diags *diags, FILE *stream);
/* The same with ANSI colours if `colour`. */
GF_API void gf_diags_print_colour(const gf_diags *diags, FILE *stream, bool colour);

/* How a call ended; the numbers are the exit status of the command. */
typedef enum gf_status {
    GF_STATUS_OK = 0,
    GF_STATUS_PROGRAM = 1,       /* the program is wrong */
    GF_STATUS_USAGE = 2,         /* an argument is: a name, type, size or combination */
    GF_STATUS_DEVICE = 3,        /* the device, or a limit */
    GF_STATUS_FILE = 4,          /* a file */
    GF_STATUS_NOT_CONVERGED = 5, /* required, and not reached */
    GF_STATUS_TRAP = 6,          /* a trap, an assert, or a check of --checked and --check-races */
    GF_STATUS_TIME = 7,          /* time limit or cancelled */
    GF_STATUS_INTERNAL = 70,     /* a fault of gridfence */
} gf_status;

/* By the first error in the sink; OK where there is none. */
GF_API gf_status gf_diags_status(const gf_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
