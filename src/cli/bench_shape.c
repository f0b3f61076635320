/* Sizes of workloads other than the set ones. */
#include "cli/workloads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number or 2^K, at the begin of the text; *end stands behind it. 0 where there is none that fits. */
static uint32_t read_size(const char *text, const char **end) {
    char *stop = NULL;
    unsigned long long value = *text >= '0' && *text <= '9' ? strtoull(text, &stop, 10) : 0;
    if (value == 2 && *stop == '^' && stop[1] >= '0' && stop[1] <= '9') {
        unsigned long power = strtoul(stop + 1, &stop, 10);
        value = power < 32 ? 1ULL << power : 0;
    }
    *end = stop != NULL ? stop : text;
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

bool gf_bench_shape_read(const char *text, gf_bench_shape *out, gf_diags *diags) {
    const struct {
        const char *name;
        uint32_t *value;
        uint32_t most;
    } keys[] = {{"scale=", &out->scale, 26},
                {"chain=", &out->layers, 20000},
                {"side=", &out->side, 32768},
                {"sweeps=", &out->sweeps, 1000000},
                {"groups=", &out->groups, 65536},
                {"group=", &out->group, 1024},
                {"count=", &out->count, (uint32_t)1 << 31}};
    *out = (gf_bench_shape){0};
    for (const char *at = text; *at != '\0';) {
        const char *end = at;
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            size_t length = strlen(keys[i].name);
            if (strncmp(at, keys[i].name, length) == 0) {
                *keys[i].value = read_size(at + length, &end);
                end = *keys[i].value > 0 && *keys[i].value <= keys[i].most ? end : at;
            }
        }
        if (end == at || (*end != ',' && *end != '\0')) {
            (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "'%.60s' is no size of a workload", at);
            gf_fix(
                diags,
                "scale=N, chain=N, side=N, sweeps=N, count=N, groups=N or group=N, separated by commas; N may be 2^K");
            return false;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static void put_count(uint32_t count, char out[32]) {
    unsigned power = 0;
    while (power < 31 && count >> power > 1) {
        power++;
    }
    if (count == (uint32_t)1 << power && power > 9) {
        (void)snprintf(out, 32, " 2^%u", power);
    } else {
        (void)snprintf(out, 32, " %u", (unsigned)count);
    }
}

void gf_bench_shape_label(const gf_bench_shape *shape, char out[32]) {
    out[0] = '\0';
    if (shape->layers > 0) {
        (void)snprintf(out, 32, " chain");
    } else if (shape->scale > 0) {
        (void)snprintf(out, 32, " 2^%u", (unsigned)shape->scale);
    } else if (shape->side > 0) {
        (void)snprintf(out, 32, " %u", (unsigned)shape->side);
    } else if (shape->groups > 0) {
        (void)snprintf(out, 32, " %ux%u", (unsigned)shape->groups, (unsigned)(shape->group > 0 ? shape->group : 256));
    } else if (shape->count > 0) {
        put_count(shape->count, out);
    }
}
