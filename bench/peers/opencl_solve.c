/* jacobi and cg. */
#include "opencl.h"
#include <string.h>

#define ROWS 4u /* of solve.cl */

static const char *const files[] = {"reduce.cl", "solve.cl"};

static ocl_array part, scalar;
static float tolerance;
static uint32_t limit, turns;

/* One value per group of a launch. */
static void make_parts(size_t groups) {
    part = ocl_new((groups / 16 + 1) * 16);
    scalar = ocl_new(4);
}

static void reduce_parts(cl_kernel kernel, uint32_t at) {
    ocl_args(kernel, "bubu", &part, (cl_uint)(part.count / 16), &scalar, at);
    ocl_launch(kernel, 1, 1);
}

/* ---- jacobi ---- */

static uint32_t w, h;
static ocl_array f, u, other;
static void *first_u;
static cl_kernel copy, sweep, greatest;
static float worst;

void jacobi_load(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    w = (uint32_t)peer_param("w");
    h = (uint32_t)peer_param("h");
    tolerance = (float)peer_param_or("tol", 1e-5);
    limit = (uint32_t)peer_param_or("max_iter", 10000);
    f = ocl_read("f", "f32");
    first_u = peer_read("u", "f32", NULL);
    u = ocl_new(f.count);
    other = ocl_new(f.count);
    make_parts(h / ROWS + 1);
    copy = ocl_kernel("copy_field");
    sweep = ocl_kernel("jacobi");
    greatest = ocl_kernel("greatest");
}

void jacobi_reset(void) {
    memcpy(ocl_host(&u), first_u, u.bytes);
    ocl_device(&u);
}

void jacobi_run(void) {
    ocl_args(copy, "ubb", (cl_uint)u.count, &u, &other);
    ocl_launch(copy, u.count, OCL_GROUP);
    worst = tolerance + 1.0F;
    for (turns = 0; turns < limit && worst > tolerance; turns++) {
        ocl_args(sweep, "uubbbb", w, h, &u, &f, &other, &part);
        ocl_launch(sweep, (h + ROWS - 1) / ROWS, 1);
        reduce_parts(greatest, 0);
        ocl_words(&scalar, 1, &worst);
        ocl_array old = u;
        u = other;
        other = old;
    }
}

void jacobi_write(void) {
    ocl_write("u", "f32", &u);
    peer_write("iterations", "u32", &turns, 1);
    peer_write("change", "f32", &worst, 1);
}

/* ---- cg ---- */

static uint32_t n;
static ocl_array row, col, val, b, x, r, p, q;
static void *first_x;
static cl_kernel start, multiply, reduce, step, total;
static float square;

void cg_load(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    n = (uint32_t)peer_param("n");
    tolerance = (float)peer_param_or("tol", 1e-6);
    limit = (uint32_t)peer_param_or("max_iter", 1000);
    row = ocl_read("row", "u32");
    col = ocl_read("col", "u32");
    val = ocl_read("val", "f32");
    b = ocl_read("b", "f32");
    first_x = peer_read("x", "f32", NULL);
    x = ocl_new(n);
    r = ocl_new(n);
    p = ocl_new(n);
    q = ocl_new(n);
    make_parts(n / OCL_GROUP + 1);
    start = ocl_kernel("cg_start");
    multiply = ocl_kernel("cg_multiply");
    reduce = ocl_kernel("cg_residual");
    step = ocl_kernel("cg_step");
    total = ocl_kernel("total");
    ocl_args(start, "ubbbbbbbb", n, &row, &col, &val, &b, &x, &r, &p, &part);
    ocl_args(multiply, "ubbbbbb", n, &row, &col, &val, &p, &q, &part);
}

void cg_reset(void) {
    memcpy(ocl_host(&x), first_x, x.bytes);
    ocl_device(&x);
}

/* |r|^2 of this turn lies in scalar[turn % 2], p q in scalar[2]. */
void cg_run(void) {
    float words[2];
    ocl_launch(start, n, OCL_GROUP);
    reduce_parts(total, 0);
    ocl_words(&scalar, 1, &square);
    float goal = tolerance * tolerance * square;
    for (turns = 0; turns < limit && square > goal; turns++) {
        uint32_t turn = turns % 2;
        ocl_launch(multiply, (n + OCL_GROUP - 1) / OCL_GROUP, 1);
        reduce_parts(total, 2);
        ocl_args(reduce, "uubbbb", n, turn, &scalar, &r, &q, &part);
        ocl_launch(reduce, n, OCL_GROUP);
        reduce_parts(total, 1 - turn);
        ocl_args(step, "uubbbb", n, turn, &scalar, &x, &r, &p);
        ocl_launch(step, n, OCL_GROUP);
        ocl_words(&scalar, 2, words);
        square = words[1 - turn];
    }
}

void cg_write(void) {
    ocl_write("x", "f32", &x);
    peer_write("iterations", "u32", &turns, 1);
    peer_write("residual", "f32", &square, 1);
}
