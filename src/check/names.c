/* Scopes, and a name of its own for every local of the checked tree. */
#include "base/str.h"
#include "check/checker.h"
#include "ir/visit.h"
#include <string.h>

typedef struct binding {
    check_symbol *symbol;
    struct binding *outer;    /* of the same name, in an outer scope */
    struct binding *previous; /* bound just before, in the same scope */
    struct name_entry *entry;
    unsigned scope;
} binding;

typedef struct name_entry {
    const char *name;
    uint64_t hash;
    binding *top;
    bool of_user;  /* the text declares such a name */
    bool taken;    /* a symbol of the checked tree has it */
    bool reported; /* said to be unknown */
    unsigned next_suffix;
} name_entry;

typedef struct scope {
    struct scope *outer;
    binding *last;
    unsigned number;
} scope;

struct name_table {
    name_entry **slots;
    size_t slot_count, used;
    scope *scope;
    unsigned scope_count;
    unsigned suggestions;
};

static uint64_t hash_name(const char *name) {
    uint64_t hash = 14695981039346656037u;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    }
    return hash ^ hash >> 29;
}

static name_entry **find_slot(const name_table *table, const char *name, uint64_t hash) {
    size_t at = hash & (table->slot_count - 1);
    while (table->slots[at] != NULL &&
           (table->slots[at]->hash != hash ||
            (table->slots[at]->name != name && strcmp(table->slots[at]->name, name) != 0))) {
        at = (at + 1) & (table->slot_count - 1);
    }
    return &table->slots[at];
}

static void grow(checker *c, name_table *table) {
    name_entry **old = table->slots;
    size_t old_count = table->slot_count;
    table->slot_count = old_count * 2;
    table->slots = gf_new_array(c->arena, name_entry *, table->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i] != NULL) {
            *find_slot(table, old[i]->name, old[i]->hash) = old[i];
        }
    }
}

static name_entry *entry_of(checker *c, const char *name) {
    name_table *table = c->names;
    uint64_t hash = hash_name(name);
    name_entry **slot = find_slot(table, name, hash);
    if (*slot != NULL) {
        return *slot;
    }
    if (table->used * 2 >= table->slot_count) {
        grow(c, table);
        slot = find_slot(table, name, hash);
    }
    name_entry *entry = gf_new(c->arena, name_entry);
    entry->name = name;
    entry->hash = hash;
    entry->next_suffix = 2;
    *slot = entry;
    table->used++;
    return entry;
}

static bool note_user_name(void *user, const gf_stmt *stmt) {
    checker *c = user;
    if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_FOR ||
        stmt->kind == GF_STMT_FORALL) {
        if (stmt->target.name != NULL) {
            entry_of(c, stmt->target.name)->of_user = true;
        }
    }
    return true;
}

static bool skip_expr(void *user, const gf_expr *expr) {
    (void)user;
    (void)expr;
    return false;
}

void gf_check_names_start(checker *c) {
    c->names = gf_new(c->arena, name_table);
    c->names->slot_count = 256;
    c->names->slots = gf_new_array(c->arena, name_entry *, c->names->slot_count);
    gf_visitor visitor = {.user = c, .stmt = note_user_name, .expr = skip_expr};
    for (size_t i = 0; i < c->parsed->decl_count; i++) {
        const gf_symbol *decl = c->parsed->decls[i];
        entry_of(c, decl->name)->of_user = true;
        for (size_t a = 0; a < decl->argument_count; a++) {
            entry_of(c, decl->arguments[a]->name)->of_user = true;
        }
        gf_visit_block(&visitor, decl->body);
    }
    gf_visit_block(&visitor, c->parsed->kernel.body);
    /* Declarations keep their names whatever comes first. */
    for (size_t i = 0; i < c->parsed->decl_count; i++) {
        entry_of(c, c->parsed->decls[i]->name)->taken = true;
    }
    gf_check_scope_open(c);
}

void gf_check_scope_open(checker *c) {
    scope *inner = gf_new(c->arena, scope);
    inner->outer = c->names->scope;
    inner->number = ++c->names->scope_count;
    c->names->scope = inner;
}

void gf_check_scope_close(checker *c) {
    scope *inner = c->names->scope;
    for (binding *at = inner->last; at != NULL; at = at->previous) {
        at->entry->top = at->outer;
    }
    c->names->scope = inner->outer;
}

/* x, else x_2, x_3, ... but no name that the text gives to something else. */
static const char *own_name(checker *c, const char *name) {
    name_entry *entry = entry_of(c, name);
    if (!entry->taken) {
        entry->taken = true;
        return name;
    }
    for (;;) {
        const char *other = gf_arena_format(c->arena, "%s_%u", name, entry->next_suffix++);
        name_entry *found = entry_of(c, other);
        if (!found->taken && !found->of_user) {
            found->taken = true;
            return other;
        }
    }
}

