// Kernels that say what they cannot mean.
program headless;
param u32 n;
out u32 y[n];
in u32 counts[3];
shared u32 w[len(nowhere)];
shared u32 s[n];
shared f32 many[1000000000];
kernel indirect(nowhere, 0) {
    y[0] = s[0];
}
