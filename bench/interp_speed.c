/* How many simple operations the interpreter runs a second on one core: integers in registers, floats, loads and
 * stores, atomics, and a kernel that stops at grid barriers. Prints one line each; an operation is one of the program's
 * own (an arithmetic operation, a load, a store, an atomic, a turn of a loop). */
#include "backend/interp/interp.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct measured {
    const char *name, *text;
    double operations; /* per invocation */
} measured;

#define COUNT 65536

static const measured list[] = {
    {"integers",
     "program t;\nout u32 x[65536];\nkernel groups(256) { var u32 a = gid.x; for i in 0 .. 500 {"
     " a = a * 1664525 + 1013904223; a = a ^ a >> 7; } x[gid.x] = a; }",
     500 * 5},
    {"floats",
     "program t;\nout f32 x[65536];\nkernel groups(256) { var f32 a = f32(gid.x); for i in 0 .. 500 {"
     " a = a * 0.5 + 1.25; a = max(a - 0.125, 0.5); } x[gid.x] = a; }",
     500 * 5},
    {"loads and stores",
     "program t;\nout u32 x[65536];\nkernel groups(256) { for i in 0 .. 500 {"
     " x[gid.x] = x[gid.x] + i; } }",
     500 * 4},
    {"atomics",
     "program t;\nout u32 x[65536];\nkernel groups(256) { for i in 0 .. 500 {"
     " atomic_min(x[gid.x], i); atomic_add(x[gid.x], 1); } }",
     500 * 3},
    {"grid barriers",
     "program t;\nout u32 x[65536];\nkernel groups(256) { let mine = gid.x * 3; for i in 0 .. 100 {"
     " x[gid.x] = mine + i; grid_barrier; } }",
     100 * 3},
};

static bool run(const measured *what, bool checked) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(what->text, strlen(what->text), "bench.gf", diags);
    gf_interp_kernel *kernel = gf_interp_compile(program, diags);
    gf_launch_buffer buffer = {.data = calloc(COUNT, 4), .count = COUNT};
    gf_launch launch = {
        .buffers = &buffer, .space = {COUNT, 1, 1}, .groups = {256, 1, 1}, .max_passes = 1, .checked = checked};
    gf_launch_result result;
    double begin = gf_clock_seconds();
    bool fine = kernel != NULL && buffer.data != NULL && gf_interp_launch(kernel, &launch, &result, diags);
    double seconds = gf_clock_seconds() - begin;
    if (fine) {
        printf("%-18s %-10s %8.1f million operations a second\n", what->name, checked ? "checked" : "",
               what->operations * COUNT / seconds / 1e6);
    } else {
        gf_diags_print(diags, stderr);
    }
    free(buffer.data);
    gf_interp_destroy(kernel);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return fine;
}

int main(void) {
    bool fine = true;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fine = run(&list[i], false) && fine;
        fine = run(&list[i], true) && fine;
    }
    return fine ? 0 : 1;
}
