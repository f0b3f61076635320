/* Which devices there are, by name. */
#include "base/str.h"
#include "dev/device.h"
#include "run/interp_device.h"
#include <string.h>

typedef struct backend_row {
    const char *name;
    const gf_backend *(*table)(void);
} backend_row;

static const backend_row rows[] = {
#define BACKEND(name, table) {name, table},
#include "run/backends.def"
#undef BACKEND
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

const char *gf_device_kind(size_t index) {
    return index < ROW_COUNT ? rows[index].name : NULL;
}

static gf_device *refuse_name(const char *name, gf_diags *diags) {
    char list[256] = "auto";
    for (size_t i = 0; i < ROW_COUNT; i++) {
        (void)strncat(list, ", ", sizeof list - strlen(list) - 1);
        (void)strncat(list, rows[i].name, sizeof list - strlen(list) - 1);
    }
    (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN, "there is no device `%s`; there are: %s", name, list);
    gf_fix(diags, "take one of these: %s", list);
    return NULL;
}

gf_device *gf_device_open(const char *name, gf_diags *diags) {
    if (name == NULL || *name == '\0' || strcmp(name, "auto") == 0) {
        return gf_device_open_backend(rows[0].table(), NULL, "", diags);
    }
    size_t length = strcspn(name, ":");
    const char *which = name[length] == ':' ? name + length + 1 : "";
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0 &&
            (name[length] == '\0' || *which != '\0')) {
            return gf_device_open_backend(rows[i].table(), NULL, which, diags);
        }
    }
    return refuse_name(name, diags);
}
