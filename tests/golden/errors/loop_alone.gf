// GF0320: a loop that each invocation runs alone.
program loop_alone;
param u32 n;
scratch u32 grew[3];
inout u32 x[n];
kernel (n) {
    let v = gid.x;
    var u32 d = 0;
    grew[0] = 1;
    while grew[d % 3] != 0 {
        if x[v] == d { grew[(d + 1) % 3] = 1; }
        d += 1;
    }
    while x[v] > 3 { x[v] -= 1; }

}
