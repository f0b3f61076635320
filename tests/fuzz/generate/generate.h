/* Random valid programs of the language, made from a stream of choices.
 *
 * A plain program has one right answer. Between two grid barriers an array is either each invocation's own (its element
 * at the linear id, or those of a family that no two invocations share), or read by everybody, or the target of one
 * kind of integer atomic whose result is not used, or of stores of one constant. So there is no race, and the order of
 * invocations does not matter.
 *
 * The first line of the text holds what `gridfence run` is to be given:
 *
 *     //! args --set n=13 --in a=random:1:0:100 ...
 */
#ifndef FUZZ_GENERATE_GENERATE_H
#define FUZZ_GENERATE_GENERATE_H

#include "choice.h"
#include "text.h"

typedef enum generate_kind {
    GENERATE_PLAIN,
    GENERATE_ORDER, /* the order of atomics matters: the line that ends in "// order" says so */
    GENERATE_RACE,  /* two invocations race, on the data given: lines that end in "// race" */
} generate_kind;

typedef struct generated {
    text text;
    generate_kind kind;
    bool own_atomics; /* results of atomics on the invocation's own elements are used: certain, but not by the rule */
} generated;

void generate_program(choice_stream *choices, generate_kind kind, generated *out);
void generated_free(generated *program);

#endif
