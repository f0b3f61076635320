// break and continue of a loop that the workgroup takes together stand behind pieces that all lanes run.
//! args --set g=1 --in a=1,2,3,4
//! out a: 9 10 11 12
program exits;

param u32 g;
inout u32 a[g * 4];
shared u32 m[4];

kernel groups (g) workgroup(4) {
    var u32 k = 0;
    group loop {
        m[lid.x] = a[gid.x] + k;
        barrier;
        let t = m[(lid.x + 1) % 4];
        barrier;
        a[gid.x] = t;
        k += 1;
        if k > 3 {
            break;
        }
        if k == 2 {
            continue;
        }
        a[gid.x] += 1;
        barrier;
    }
}
