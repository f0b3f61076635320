/* Single values in PTX: what each operation, conversion and elementary function gives on a machine for such code, that
 * all of it is what NVIDIA's assembler takes, where that is here, and how it is spelled. */
#include "unit/emit/ptx_cases.h"
#include "unit/emit/ptx_machine.h"
#include "unit/unit.h"

static ptx_list list;
static ptx_machine machine;

enum { ROWS = 1500, ELEMENTARY_ROWS = 6000 };

static void run_case(const ptx_case *it) {
    char name[128];
    gf_ptx body = ptx_emit_body(it);
    ptx_say(it, name, sizeof name);
    assert_false(body.text.failed);
    if (!ptx_read(&machine, body.text.text)) {
        fail_msg("%s: `%s` is %s in\n%s", name, machine.at->text, machine.why, body.text.text);
    }
    size_t rows = it->fixed == (1u << ptx_arity(it)) - 1 ? 1 : ptx_is_elementary(it) ? ELEMENTARY_ROWS : ROWS;
    rows = it->kind == PTX_WIDEN && gf_type_bytes(it->type) == 2 ? 0x10000 : rows;
    for (size_t i = 0; i < rows; i++) {
        uint64_t row[3], result = 0;
        ptx_fill_row(it, i, row);
        uint64_t expected = ptx_expect(it, row);
        if (!ptx_run(&machine, row, &result)) {
            fail_msg("%s of %" PRIx64 " %" PRIx64 " %" PRIx64 ": `%s` %s in\n%s", name, row[0], row[1], row[2],
                     machine.at->text, machine.why, body.text.text);
        }
        if (!ptx_equals(it, result, expected)) {
            fail_msg("%s of %" PRIx64 " %" PRIx64 " %" PRIx64 " is %" PRIx64 ", not %" PRIx64 ":\n%s", name, row[0],
                     row[1], row[2], result, expected, body.text.text);
        }
    }
    gf_str_free(&body.text);
}

static void values(void **state) {
    (void)state;
    gf_float_mode mode;
    ptx_list_all(&list);
    assert_in_range(list.count, 1000, PTX_CASES);
    gf_float_mode_enter(&mode);
    for (size_t i = 0; i < list.count; i++) {
        run_case(&list.cases[i]);
    }
    gf_float_mode_leave(&mode);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
