/* Calls of kernels, bindings, buffers and runs in any order, with handles that are NULL, names that are none, sizes
 * that do not fit and values of the wrong type: all that the header says a run tells of. Guard words around the
 * caller's memory stay. */
#include "bytes.h"
#include <gridfence/gridfence.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 64, GUARD = 8, MOST_CALLS = 60, AREAS = 3, PATTERN = 0x5a5a5a5a };

static const char *const texts[] = {
    "program p; param u32 n; in u32 a[n]; inout u32 b[n]; out u32 o[n] returns(1 .. n);\n"
    "kernel (n) { o[gid.x] = a[gid.x + 1]; grid_barrier; b[gid.x] += o[n - 1 - gid.x]; }\n",
    "program p; param u64 n = 3; in u32 a[]; inout u8 b[]; out f64 o[n];\n"
    "kernel fixpoint(4) on (b) { var u32 s = 0; forall i in 0 .. len(a) reduce(add s) { s += a[i]; } \n"
    "forall i in 0 .. len(b) { b[i] |= u32(s); } grid_barrier; o[0] = f64(s); }\n",
    "program p; param i64 n = -1; in u32 a[4]; inout u32 b[4]; out u32 o[8];\n"
    "kernel indirect(a, n) workgroup(4) { let x = grid_add(b[lid.x]); o[gid.x] = x; swap(b, o_); }\n",
    "program p; param i64 n = 0; in u32 a[3]; inout u32 b[n + 4]; out u32 o[len(c)]; in u32 c[];\n"
    "kernel indirect(a, n) workgroup(4) { let x = grid_add(b[lid.x]); o[gid.linear] = x; }\n"};

typedef struct state {
    bytes in;
    gf_program *program;
    gf_device *device;
    gf_kernel *kernel;
    gf_bindings *bindings;
    gf_buffer *buffer;
    gf_diags *diags;
    uint32_t areas[AREAS][WORDS + 2 * GUARD];
} state;

static const char *name(state *s) {
    static const char *const names[] = {"n", "a", "b", "o", "c", "gf_x", "", "no such", NULL};
    return names[take(&s->in) % (sizeof names / sizeof *names)];
}

static size_t length(state *s) {
    static const size_t sizes[] = {16, 12, 32, 0, 1, 3, sizeof(uint32_t) * WORDS, 64, 24};
    return sizes[take(&s->in) % (sizeof sizes / sizeof *sizes)];
}

static void *area(state *s) {
    unsigned which = take(&s->in);
    return which == 255 ? NULL : (char *)&s->areas[which % AREAS][GUARD];
}

static void check_guards(const state *s) {
    for (size_t i = 0; i < AREAS; i++) {
        for (size_t k = 0; k < GUARD; k++) {
            if (s->areas[i][k] != PATTERN || s->areas[i][GUARD + WORDS + k] != PATTERN) {
                abort();
            }
        }
    }
}

static gf_run_options options(state *s) {
    gf_run_options made = {.timeout = 0.05, .memory_limit = 1 << 20};
    unsigned how = take(&s->in);
    made.size = how & 1 ? sizeof made : 0;
    made.checked = (how & 2) != 0;
    made.check_races = (how & 4) != 0;
    made.in_place = (how & 8) != 0;
    made.keep_on_failure = (how & 16) != 0;
    made.require_converged = (how & 32) != 0;
    made.strategy = (gf_strategy)(take(&s->in) % 6);
    made.max_passes = take(&s->in) % 5;
    return made;
}

/* A callback that runs nothing, and now and then fails, with a message or without. */
static bool dispatch(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                     size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    state *s = user;
    (void)groups;
    (void)segment;
    (void)diags;
    unsigned sum = 0;
    for (size_t i = 0; i < input_count; i++) {
        for (size_t k = 0; k < inputs[i].size; k++) {
            sum += ((const uint8_t *)inputs[i].data)[k];
        }
    }
    for (size_t i = 0; i < output_count; i++) {
        memset(outputs[i].data, (int)(sum + take(&s->in)), outputs[i].capacity);
        outputs[i].size = outputs[i].capacity;
    }
    return take(&s->in) != 255;
}

