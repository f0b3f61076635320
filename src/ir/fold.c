#include "ir/fold.h"

#include "ir/eval.h"

/* The fixed order as a stream: each level holds the partials of its present block; a block that is full, or the last
 * one, hands its result to the next level. 4096^6 is more than there can be. */
enum { BLOCK = 4096, PARTIALS = 256, LEVELS = 6 };

typedef struct fold_level {
    uint64_t partials[PARTIALS];
    unsigned in_block;
    uint64_t blocks; /* finished ones */
} fold_level;

typedef struct fold_stream {
    gf_combine combine;
    gf_type type;
    fold_level levels[LEVELS];
} fold_stream;

static void start(fold_stream *stream, gf_combine combine, gf_type type) {
    stream->combine = combine;
    stream->type = type;
    for (unsigned i = 0; i < LEVELS; i++) {
        stream->levels[i].in_block = 0;
        stream->levels[i].blocks = 0;
    }
}

static uint64_t finish_block(const fold_stream *stream, fold_level *level) {
    unsigned live = level->in_block < PARTIALS ? level->in_block : PARTIALS;
    for (unsigned half = PARTIALS / 2; half != 0; half /= 2) {
        for (unsigned p = 0; p + half < live; p++) {
            level->partials[p] =
                gf_eval_combine(stream->combine, stream->type, level->partials[p], level->partials[p + half]);
        }
        live = live < half ? live : half;
    }
    level->in_block = 0;
    level->blocks++;
    return level->partials[0];
}

static void feed(fold_stream *stream, uint64_t bits) {
    for (unsigned i = 0; i < LEVELS; i++) {
        fold_level *level = &stream->levels[i];
        uint64_t *partial = &level->partials[level->in_block % PARTIALS];
        *partial = level->in_block < PARTIALS ? bits : gf_eval_combine(stream->combine, stream->type, *partial, bits);
        if (++level->in_block < BLOCK) {
            return;
        }
        bits = finish_block(stream, level);
    }
}

/* Float min and max drop NaN, and lanes that are missing give the neutral element: so NaN alone gives that as well,
 * whether or not a lane happens to be missing. */
static uint64_t settle(const fold_stream *stream, uint64_t bits) {
    bool drops = stream->combine == GF_COMBINE_MIN || stream->combine == GF_COMBINE_MAX;
    if (drops && gf_type_is_float(stream->type)) {
        bits = gf_eval_combine(stream->combine, stream->type, bits, gf_combine_neutral(stream->combine, stream->type));
    }
    return gf_canonical(stream->type, bits);
}

static uint64_t finish(fold_stream *stream) {
    for (unsigned i = 0; i < LEVELS; i++) {
        fold_level *level = &stream->levels[i];
        if (level->in_block == 0 && level->blocks == 0) {
            return gf_combine_neutral(stream->combine, stream->type);
        }
        if (level->blocks == 0) { /* all there is fits one block: the answer */
            return settle(stream, finish_block(stream, level));
        }
        if (level->in_block != 0) {
            uint64_t bits = finish_block(stream, level);
            if (i + 1 < LEVELS) {
                fold_level *next = &stream->levels[i + 1];
                /* Not feed(): a block of the next level that fills up here is finished by the next turn. */
                uint64_t *partial = &next->partials[next->in_block % PARTIALS];
                *partial =
                    next->in_block < PARTIALS ? bits : gf_eval_combine(stream->combine, stream->type, *partial, bits);
                next->in_block++;
            }
        }
    }
    return settle(stream, stream->levels[LEVELS - 1].partials[0]);
}

uint64_t gf_fold_bits(gf_combine combine, gf_type type, uint64_t *values, uint64_t count) {
    fold_stream stream;
    start(&stream, combine, type);
    for (uint64_t i = 0; i < count; i++) {
        feed(&stream, values[i]);
    }
    return finish(&stream);
}

static uint64_t fold_elements_with(fold_stream *stream, const void *elements, uint64_t count) {
    const unsigned char *bytes = elements;
    size_t size = gf_type_bytes(stream->type);
    for (uint64_t i = 0; i < count; i++) {
        feed(stream, gf_element_load(stream->type, bytes + i * size));
    }
    return finish(stream);
}

uint64_t gf_fold_elements(gf_combine combine, gf_type type, const void *elements, uint64_t count) {
    fold_stream stream;
    start(&stream, combine, type);
    return fold_elements_with(&stream, elements, count);
}

bool gf_fold_groups(gf_combine combine, gf_type type, const void *elements, uint64_t count, uint64_t group_size,
                    uint64_t *bits) {
    if ((elements == NULL && count != 0) || group_size == 0) {
        return false;
    }
    const unsigned char *bytes = elements;
    size_t size = gf_type_bytes(type);
    fold_stream all, one;
    start(&all, combine, type);
    for (uint64_t at = 0; at < count; at += group_size) {
        start(&one, combine, type);
        uint64_t here = count - at < group_size ? count - at : group_size;
        feed(&all, fold_elements_with(&one, bytes + at * size, here));
    }
    *bits = finish(&all);
    return true;
}