check_symbol *gf_check_symbol_new(checker *c, gf_symbol_kind kind, const char *name, gf_type type, gf_span span) {
    check_symbol *made = gf_new(c->arena, check_symbol);
    made->symbol.kind = kind;
    made->symbol.type = type;
    made->symbol.span = span;
    made->symbol.name = name;
    made->user_name = name;
    made->forall = c->forall_number;
    switch (kind) {
    case GF_SYMBOL_CONST:
    case GF_SYMBOL_PARAM:
    case GF_SYMBOL_BUFFER:
    case GF_SYMBOL_SHARED:
        made->symbol.id = (uint32_t)c->symbols.count;
        gf_push(c->arena, &c->symbols, made);
        break;
    case GF_SYMBOL_FUNCTION:
        break; /* numbered when it is known to stay */
    case GF_SYMBOL_LET:
    case GF_SYMBOL_VAR:
    case GF_SYMBOL_LOOP:
    case GF_SYMBOL_ARGUMENT:
        if (!c->dry) {
            made->symbol.name = own_name(c, name);
            made->symbol.id = (uint32_t)c->symbols.count;
            gf_push(c->arena, &c->symbols, made);
        }
        break;
    }
    return made;
}

bool gf_check_bind(checker *c, const char *name, gf_span span, check_symbol *symbol) {
    name_entry *entry = entry_of(c, name);
    scope *inner = c->names->scope;
    if (entry->top != NULL && entry->top->scope == inner->number) {
        gf_check_fail(c, GF_CODE_NAME_TWICE, span, "`%s` is declared twice in one scope", name);
        gf_note(c->diags, entry->top->symbol->symbol.span, "the first `%s` is here", name);
        gf_fix(c->diags, "give one of the two another name");
        return false;
    }
    binding *made = gf_new(c->arena, binding);
    made->symbol = symbol;
    made->outer = entry->top;
    made->previous = inner->last;
    made->entry = entry;
    made->scope = inner->number;
    inner->last = made;
    entry->top = made;
    return true;
}

static void suggest(checker *c, const char *name) {
    if (++c->names->suggestions > 10) {
        return; /* looking through all names each time is slow in a hopeless text */
    }
    const char *best = NULL;
    unsigned least = 3;
    size_t length = strlen(name);
    for (size_t i = 0; i < c->names->slot_count; i++) {
        const name_entry *entry = c->names->slots[i];
        if (entry == NULL || entry->top == NULL) {
            continue;
        }
        /* Short names are alike by chance: then at least the first letter is to be the same. */
        unsigned allowed = length < 3 ? length - 1 : length == 3 && name[0] != entry->name[0] ? 1 : 2;
        unsigned distance = gf_edit_distance(name, entry->name);
        if (distance > allowed) {
            continue;
        }
        if (distance < least || (distance == least && best != NULL && strcmp(entry->name, best) < 0)) {
            least = distance;
            best = entry->name;
        }
    }
    if (best != NULL) {
        gf_fix(c->diags, "did you mean `%s`?", best);
    }
}

check_symbol *gf_check_lookup(checker *c, const gf_ref *ref) {
    name_entry *entry = entry_of(c, ref->name);
    if (entry->top != NULL) {
        return entry->top->symbol;
    }
    if (entry->reported) {
        c->errors++; /* one message per name */
        return NULL;
    }
    entry->reported = true;
    gf_check_fail(c, GF_CODE_UNKNOWN_NAME, ref->span, "nothing here is called `%s`", ref->name);
    suggest(c, ref->name);
    return NULL;
}

check_symbol *gf_check_lookup_global(checker *c, const char *name) {
    binding *at = entry_of(c, name)->top;
    while (at != NULL && at->outer != NULL) {
        at = at->outer;
    }
    return at == NULL ? NULL : at->symbol;
}

gf_ref gf_check_ref(const gf_symbol *symbol, gf_span span) {
    /* In the text, the body of a reduction calls its own variable by the name of the outer one. */
    const gf_symbol *outer = as_check(symbol)->reduced;
    return (gf_ref){.name = outer != NULL ? outer->name : symbol->name, .span = span, .symbol = symbol};
}

const char *gf_check_symbol_noun(const gf_symbol *symbol) {
    switch (symbol->kind) {
    case GF_SYMBOL_CONST:
        return "a const";
    case GF_SYMBOL_PARAM:
        return "a param";
    case GF_SYMBOL_BUFFER:
        return "a buffer";
    case GF_SYMBOL_SHARED:
        return "a workgroup array";
    case GF_SYMBOL_FUNCTION:
        return "a function";
    case GF_SYMBOL_LET:
        return "a let";
    case GF_SYMBOL_VAR:
        return symbol->is_array ? "a local array" : "a var";
    case GF_SYMBOL_LOOP:
        return "a loop variable";
    case GF_SYMBOL_ARGUMENT:
        return "an argument";
    }
    return "a name";
}
