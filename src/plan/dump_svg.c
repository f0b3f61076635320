/* The plan as a picture: time runs downward, constructs are boxes around what they repeat or choose. Drawn here rather
 * than by a graph layouter, because a plan is nested, not a graph: its layout is a stack. */
#include "plan/dump.h"
#include <string.h>

/* Pixels. The width of a letter is that of common monospaced fonts at the size used, a little generous. */
static const size_t LETTER = 7, LINE = 18, PAD = 10, GAP = 14, MARGIN = 16, MAX_LETTERS = 96;

typedef struct drawing {
    const gf_plan *plan;
    gf_str *out;  /* NULL while measuring */
    bool *failed; /* a line found no memory */
} drawing;

typedef struct box {
    size_t width, height;
} box;

static size_t letters(size_t count) {
    return (count > MAX_LETTERS ? MAX_LETTERS : count) * LETTER;
}

/* Text in a picture: escaped, control characters left out, cut where too long. */
static void put_text(drawing *d, size_t x, size_t y, const char *style, const char *text) {
    if (d->out == NULL)
        return;
    gf_str_addf(d->out, "<text x=\"%zu\" y=\"%zu\"%s>", x, y, style);
    size_t count = 0;
    for (const char *c = text; *c != 0; c++, count++) {
        if (count == MAX_LETTERS - 1 && c[1] != 0) {
            gf_str_add(d->out, "...");
            break;
        }
        if (*c == '<')
            gf_str_add(d->out, "&lt;");
        else if (*c == '>')
            gf_str_add(d->out, "&gt;");
        else if (*c == '&')
            gf_str_add(d->out, "&amp;");
        else if ((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f)
            gf_str_add_n(d->out, c, 1);
        else
            gf_str_add(d->out, "?");
    }
    gf_str_add(d->out, "</text>\n");
}

static void put_box(drawing *d, size_t x, size_t y, box b, const char *style) {
    if (d->out != NULL)
        gf_str_addf(d->out, "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" rx=\"6\" %s/>\n", x, y, b.width,
                    b.height, style);
}

static void put_arrow(drawing *d, size_t x, size_t y) {
    if (d->out != NULL)
        gf_str_addf(d->out, "<path d=\"M%zu %zu v%zu\" class=\"arrow\" marker-end=\"url(#head)\"/>\n", x, y, GAP - 5);
}

static void end_line(const drawing *d, gf_str *line) {
    *d->failed = *d->failed || line->failed;
    gf_str_free(line);
}

static void grow(box *b, size_t width) {
    if (width > b->width)
        b->width = width;
}

/* "reads row col" and the like, one line per role; gives how many lines. */
static size_t put_uses(drawing *d, const gf_segment *segment, size_t x, size_t y, box *b) {
    static const struct {
        gf_role role;
        const char *word;
    } rows[] = {{GF_ROLE_IN, "reads  "}, {GF_ROLE_OUT, "writes "}, {GF_ROLE_INOUT, "changes"}};
    size_t lines = 0;
    for (size_t r = 0; r < 3; r++) {
        gf_str line = {0};
        for (size_t i = 0; i < segment->buffer_count; i++)
            if (segment->buffers[i].role == rows[r].role)
                gf_str_addf(&line, "%s %s", line.length == 0 ? rows[r].word : "", segment->buffers[i].symbol->name);
        if (line.length != 0) {
            lines++;
            grow(b, letters(line.length) + 2 * PAD);
            put_text(d, x + PAD, y + lines * LINE, " class=\"small\"", line.text);
        }
        end_line(d, &line);
    }
    return lines;
}

static box put_block(drawing *d, const gf_plan_block *block, size_t x, size_t y, size_t width);

/* Draws a node at x, y with at least `width`; measuring passes 0 and no output. */
static box put_node(drawing *d, const gf_plan_node *node, size_t x, size_t y, size_t width) {
    gf_str line = {0};
    gf_plan_node_line(d->plan, node, &line);
    const char *text = line.text == NULL ? "" : line.text;
    box b = {.width = letters(strlen(text)) + 2 * PAD, .height = LINE + PAD};
    drawing quiet = {.plan = d->plan, .failed = d->failed};
    if (node->kind == GF_PLAN_SEGMENT) {
        b.height += put_uses(&quiet, node->segment, 0, 0, &b) * LINE;
        grow(&b, width);
        put_box(d, x, y, b, "class=\"segment\"");
        put_text(d, x + PAD, y + LINE, " class=\"bold\"", text);
        put_uses(d, node->segment, x, y + LINE, &b);
    } else if (node->body != NULL) {
        bool loop = node->kind != GF_PLAN_IF;
        box body = put_block(&quiet, node->body, 0, 0, 0), other = {0};
        bool has_else = node->otherwise != NULL && node->otherwise->count != 0;
        if (has_else)
            other = put_block(&quiet, node->otherwise, 0, 0, 0);
        grow(&b, body.width + 2 * PAD);
        grow(&b, other.width + 2 * PAD);
        grow(&b, width);
        b.height += body.height + PAD + (has_else ? LINE + other.height + PAD : 0);
        put_box(d, x, y, b, loop ? "class=\"loop\"" : "class=\"choice\"");
        put_text(d, x + PAD, y + LINE, " class=\"bold\"", text);
        size_t at = y + LINE + PAD;
        put_block(d, node->body, x + PAD, at, b.width - 2 * PAD);
        if (has_else) {
            at += body.height + PAD;
            put_text(d, x + PAD, at + LINE - PAD / 2, " class=\"bold\"", "else");
            put_block(d, node->otherwise, x + PAD, at + LINE, b.width - 2 * PAD);
        }
    } else {
        grow(&b, width);
        put_box(d, x, y, b, "class=\"scalar\"");
        put_text(d, x + PAD, y + LINE, "", text);
    }
    end_line(d, &line);
    return b;
}

static box put_block(drawing *d, const gf_plan_block *block, size_t x, size_t y, size_t width) {
    box all = {0};
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        if (i != 0) {
            put_arrow(d, x + 24, y + all.height);
            all.height += GAP;
        }
        box b = put_node(d, block->items[i], x, y + all.height, width);
        grow(&all, b.width);
        all.height += b.height;
    }
    return all;
}

