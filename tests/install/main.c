/* A program of somebody else's, built against the installed library. Compiles as C and as C++. */
#include <gridfence/gridfence.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], gf_version()) != 0) {
        fprintf(stderr, "headers say %s, the library %s\n", argv[1], gf_version());
        return 1;
    }
    gf_diags *diags = gf_diags_create();
    int status = diags != NULL && gf_diags_count(diags) == 0 ? 0 : 1;
    gf_diags_destroy(diags);
    return status;
}
