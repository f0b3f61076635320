#include "emit/llvm/text.h"
#include "base/memory.h"
#include "emit/llvm/emit.h"

char *gf_llvm_text(const gf_plan *plan, gf_diags *diags) {
    gf_llvm_options options = {.table = "gf_table"};
    gf_llvm_module module = {0};
    char *text = NULL;
    if (gf_llvm_emit(plan, &options, &module, diags)) {
        char *printed = LLVMPrintModuleToString(module.module);
        text = gf_strdup(printed);
        LLVMDisposeMessage(printed);
        if (text == NULL) {
            (void)gf_fail_memory(diags);
        }
    }
    gf_llvm_module_finish(&module);
    return text;
}
