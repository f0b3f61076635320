#include "cli/outputs.h"
#include "cli/names.h"
#include "io/sink.h"
#include <string.h>

bool gf_cli_outputs_check(const gf_cli_data *data, const gf_cli_options *options, gf_diags *diags) {
    bool fine = true;
    for (size_t i = 0; i < options->outputs.count; i++) {
        const gf_cli_pair *output = &options->outputs.items[i];
        size_t place = 0;
        fine = gf_cli_find_buffer(data, "out", output->name, GF_CLI_WANT_OUTPUT, &place, diags) && fine;
        fine = gf_sink_check(output->name, output->text, diags) && fine;
    }
    return fine;
}

bool gf_cli_outputs_write(const gf_cli_data *data, const gf_cli_options *options, gf_diags *diags) {
    for (size_t i = 0; i < options->outputs.count; i++) {
        const gf_cli_pair *output = &options->outputs.items[i];
        size_t place = 0;
        if (options->json && strcmp(output->text, "-") == 0) {
            continue;
        }
        if (!gf_cli_find_buffer(data, "out", output->name, GF_CLI_WANT_OUTPUT, &place, diags) ||
            !gf_sink_write(output->name, output->text, &data->buffers[place].result, stdout, diags)) {
            return false;
        }
    }
    return gf_cli_flush(diags);
}
