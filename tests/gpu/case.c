#include "gpu/case.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
        rewind(file);
    }
    char *text = size >= 0 ? gf_malloc((size_t)size + 1) : NULL;
    if (text != NULL) {
        text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* Room for twice as many whenever the count is a power of two. */
static bool has_room(void **items, size_t count, size_t size) {
    if (count > 0 && (count & (count - 1)) != 0) {
        return true;
    }
    void *grown = gf_realloc(*items, (count > 0 ? 2 * count : 1) * size);
    *items = grown != NULL ? grown : *items;
    return grown != NULL;
}

static bool add_line(gf_case_lines *lines, char *text) {
    void *items = lines->items;
    bool fits = has_room(&items, lines->count, sizeof *lines->items);
    lines->items = items;
    if (fits) {
        lines->items[lines->count++] = text;
    }
    return fits;
}

static bool add_case(gf_cases *cases, const char *name) {
    void *items = cases->items;
    bool fits = has_room(&items, cases->count, sizeof *cases->items);
    cases->items = items;
    if (fits) {
        cases->items[cases->count++] = (gf_case){.name = name};
    }
    return fits;
}

static bool take_line(gf_cases *cases, const char *word, char *rest) {
    if (strcmp(word, "case") == 0) {
        return add_case(cases, rest);
    }
    gf_case *latest = cases->count > 0 ? &cases->items[cases->count - 1] : NULL;
    if (latest == NULL) {
        return false;
    }
    if (strcmp(word, "arg") == 0) {
        return add_line(&latest->args, rest);
    }
    if (strcmp(word, "tells") == 0) {
        return add_line(&latest->tells, rest);
    }
    if (strcmp(word, "=") == 0) {
        return add_line(&latest->recorded, rest);
    }
    if (strcmp(word, "strategies") == 0) {
        latest->strategies = rest;
        return true;
    }
    if (strcmp(word, "loose") == 0) {
        latest->loose_passes = strstr(rest, "passes") != NULL;
        latest->loose_converged = strstr(rest, "converged") != NULL;
        return true;
    }
    latest->dies = latest->dies || strcmp(word, "dies") == 0;
    return strcmp(word, "dies") == 0;
}

bool gf_cases_read(gf_cases *cases, const char *path) {
    *cases = (gf_cases){.text = read_all(path)};
    if (cases->text == NULL) {
        (void)fprintf(stderr, "gridfence-cases: cannot read %s\n", path);
        return false;
    }
    size_t number = 0;
    for (char *line = cases->text, *next = NULL; line != NULL && *line != '\0'; line = next) {
        char *end = strchr(line, '\n');
        next = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
        char *blank = strchr(line, ' ');
        char *rest = blank != NULL ? blank + 1 : line + strlen(line);
        if (blank != NULL) {
            *blank = '\0';
        }
        number++;
        if (*line != '\0' && !take_line(cases, line, rest)) {
            (void)fprintf(stderr, "gridfence-cases: %s:%zu: no line `%s` is known here\n", path, number, line);
            return false;
        }
    }
    return true;
}

void gf_cases_free(gf_cases *cases) {
    for (size_t i = 0; i < cases->count; i++) {
        gf_free(cases->items[i].args.items);
        gf_free(cases->items[i].tells.items);
        gf_free(cases->items[i].recorded.items);
    }
    gf_free(cases->items);
    gf_free(cases->text);
    *cases = (gf_cases){0};
}

bool gf_case_takes(const gf_case *item, const char *strategy) {
    if (item->strategies == NULL) {
        return true;
    }
    strategy = strcmp(strategy, "auto") == 0 ? "native" : strategy;
    size_t length = strlen(strategy);
    for (const char *at = item->strategies; *at != '\0'; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, strategy, length) == 0) {
            return true;
        }
        at += word;
    }
    return false;
}
