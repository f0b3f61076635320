#include "cli/bind.h"
#include "base/memory.h"
#include "base/system.h"
#include "cli/names.h"
#include "io/convert.h"
#include "io/input.h"
#include "ir/program.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct binder {
    gf_cli_data *data;
    const gf_cli_options *options;
    const char **sources; /* of --in, by buffer; NULL where it has none */
    bool partly;
    gf_diags *diags;
} binder;

/* ---- what is named ---- */

static bool takes_input(const gf_symbol *symbol) {
    return symbol->role == GF_ROLE_IN || symbol->role == GF_ROLE_INOUT;
}

static void name_inputs(binder *at) {
    const gf_cli_pairs *inputs = &at->options->inputs;
    for (size_t i = 0; i < inputs->count; i++) {
        size_t place = 0;
        if (gf_cli_find_buffer(at->data, "in", inputs->items[i].name, GF_CLI_WANT_INPUT, &place, at->diags)) {
            at->sources[place] = inputs->items[i].text;
        }
    }
}

static bool parse_size(const char *name, const char *text, uint64_t *out, gf_diags *diags) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 0) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || value > INT64_MAX) {
        return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--size %s: '%.100s' is not a number of elements",
                       name, text);
    }
    *out = value;
    return true;
}

static void name_sizes(binder *at) {
    const gf_cli_pairs *sizes = &at->options->sizes;
    for (size_t i = 0; i < sizes->count; i++) {
        const char *name = sizes->items[i].name;
        size_t place = 0;
        if (!gf_cli_find_buffer(at->data, "size", name, GF_CLI_WANT_ANY, &place, at->diags)) {
            continue;
        }
        gf_cli_buffer *buffer = &at->data->buffers[place];
        if (buffer->symbol->size != NULL) {
            (void)gf_fail(at->diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN,
                          "--size %s: the program itself declares the size of buffer `%s`", name, name);
            gf_fix(at->diags, "set the params that its size is made of");
        } else if (parse_size(name, sizes->items[i].text, &buffer->size, at->diags)) {
            buffer->has_size = true;
        }
    }
}

static bool parse_param(const gf_symbol *symbol, const char *text, gf_value *out, gf_diags *diags) {
    gf_fit fit = GF_FIT_EXACT;
    unsigned char element[8] = {0};
    if (symbol->type == GF_TYPE_BOOL) {
        bool is_true = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        if (!is_true && strcmp(text, "false") != 0 && strcmp(text, "0") != 0) {
            return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--set %s: '%.100s' is not true or false",
                           symbol->name, text);
        }
        *out = (gf_value){.type = GF_TYPE_BOOL, .bits = is_true};
        return true;
    }
    if (!gf_number_parse(text, strlen(text), symbol->type, element, &fit)) {
        return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--set %s: '%.100s' is no number of type %s",
                       symbol->name, text, gf_type_name(symbol->type));
    }
    if (fit == GF_FIT_NOT_WHOLE || fit == GF_FIT_RANGE) {
        return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--set %s: %.100s does not fit %s (%s)",
                       symbol->name, text, gf_type_name(symbol->type), gf_type_range(symbol->type));
    }
    *out = (gf_value){.type = symbol->type};
    memcpy(&out->bits, element, gf_type_bytes(symbol->type));
    return true;
}

static void name_params(binder *at) {
    const gf_cli_pairs *sets = &at->options->sets;
    for (size_t i = 0; i < sets->count; i++) {
        size_t place = 0;
        if (gf_cli_find_param(at->data, "set", sets->items[i].name, &place, at->diags)) {
            (void)parse_param(gf_tree_nth(at->data->tree, GF_SYMBOL_PARAM, place), sets->items[i].text,
                              &at->data->params[place], at->diags);
        }
    }
}

/* ---- graphs ---- */