static size_t put_crossings(drawing *d, size_t x, size_t y, box *all) {
    const gf_plan *plan = d->plan;
    size_t lines = 0;
    for (size_t i = 0; i < plan->crossing_count; i++) {
        const gf_crossing *crossing = &plan->crossings[i];
        gf_str line = {0};
        gf_str_addf(&line, "%s: %s", crossing->symbol->name, gf_fate_name(crossing->fate));
        if (crossing->bytes != 0)
            gf_str_addf(&line, ", %llu bytes", (unsigned long long)crossing->bytes);
        lines++;
        grow(all, letters(line.length));
        put_text(d, x, y + lines * LINE, " class=\"small\"", line.text == NULL ? "" : line.text);
        end_line(d, &line);
    }
    return lines;
}

void gf_plan_dump_svg(const gf_plan *plan, gf_str *out) {
    bool failed = false;
    drawing quiet = {.plan = plan, .failed = &failed}, d = {.plan = plan, .out = out, .failed = &failed};
    box once = put_block(&quiet, plan->prologue, 0, 0, 0), pass = put_block(&quiet, plan->body, 0, 0, 0), notes = {0};
    size_t note_lines = put_crossings(&quiet, 0, 0, &notes);
    gf_str title = {0};
    gf_str_addf(&title, "%s: %s", plan->program->checked->name,
                plan->is_fixpoint ? "passes until nothing changes" : "one pass");
    size_t width = pass.width > once.width ? pass.width : once.width;
    size_t title_width = letters(title.length + 2);
    width = width > title_width ? width : title_width;
    width = width > notes.width ? width : notes.width;
    size_t top = MARGIN + LINE + PAD, frame = plan->is_fixpoint ? PAD : 0;
    size_t pass_top = top + (once.height != 0 ? once.height + GAP : 0);
    size_t pass_height = pass.height + 2 * frame;
    size_t notes_top = pass_top + pass_height + PAD;
    size_t height = notes_top + (note_lines + 1) * LINE + MARGIN;
    size_t full = width + 2 * frame + 2 * MARGIN;

    gf_str_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\" "
                "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"11.5\">\n",
                full, height, full, height);
    gf_str_add(out,
               "<style>rect{stroke:#64748b;fill:#fff}.segment{fill:#dbeafe;stroke:#2563eb}.loop{fill:#fef9c3;"
               "stroke:#ca8a04}.choice{fill:#f3e8ff;stroke:#9333ea}.scalar{fill:#f8fafc}.frame{fill:none;"
               "stroke:#ca8a04;stroke-dasharray:5 3}text{fill:#0f172a}.small{fill:#475569}.bold{font-weight:bold}"
               ".arrow{stroke:#64748b;fill:none}</style>\n"
               "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\" "
               "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#64748b\"/></marker></defs>\n"
               "<rect width=\"100%\" height=\"100%\" style=\"stroke:none;fill:#fff\"/>\n");
    put_text(&d, MARGIN, MARGIN + LINE - PAD / 2, " class=\"bold\"", title.text == NULL ? "" : title.text);
    put_block(&d, plan->prologue, MARGIN + frame, top, width);
    if (frame != 0)
        put_box(&d, MARGIN, pass_top, (box){.width = width + 2 * frame, .height = pass_height}, "class=\"frame\"");
    put_block(&d, plan->body, MARGIN + frame, pass_top + frame, width);
    put_text(&d, MARGIN, notes_top + LINE - PAD / 2, " class=\"bold\"",
             note_lines == 0 ? "no value crosses a cut" : "values that cross a cut");
    put_crossings(&d, MARGIN, notes_top + LINE - PAD / 2, &notes);
    gf_str_add(out, "</svg>\n");
    end_line(&d, &title);
    out->failed = out->failed || failed;
}
