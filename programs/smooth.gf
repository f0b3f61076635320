//! args --set n=10 --in x=0,0,0,8,8,8,8,0,0,0
//! out y: 0 0 2 6 8 8 6 2 0 0
//! out turns: 2
//! converged null
//! order-free yes
//! dropped 1
//! segments 5
//! case one element
//! args --set n=1 --in x=3
//! out y: 3
//! out turns: 1
//
// Smooths a line of values until no value changes by more than tol, and rounds the result. The example of doc/plan.md.
//
// Shapes: x[n], y[n]; turns[0] counts the turns.
// Complexity: n per turn, at most 100 turns.
// Algorithm: a binomial filter of width three, repeated; the ends are their own neighbours.
program smooth;

param u32 n;
param f32 tol = 0.5;
in f32 x[n];
out f32 y[n];
out u32 turns[1];
scratch f32 line[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    let left = select(v == 0, v, v - 1);
    let right = min(v + 1, n - 1);
    var f32 mine = x[v];
    var u32 turn = 0;
    var f32 change = tol + 1.0;
    while turn < 100 && change > tol {
        region "publish" {
            line[v] = mine;
        }
        grid_barrier;
        region "average" {
            let next = 0.5 * mine + 0.25 * (line[left] + line[right]);
            change = grid_max(abs(next - mine));
            mine = next;
        }
        turn += 1;
    }
    y[v] = mine;
    grid_barrier;
    y[v] = round(y[v]);
    if v == 0 {
        turns[0] = turn;
    }
}
