#include "text/words.h"
#include "base/str.h"
#include <stdio.h>
#include <string.h>

enum { SLOTS = 512 }; /* a power of two, far more than there are words */

struct gf_words {
    gf_word slots[SLOTS];
};

static const char *const keyword_texts[GF_KEYWORD_COUNT] = {
#define X(name, spelling) [GF_KEYWORD_##name] = spelling,
    GF_KEYWORDS(X)
#undef X
};

enum { BUILTIN_COUNT = GF_BUILTIN_RANKS + 1 };

static const char *const builtin_texts[BUILTIN_COUNT] = {
    [GF_BUILTIN_GID] = "gid",
    [GF_BUILTIN_LID] = "lid",
    [GF_BUILTIN_WID] = "wid",
    [GF_BUILTIN_GRID_SIZE] = "grid_size",
    [GF_BUILTIN_GROUP_SIZE] = "group_size",
    [GF_BUILTIN_SPACE] = "space",
    [GF_BUILTIN_RANK] = "rank",
    [GF_BUILTIN_RANKS] = "ranks",
};

const char *gf_keyword_text(gf_keyword keyword) {
    return keyword < GF_KEYWORD_COUNT ? keyword_texts[keyword] : "";
}

const char *gf_builtin_text(gf_builtin builtin) {
    return (unsigned)builtin < BUILTIN_COUNT ? builtin_texts[builtin] : "";
}

/* Calls `visit` for every word until it returns false. The word and its text live for that call only. */
static void visit_words(bool (*visit)(void *user, gf_word word), void *user) {
    for (gf_keyword k = 0; k < GF_KEYWORD_COUNT; k++) {
        if (!visit(user, (gf_word){.text = keyword_texts[k], .kind = GF_WORD_KEYWORD, .keyword = k})) {
            return;
        }
    }
    for (gf_type t = GF_TYPE_BOOL; (unsigned)t < GF_TYPE_COUNT; t++) {
        if (!visit(user, (gf_word){.text = gf_type_name(t), .kind = GF_WORD_TYPE, .type = t})) {
            return;
        }
    }
    for (gf_builtin b = 0; (unsigned)b < BUILTIN_COUNT; b++) {
        if (!visit(user, (gf_word){.text = builtin_texts[b], .kind = GF_WORD_BUILTIN, .builtin = b})) {
            return;
        }
    }
    for (gf_op op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
        if (gf_op_form(op) == GF_FORM_CALL &&
            !visit(user, (gf_word){.text = gf_op_spelling(op), .kind = GF_WORD_CALL, .op = op})) {
            return;
        }
    }
    for (gf_atomic a = 0; a < GF_ATOMIC_COUNT; a++) {
        if (!visit(user, (gf_word){.text = gf_atomic_name(a), .kind = GF_WORD_ATOMIC, .atomic = a})) {
            return;
        }
    }
    for (gf_cross c = 0; c < GF_CROSS_COUNT; c++) {
        for (unsigned grid = 0; grid < 2; grid++) {
            char text[64];
            (void)snprintf(text, sizeof text, "%s_%s", grid ? "grid" : "group", gf_cross_name(c));
            gf_word word = {
                .text = text, .kind = GF_WORD_CROSS, .cross = c, .level = grid ? GF_LEVEL_GRID : GF_LEVEL_GROUP};
            if (gf_cross_exists(c, grid) && !visit(user, word)) {
                return;
            }
        }
    }
}

static size_t hash_text(const char *text, size_t length) {
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    }
    return (hash ^ hash >> 15) & (SLOTS - 1);
}

typedef struct filling {
    gf_arena *arena;
    gf_words *words;
} filling;

static bool add_word(void *user, gf_word word) {
    filling *into = user;
    word.length = strlen(word.text);
    word.text = gf_arena_string(into->arena, word.text, word.length);
    size_t at = hash_text(word.text, word.length);
    while (into->words->slots[at].text != NULL) {
        at = (at + 1) & (SLOTS - 1);
    }
    into->words->slots[at] = word;
    return true;
}

const gf_words *gf_words_create(gf_arena *arena) {
    filling into = {.arena = arena, .words = gf_new(arena, gf_words)};
    visit_words(add_word, &into);
    return into.words;
}

const gf_word *gf_words_find(const gf_words *words, const char *text, size_t length) {
    for (size_t at = hash_text(text, length);; at = (at + 1) & (SLOTS - 1)) {
        const gf_word *word = &words->slots[at];
        if (word->text == NULL) {
            return NULL;
        }
        if (word->length == length && memcmp(word->text, text, length) == 0) {
            return word;
        }
    }
}

typedef struct searching {
    const char *text;
    bool found;
} searching;

static bool compare_word(void *user, gf_word word) {
    searching *search = user;
    search->found = strcmp(word.text, search->text) == 0;
    return !search->found;
}

bool gf_word_is_reserved(const char *text) {
    searching search = {.text = text};
    visit_words(compare_word, &search);
    return search.found;
}

const char *gf_keyword_like(const char *text, const gf_keyword *candidates, size_t count) {
    size_t length = strlen(text);
    /* One letter wrong in a short word, two in a longer one. */
    unsigned best = length < 4 ? 2 : 3;
    const char *found = NULL;
    for (size_t i = 0; i < count && length > 1; i++) {
        unsigned distance = gf_edit_distance(text, keyword_texts[candidates[i]]);
        if (distance < best) {
            best = distance;
            found = keyword_texts[candidates[i]];
        }
    }
    return found;
}