static bool claim(binder *at, const char *option, const char *name, gf_cli_buffer **out) {
    size_t place = 0;
    if (!gf_cli_find_buffer(at->data, option, name, GF_CLI_WANT_INPUT, &place, at->diags)) {
        return false;
    }
    if (at->sources[place] != NULL || at->data->buffers[place].has_initial) {
        return gf_fail(at->diags, GF_CODE_OPTION_TWICE, GF_NO_SPAN, "buffer `%s` was given twice", name);
    }
    *out = &at->data->buffers[place];
    (*out)->has_initial = true;
    return true;
}

/* Of a list the param may say that there are more vertices than have edges. */
static bool says_more(const gf_value *param, const gf_edges *edges) {
    bool is_wide = gf_type_bytes(param->type) == 8;
    bool is_negative = gf_type_is_signed(param->type) && (param->bits >> (is_wide ? 63 : 31) & 1) != 0;
    return edges->is_open && gf_type_is_integer(param->type) && !is_negative && param->bits > edges->rows;
}

static bool set_rows(binder *at, const gf_cli_graph *graph, gf_edges *edges) {
    size_t place = 0;
    const char *name = graph->names[2];
    if (name == NULL) {
        return true;
    }
    if (!gf_cli_find_param(at->data, graph->is_csr ? "csr" : "edges", name, &place, at->diags)) {
        return false;
    }
    gf_value *param = &at->data->params[place];
    if (param->type != GF_TYPE_NONE && says_more(param, edges)) {
        edges->rows = edges->cols = param->bits;
        return true;
    }
    const gf_symbol *symbol = gf_tree_nth(at->data->tree, GF_SYMBOL_PARAM, place);
    char rows[32];
    (void)snprintf(rows, sizeof rows, "%llu", (unsigned long long)edges->rows);
    gf_value value = {0};
    if (symbol->type == GF_TYPE_BOOL || !parse_param(symbol, rows, &value, at->diags)) {
        return gf_fail(at->diags, GF_CODE_GRAPH_FIT, GF_NO_SPAN, "%s has %s rows, which param `%s` cannot take",
                       graph->file, rows, name);
    }
    if (param->type != GF_TYPE_NONE && param->bits != value.bits) {
        return gf_fail(at->diags, GF_CODE_OPTION_TWICE, GF_NO_SPAN,
                       "param `%s` was set, and %s has another number of rows: %s", name, graph->file, rows);
    }
    *param = value;
    return true;
}

static bool set_arrays(binder *at, const gf_cli_graph *graph, gf_edges *edges, gf_cli_buffer *const buffers[3]) {
    gf_array unused_row = {0};
    gf_array unused_col = {0};
    gf_array *row = buffers[0] != NULL ? &buffers[0]->initial : &unused_row;
    gf_array *col = buffers[1] != NULL ? &buffers[1]->initial : &unused_col;
    gf_type row_type = buffers[0] != NULL ? buffers[0]->symbol->type : GF_TYPE_U64;
    gf_type col_type = buffers[1] != NULL ? buffers[1]->symbol->type : GF_TYPE_U64;
    bool done = false;
    if (graph->is_csr) {
        done = gf_edges_csr(edges, row_type, col_type, graph->file, row, col, at->diags);
    } else {
        done = gf_edges_ends(edges, false, row_type, graph->file, row, at->diags) &&
               gf_edges_ends(edges, true, col_type, graph->file, col, at->diags);
    }
    for (size_t i = 0; i < 3; i++) {
        if (buffers[i] != NULL) {
            buffers[i]->graph = graph->is_csr ? "--csr" : "--edges";
        }
    }
    gf_array_free(&unused_row);
    gf_array_free(&unused_col);
    return done && (buffers[2] == NULL ||
                    gf_edges_weights(edges, buffers[2]->symbol->type, graph->file, &buffers[2]->initial, at->diags));
}

