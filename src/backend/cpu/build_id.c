/* dl_iterate_phdr is no POSIX, but every libc with ELF has it. */
#define _GNU_SOURCE 1 /* NOLINT */
#include "backend/cpu/build_id.h"
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
    char *text;
    size_t size;
} search;

static const char in_this_file = 0;

static int contains(const struct dl_phdr_info *info) {
    uintptr_t here = (uintptr_t)&in_this_file;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && here >= from && here - from < info->dlpi_phdr[i].p_memsz) {
            return 1;
        }
    }
    return 0;
}

/* Name and data of a note each begin at a multiple of 4. */
static size_t padded(size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

static void read_notes(const unsigned char *notes, size_t bytes, const search *found) {
    size_t at = 0;
    while (bytes - at >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note, data = name + padded(note.n_namesz);
        if (data > bytes || bytes - data < note.n_descsz) {
            return;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            for (size_t i = 0; i < note.n_descsz && 2 * i + 2 < found->size; i++) {
                (void)snprintf(found->text + 2 * i, 3, "%02x", notes[data + i]);
            }
            return;
        }
        at = data + padded(note.n_descsz);
    }
}

static int look(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    if (!contains(info)) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_NOTE) {
            read_notes((const unsigned char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz, user);
        }
    }
    return 1;
}

void gf_build_id(char *text, size_t size) {
    search found = {.text = text, .size = size};
    *text = '\0';
    (void)dl_iterate_phdr(look, &found);
}
