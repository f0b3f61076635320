// With a workgroup barrier in its place the read across groups is warned of, and is a race.
//! args --check-races
//! only native
//! races no
//! status 6
//! error GF0705
//! stderr GF0322
program anchor15_group;

out     u32 b[4096];
scratch u32 a[4096];

kernel groups (64) workgroup(64) {
    a[gid.x] = gid.x;
    barrier;
    b[gid.x] = a[4095 - gid.x];
}
