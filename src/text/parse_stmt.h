/* The kinds of statements: shared by the files parse_*.c that read them. */
#ifndef GF_TEXT_PARSE_STMT_H
#define GF_TEXT_PARSE_STMT_H

#include "text/parser.h"

/* NULL after an error; then the caller skips what is left of the statement. `first`: of its block. */
const gf_stmt *gf_parse_statement(gf_parser *p, bool first);

/* The block of a construct whose head was right or not. Where the braces are missing, one statement is taken for it. */
const gf_block *gf_parse_body(gf_parser *p, const char *owner, bool head_is_right, gf_trivia *line);
/* After an error in the head of a construct: to its `{`, if there is one before the statement ends. */
bool gf_parser_skip_to_block(gf_parser *p);
/* Whether the token is `+` or `-`. */
bool gf_parser_at_step(const gf_token *token);

/* Each begins at its keyword, fills in the statement and uses all of it. False: there is something left to skip. */
bool gf_parse_if(gf_parser *p, gf_stmt *stmt);
bool gf_parse_for(gf_parser *p, gf_stmt *stmt);
bool gf_parse_forall(gf_parser *p, gf_stmt *stmt);
bool gf_parse_while(gf_parser *p, gf_stmt *stmt);
bool gf_parse_loop(gf_parser *p, gf_stmt *stmt);
bool gf_parse_region(gf_parser *p, gf_stmt *stmt);
bool gf_parse_forced(gf_parser *p, gf_stmt *stmt); /* grid if, group while, ... */
bool gf_parse_assert(gf_parser *p, gf_stmt *stmt);
bool gf_parse_trap(gf_parser *p, gf_stmt *stmt);
bool gf_parse_swap(gf_parser *p, gf_stmt *stmt);
bool gf_parse_converged(gf_parser *p, gf_stmt *stmt);
bool gf_parse_collective(gf_parser *p, gf_stmt *stmt, gf_collective collective);
bool gf_parse_copy_async(gf_parser *p, gf_stmt *stmt);
bool gf_parse_wait(gf_parser *p, gf_stmt *stmt);
/* Assignments, stores, atomics and calls. */
bool gf_parse_expression_statement(gf_parser *p, gf_stmt *stmt);

#endif
