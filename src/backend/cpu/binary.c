#include "backend/cpu/binary.h"
#include "backend/cpu/build_id.h"
#include "base/memory.h"
#include "base/str.h"
#include "ir/program.h"
#include "plan/plan.h"
#include <gridfence/base.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* What is kept on disk: this, then the infos of the segments, then the object. */
typedef struct blob_head {
    uint64_t segment_count, scalar_count, object_bytes;
} blob_head;

bool gf_binary_store_init(gf_binary_store *store, bool use_disk, bool unchecked, gf_diags *diags) {
    *store = (gf_binary_store){.unchecked = unchecked};
    if (pthread_mutex_init(&store->lock, NULL) != 0) {
        return gf_fail_memory(diags);
    }
    store->disk = use_disk ? gf_disk_cache_open(NULL, 0) : NULL;
    return true;
}

void gf_binary_store_finish(gf_binary_store *store) {
    gf_jit_destroy(store->jit);
    gf_disk_cache_close(store->disk);
    (void)pthread_mutex_destroy(&store->lock);
}

/* Under the lock. */
static gf_jit *need_jit(gf_binary_store *store, gf_diags *diags) {
    if (store->jit == NULL) {
        store->jit = gf_jit_create(diags);
    }
    return store->jit;
}

gf_jit *gf_binary_store_jit(gf_binary_store *store, gf_diags *diags) {
    (void)pthread_mutex_lock(&store->lock);
    gf_jit *jit = need_jit(store, diags);
    (void)pthread_mutex_unlock(&store->lock);
    return jit;
}

/* ---- the key: everything that the code depends on ---- */

static bool make_key(const gf_binary_store *store, const gf_plan *plan, const gf_binary_options *options, gf_str *key) {
    char build[128];
    gf_build_id(build, sizeof build);
    const gf_plan_options *p = &plan->options;
    gf_str_addf(key, "gridfence %d.%d.%d build %s\nLLVM %s\ncpu %s %s\nplan %d%d%d%d%d%d%d\nchecked %d unchecked %d\n",
                GF_VERSION_MAJOR, GF_VERSION_MINOR, GF_VERSION_PATCH, build, gf_jit_version(store->jit),
                gf_jit_cpu(store->jit), gf_jit_features(store->jit), p->keep_barriers, p->keep_empty, p->many_passes,
                p->all_carry, p->lower_exits, p->all_recompute, p->checked, options->checked, store->unchecked);
    for (size_t i = 0; i < plan->buffer_count; i++) {
        gf_str_addf(key, "%d", options->tracked != NULL && options->tracked[i]);
    }
    gf_str_add(key, "\n");
    return gf_print_tree(plan->program->checked, key) && !key->failed;
}

