/* Numbers as text, to read (`--in NAME=x.txt`) and to write (`--out NAME=x.txt`). */
#ifndef GF_IO_TEXT_H
#define GF_IO_TEXT_H

#include "io/array.h"

/* Numbers between white space or single commas; comments from # to the line's end. Floats are rounded to the nearest
 * value; what is out of range or no number is an error with its line. A file without a number gives no elements. */
bool gf_text_read(const char *path, gf_type type, gf_array *out, gf_diags *diags);
/* From memory: text[length] must be 0; `name` is for messages. */
bool gf_text_parse(const char *text, size_t length, const char *name, gf_type type, gf_array *out, gf_diags *diags);

#endif
