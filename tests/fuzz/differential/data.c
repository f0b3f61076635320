#include "data.h"
#include "base/memory.h"
#include "ir/program.h"
#include <string.h>

static const char ARGS[] = "//! args ";

static bool is_known(const gf_tree *tree, const char *pair) {
    char name[64];
    size_t length = strcspn(pair, "=");
    if (length >= sizeof name) {
        return false;
    }
    memcpy(name, pair, length);
    name[length] = '\0';
    return gf_tree_find(tree, name) != NULL;
}

static bool is_open_array(const gf_tree *tree, const char *pair) {
    char name[64];
    size_t length = strcspn(pair, "=");
    memcpy(name, pair, length);
    name[length] = '\0';
    return gf_tree_find(tree, name)->size == NULL;
}

static int cut_words(loaded *to, const char *text) {
    int count = 0;
    const char *line = strstr(text, ARGS);
    to->argv[count++] = "run";
    to->argv[count++] = "program.gf";
    if (line == NULL) {
        return count;
    }
    line += strlen(ARGS);
    size_t length = strcspn(line, "\n");
    to->words = gf_malloc(length + 1);
    if (to->words == NULL) {
        return count;
    }
    memcpy(to->words, line, length);
    to->words[length] = '\0';
    char *state = NULL;
    const gf_tree *tree = gf_program_tree(to->program);
    for (char *word = strtok_r(to->words, " ", &state); word != NULL && count < 250;
         word = strtok_r(NULL, " ", &state)) {
        bool takes = strcmp(word, "--set") == 0 || strcmp(word, "--in") == 0 || strcmp(word, "--size") == 0;
        char *pair = takes ? strtok_r(NULL, " ", &state) : NULL;
        if (takes &&
            (pair == NULL || !is_known(tree, pair) || (strcmp(word, "--size") == 0 && !is_open_array(tree, pair)))) {
            continue;
        }
        to->argv[count++] = word;
        if (takes) {
            to->argv[count++] = pair;
        }
    }
    return count;
}

bool load(loaded *to, const char *text) {
    *to = (loaded){.diags = gf_diags_create()};
    to->program = gf_program_parse(text, strlen(text), "program.gf", to->diags);
    if (to->program == NULL) {
        return false;
    }
    int count = cut_words(to, text);
    gf_diags_clear(to->diags); /* warnings */
    return gf_cli_options_read(&to->options, GF_CLI_RUN, count, to->argv, to->diags) &&
           gf_cli_data_load(&to->data, to->program, &to->options, false, to->diags);
}

void unload(loaded *from) {
    gf_cli_data_free(&from->data);
    gf_cli_options_free(&from->options);
    gf_program_destroy(from->program);
    gf_diags_destroy(from->diags);
    gf_free(from->words);
}
