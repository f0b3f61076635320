/* The differential test: each program is run by the interpreter as it stands, and by its plan in several forms; all
 * must give the same bytes, passes and convergence.
 *
 *     differential [--one-group] FILE.gf...    programs of generate.py, which all have the same params and buffers;
 *                                              those of one workgroup are cut at workgroup barriers as well
 *     differential --device NAME FILE.gf...    on that device, with three threads and plans of several forms
 *
 * Prints what differs, and as its last line `N passed, N failed, N skipped`. */
#include <gridfence/gridfence.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 32, MOST_TEXT = 1 << 20 };

typedef struct outcome {
    bool ok;
    gf_stats stats;
    char message[512];
    unsigned char *data[MOST_BUFFERS];
    size_t bytes[MOST_BUFFERS];
} outcome;

typedef struct mode {
    const char *name;
    gf_strategy strategy;
    gf_plan_options plan;
    bool formatted;
    bool races;
    bool in_place;
} mode;

static const mode modes[] = {
    {.name = "native", .strategy = GF_STRATEGY_NATIVE},
    {.name = "native, checked for races", .strategy = GF_STRATEGY_NATIVE, .races = true},
    {.name = "native, formatted text", .strategy = GF_STRATEGY_NATIVE, .formatted = true},
    {.name = "host", .strategy = GF_STRATEGY_HOST},
    {.name = "host, barriers kept", .strategy = GF_STRATEGY_HOST, .plan = {.keep_barriers = true}},
    {.name = "host, empty stretches kept", .strategy = GF_STRATEGY_HOST, .plan = {.keep_empty = true}},
    {.name = "host, all carried", .strategy = GF_STRATEGY_HOST, .plan = {.all_carry = true}},
    {.name = "host, exits lowered", .strategy = GF_STRATEGY_HOST, .plan = {.lower_exits = true}},
    {.name = "resident", .strategy = GF_STRATEGY_RESIDENT},
    /* Last: of programs of one workgroup alone. */
    {.name = "host, cut at workgroup barriers", .strategy = GF_STRATEGY_HOST, .plan = {.workgroup = true}},
    {.name = "host, cut there, all kept",
     .strategy = GF_STRATEGY_HOST,
     .plan = {.workgroup = true, .keep_empty = true}},
};
enum { MODES = sizeof modes / sizeof *modes, ONE_GROUP_MODES = 2 };

static const mode device_modes[] = {
    {.name = "auto", .strategy = GF_STRATEGY_AUTO},
    {.name = "auto, in place", .strategy = GF_STRATEGY_AUTO, .in_place = true},
    {.name = "native, barriers kept", .strategy = GF_STRATEGY_NATIVE, .plan = {.keep_barriers = true}},
    {.name = "native, empty stretches kept", .strategy = GF_STRATEGY_NATIVE, .plan = {.keep_empty = true}},
    {.name = "native, all carried", .strategy = GF_STRATEGY_NATIVE, .plan = {.all_carry = true}},
    {.name = "native, exits lowered", .strategy = GF_STRATEGY_NATIVE, .plan = {.lower_exits = true}},
    {.name = "persistent", .strategy = GF_STRATEGY_PERSISTENT},
    {.name = "host", .strategy = GF_STRATEGY_HOST},
};
enum { DEVICE_MODES = sizeof device_modes / sizeof *device_modes };

/* What the interpreter's result is compared with. */
typedef struct others {
    gf_device *device;
    const mode *modes;
    size_t count;
} others;