static bool load_graph(binder *at, const gf_cli_graph *graph) {
    const char *option = graph->is_csr ? "csr" : "edges";
    gf_cli_buffer *buffers[3] = {NULL};
    const char *names[3] = {graph->names[0], graph->names[1], graph->names[3]};
    bool fine = true;
    for (int i = 0; i < 3; i++) {
        fine = (names[i] == NULL || claim(at, option, names[i], &buffers[i])) && fine;
    }
    gf_edges edges = {0};
    fine = fine && gf_graph_read(graph->file, graph->options, &edges, at->diags);
    fine = fine && set_rows(at, graph, &edges) && set_arrays(at, graph, &edges, buffers);
    gf_edges_free(&edges);
    return fine;
}

/* ---- what is missing ---- */

static void list_missing(binder *at, gf_str *names, gf_str *flags) {
    size_t param = 0;
    size_t buffer = 0;
    for (size_t i = 0; i < at->data->tree->decl_count; i++) {
        const gf_symbol *symbol = at->data->tree->decls[i];
        const char *comma = names->length > 0 ? ", " : "";
        if (symbol->kind == GF_SYMBOL_PARAM) {
            if (at->data->params[param++].type == GF_TYPE_NONE && symbol->value == NULL) {
                gf_str_addf(names, "%sparam `%s`", comma, symbol->name);
                gf_str_addf(flags, " --set %s=VALUE", symbol->name);
            }
            continue;
        }
        if (symbol->kind != GF_SYMBOL_BUFFER) {
            continue;
        }
        const gf_cli_buffer *given = &at->data->buffers[buffer];
        const char *source = at->sources[buffer++];
        if (takes_input(symbol) && source == NULL && !given->has_initial) {
            gf_str_addf(names, "%sbuffer `%s`", comma, symbol->name);
            gf_str_addf(flags, " --in %s=SOURCE", symbol->name);
        } else if (symbol->size == NULL && !given->has_size && !given->has_initial &&
                   (!takes_input(symbol) || gf_input_is_generated(source))) {
            gf_str_addf(names, "%sthe size of buffer `%s`", comma, symbol->name);
            gf_str_addf(flags, " --size %s=N", symbol->name);
        }
    }
}

static bool check_missing(binder *at) {
    gf_str names = {0};
    gf_str flags = {0};
    list_missing(at, &names, &flags);
    bool complete = names.length == 0;
    if (names.failed || flags.failed) {
        complete = gf_fail_memory(at->diags);
    } else if (!complete) {
        (void)gf_fail(at->diags, GF_CODE_INPUT_MISSING, GF_NO_SPAN, "nothing was given for %s", names.text);
        gf_fix(at->diags, "add%s", flags.text);
    }
    gf_str_free(&names);
    gf_str_free(&flags);
    return complete;
}

/* ---- sizes ---- */

static bool load_initial(void *user, uint32_t index, uint64_t element, uint64_t *bits) {
    const gf_cli_data *data = user;
    const gf_cli_buffer *buffer = &data->buffers[index];
    size_t width = gf_type_bytes(buffer->symbol->type);
    *bits = 0;
    if (buffer->has_initial && element < buffer->initial.count) {
        *bits = gf_element_load(buffer->symbol->type, (const char *)buffer->initial.data + element * width);
    }
    return true;
}

static gf_env make_env(gf_cli_data *data, gf_frame *frame) {
    *frame = (gf_frame){
        .scope = &data->scope, .params = data->params, .lengths = data->lengths, .load = load_initial, .user = data};
    return gf_frame_env(frame);
}

/* A made-up buffer can be any size: refused before it is made, as the run would refuse it after. Without a limit the
 * machine is one: it would rather end the process than refuse memory. */
