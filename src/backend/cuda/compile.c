/* One kernel: its text, what the driver's compiler makes of it, and how many blocks fit. */
#include "backend/cuda/kernel.h"
#include "base/memory.h"
#include "emit/ptx/abi.h"
#include <stdio.h>
#include <string.h>

#define LOG_BYTES 4096
#define TEAM 256
#define FULL 1024 /* threads of a multiprocessor for which it has 64 registers each */
#define LISTED 3  /* blocks of half as many, where rows go to the list of the grid: 42 registers */

static uint32_t group_size(const gf_plan *plan) {
    const uint32_t *size = plan->program->checked->kernel.workgroup;
    return size[0] * size[1] * size[2];
}

/* The driver's messages are part of ours: text that it does not take is our own fault, and they say what of it. */
static bool load_module(gf_cuda_context *context, gf_cuda_image *image, const char *text, gf_diags *diags) {
    char log[LOG_BYTES] = "";
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
    CUresult result = context->driver->cuModuleLoadDataEx(&image->module, text, 2, names, values);
    if (result == CUDA_SUCCESS) {
        return true;
    }
    image->module = NULL;
    (void)gf_cuda_try(context, result, "cuModuleLoadDataEx", diags);
    log[strcspn(log, "\n")] = '\0';
    if (log[0] != '\0') {
        gf_note(diags, GF_NO_SPAN, "the driver's compiler says: %s", log);
    }
    return false;
}

bool gf_cuda_image_load(gf_cuda_context *context, gf_cuda_image *image, gf_ptx_module *text, gf_diags *diags) {
    size_t bytes = 0;
    image->words = gf_calloc(text->arg_words, sizeof *image->words);
    bool done = (image->words != NULL || gf_fail_memory(diags)) && load_module(context, image, text->text, diags) &&
                gf_cuda_try(context, context->driver->cuModuleGetGlobal(&image->args, &bytes, image->module, "gf_args"),
                            "cuModuleGetGlobal", diags);
    gf_free(text->text);
    text->text = NULL;
    return done;
}

void gf_cuda_image_finish(gf_cuda_context *context, gf_cuda_image *image) {
    if (image->module != NULL && gf_cuda_can_free(context)) {
        (void)context->driver->cuModuleUnload(image->module);
    }
    gf_free(image->words);
}

static bool read_attribute(gf_cuda_context *context, const gf_cuda_code *code, CUfunction_attribute attribute,
                           int *value, gf_diags *diags) {
    return gf_cuda_try(context, context->driver->cuFuncGetAttribute(value, attribute, code->function),
                       "cuFuncGetAttribute", diags);
}

uint64_t gf_cuda_code_near_offset(const gf_cuda_code *code) {
    return (code->text.shared_bytes + GF_PTX_NEAR_UNIT - 1) / GF_PTX_NEAR_UNIT * GF_PTX_NEAR_UNIT;
}

/* How many blocks fit with room for buffers that may stay near: none where the driver says no, which is no error. */
static bool look_for_room(gf_cuda_context *context, gf_cuda_code *code, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    uint64_t bytes = gf_cuda_code_near_offset(code) + code->text.near_bytes;
    CUresult result =
        driver->cuFuncSetAttribute(code->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
    if (result == CUDA_SUCCESS) {
        result = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&code->near_per_sm, code->function,
                                                                     (int)code->threads, bytes);
    }
    code->near_per_sm = result == CUDA_SUCCESS ? code->near_per_sm : 0;
    return result != CUDA_ERROR_OUT_OF_MEMORY && !gf_cuda_is_sticky(result)
               ? true
               : gf_cuda_try(context, result, "cuFuncSetAttribute", diags);
}

static bool look_at_function(gf_cuda_context *context, gf_cuda_code *code, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    int local = 0, most = 0;
    const char *name = code->options.by_steps ? "gf_step" : "gf_whole";
    if (code->options.by_steps &&
        !gf_cuda_try(context, driver->cuModuleGetFunction(&code->steps.more, code->image.module, "gf_more"),
                     "cuModuleGetFunction", diags)) {
        return false;
    }
    if (!gf_cuda_try(context, driver->cuModuleGetFunction(&code->function, code->image.module, name),
                     "cuModuleGetFunction", diags) ||
        !read_attribute(context, code, CU_FUNC_ATTRIBUTE_NUM_REGS, &code->registers, diags) ||
        !read_attribute(context, code, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local, diags) ||
        !read_attribute(context, code, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most, diags)) {
        return false;
    }
    int spilled = local - (int)code->text.local_bytes;
    bool may_spill = code->text.sums_rows || code->text.list_bytes > 0;
    code->spilled = spilled > (may_spill ? GF_CUDA_FEW_SPILLED : 0) ? spilled : 0;
    if (code->text.near_bytes > 0 && !look_for_room(context, code, diags)) {
        return false;
    }
    if (code->text.shared_bytes > 0 && code->near_per_sm == 0 &&
        !gf_cuda_try(context,
                     driver->cuFuncSetAttribute(code->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                (int)code->text.shared_bytes),
                     "cuFuncSetAttribute", diags)) {
        return false;
    }
    return gf_cuda_try(context,
                       driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&code->blocks_per_sm, code->function,
                                                                           (int)code->threads, code->text.shared_bytes),
                       "cuOccupancyMaxActiveBlocksPerMultiprocessor", diags);
}

