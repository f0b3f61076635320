// `changed` is read again each round: relaxing a path of 100 takes exactly 99 productive rounds, and one that is not.
//! args --set n=100
//! out rounds: 99
//! out last: 99
//! case two
//! args --set n=2
//! out rounds: 1
//! out last: 1
//! case one
//! args --set n=1
//! out rounds: 0
//! out last: 0
program anchor18;

param   u32 n;
out     u32 rounds[1];
out     u32 last[1];
scratch u32 dist[n];
scratch u32 next[n];
scratch u32 changed[2];

kernel (n) workgroup(8) {
    let v = gid.x;
    dist[v] = select(v == 0, 0, 1000);
    if v == 0 { changed[0] = 1; }
    var u32 r = 0;
    grid while changed[r % 2] != 0 {
        next[v] = dist[v];
        if v == 0 { changed[(r + 1) % 2] = 0; }
        grid_barrier;
        if v > 0 {
            let left = next[v - 1];
            if left != 1000 && left + 1 < dist[v] {
                dist[v] = left + 1;
                atomic_store(changed[(r + 1) % 2], 1);
            }
        }
        r += 1;
    }
    if v == n - 1 { rounds[0] = r - 1; last[0] = dist[v]; }
}
