#include "emit/ptx/text.h"
#include "base/memory.h"
#include "emit/ptx/emit.h"

#define THREADS 512

/* As blocks that share out the work take it, which is what any grid can be run with. */
char *gf_ptx_text(const gf_plan *plan, gf_diags *diags) {
    gf_ptx_options options = {
        .threads = THREADS, .near = true, .passes = plan->is_fixpoint, .compare = plan->is_fixpoint};
    gf_ptx_module module = {0};
    char *text = NULL;
    if (gf_ptx_emit_whole(plan, &options, &module, diags)) {
        text = module.text;
        module.text = NULL;
    }
    gf_ptx_module_finish(&module);
    return text;
}
