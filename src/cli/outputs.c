#include "cli/outputs.h"
#include "cli/names.h"
#include "io/file.h"
#include "io/sink.h"
#include <string.h>

/* What cannot be written is better known before a long run than behind it. */
static bool check_file(const gf_cli_options *options, size_t index, gf_diags *diags) {
    const gf_cli_pair *output = &options->outputs.items[index];
    for (size_t i = 0; i < index; i++) {
        if (strcmp(output->text, "-") != 0 && strcmp(options->outputs.items[i].text, output->text) == 0) {
            return gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "`%s` and `%s` would both be written to '%s'",
                           options->outputs.items[i].name, output->name, output->text);
        }
    }
    return gf_cli_write_check(output->text, diags);
}

bool gf_cli_outputs_check(const gf_cli_data *data, const gf_cli_options *options, gf_diags *diags) {
    bool fine = true;
    for (size_t i = 0; i < options->outputs.count; i++) {
        const gf_cli_pair *output = &options->outputs.items[i];
        size_t place = 0;
        fine = gf_cli_find_buffer(data, "out", output->name, GF_CLI_WANT_OUTPUT, &place, diags) && fine;
        fine = gf_sink_check(output->name, output->text, diags) && check_file(options, i, diags) && fine;
    }
    return gf_cli_write_check(options->trace, diags) && fine;
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