static bool check_generated(const binder *at, const gf_symbol *symbol, uint64_t count) {
    uint64_t has = gf_system_memory_available();
    uint64_t limit = at->options->memory_limit;
    bool by_machine = has != 0 && (limit == 0 || has < limit);
    limit = by_machine ? has : limit;
    size_t bytes = 0;
    if (limit == 0 || count == GF_COUNT_UNKNOWN || (gf_array_bytes(symbol->type, count, &bytes) && bytes <= limit)) {
        return true;
    }
    (void)gf_fail(at->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                  "buffer `%s` has %llu elements of type %s, more memory than the %s %llu bytes", symbol->name,
                  (unsigned long long)count, gf_type_name(symbol->type), by_machine ? "machine has left:" : "limit of",
                  (unsigned long long)limit);
    gf_fix(at->diags, "raise the limit, or bind less");
    return false;
}

static bool read_input(binder *at, size_t place, uint64_t count) {
    gf_cli_buffer *buffer = &at->data->buffers[place];
    const char *source = at->sources[place];
    const gf_symbol *symbol = buffer->symbol;
    if (source != NULL && !buffer->has_initial) {
        if (gf_input_is_generated(source) && !check_generated(at, symbol, count)) {
            return false;
        }
        if (!gf_input_read(symbol->name, source, symbol->type, count, &buffer->initial, at->diags)) {
            return false;
        }
        buffer->has_initial = true;
    }
    return true;
}

static bool size_bound(binder *at, size_t place) {
    gf_cli_buffer *buffer = &at->data->buffers[place];
    uint64_t count = buffer->has_size ? buffer->size : GF_COUNT_UNKNOWN;
    const char *source = at->sources[place];
    if (source != NULL && gf_input_is_generated(source) && count == GF_COUNT_UNKNOWN && at->partly) {
        return true;
    }
    if (!read_input(at, place, count)) {
        return false;
    }
    if (buffer->has_initial && buffer->has_size && buffer->initial.count < buffer->size) {
        return gf_fail(at->diags, GF_CODE_INPUT_COUNT, GF_NO_SPAN,
                       "buffer `%s` was given %llu elements, and --size "
                       "says %llu",
                       buffer->symbol->name, (unsigned long long)buffer->initial.count,
                       (unsigned long long)buffer->size);
    }
    if (buffer->has_size) {
        at->data->lengths[place] = buffer->size;
        if (buffer->has_initial) {
            buffer->initial.count = buffer->size;
            buffer->initial.shape[0] = buffer->size;
            buffer->initial.dims = 1;
        }
    } else if (buffer->has_initial) {
        at->data->lengths[place] = buffer->initial.count;
    }
    return true;
}

static bool default_params(binder *at) {
    gf_frame frame;
    gf_env env = make_env(at->data, &frame);
    size_t index = 0;
    for (size_t i = 0; i < at->data->tree->decl_count; i++) {
        const gf_symbol *symbol = at->data->tree->decls[i];
        if (symbol->kind != GF_SYMBOL_PARAM) {
            continue;
        }
        gf_value *param = &at->data->params[index++];
        if (param->type != GF_TYPE_NONE || symbol->value == NULL) {
            continue;
        }
        char what[160];
        uint64_t bits = 0;
        (void)snprintf(what, sizeof what, "default of param `%.100s`", symbol->name);
        if (gf_eval_constant(symbol->value, &env, symbol->type, what, &bits, at->partly ? NULL : at->diags)) {
            *param = (gf_value){.type = symbol->type, .bits = bits};
        } else if (!at->partly) {
            return false;
        }
    }
    return true;
}

/* The first round goes without the space, which may come from one of these buffers itself. */
/* Of a longer buffer the rest is not read; of a graph that is hardly ever meant. */
static void warn_cut(const binder *at, const gf_cli_buffer *buffer, uint64_t count) {
    if (buffer->graph == NULL || buffer->initial.count <= count) {
        return;
    }
    gf_warn(at->diags, GF_CODE_GRAPH_CUT, buffer->symbol->span,
            "%s gives `%s` %llu elements, and the program reads only the %llu that it declares", buffer->graph,
            buffer->symbol->name, (unsigned long long)buffer->initial.count, (unsigned long long)count);
    gf_fix(at->diags, "row offsets and targets come by --csr ROW,COL,N=FILE, pairs by --edges FROM,TO,N=FILE");
}

