/* A main for fuzz targets where libFuzzer is not there: runs each file named, and each file of each folder named. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* -1: cannot be read as a file. */
static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return -1;
    }
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length < 0 || fseek(file, 0, SEEK_SET) != 0) {
        (void)fclose(file);
        return -1;
    }
    /* Exactly as large as the file, so that a sanitizer sees a read past the end. */
    uint8_t *data = malloc(length > 0 ? (size_t)length : 1);
    size_t size = data != NULL ? fread(data, 1, (size_t)length, file) : 0;
    (void)fclose(file);
    if (data == NULL || size != (size_t)length) {
        free(data);
        return -1;
    }
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int run_folder(const char *path, unsigned *count) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return -1;
    }
    int status = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char inner[4096];
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof inner) {
            continue;
        }
        if (run_file(inner) != 0) {
            (void)fprintf(stderr, "%s: cannot read\n", inner);
            status = -1;
        }
        ++*count;
    }
    (void)closedir(folder);
    return status;
}

int main(int argc, char **argv) {
    unsigned count = 0;
    int status = 0;
    for (int i = 1; i < argc; i++) {
        if (run_folder(argv[i], &count) == 0) {
            continue;
        }
        if (run_file(argv[i]) != 0) {
            (void)fprintf(stderr, "%s: cannot read\n", argv[i]);
            status = 1;
        }
        count++;
    }
    printf("%u inputs\n", count);
    return status;
}
