/* What the two halves of the printer share. */
#ifndef GF_IR_PRINT_H
#define GF_IR_PRINT_H

#include "ir/program.h"

/* Prints where a value of type `wanted` stands: a literal of that type is plain there, another one gets a cast.
 * GF_TYPE_NONE: the place gives no type. Parentheses are set where `expr` binds less tightly than `precedence`. */
void gf_print_expr_in(const gf_expr *expr, gf_type wanted, unsigned precedence, gf_str *out);
/* Several that share one type (the bounds of a for): what has a type of its own gives it to the others. */
void gf_print_peers(const gf_expr *const *exprs, size_t count, const char *const *between, gf_str *out);
/* "grid ", "group " or "". */
const char *gf_level_prefix(gf_level level);
/* In quotes, with the escapes of the language. NULL is an empty text. */
void gf_print_string(const char *text, gf_str *out);
/* Lines above a node, and what ends its line. `first`: at the begin of a block, where no empty line stands. */
void gf_print_indent(unsigned indent, gf_str *out);
void gf_print_comments(const char *comments, unsigned indent, gf_str *out);
void gf_print_before(const gf_trivia *trivia, bool first, unsigned indent, gf_str *out);
void gf_print_line_end(const gf_trivia *trivia, gf_str *out);
/* From ` {` to `}`. */
void gf_print_function_body(const gf_symbol *function, gf_str *out);
void gf_print_kernel_body(const gf_kernel_decl *kernel, gf_str *out);
/* The value of a float as the shortest text that reads back to it in the type, with a point or an exponent. */
void gf_print_float(gf_type type, uint64_t bits, gf_str *out);

#endif