static bool size_declared(binder *at, bool with_space) {
    gf_cli_data *data = at->data;
    gf_frame frame;
    gf_env env = make_env(data, &frame);
    if (with_space) {
        gf_env_set_geometry(&env, &data->geometry);
    }
    for (size_t i = 0; i < data->buffer_count; i++) {
        const gf_symbol *symbol = data->buffers[i].symbol;
        char what[160];
        uint64_t count = 0;
        if (symbol->size == NULL || data->lengths[i] != GF_LENGTH_UNKNOWN) {
            continue;
        }
        (void)snprintf(what, sizeof what, "size of buffer `%.100s`", symbol->name);
        if (gf_eval_size(symbol->size, &env, what, &count, with_space && !at->partly ? at->diags : NULL)) {
            if (!read_input(at, i, count)) {
                return false;
            }
            warn_cut(at, &data->buffers[i], count);
            data->lengths[i] = count;
        } else if (with_space && !at->partly) {
            return false;
        }
    }
    return true;
}

static bool make_results(binder *at) {
    gf_cli_data *data = at->data;
    gf_frame frame;
    gf_env env = make_env(data, &frame);
    gf_env_set_geometry(&env, &data->geometry);
    for (size_t i = 0; i < data->buffer_count; i++) {
        gf_cli_buffer *buffer = &data->buffers[i];
        const gf_symbol *symbol = buffer->symbol;
        uint64_t from = 0;
        uint64_t to = data->lengths[i];
        if (symbol->role != GF_ROLE_OUT && symbol->role != GF_ROLE_INOUT) {
            continue;
        }
        char what[160];
        (void)snprintf(what, sizeof what, "range that buffer `%.100s` returns", symbol->name);
        if (symbol->returns_from != NULL && symbol->returns_to != NULL &&
            (!gf_eval_size(symbol->returns_from, &env, what, &from, at->diags) ||
             !gf_eval_size(symbol->returns_to, &env, what, &to, at->diags))) {
            return false;
        }
        if (from > to || to > data->lengths[i]) {
            return gf_fail(at->diags, GF_CODE_RETURNS_RANGE, symbol->span,
                           "buffer `%s` has %llu elements and cannot return %llu .. %llu", symbol->name,
                           (unsigned long long)data->lengths[i], (unsigned long long)from, (unsigned long long)to);
        }
        if (!gf_array_create(&buffer->result, symbol->type, to - from, at->diags)) {
            return false;
        }
    }
    return true;
}

static void override_workgroup(binder *at) {
    gf_geometry *geometry = &at->data->geometry;
    if (at->options->workgroup[0] > 0 && at->data->tree->kernel.space_kind == GF_SPACE_ITEMS) {
        memcpy(geometry->workgroup, at->options->workgroup, sizeof geometry->workgroup);
        (void)gf_geometry_cover(geometry, "the space", at->data->tree->kernel.span, NULL);
    }
}

static bool load_data(binder *at) {
    gf_cli_data *data = at->data;
    name_params(at);
    name_inputs(at);
    name_sizes(at);
    for (size_t i = 0; i < at->options->graph_count; i++) {
        (void)load_graph(at, &at->options->graphs[i]);
    }
    if (gf_diags_error_count(at->diags) > 0 || (!at->partly && !check_missing(at))) {
        return false;
    }
    for (size_t i = 0; i < data->buffer_count; i++) {
        if (data->buffers[i].symbol->size == NULL && !size_bound(at, i)) {
            return false;
        }
    }
    if (!default_params(at) || !size_declared(at, false)) {
        return false;
    }
    gf_frame frame;
    gf_env env = make_env(data, &frame);
    if (!gf_geometry_eval(&data->geometry, data->tree, &env, at->partly ? NULL : at->diags)) {
        return at->partly;
    }
    override_workgroup(at);
    return size_declared(at, true) && (at->partly || make_results(at));
}

