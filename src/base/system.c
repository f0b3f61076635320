#include "base/system.h"

#include <stdio.h>

uint64_t gf_system_memory_available(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long long kilobytes = 0;
    char line[128];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) {
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (uint64_t)kilobytes * 1024;
}