static void run_split(state *s) {
    gf_bytes inputs[4];
    gf_output outputs[4];
    for (size_t i = 0; i < 4; i++) {
        inputs[i] = (gf_bytes){.data = area(s), .size = length(s)};
        outputs[i] = (gf_output){.data = area(s), .capacity = length(s)};
        inputs[i].size = inputs[i].data == NULL ? 0 : inputs[i].size;
        outputs[i].capacity = outputs[i].data == NULL ? 0 : outputs[i].capacity;
    }
    gf_run_param param = {.name = "n", .type = (gf_type)(take(&s->in) % 12), .bits = take(&s->in) % 20};
    gf_run_options how = options(s);
    how.params = &param;
    how.param_count = take(&s->in) % 2;
    (void)gf_run_split(s->program, inputs, take(&s->in) % 5, &how, dispatch, s, outputs, take(&s->in) % 5, NULL,
                       s->diags);
}

static void run(state *s, bool later) {
    gf_run_options how = options(s);
    gf_stats stats;
    if (later) {
        (void)gf_run_wait(gf_run_async(s->kernel, s->bindings, &how, s->diags), &stats, s->diags);
    } else if (!gf_run(s->kernel, s->bindings, take(&s->in) % 8 == 0 ? NULL : &how, &stats, s->diags) &&
               s->kernel != NULL && s->bindings != NULL && gf_diags_error_count(s->diags) == 0) {
        abort(); /* failed without a word */
    }
    if (gf_diags_status(s->diags) == GF_STATUS_INTERNAL) {
        gf_diags_print(s->diags, stderr);
        abort();
    }
}

static void call(state *s) {
    static uint8_t scratch[WORDS];
    switch (take(&s->in) % 20) {
    case 0:
        gf_bind_u32(s->bindings, name(s), take(&s->in));
        break;
    case 1:
        gf_bind_i64(s->bindings, name(s), (int64_t)take_u64(&s->in));
        break;
    case 2:
        gf_bind_value(s->bindings, name(s), (gf_value){.type = (gf_type)(take(&s->in) - 9), .bits = take_u64(&s->in)});
        break;
    case 3:
    case 4: {
        void *data = area(s);
        size_t n = length(s);
        gf_bind_input(s->bindings, name(s), data, data ? n : 0);
        break;
    }
    case 5:
    case 6: {
        void *data = area(s);
        size_t n = length(s);
        gf_bind_inout(s->bindings, name(s), data, data ? n : 0);
        break;
    }
    case 7: {
        void *data = area(s);
        size_t n = length(s);
        gf_bind_output(s->bindings, name(s), data, data ? n : 0);
        break;
    }
    case 8:
        gf_bind_buffer(s->bindings, name(s), s->buffer);
        break;
    case 9:
        gf_buffer_destroy(s->buffer);
        s->buffer = gf_buffer_create(s->device, length(s), s->diags);
        break;
    case 10:
        (void)gf_buffer_write(s->buffer, (size_t)(int8_t)take(&s->in), scratch, length(s) % WORDS, s->diags);
        break;
    case 11:
        (void)gf_buffer_read(s->buffer, (size_t)(int8_t)take(&s->in), scratch, length(s) % WORDS, s->diags);
        break;
    case 12:
        gf_bindings_destroy(s->bindings);
        s->bindings = take(&s->in) == 255 ? NULL : gf_bindings_create(s->kernel);
        break;
    case 13:
        gf_kernel_destroy(s->kernel);
        s->kernel = gf_kernel_create(
            s->device, s->program,
            &(gf_kernel_options){.workgroup = {take(&s->in) % 4, take(&s->in) % 3, take(&s->in) % 2}}, s->diags);
        break;
    case 14:
        gf_device_destroy(s->device);
        s->device = gf_device_open(take(&s->in) % 4 ? "interp" : name(s), s->diags);
        break;
    case 15:
        run_split(s);
        break;
    case 16:
        run(s, true);
        break;
    case 17:
        gf_diags_clear(s->diags);
        break;
    default:
        run(s, false);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    state s = {.in = {.at = data, .left = size}, .diags = gf_diags_create()};
    memset(s.areas, 0x5a, sizeof s.areas);
    const char *text = texts[take(&s.in) % 4];
    s.program = gf_program_parse(text, strlen(text), "calls.gf", s.diags);
    s.device = gf_device_open("interp", s.diags);
    s.kernel = gf_kernel_create(s.device, s.program, NULL, s.diags);
    s.bindings = gf_bindings_create(s.kernel);
    gf_diags_clear(s.diags);
    for (unsigned i = 0; i < MOST_CALLS && s.in.left > 0; i++) {
        call(&s);
    }
    check_guards(&s);
    gf_bindings_destroy(s.bindings);
    gf_kernel_destroy(s.kernel);
    gf_device_destroy(s.device);
    gf_buffer_destroy(s.buffer);
    gf_program_destroy(s.program);
    gf_diags_destroy(s.diags);
    return 0;
}
