/* What every unit test includes: cmocka and the headers that it wants before it. */
#ifndef GF_TESTS_UNIT_H
#define GF_TESTS_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the sink prints, in memory of malloc. */
#ifdef GRIDFENCE_DIAG_H
static inline char *print_diags_coloured(const gf_diags *diags, int colour) {
    FILE *stream = tmpfile();
    assert_non_null(stream);
    gf_diags_print_colour(diags, stream, colour != 0);
    long length = ftell(stream);
    assert_true(length >= 0);
    rewind(stream);
    char *text = (char *)calloc(1, (size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, stream), length);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static inline char *print_diags(const gf_diags *diags) {
    return print_diags_coloured(diags, 0);
}
#endif

#endif
