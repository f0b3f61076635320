/* Bytes as the choices of the generator of random programs: each program is valid, and gives the same by its plan, in
 * several forms, as by the interpreter without one. */
#include "fuzz/differential/trial.h"
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t turn_of(const uint8_t *data, size_t size) {
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum = sum * 31 + data[i];
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static device_set devices;
    if (devices.interpreter == NULL && !devices_open(&devices, NULL)) {
        abort();
    }
    generated made;
    finding found;
    choice_stream choices = choice_from_bytes(data, size);
    generate_program(&choices, GENERATE_PLAIN, &made);
    const trial_how how = {
        .kind = made.kind, .own_atomics = made.own_atomics, .turn = turn_of(data, size), .timeout = 5, .tell = stderr};
    if (!try_program(&devices, text_get(&made.text), &how, NULL, &found)) {
        (void)fprintf(stderr, "%s, %s: %s\n%s", verdict_name(found.verdict),
                      found.how != NULL ? found.how->name : "the program", found.why, text_get(&made.text));
        abort();
    }
    generated_free(&made);
    return 0;
}
