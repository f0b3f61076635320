// 3 items: if y > 3 return; s[y] = -999; barrier; item 0 reads all three.
//! out y: -999 -999 -999
program anchor29;

out    i32 y[3];
shared i32 s[3];

kernel groups (1) workgroup(3) {
    if lid.x > 3 { return; }
    s[lid.x] = -999;
    barrier;
    if lid.x == 0 { for k in 0 .. 3 { y[k] = s[k]; } }
}