static void symbol_of(const char *key, size_t bytes, char symbol[64]) {
    XXH128_hash_t hash = XXH3_128bits(key, bytes);
    (void)snprintf(symbol, 64, "gf_table_%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

/* ---- making code ---- */

gf_llvm_options gf_binary_emit_options(gf_binary_store *store, const gf_binary_options *options) {
    return (gf_llvm_options){.table = "gf_table",
                             .converts_half = gf_jit_has_feature(store->jit, "f16c"),
                             .checked = options->checked,
                             .unchecked = store->unchecked && !options->checked,
                             .tracked = options->tracked};
}

static bool load(gf_binary_store *store, gf_binary *code, const char *symbol, const void *object, size_t bytes,
                 gf_diags *diags) {
    if (!gf_jit_load(store->jit, object, bytes, symbol, &code->loaded, diags)) {
        return false;
    }
    /* The table is an array of addresses of functions of two kinds; where a program does nothing it lies nowhere. */
    if (code->loaded.symbol != NULL) {
        code->segment_functions = (gf_abi_segment *const *)code->loaded.symbol;
        code->scalars = (gf_abi_scalar *const *)code->loaded.symbol + code->segment_count;
    }
    return true;
}

static bool take_segments(gf_binary *code, const void *infos, size_t count, gf_diags *diags) {
    code->segments = gf_calloc(count, sizeof *code->segments);
    code->segment_count = count;
    if (code->segments == NULL) {
        return gf_fail_memory(diags);
    }
    if (count > 0) {
        memcpy(code->segments, infos, count * sizeof *code->segments);
    }
    return true;
}

static void keep_on_disk(gf_binary_store *store, const gf_binary *code, size_t scalar_count, const void *object,
                         size_t object_bytes) {
    size_t infos = code->segment_count * sizeof *code->segments;
    size_t bytes = sizeof(blob_head) + infos + object_bytes;
    char *blob = store->disk != NULL ? gf_malloc(bytes) : NULL;
    if (blob == NULL) {
        return;
    }
    blob_head head = {.segment_count = code->segment_count, .scalar_count = scalar_count, .object_bytes = object_bytes};
    memcpy(blob, &head, sizeof head);
    if (infos > 0) {
        memcpy(blob + sizeof head, code->segments, infos);
    }
    memcpy(blob + sizeof head + infos, object, object_bytes);
    (void)gf_disk_cache_put(store->disk, code->key, code->key_bytes, blob, bytes);
    gf_free(blob);
}

static bool compile_module(gf_binary_store *store, gf_binary *code, gf_llvm_module *module, const char *symbol,
                           gf_diags *diags) {
    gf_jit_target(store->jit, module->module);
    if (!gf_jit_optimize(store->jit, module->module, diags)) {
        return false;
    }
    LLVMMemoryBufferRef object = gf_jit_object(store->jit, module->module, diags);
    if (object == NULL) {
        return false;
    }
    const void *data = LLVMGetBufferStart(object);
    size_t bytes = LLVMGetBufferSize(object);
    bool done = take_segments(code, module->segments, module->segment_count, diags) &&
                load(store, code, symbol, data, bytes, diags);
    if (done) {
        keep_on_disk(store, code, module->scalar_count, data, bytes);
    }
    LLVMDisposeMemoryBuffer(object);
    return done;
}

static bool compile(gf_binary_store *store, gf_binary *code, const gf_plan *plan, const gf_binary_options *options,
                    const char *symbol, gf_diags *diags) {
    gf_llvm_module module = {0};
    gf_llvm_options emit = gf_binary_emit_options(store, options);
    emit.table = symbol;
    bool done = gf_llvm_emit(plan, &emit, &module, diags) && compile_module(store, code, &module, symbol, diags);
    gf_llvm_module_finish(&module);
    return done;
}

/* False where it is not there, or is not what it should be. */
static bool find_on_disk(gf_binary_store *store, gf_binary *code, const gf_plan *plan, const char *symbol) {
    void *data = NULL;
    size_t bytes = 0;
    if (!gf_disk_cache_get(store->disk, code->key, code->key_bytes, &data, &bytes)) {
        return false;
    }
    blob_head head = {0};
    bool done = bytes >= sizeof head;
    if (done) {
        memcpy(&head, data, sizeof head);
    }
    size_t infos = plan->segment_count * sizeof *code->segments;
    done = done && head.segment_count == plan->segment_count &&
           head.scalar_count == gf_llvm_each_scalar(plan, NULL, NULL) && bytes - sizeof head >= infos &&
           bytes - sizeof head - infos == head.object_bytes &&
           take_segments(code, (char *)data + sizeof head, plan->segment_count, NULL) &&
           load(store, code, symbol, (char *)data + sizeof head + infos, head.object_bytes, NULL);
    if (!done) {
        gf_free(code->segments);
        code->segments = NULL;
    }
    gf_free(data);
    return done;
}

static void destroy(gf_binary_store *store, gf_binary *code) {
    gf_jit_unload(store->jit, &code->loaded);
    gf_free(code->segments);
    gf_free(code->key);
    gf_free(code);
}

static gf_binary *make(gf_binary_store *store, const gf_plan *plan, const gf_binary_options *options, char *key,
                       size_t key_bytes, gf_diags *diags) {
    gf_binary *code = gf_calloc(1, sizeof *code);
    if (code == NULL) {
        gf_free(key);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    char symbol[64];
    *code = (gf_binary){.references = 1, .key = key, .key_bytes = key_bytes};
    symbol_of(key, key_bytes, symbol);
    if (!find_on_disk(store, code, plan, symbol) && !compile(store, code, plan, options, symbol, diags)) {
        destroy(store, code);
        return NULL;
    }
    code->next = store->first;
    store->first = code;
    return code;
}

/* Under the lock: two kernels that want the same code at once compile it once. */
static gf_binary *get_locked(gf_binary_store *store, const gf_plan *plan, const gf_binary_options *options,
                             gf_diags *diags) {
    gf_str key = {0};
    if (need_jit(store, diags) == NULL) {
        return NULL;
    }
    if (!make_key(store, plan, options, &key)) {
        gf_str_free(&key);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    for (gf_binary *code = store->first; code != NULL; code = code->next) {
        if (code->key_bytes == key.length && memcmp(code->key, key.text, key.length) == 0) {
            code->references++;
            gf_str_free(&key);
            return code;
        }
    }
    return make(store, plan, options, key.text, key.length, diags);
}

gf_binary *gf_binary_get(gf_binary_store *store, const gf_plan *plan, const gf_binary_options *options,
                         gf_diags *diags) {
    (void)pthread_mutex_lock(&store->lock);
    gf_binary *code = get_locked(store, plan, options, diags);
    (void)pthread_mutex_unlock(&store->lock);
    return code;
}

void gf_binary_release(gf_binary_store *store, gf_binary *code) {
    if (code == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&store->lock);
    if (--code->references == 0) {
        gf_binary **at = &store->first;
        while (*at != code) {
            at = &(*at)->next;
        }
        *at = code->next;
        destroy(store, code);
    }
    (void)pthread_mutex_unlock(&store->lock);
}
