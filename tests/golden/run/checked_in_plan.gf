//! args --set n=4 --in x=3,0,2,0 --checked
//! status 6
//! error GF0707
//! stderr the grid divides by zero
//! strategies native host
//! case an index
//! args --set n=2 --in x=3,0,2,0 --checked
//! status 6
//! error GF0706
//! stderr the grid is at `y[3]`, which is out of bounds: its length is 2
//! strategies native host
//! case a side that is not taken
//! args --set n=3 --in x=3,0,2,0 --checked
//! out y: 6 6 6
//! strategies native host
// Checked mode looks at what is computed once for the whole grid too, whoever computes it.
program checked_in_plan;

param u32 n;
in u32 x[4];
out u32 y[n];

kernel (n) {
    var u32 turn = select(n == 4, 12 / x[1], 6);
    grid_barrier;
    grid while turn > 6 + select(n == 2, y[x[0]], 0) {
        turn -= 1;
        y[gid.x] = turn;
    }
    y[gid.x] = turn;
}
