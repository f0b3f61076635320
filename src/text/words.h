/* The words of the language: what a name may not be. Operations, atomics and types come from the tables of src/ir. */
#ifndef GF_TEXT_WORDS_H
#define GF_TEXT_WORDS_H

#include "ir/ir.h"

/* Words that begin or join declarations and statements. What only stands at a fixed place inside one (workgroup,
 * fixpoint, on, groups, indirect, returns, reduce, step, add, and, or) is no such word: it may be a name elsewhere. */
#define GF_KEYWORDS(X)                                                                                                 \
    X(PROGRAM, "program")                                                                                              \
    X(CONST, "const")                                                                                                  \
    X(PARAM, "param")                                                                                                  \
    X(IN, "in")                                                                                                        \
    X(INOUT, "inout")                                                                                                  \
    X(OUT, "out")                                                                                                      \
    X(SCRATCH, "scratch")                                                                                              \
    X(SHARED, "shared")                                                                                                \
    X(FN, "fn")                                                                                                        \
    X(KERNEL, "kernel")                                                                                                \
    X(LET, "let")                                                                                                      \
    X(VAR, "var")                                                                                                      \
    X(IF, "if")                                                                                                        \
    X(ELSE, "else")                                                                                                    \
    X(FOR, "for")                                                                                                      \
    X(WHILE, "while")                                                                                                  \
    X(LOOP, "loop")                                                                                                    \
    X(FORALL, "forall")                                                                                                \
    X(GRID, "grid")                                                                                                    \
    X(GROUP, "group")                                                                                                  \
    X(BREAK, "break")                                                                                                  \
    X(CONTINUE, "continue")                                                                                            \
    X(RETURN, "return")                                                                                                \
    X(BARRIER, "barrier")                                                                                              \
    X(GRID_BARRIER, "grid_barrier")                                                                                    \
    X(REGION, "region")                                                                                                \
    X(ASSERT, "assert")                                                                                                \
    X(TRAP, "trap")                                                                                                    \
    X(SWAP, "swap")                                                                                                    \
    X(CONVERGED, "converged")                                                                                          \
    X(ALL_REDUCE, "all_reduce")                                                                                        \
    X(ALL_GATHER, "all_gather")                                                                                        \
    X(REDUCE_SCATTER, "reduce_scatter")                                                                                \
    X(BROADCAST, "broadcast")                                                                                          \
    X(COPY_ASYNC, "copy_async")                                                                                        \
    X(WAIT, "wait")                                                                                                    \
    X(LEN, "len")                                                                                                      \
    X(BITCAST, "bitcast")                                                                                              \
    X(TRUE, "true")                                                                                                    \
    X(FALSE, "false")                                                                                                  \
    X(INF, "inf")                                                                                                      \
    X(NAN, "nan")

typedef enum gf_keyword {
#define X(name, spelling) GF_KEYWORD_##name,
    GF_KEYWORDS(X)
#undef X
        GF_KEYWORD_COUNT
} gf_keyword;

typedef enum gf_word_kind {
    GF_WORD_KEYWORD,
    GF_WORD_TYPE,
    GF_WORD_BUILTIN, /* gid, rank, ... */
    GF_WORD_CALL,    /* an operation written as a call */
    GF_WORD_ATOMIC,
    GF_WORD_CROSS, /* group_any, grid_load, ... */
} gf_word_kind;

typedef struct gf_word {
    const char *text;
    size_t length;
    gf_word_kind kind;
    gf_keyword keyword;
    gf_type type;
    gf_builtin builtin;
    gf_op op;
    gf_atomic atomic;
    gf_cross cross;
    gf_level level; /* of CROSS */
} gf_word;

typedef struct gf_words gf_words;

/* In the arena; call inside gf_arena_protect. */
const gf_words *gf_words_create(gf_arena *arena);
/* NULL where the text is no word. */
const gf_word *gf_words_find(const gf_words *words, const char *text, size_t length);

const char *gf_keyword_text(gf_keyword keyword);
const char *gf_builtin_text(gf_builtin builtin);
/* Whether the text is any word of the language, without a table: for whoever makes names otherwise than from text. */
bool gf_word_is_reserved(const char *text);
/* The keyword most like the text among `count` candidates, or NULL: for "did you mean". */
const char *gf_keyword_like(const char *text, const gf_keyword *candidates, size_t count);

#endif
