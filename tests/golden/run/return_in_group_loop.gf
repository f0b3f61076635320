//! args --set n=10 --in stop=0,1,2,9,9,9,9,9,9,9
//! out a: 1 2 3 4 4 4 4 4 0 0
//! out b: 0 0 0 9 9 9 9 9 0 0
//! out c: 1 1 1 1 1 1 1 1 7 7
//! order-free yes
// In a loop of the workgroup those who returned in one turn do nothing in the next; and a return that the workgroup takes
// together is the end of a loop that has no other.
program return_in_group_loop;

param u32 n;
in u32 stop[n];
out u32 a[n];
out u32 b[n];
out u32 c[n];
shared u32 m[4];

kernel (n) workgroup(4) {
    m[lid.x] = 9;
    c[gid.x] = 7;
    group if wid.x < 2 {
        c[gid.x] = 1;
        group for turn in 0 .. 4 {
            a[gid.x] += 1;
            if stop[gid.x] == turn {
                return;
            }
            barrier;
        }
    }
    else {
        var u32 turn = 0;
        group loop {
            group loop {
                turn += 1;
                barrier;
                group if turn > 2 {
                    return;
                }
            }
            c[gid.x] = 5;
        }
    }
    grid_barrier;
    b[gid.x] = m[lid.x] + select(a[(gid.x + 1) % n] > 90, 1, 0);
}
