/* The texts of programs/, put into the command when it is built (cmake/programs.cmake). */
#ifndef GF_CLI_BENCH_TEXTS_H
#define GF_CLI_BENCH_TEXTS_H

typedef struct gf_bench_text {
    const char *name; /* of the file, without .gf; NULL: the end */
    const char *text;
} gf_bench_text;

extern const gf_bench_text gf_bench_texts[];

#endif
