/* Figures of a GPU: where they come from, and what people are told of them. */
#include "backend/cuda/measure.h"
#include "backend/cuda/weigh.h"
#include "base/disk_cache.h"
#include "base/memory.h"
#include <gridfence/base.h>
#include <stdio.h>
#include <string.h>

#define FORM 2 /* of what is measured and how: another form is measured again */
#define KEY_BYTES 256
#define SLICE 250e-6 /* seconds: no GPU that is there for one process alone takes so long to begin and tell */

gf_cuda_figures gf_cuda_figures_default(void) {
    return (gf_cuda_figures){.barrier = {0.85e-6, 0.86e-6, 1.11e-6, 1.73e-6, 0.90e-6, 0.94e-6},
                             .launch = 8.8e-6,
                             .launch_more = 3.7e-6,
                             .graph = 7.0e-6,
                             .node = {1.33e-6, 1.68e-6},
                             .idle = {1.2e-6, 1.6e-6},
                             .turn = 3.8e-6,
                             .up = 55e9,
                             .down = 55e9,
                             .copy = 4.2e12};
}

/* ---- on disk ---- */

static size_t make_key(const gf_cuda_facts *facts, char key[KEY_BYTES]) {
    int used = snprintf(key, KEY_BYTES, "cuda figures %d\n%d.%d.%d\n%s\n%d\n", FORM, GF_VERSION_MAJOR, GF_VERSION_MINOR,
                        GF_VERSION_PATCH, facts->name, facts->driver_version);
    size_t at = (size_t)used;
    for (size_t i = 0; i < sizeof facts->uuid.bytes; i++, at += 2) {
        (void)snprintf(key + at, KEY_BYTES - at, "%02x", (unsigned)(unsigned char)facts->uuid.bytes[i]);
    }
    return at;
}

/* Nothing that no GPU could have measured is believed: a file, or a clock, may be wrong; nor what one measures that has
 * others to serve meanwhile: with four processes at an H200 a launch and back took 543 us, which are slices of time. */
static bool is_believable(const gf_cuda_figures *figures) {
    if (figures->launch > SLICE || figures->graph > SLICE) {
        return false;
    }
    double seconds[] = {figures->barrier[0], figures->launch,  figures->launch_more, figures->graph,
                        figures->node[0],    figures->node[1], figures->idle[0],     figures->idle[1]};
    double rates[] = {figures->up, figures->down, figures->copy};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        if (!(seconds[i] > 1e-9 && seconds[i] < 1e-2)) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        if (!(rates[i] > 1e7 && rates[i] < 1e15)) {
            return false;
        }
    }
    for (size_t i = 1; i < GF_CUDA_BARRIERS; i++) {
        if (!(figures->barrier[i] >= 0 && figures->barrier[i] < 1e-2)) {
            return false;
        }
    }
    return figures->turn >= 0 && figures->turn < 1e-2;
}

static bool read_figures(const gf_cuda_device *device, gf_cuda_figures *figures) {
    char key[KEY_BYTES];
    void *data = NULL;
    size_t bytes = 0, key_bytes = make_key(&device->facts, key);
    gf_disk_cache *disk = device->options.no_cache ? NULL : gf_disk_cache_open(NULL, 0);
    bool found = gf_disk_cache_get(disk, key, key_bytes, &data, &bytes);
    bool done = found && bytes == sizeof *figures;
    if (done) {
        memcpy(figures, data, sizeof *figures);
        done = is_believable(figures);
    }
    gf_free(data);
    gf_disk_cache_close(disk);
    return done;
}

void gf_cuda_figures_keep(const gf_cuda_device *device, const gf_cuda_figures *figures) {
    char key[KEY_BYTES];
    size_t key_bytes = make_key(&device->facts, key);
    gf_disk_cache *disk = device->options.no_cache ? NULL : gf_disk_cache_open(NULL, 0);
    (void)gf_disk_cache_put(disk, key, key_bytes, figures, sizeof *figures);
    gf_disk_cache_close(disk);
}

/* ---- asking ---- */

static bool measure(gf_cuda_device *device, gf_cuda_figures *figures) {
    if (!gf_cuda_enter(&device->context, NULL)) {
        return false;
    }
    bool done = gf_cuda_measure(device, figures, NULL) && is_believable(figures);
    gf_cuda_leave(&device->context);
    return done;
}

gf_cuda_figures gf_cuda_figures_get(gf_cuda_device *device, gf_cuda_figures_origin *origin) {
    (void)pthread_mutex_lock(&device->figures_lock);
    if (device->figures_origin == GF_CUDA_FIGURES_NONE) {
        device->figures_origin = GF_CUDA_FIGURES_MEASURED;
        if (!read_figures(device, &device->figures)) {
            if (measure(device, &device->figures)) {
                gf_cuda_figures_keep(device, &device->figures);
            } else {
                device->figures = gf_cuda_figures_default();
                device->figures_origin = GF_CUDA_FIGURES_DEFAULT;
            }
        }
    }
    gf_cuda_figures figures = device->figures;
    if (origin != NULL) {
        *origin = device->figures_origin;
    }
    (void)pthread_mutex_unlock(&device->figures_lock);
    return figures;
}

bool gf_cuda_figures_peek(gf_cuda_device *device, gf_cuda_figures *figures) {
    (void)pthread_mutex_lock(&device->figures_lock);
    if (device->figures_origin == GF_CUDA_FIGURES_NONE && read_figures(device, &device->figures)) {
        device->figures_origin = GF_CUDA_FIGURES_MEASURED;
    }
    bool done = device->figures_origin == GF_CUDA_FIGURES_MEASURED;
    *figures = device->figures;
    (void)pthread_mutex_unlock(&device->figures_lock);
    return done;
}

/* ---- for people ---- */

static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", more);
}

void gf_cuda_figures_describe(const gf_cuda_figures *figures, const gf_cuda_facts *facts, char *text, size_t size) {
    static const unsigned each[] = GF_CUDA_BARRIER_BLOCKS, of[] = GF_CUDA_BARRIER_THREADS;
    char line[256], a[16], b[16], c[16], d[16];
    append(text, size, "grid barrier: ");
    for (int i = 0; i < GF_CUDA_BARRIERS; i++) {
        if (figures->barrier[i] > 0) {
            (void)snprintf(line, sizeof line, "%s%s by %u x %u", i > 0 ? ", " : "",
                           gf_cuda_spell_seconds(figures->barrier[i], a), each[i] * (unsigned)facts->sms, of[i]);
            append(text, size, line);
        }
    }
    (void)snprintf(line, sizeof line, "\nlaunch: %s and back, %s each behind another\n",
                   gf_cuda_spell_seconds(figures->launch, a), gf_cuda_spell_seconds(figures->launch_more, b));
    append(text, size, line);
    (void)snprintf(line, sizeof line, "graph: %s and back, a kernel in it %s to %s, that finds nothing to do %s",
                   gf_cuda_spell_seconds(figures->graph, a), gf_cuda_spell_seconds(figures->node[0], b),
                   gf_cuda_spell_seconds(figures->node[1], c), gf_cuda_spell_seconds(figures->idle[0], d));
    append(text, size, line);
    if (figures->turn > 0) {
        (void)snprintf(line, sizeof line, ", a turn of a loop %s", gf_cuda_spell_seconds(figures->turn, a));
        append(text, size, line);
    }
    (void)snprintf(line, sizeof line, "\nbandwidth: %.3g GB/s up, %.3g GB/s down, %.4g GB/s on the device\n",
                   figures->up / 1e9, figures->down / 1e9, figures->copy / 1e9);
    append(text, size, line);
}
