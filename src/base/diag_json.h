/* Diagnostics as data, for `--json`. */
#ifndef GF_BASE_DIAG_JSON_H
#define GF_BASE_DIAG_JSON_H

#include "base/str.h"
#include <gridfence/diag.h>

/* Appends a JSON array, one object per message: severity, code, name, file, line, column, length, message, source,
 * fix, and notes: an array of objects with file, line, column, length, message and source. NULL gives `[]`. */
void gf_diags_json(const gf_diags *diags, gf_str *out);

#endif
