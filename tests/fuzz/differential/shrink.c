/* Delta debugging (A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, 2002) over the lines of
 * a text in which each statement has lines of its own; then over the operands in each line. What is no program any more
 * does not show the difference either: the parser is the judge. */
#include "shrink.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 6000 };

typedef struct lines {
    char *items[MOST_LINES];
    size_t count;
} lines;

/* ---- lines ---- */

static char *copy(const char *from, size_t length) {
    char *made = malloc(length + 1);
    if (made == NULL) {
        exit(3);
    }
    memcpy(made, from, length);
    made[length] = '\0';
    return made;
}

static void split(const text *from, lines *to) {
    to->count = 0;
    for (const char *at = text_get(from); *at != '\0' && to->count < MOST_LINES;) {
        size_t length = strcspn(at, "\n");
        to->items[to->count++] = copy(at, length);
        at += length + (at[length] == '\n');
    }
}

static void free_lines(lines *from) {
    for (size_t i = 0; i < from->count; i++) {
        free(from->items[i]);
    }
    from->count = 0;
}

/* Without lines `from` to `to` - 1, and without those two more (SIZE_MAX: none). */
static void join(const lines *all, size_t from, size_t to, size_t a, size_t b, text *out) {
    text_clear(out);
    for (size_t i = 0; i < all->count; i++) {
        if ((i < from || i >= to) && i != a && i != b) {
            text_put(out, "%s\n", all->items[i]);
        }
    }
}

static bool opens(const char *line) {
    size_t length = strlen(line);
    return length > 0 && line[length - 1] == '{';
}

static bool closes(const char *line) {
    return line[strspn(line, " ")] == '}';
}

/* The line behind the statement that begins at `at`: behind its last brace. SIZE_MAX: none begins there. */
static size_t end_of(const lines *all, size_t at) {
    if (closes(all->items[at])) {
        return SIZE_MAX;
    }
    if (!opens(all->items[at])) {
        return at + 1;
    }
    size_t depth = 1;
    for (size_t i = at + 1; i < all->count; i++) {
        depth -= closes(all->items[i]);
        depth += opens(all->items[i]);
        if (depth == 0) {
            return i + 1;
        }
    }
    return SIZE_MAX;
}

static bool shows(shrink_test *test, const text *candidate) {
    if (test->tries == 0) {
        return false;
    }
    test->tries--;
    return test->shows(test->user, text_get(candidate));
}

/* Takes the candidate over where it still shows the difference. */
static bool take(text *program, lines *all, text *candidate, shrink_test *test) {
    if (!shows(test, candidate)) {
        return false;
    }
    text before = *program;
    *program = *candidate;
    *candidate = before;
    free_lines(all);
    split(program, all);
    return true;
}

/* `count` statements that follow each other, from line `at`. */
static bool remove_run(text *program, lines *all, text *candidate, size_t at, size_t count, shrink_test *test) {
    size_t end = at;
    for (size_t i = 0; i < count && end < all->count; i++) {
        size_t next = end_of(all, end);
        if (next == SIZE_MAX) {
            break;
        }
        end = next;
    }
    if (end == at) {
        return false;
    }
    join(all, at, end, SIZE_MAX, SIZE_MAX, candidate);
    return take(program, all, candidate, test);
}

/* A block without what is around it; a chain with an else loses the one or the other half. */
static bool unwrap(text *program, lines *all, text *candidate, size_t at, shrink_test *test) {
    size_t end = opens(all->items[at]) ? end_of(all, at) : SIZE_MAX;
    if (end == SIZE_MAX) {
        return false;
    }
    size_t middle = SIZE_MAX;
    size_t depth = 1;
    for (size_t i = at + 1; i + 1 < end; i++) {
        depth -= closes(all->items[i]);
        if (depth == 0 && opens(all->items[i])) {
            middle = i;
        }
        depth += opens(all->items[i]);
    }
    if (middle == SIZE_MAX) {
        join(all, at, at + 1, end - 1, SIZE_MAX, candidate);
        return take(program, all, candidate, test);
    }
    join(all, middle, end - 1, SIZE_MAX, SIZE_MAX, candidate);
    if (take(program, all, candidate, test)) {
        return true;
    }
    join(all, at, middle + 1, end - 1, SIZE_MAX, candidate);
    return take(program, all, candidate, test);
}