bool gf_cli_data_load(gf_cli_data *data, gf_program *program, const gf_cli_options *options, bool partly,
                      gf_diags *diags) {
    *data = (gf_cli_data){.program = program, .tree = gf_program_tree(program)};
    data->buffer_count = gf_program_buffer_count(program);
    data->param_count = gf_program_param_count(program);
    data->buffers = gf_calloc(data->buffer_count + 1, sizeof *data->buffers);
    data->lengths = gf_calloc(data->buffer_count + 1, sizeof *data->lengths);
    data->params = gf_calloc(data->param_count + 1, sizeof *data->params);
    binder at = {.data = data, .options = options, .partly = partly, .diags = diags};
    at.sources = gf_calloc(data->buffer_count + 1, sizeof *at.sources);
    if (data->buffers == NULL || data->lengths == NULL || data->params == NULL || at.sources == NULL) {
        gf_free(at.sources);
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < data->buffer_count; i++) {
        data->buffers[i].symbol = gf_tree_nth(data->tree, GF_SYMBOL_BUFFER, i);
        data->lengths[i] = GF_LENGTH_UNKNOWN;
    }
    bool fine = gf_scope_add_tree(&data->scope, data->tree, diags);
    if (fine) {
        gf_scope_seal(&data->scope);
        fine = load_data(&at);
    }
    gf_free(at.sources);
    return fine;
}

void gf_cli_data_free(gf_cli_data *data) {
    for (size_t i = 0; data->buffers != NULL && i < data->buffer_count; i++) {
        gf_array_free(&data->buffers[i].initial);
        gf_array_free(&data->buffers[i].result);
        gf_buffer_destroy(data->buffers[i].device);
    }
    gf_free(data->buffers);
    gf_free(data->lengths);
    gf_free(data->params);
    gf_scope_finish(&data->scope);
    memset(data, 0, sizeof *data);
}

static bool bind_one(gf_cli_buffer *buffer, uint64_t length, gf_bindings *bindings, gf_device *device,
                     gf_diags *diags) {
    const char *name = buffer->symbol->name;
    size_t width = gf_type_bytes(buffer->symbol->type);
    switch (buffer->symbol->role) {
    case GF_ROLE_IN:
        gf_bind_input(bindings, name, buffer->initial.data, (size_t)buffer->initial.count * width);
        return true;
    case GF_ROLE_INOUT: {
        size_t bytes = (size_t)buffer->result.count * width;
        if (bytes > 0) {
            memcpy(buffer->result.data, buffer->initial.data, bytes);
        }
        gf_bind_inout(bindings, name, buffer->result.data, bytes);
        return true;
    }
    case GF_ROLE_OUT:
        gf_bind_output(bindings, name, buffer->result.data, (size_t)buffer->result.count * width);
        return true;
    case GF_ROLE_SCRATCH: {
        size_t bytes = 0;
        if (buffer->symbol->size != NULL) {
            return true;
        }
        if (!gf_array_bytes(buffer->symbol->type, length, &bytes)) {
            return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--size %s: more than can be addressed", name);
        }
        gf_buffer_destroy(buffer->device);
        buffer->device = gf_buffer_create(device, bytes, diags);
        gf_bind_buffer(bindings, name, buffer->device);
        return buffer->device != NULL;
    }
    }
    return true;
}

bool gf_cli_data_bind(gf_cli_data *data, gf_bindings *bindings, gf_device *device, gf_diags *diags) {
    if (bindings == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < data->param_count; i++) {
        gf_bind_value(bindings, gf_tree_nth(data->tree, GF_SYMBOL_PARAM, i)->name, data->params[i]);
    }
    for (size_t i = 0; i < data->buffer_count; i++) {
        if (!bind_one(&data->buffers[i], data->lengths[i], bindings, device, diags)) {
            return false;
        }
    }
    return true;
}
