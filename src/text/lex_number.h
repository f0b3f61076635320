/* Numbers of the text. */
#ifndef GF_TEXT_LEX_NUMBER_H
#define GF_TEXT_LEX_NUMBER_H

#include "text/lex.h"

/* Reads the number at lexer->at, which is a digit or a point before one, into an INT or FLOAT. Errors are reported and
 * mended, so that parsing goes on. */
void gf_lexer_number(gf_lexer *lexer, gf_token *token);

#endif
