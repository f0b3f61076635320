/* The kinds of declarations: shared by the files that read them and parse.c. */
#ifndef GF_TEXT_PARSE_DECL_H
#define GF_TEXT_PARSE_DECL_H

#include "text/parser.h"

/* Each begins behind its keyword, fills in the symbol and uses all of the declaration. False: there is something left
 * to skip. */
bool gf_parse_constant(gf_parser *p, gf_symbol *symbol, bool wants_value); /* params too */
bool gf_parse_array(gf_parser *p, gf_symbol *symbol);                      /* BUFFER of a role, or SHARED */
bool gf_parse_function(gf_parser *p, gf_symbol *symbol);
/* Up to the `{` of the body, which is not used. */
bool gf_parse_kernel_head(gf_parser *p, gf_kernel_decl *kernel);

/* To the `{` of a function or kernel whose head is wrong, so that the errors in it are found too. */
bool gf_parser_skip_to_body(gf_parser *p);

#endif
