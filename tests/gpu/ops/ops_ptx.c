/* Single values in PTX on a device: every case of ptx_cases.h over many rows, bit for bit with ir/eval.h.
 *
 *     ptx-ops-test [--rows N] [--only TEXT] [--list] [--emit FILE]
 *
 * N is the number of rows of a case (default 16384; elementary functions have 16 times as many). TEXT picks the
 * cases in whose name it stands. --emit writes the PTX and runs nothing. Ends with 77 where there is no device. */
#include "gpu/ops/driver.h"
#include "unit/emit/ptx_cases.h"

#include <stdlib.h>

enum { SKIPPED = 77, MODULE_CASES = 200, SHOWN = 5, MORE = 16 };

static ptx_list list;

typedef struct options {
    size_t rows;
    const char *only, *emit;
    bool lists;
} options;

static bool is_wanted(const options *o, const ptx_case *it) {
    char name[128];
    ptx_say(it, name, sizeof name);
    return o->only == NULL || strstr(name, o->only) != NULL;
}

static void keep_wanted(const options *o) {
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (is_wanted(o, &list.cases[i])) {
            list.cases[kept++] = list.cases[i];
        }
    }
    list.count = kept;
}

/* The cases from `first` on, at most `most`, as one module. */
static gf_str emit_module(size_t first, size_t most) {
    gf_str text = {0};
    gf_str_add(&text, ".version 6.0\n.target sm_70\n.address_size 64\n");
    for (size_t i = first; i < list.count && i < first + most; i++) {
        char name[32];
        snprintf(name, sizeof name, "case_%zu", i);
        ptx_emit_kernel(&text, &list.cases[i], name);
    }
    return text;
}

static int write_text(const char *path) {
    gf_str text = emit_module(0, list.count);
    FILE *file = fopen(path, "w");
    bool written = file != NULL && !text.failed && fwrite(text.text, 1, text.length, file) == text.length;
    if (file == NULL || fclose(file) != 0 || !written) {
        fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    gf_str_free(&text);
    return 0;
}

typedef struct rows {
    uint64_t (*in)[3];
    uint64_t *out;
    uint64_t device_in, device_out;
    size_t room;
} rows;

static size_t row_count(const options *o, const ptx_case *it, size_t room) {
    size_t count = ptx_is_elementary(it) ? o->rows * MORE : o->rows;
    if (it->fixed == (1u << ptx_arity(it)) - 1) {
        count = 1;
    }
    return count < room ? count : room;
}

/* How many rows of the case came out wrong. */
static size_t run_case(const options *o, const ptx_case *it, driver_kernel kernel, rows *r) {
    size_t count = row_count(o, it, r->room), wrong = 0;
    for (size_t i = 0; i < count; i++) {
        ptx_fill_row(it, i, r->in[i]);
    }
    driver_put(r->device_in, r->in, count * sizeof *r->in);
    driver_zero(r->device_out, count * sizeof *r->out);
    driver_run(kernel, r->device_in, r->device_out, (uint32_t)count);
    driver_take(r->out, r->device_out, count * sizeof *r->out);
    for (size_t i = 0; i < count; i++) {
        uint64_t expected = ptx_expect(it, r->in[i]);
        if (ptx_equals(it, r->out[i], expected)) {
            continue;
        }
        if (wrong++ < SHOWN) {
            char name[128];
            ptx_say(it, name, sizeof name);
            printf("FAIL %s: of %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ", not %016" PRIx64 "\n",
                   name, r->in[i][0], r->in[i][1], r->in[i][2], r->out[i], expected);
        }
    }
    if (wrong > SHOWN) {
        printf("     and %zu of %zu rows more\n", wrong - SHOWN, count);
    }
    return wrong;
}

static int run_all(const options *o) {
    rows r = {.room = o->rows * MORE};
    size_t failed = 0;
    r.in = malloc(r.room * sizeof *r.in);
    r.out = malloc(r.room * sizeof *r.out);
    if (r.in == NULL || r.out == NULL) {
        free(r.in);
        free(r.out);
        printf("no memory\n0 passed, 1 failed, 0 skipped\n");
        return 1;
    }
    r.device_in = driver_alloc(r.room * sizeof *r.in);
    r.device_out = driver_alloc(r.room * sizeof *r.out);
    for (size_t first = 0; first < list.count; first += MODULE_CASES) {
        gf_str text = emit_module(first, MODULE_CASES);
        driver_module module = driver_load(text.failed ? "" : text.text);
        gf_str_free(&text);
        for (size_t i = first; i < list.count && i < first + MODULE_CASES; i++) {
            char name[32];
            snprintf(name, sizeof name, "case_%zu", i);
            failed += run_case(o, &list.cases[i], driver_find(module, name), &r) != 0;
        }
        driver_unload(module);
    }
    free(r.in);
    free(r.out);
    printf("%zu passed, %zu failed, 0 skipped\n", list.count - failed, failed);
    return failed != 0;
}

static bool read_options(options *o, int count, char **words) {
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(words[i], "--list") == 0) {
            o->lists = true;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(words[i], "--rows") == 0) {
            o->rows = strtoul(value, NULL, 10);
        } else if (strcmp(words[i], "--only") == 0) {
            o->only = value;
        } else if (strcmp(words[i], "--emit") == 0) {
            o->emit = value;
        } else {
            return false;
        }
        i++;
    }
    return o->rows > 0 && o->rows <= (1u << 26);
}

int main(int count, char **words) {
    options o = {.rows = 1u << 14};
    char why[128];
    gf_float_mode mode;
    if (!read_options(&o, count, words)) {
        fprintf(stderr, "usage: ptx-ops-test [--rows N] [--only TEXT] [--list] [--emit FILE]\n");
        return 2;
    }
    ptx_list_all(&list);
    if (list.count > PTX_CASES) {
        printf("%zu cases do not fit the list\n0 passed, 1 failed, 0 skipped\n", list.count);
        return 1;
    }
    keep_wanted(&o);
    for (size_t i = 0; o.lists && i < list.count; i++) {
        char name[128];
        ptx_say(&list.cases[i], name, sizeof name);
        printf("%s\n", name);
    }
    if (o.lists || o.emit != NULL) {
        return o.emit != NULL ? write_text(o.emit) : 0;
    }
    if (!driver_open(why, sizeof why)) {
        printf("skipped: %s\n0 passed, 0 failed, %zu skipped\n", why, list.count);
        return SKIPPED;
    }
    printf("on %s\n", driver_device());
    gf_float_mode_enter(&mode);
    int status = run_all(&o);
    gf_float_mode_leave(&mode);
    return status;
}
