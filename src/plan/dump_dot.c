/* The plan for Graphviz: constructs as clusters, segments as boxes. */
#include "plan/dump.h"

typedef struct dotter {
    const gf_plan *plan;
    gf_str *out;
    size_t next; /* number of the next node */
    size_t clusters;
    size_t last; /* the node drawn last, from which an arrow comes */
} dotter;

#define NO_NODE SIZE_MAX

static void put_label(const char *text, gf_str *out) {
    for (const char *c = text; *c != 0; c++) {
        char one[2] = {*c, 0};
        if (*c == '"' || *c == '\\')
            gf_str_add(out, "\\");
        gf_str_add(out, one);
    }
}

static void put_line(dotter *d, const gf_plan_node *node) {
    gf_str line = {0};
    gf_plan_node_line(d->plan, node, &line);
    put_label(line.text == NULL ? "" : line.text, d->out);
    d->out->failed = d->out->failed || line.failed;
    gf_str_free(&line);
}

static void put_uses(dotter *d, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++)
        gf_str_addf(d->out, "\\l%s %s", gf_role_name(segment->buffers[i].role), segment->buffers[i].symbol->name);
    gf_str_add(d->out, "\\l");
}

static void arrow_to(dotter *d, size_t node, const char *label) {
    if (d->last != NO_NODE)
        gf_str_addf(d->out, "  n%zu -> n%zu%s%s%s;\n", d->last, node, *label ? " [label=\"" : "", label,
                    *label ? "\"]" : "");
    d->last = node;
}

static void put_block(dotter *d, const gf_plan_block *block, unsigned depth);

static void put_node(dotter *d, const gf_plan_node *node, unsigned depth) {
    bool group = node->body != NULL;
    if (group)
        gf_str_addf(d->out, "  subgraph cluster_%zu { style=rounded; color=gray60;\n", d->clusters++);
    size_t own = d->next++;
    bool segment = node->kind == GF_PLAN_SEGMENT;
    gf_str_addf(d->out, "  n%zu [shape=%s, label=\"", own, group ? "hexagon" : segment ? "box" : "plaintext");
    put_line(d, node);
    if (segment)
        put_uses(d, node->segment);
    gf_str_addf(d->out, "\"%s];\n", segment ? ", style=filled, fillcolor=\"#dbeafe\"" : "");
    arrow_to(d, own, "");
    if (!group)
        return;
    put_block(d, node->body, depth + 1);
    bool loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
    if (loop && d->last != NO_NODE)
        gf_str_addf(d->out, "  n%zu -> n%zu [style=dashed, constraint=false];\n", d->last, own);
    if (loop)
        d->last = own;
    if (node->otherwise != NULL && node->otherwise->count != 0) {
        d->last = own;
        put_block(d, node->otherwise, depth + 1);
    }
    gf_str_add(d->out, "  }\n");
}

static void put_block(dotter *d, const gf_plan_block *block, unsigned depth) {
    for (size_t i = 0; block != NULL && i < block->count; i++)
        put_node(d, block->items[i], depth);
}

void gf_plan_dump_dot(const gf_plan *plan, gf_str *out) {
    dotter d = {.plan = plan, .out = out, .last = NO_NODE};
    gf_str_add(out, "digraph \"");
    put_label(plan->program->checked->name, out);
    gf_str_add(out, "\" {\n  node [fontname=\"monospace\", fontsize=10];\n");
    put_block(&d, plan->prologue, 0);
    put_block(&d, plan->body, 0);
    gf_str_add(out, "}\n");
}
