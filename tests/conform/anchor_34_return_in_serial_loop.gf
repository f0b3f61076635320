// for j < 5 { r = j; return } in one item: r = 0, one execution.
//! out r: 0
//! out times: 1
//! out behind: 0
program anchor34;

out u32 r[1];
out u32 times[1];
out u32 behind[1];

kernel (1) workgroup(1) {
    for j in 0 .. 5 {
        r[0] = j;
        times[0] += 1;
        if times[0] > 0 { return; }
    }
    behind[0] = 1;
}
