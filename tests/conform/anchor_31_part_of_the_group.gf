// A barrier reached by part of the group is refused, naming the line.
//! status 1
//! error GF0305
//! stderr :12:
program anchor31;

out    u32 y[256];
shared u32 s[256];

kernel groups (1) workgroup(256) {
    let l = lid.x;
    if l < 64 {
        s[l] = l;
        barrier;
        y[l] = s[63 - l];
    }
}