/* Whether blocks may have so many threads: where invocations keep their threads a workgroup must be in one block. */
static bool may_have(const gf_cuda_kernel *kernel, const gf_ptx_options *options, uint32_t threads) {
    return !options->native || threads >= group_size(kernel->plan);
}

/* Where a block must be a workgroup it has that size, which is known once the text is there. */
static bool emit(const gf_cuda_kernel *kernel, gf_cuda_code *code, gf_diags *diags) {
    if (!gf_ptx_emit_whole(kernel->plan, &code->options, &code->text, diags)) {
        return false;
    }
    uint32_t size = group_size(kernel->plan), unit = code->text.by_teams ? TEAM : 32;
    /* What 32 registers do not hold need not be tried. */
    uint32_t wanted = code->text.block_size > 0 ? code->text.block_size : FULL / 2;
    bool is_heavy =
        code->text.pack_weight > GF_PTX_HEAVY_PACK && !code->text.sums_rows && code->options.threads > wanted;
    bool has_list = code->text.list_bytes > 0 && code->options.threads > FULL / 2;
    bool shrinks = (is_heavy || has_list) && may_have(kernel, &code->options, wanted);
    if (!code->text.by_group && !shrinks) {
        return true;
    }
    if (code->text.by_group) {
        code->options.threads = (size + unit - 1) / unit * unit;
        code->options.blocks = 1;
    } else {
        code->options.threads = wanted;
        code->options.blocks = has_list && wanted == FULL / 2 ? LISTED : FULL / wanted;
    }
    gf_ptx_module_finish(&code->text);
    return gf_ptx_emit_whole(kernel->plan, &code->options, &code->text, diags);
}

static gf_cuda_code *compile(gf_cuda_kernel *kernel, const gf_ptx_options *options, gf_diags *diags) {
    gf_cuda_code *code = gf_calloc(1, sizeof *code);
    if (code == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    code->options = *options;
    code->options.tracked = kernel->tracked;
    bool done = emit(kernel, code, diags);
    code->threads = code->options.threads;
    done = done && gf_cuda_image_load(&kernel->device->context, &code->image, &code->text, diags) &&
           look_at_function(&kernel->device->context, code, diags);
    if (!done) {
        gf_cuda_code_destroy(&kernel->device->context, code);
        return NULL;
    }
    return code;
}

void gf_cuda_code_destroy(gf_cuda_context *context, gf_cuda_code *code) {
    gf_cuda_steps_finish(context, &code->steps);
    gf_cuda_image_finish(context, &code->image);
    gf_ptx_module_finish(&code->text);
    gf_free(code);
}

static bool is_same(const gf_ptx_options *a, const gf_ptx_options *b) {
    return a->checked == b->checked && a->wide == b->wide && a->native == b->native && a->passes == b->passes &&
           a->compare == b->compare && a->near == b->near && a->by_steps == b->by_steps;
}

/* Blocks as large as they can be, for the grid's barrier costs by the block: twice 1024 threads where 32 registers are
 * enough, else twice 512 or 256; where rows go to the list of the grid, which 32 registers never hold, three times 512.
 * Only threads hide how long memory takes where rows are summed up or listed: there a few spilled values of the grid
 * are less than half the threads. */
static gf_cuda_code *choose_shape(gf_cuda_kernel *kernel, gf_ptx_options options, gf_diags *diags) {
    options.threads = 1024;
    options.blocks = 2;
    gf_cuda_code *code = compile(kernel, &options, diags);
    if (code != NULL && !code->text.by_group && code->spilled > 0 && may_have(kernel, &options, 512)) {
        options.threads = 512;
        gf_cuda_code_destroy(&kernel->device->context, code);
        code = compile(kernel, &options, diags);
    }
    if (code != NULL && !code->text.by_group && code->spilled > 0 && may_have(kernel, &options, 256)) {
        options.threads = 256;
        gf_cuda_code_destroy(&kernel->device->context, code);
        code = compile(kernel, &options, diags);
    }
    if (code != NULL && code->text.fills_arrays && code->spilled > GF_CUDA_FEW_SPILLED) {
        options.sm_shared = 0;
        gf_cuda_code_destroy(&kernel->device->context, code);
        code = compile(kernel, &options, diags);
    }
    return code;
}

gf_cuda_code *gf_cuda_code_get(gf_cuda_kernel *kernel, const gf_ptx_options *options, gf_diags *diags) {
    for (gf_cuda_code *code = kernel->codes; code != NULL; code = code->next) {
        if (is_same(&code->options, options)) {
            return code;
        }
    }
    gf_cuda_code *code = choose_shape(kernel, *options, diags);
    if (code != NULL) {
        code->next = kernel->codes;
        kernel->codes = code;
    }
    return code;
}

uint64_t gf_cuda_code_groups(const gf_cuda_kernel *kernel, const gf_cuda_code *code) {
    uint64_t blocks = (uint64_t)code->blocks_per_sm * (uint64_t)kernel->device->facts.sms;
    uint64_t size = group_size(kernel->plan);
    return code->text.by_group ? blocks : blocks * (code->threads / size);
}
