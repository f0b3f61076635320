/* The end of the builder: what was built becomes canonical text, and the text a program. So its messages show lines
 * that can be read, and nothing can be built that could not be written. */
#include "base/memory.h"
#include "base/str.h"
#include "ir/builder.h"
#include "ir/program.h"
#include "ir/visit.h"

#include <assert.h>

gf_program *gf_build_finish(gf_builder *b, gf_diags *diags) {
    const gf_tree *tree = gf_build_tree(b, diags);
    if (tree == NULL) {
        return NULL;
    }
    gf_str text = {0}, name = {0};
    gf_str_addf(&name, "<%s>", tree->name);
    if (!gf_print_tree(tree, &text) || name.failed) {
        gf_str_free(&text);
        gf_str_free(&name);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    gf_program *program = gf_program_parse(text.text, text.length, name.text, diags);
    assert(program == NULL || gf_equal_tree(program->parsed, tree));
    gf_str_free(&text);
    gf_str_free(&name);
    return program;
}