static bool remove_statements(text *program, lines *all, text *candidate, shrink_test *test) {
    bool changed = false;
    for (size_t count = 16; count >= 1; count /= 2) {
        /* From the end: what is used goes after what uses it. */
        for (size_t i = all->count; i-- > 0;) {
            if (i < all->count && remove_run(program, all, candidate, i, count, test)) {
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        changed |= unwrap(program, all, candidate, i, test);
    }
    return changed;
}

/* ---- operands ---- */

static size_t end_of_brackets(const char *line, size_t at) {
    size_t depth = 0;
    for (size_t i = at; line[i] != '\0'; i++) {
        depth += line[i] == '(' || line[i] == '[';
        depth -= depth > 0 && (line[i] == ')' || line[i] == ']');
        if (depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static bool replace(text *program, lines *all, text *candidate, size_t line, size_t from, size_t to, const char *with,
                    size_t with_length, shrink_test *test) {
    text_clear(candidate);
    for (size_t i = 0; i < all->count; i++) {
        if (i == line) {
            text_add(candidate, all->items[i], from);
            text_add(candidate, with, with_length);
            text_put(candidate, "%s\n", all->items[i] + to);
        } else {
            text_put(candidate, "%s\n", all->items[i]);
        }
    }
    return take(program, all, candidate, test);
}

/* `f(a, b)` or `(a + b)` from `from` to `to`: each operand in its place. */
static bool replace_by_operands(text *program, lines *all, text *candidate, size_t line, size_t from, size_t open,
                                size_t to, shrink_test *test) {
    const char *text_of = all->items[line];
    size_t depth = 0;
    size_t begin = open + 1;
    for (size_t i = open + 1; i < to; i++) {
        char c = text_of[i];
        bool at_end = i + 1 == to;
        bool separates =
            depth == 0 && (c == ',' || (c == ' ' && i + 2 < to && strchr("+-*/%&|^<>=!", text_of[i + 1]) != NULL));
        depth += c == '(' || c == '[';
        depth -= depth > 0 && (c == ')' || c == ']');
        if (!separates && !at_end) {
            continue;
        }
        size_t first = begin + strspn(text_of + begin, " +-*/%&|^<>=!,");
        if (first < i && i - first < to - from) {
            char *operand = copy(text_of + first, i - first);
            bool done = replace(program, all, candidate, line, from, to, operand, i - first, test);
            free(operand);
            if (done) {
                return true;
            }
        }
        begin = i + 1;
    }
    return false;
}

static bool shrink_line(text *program, lines *all, text *candidate, size_t line, shrink_test *test) {
    static const char *const plain[] = {"0", "1", "true", "false", "u32(1)", "1.0"};
    for (size_t i = 0; all->items[line][i] != '\0'; i++) {
        const char *text_of = all->items[line];
        bool begins = i == 0 || !is_word(text_of[i - 1]);
        if (!begins || !(is_word(text_of[i]) || text_of[i] == '(')) {
            continue;
        }
        size_t end = i;
        while (is_word(text_of[end])) {
            end++;
        }
        size_t open = end;
        bool bracket = text_of[open] == '(' || text_of[open] == '[';
        size_t to = bracket ? end_of_brackets(text_of, open) : end;
        if (to == 0) {
            continue;
        }
        if (bracket && text_of[open] == '(' && replace_by_operands(program, all, candidate, line, i, open, to, test)) {
            return true;
        }
        bool is_plain = !bracket && to - i <= 2;
        for (size_t k = 0; k < sizeof plain / sizeof *plain && !is_plain; k++) {
            if (strlen(plain[k]) < to - i &&
                replace(program, all, candidate, line, i, to, plain[k], strlen(plain[k]), test)) {
                return true;
            }
        }
    }
    return false;
}

static bool shrink_operands(text *program, lines *all, text *candidate, shrink_test *test) {
    bool changed = false;
    for (size_t i = 0; i < all->count; i++) {
        if (strncmp(all->items[i], "//", 2) == 0) {
            continue;
        }
        while (shrink_line(program, all, candidate, i, test)) {
            changed = true;
        }
    }
    return changed;
}

/* ---- sizes ---- */

static bool shrink_size(text *program, lines *all, text *candidate, shrink_test *test) {
    static const char *const sizes[] = {"1", "2", "3", "4", "5", "8", "9", "17", "33"};
    const char *found = all->count > 0 ? strstr(all->items[0], "--set n=") : NULL;
    if (found == NULL) {
        return false;
    }
    size_t from = (size_t)(found - all->items[0]) + strlen("--set n=");
    size_t to = from + strspn(all->items[0] + from, "0123456789");
    unsigned long now = strtoul(all->items[0] + from, NULL, 10);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (strtoul(sizes[i], NULL, 10) < now &&
            replace(program, all, candidate, 0, from, to, sizes[i], strlen(sizes[i]), test)) {
            return true;
        }
    }
    return false;
}

/* Words of the first line: `--in x=...` that no declaration wants any more. */
static void drop_options(text *program, lines *all, text *candidate, shrink_test *test) {
    for (size_t at = 0; all->count > 0 && all->items[0][at] != '\0'; at++) {
        if (strncmp(all->items[0] + at, " --", 3) != 0) {
            continue;
        }
        size_t value = strcspn(all->items[0] + at + 1, " ") + at + 1;
        size_t end = all->items[0][value] == ' ' ? value + 1 + strcspn(all->items[0] + value + 1, " ") : value;
        if (replace(program, all, candidate, 0, at, end, "", 0, test)) {
            at--;
        }
    }
}

void shrink(text *program, shrink_test *test) {
    static lines all;
    text candidate = {0};
    split(program, &all);
    for (bool changed = true; changed && test->tries > 0;) {
        changed = remove_statements(program, &all, &candidate, test);
        changed |= shrink_size(program, &all, &candidate, test);
        changed |= shrink_operands(program, &all, &candidate, test);
    }
    drop_options(program, &all, &candidate, test);
    free_lines(&all);
    text_free(&candidate);
}
