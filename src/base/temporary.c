#include "base/temporary.h"
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define ROOM 16 /* at once: outputs are written one by one, kernels kept by a thread each */

enum { FREE, TAKEN, NOTED };

typedef struct temporary {
    atomic_int state;
    int folder;
    char name[PATH_MAX];
} temporary;

static temporary all[ROOM];

int gf_temporary_note(int folder, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < ROOM && length < sizeof all[i].name; i++) {
        int expected = FREE;
        if (atomic_compare_exchange_strong(&all[i].state, &expected, TAKEN)) {
            all[i].folder = folder;
            memcpy(all[i].name, name, length + 1);
            atomic_store(&all[i].state, NOTED);
            return i;
        }
    }
    return -1;
}

void gf_temporary_forget(int number) {
    if (number >= 0) {
        atomic_store(&all[number].state, FREE);
    }
}

void gf_temporary_remove_all(void) {
    for (int i = 0; i < ROOM; i++) {
        if (atomic_load(&all[i].state) == NOTED) {
            (void)unlinkat(all[i].folder, all[i].name, 0);
        }
    }
}
