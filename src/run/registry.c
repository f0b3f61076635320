/* Which devices there are, by name, and what they are opened with. */
#ifdef GF_HAVE_LLVM
#include "backend/cpu/device.h"
#endif
#include "backend/cuda/device.h"
#include "base/str.h"
#include "dev/device.h"
#include "run/interp_device.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct backend_row {
    const char *name;
    const gf_backend *(*table)(void);
    bool may_be_absent;
} backend_row;

static const backend_row rows[] = {
#define BACKEND(name, table, may_be_absent) {name, table, may_be_absent},
#include "run/backends.def"
#undef BACKEND
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

const char *gf_device_kind(size_t index) {
    return index < ROW_COUNT ? rows[index].name : NULL;
}

static gf_device *refuse_name(const char *name, size_t length, gf_diags *diags) {
    char list[256] = "auto";
    for (size_t i = 0; i < ROW_COUNT; i++) {
        (void)strncat(list, ", ", sizeof list - strlen(list) - 1);
        (void)strncat(list, rows[i].name, sizeof list - strlen(list) - 1);
    }
    (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN, "there is no device `%s`; there are: %s", name, list);
    if (length == 3 && memcmp(name, "cpu", 3) == 0) {
        gf_note(diags, GF_NO_SPAN, "this library was built without LLVM 19, by which device `cpu` compiles");
    }
    gf_fix(diags, "take one of these: %s", list);
    return NULL;
}

/* ---- options ---- */

/* What GRIDFENCE_THREADS says; 0 where it is not set. */
static bool read_threads(unsigned *threads, gf_diags *diags) {
    const char *text = getenv("GRIDFENCE_THREADS");
    if (text == NULL || *text == '\0') {
        return true;
    }
    char *end = NULL;
    errno = 0;
    unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || value < 1 || value > GF_DEVICE_MAX_THREADS) {
        (void)gf_fail(diags, GF_CODE_OPTION_VALUE, GF_NO_SPAN,
                      "GRIDFENCE_THREADS is '%.60s', which is not a number of threads from 1 to %d", text,
                      GF_DEVICE_MAX_THREADS);
        gf_fix(diags, "set it to a number, or leave it out: then every CPU gets a thread");
        return false;
    }
    *threads = (unsigned)value;
    return true;
}

/* The caller's options whole; threads that are still 0 are one per CPU. */
static bool read_options(gf_device_options *whole, const gf_device_options *given, gf_diags *diags) {
    *whole = (gf_device_options){0};
    if (given != NULL) {
        size_t size = given->size == 0 || given->size > sizeof *whole ? sizeof *whole : given->size;
        memcpy(whole, given, size);
    }
    whole->size = sizeof *whole;
    if (whole->threads > GF_DEVICE_MAX_THREADS) {
        return gf_fail(diags, GF_CODE_OPTION_VALUE, GF_NO_SPAN, "%u threads are more than the %d that a device takes",
                       whole->threads, GF_DEVICE_MAX_THREADS);
    }
    return whole->threads > 0 || read_threads(&whole->threads, diags);
}

/* ---- opening ---- */

static const backend_row *find_row(const char *name, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Why one was passed over, `gf_device_open` of its own name says. */
static gf_device *open_first(gf_device_options *options, gf_diags *diags) {
    size_t i = 0;
    for (; rows[i].may_be_absent; i++) {
        gf_device *device = gf_device_open_backend(rows[i].table(), options, "", NULL);
        if (device != NULL) {
            return device;
        }
    }
    return gf_device_open_backend(rows[i].table(), options, "", diags);
}

gf_device *gf_device_open_with(const char *name, const gf_device_options *options, gf_diags *diags) {
    gf_device_options whole;
    name = name != NULL ? name : "";
    size_t length = strcspn(name, ":");
    const char *which = name[length] == ':' ? name + length + 1 : "";
    bool is_auto = *name == '\0' || strcmp(name, "auto") == 0;
    const backend_row *row = is_auto ? NULL : find_row(name, length);
    if (!is_auto && (row == NULL || (name[length] == ':' && *which == '\0'))) {
        return refuse_name(name, length, diags);
    }
    if (!read_options(&whole, options, diags)) {
        return NULL;
    }
    return is_auto ? open_first(&whole, diags) : gf_device_open_backend(row->table(), &whole, which, diags);
}

gf_device *gf_device_open(const char *name, gf_diags *diags) {
    return gf_device_open_with(name, NULL, diags);
}
