/* Strings in JSON. */
#ifndef GF_BASE_JSON_TEXT_H
#define GF_BASE_JSON_TEXT_H

#include "base/str.h"

/* Appends `text` in quotes, escaped. Valid JSON for any bytes: what is not UTF-8 becomes U+FFFD. */
void gf_json_string(gf_str *str, const char *text);

#endif