/* SplitMix64: the same data everywhere. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void put_element(gf_type type, unsigned char *at, uint64_t random) {
    float f = (float)(random % 1000) / 8.0f;
    uint64_t bits = random % 64 == 0 ? random : random % 100;
    if (type == GF_TYPE_F16)
        bits = 0x3c00 + random % 0x800;
    if (type == GF_TYPE_F32)
        memcpy(at, &f, sizeof f);
    else
        memcpy(at, &bits, gf_type_bytes(type));
}

static void bind_all(const gf_program *program, gf_bindings *bindings, uint32_t n, outcome *out) {
    gf_bind_u32(bindings, "n", n);
    gf_bind_u32(bindings, "n2", n / 3);
    gf_bind_u32(bindings, "n3", n / 6);
    gf_bind_u32(bindings, "k", 11);
    for (size_t i = 0; i < gf_program_buffer_count(program) && i < MOST_BUFFERS; i++) {
        gf_buffer_info info;
        gf_program_buffer_info(program, i, &info);
        bool atomic = strcmp(info.name, "sum") == 0 || strcmp(info.name, "low") == 0 ||
                      strcmp(info.name, "high") == 0 || strcmp(info.name, "mix") == 0 || strcmp(info.name, "any") == 0;
        size_t count = atomic ? 8 : n, size = gf_type_bytes(info.type);
        out->bytes[i] = count * size;
        out->data[i] = calloc(count + 1, size);
        uint64_t state = i * 1000 + n;
        for (size_t k = 0; k < count && info.role != GF_BUFFER_OUT; k++)
            put_element(info.type, out->data[i] + k * size, next_random(&state));
        if (info.role == GF_BUFFER_IN)
            gf_bind_input(bindings, info.name, out->data[i], out->bytes[i]);
        else if (info.role == GF_BUFFER_INOUT)
            gf_bind_inout(bindings, info.name, out->data[i], out->bytes[i]);
        else if (info.role == GF_BUFFER_OUT)
            gf_bind_output(bindings, info.name, out->data[i], out->bytes[i]);
    }
}

static void keep_message(outcome *out, const gf_diags *diags) {
    for (size_t i = 0; i < gf_diags_count(diags); i++) {
        gf_diag diag;
        gf_diags_get(diags, i, &diag);
        if (diag.severity == GF_SEVERITY_ERROR) {
            snprintf(out->message, sizeof out->message, "%s line %u: %s", diag.code, diag.line, diag.message);
            return;
        }
    }
}

static void run_once(gf_device *device, gf_program *program, const mode *how, uint32_t n, outcome *out) {
    gf_diags *diags = gf_diags_create();
    gf_program *again = NULL;
    memset(out, 0, sizeof *out);
    if (how->formatted) {
        char *text = gf_program_text(program, diags);
        again = text == NULL ? NULL : gf_program_parse(text, strlen(text), "formatted", diags);
        gf_free(text);
        program = again;
    }
    gf_kernel *kernel = gf_kernel_create(device, program, &(gf_kernel_options){.plan = how->plan}, diags);
    gf_bindings *bindings = gf_bindings_create(kernel);
    if (bindings != NULL)
        bind_all(program, bindings, n, out);
    gf_run_options options = {
        .strategy = how->strategy, .timeout = 60, .check_races = how->races, .in_place = how->in_place};
    out->ok = gf_run(kernel, bindings, &options, &out->stats, diags);
    keep_message(out, diags);
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_program_destroy(again);
    gf_diags_destroy(diags);
}

static void drop(outcome *out) {
    for (size_t i = 0; i < MOST_BUFFERS; i++)
        free(out->data[i]);
}

static bool same(const gf_program *program, const outcome *a, const outcome *b, bool checked, char *why, size_t size) {
    /* Checked mode refuses what the language otherwise gives a meaning to: that is not a difference. */
    if (!b->ok && checked && (strncmp(b->message, "GF0706", 6) == 0 || strncmp(b->message, "GF0707", 6) == 0))
        return true;
    /* A construct of the grid in a program that was to have none: not to be cut at workgroup barriers. */
    if (!b->ok && strncmp(b->message, "GF0501", 6) == 0)
        return true;
    if (!b->ok) {
        snprintf(why, size, "fails: %s", b->message);
        return false;
    }
    if (a->stats.passes != b->stats.passes || a->stats.converged != b->stats.converged) {
        snprintf(why, size, "passes %llu and %llu, converged %d and %d", (unsigned long long)a->stats.passes,
                 (unsigned long long)b->stats.passes, a->stats.converged, b->stats.converged);
        return false;
    }
    for (size_t i = 0; i < MOST_BUFFERS && a->data[i] != NULL; i++) {
        size_t k = 0;
        while (k < a->bytes[i] && a->data[i][k] == b->data[i][k])
            k++;
        if (k == a->bytes[i])
            continue;
        gf_buffer_info info;
        gf_program_buffer_info(program, i, &info);
        snprintf(why, size, "buffer `%s` differs at element %zu", info.name, k / gf_type_bytes(info.type));
        return false;
    }
    return true;
}

static bool try_program(gf_device *interp, const others *with, const char *name, gf_program *program) {
    static const uint32_t sizes[] = {6, 66, 0, 300};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        outcome truth;
        run_once(interp, program, &modes[0], sizes[s], &truth);
        bool good = truth.ok;
        if (!good)
            printf("%s, n = %u: native fails: %s\n", name, sizes[s], truth.message);
        for (size_t m = 0; m < with->count && good; m++) {
            const mode *how = &with->modes[m];
            outcome other;
            char why[600];
            run_once(with->device, program, how, sizes[s], &other);
            good = same(program, &truth, &other, how->races, why, sizeof why);
            if (!good)
                printf("%s, n = %u, %s: %s\n", name, sizes[s], how->name, why);
            drop(&other);
        }
        drop(&truth);
        if (!good)
            return false;
    }
    return true;
}

int main(int count, char **names) {
    static char text[MOST_TEXT];
    size_t passed = 0, failed = 0;
    gf_diags *diags = gf_diags_create();
    gf_device *interp = gf_device_open("interp", diags);
    bool one_group = count > 1 && strcmp(names[1], "--one-group") == 0;
    bool on_device = count > 2 && strcmp(names[1], "--device") == 0;
    others with = {.device = interp, .modes = modes + 1, .count = (one_group ? MODES : MODES - ONE_GROUP_MODES) - 1};
    if (on_device) {
        gf_device *device = gf_device_open_with(names[2], &(gf_device_options){.threads = 3, .no_cache = true}, diags);
        with = (others){.device = device, .modes = device_modes, .count = DEVICE_MODES};
    }
    if (with.device == NULL) {
        printf("skip device %s: it is not here\n0 passed, 0 failed, 1 skipped\n", on_device ? names[2] : "interp");
        gf_device_destroy(interp);
        gf_diags_destroy(diags);
        return 0;
    }
    for (int i = on_device ? 3 : one_group ? 2 : 1; i < count; i++) {
        FILE *file = fopen(names[i], "rb");
        size_t length = file == NULL ? 0 : fread(text, 1, sizeof text, file);
        if (file != NULL)
            fclose(file);
        gf_diags_clear(diags);
        gf_program *program = gf_program_parse(text, length, names[i], diags);
        if (program == NULL)
            gf_diags_print(diags, stdout);
        bool good = program != NULL && try_program(interp, &with, names[i], program);
        passed += good;
        failed += !good;
        gf_program_destroy(program);
    }
    if (on_device)
        gf_device_destroy(with.device);
    gf_device_destroy(interp);
    gf_diags_destroy(diags);
    printf("%zu passed, %zu failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
