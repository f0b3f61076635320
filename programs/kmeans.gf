//! args --set n=6 --set dims=2 --set k=2 --in x=0,0,1,0,0,1,8,8,9,8,8,11 --in centre=0,0,1,1
//! out centre: 0.33333334 0.33333334 8.333333 9
//! out label: 0 0 0 1 1 1
//! out members: 3 3
//! out iterations: 2
//! converged yes
//! order-free yes
//! case blocks of one point, and a centre that nobody wants
//! args --set n=6 --set dims=2 --set k=3 --set blocks=6 --in x=0,0,1,0,0,1,8,8,9,8,8,11 --in centre=0,0,-50,-50,1,1
//! out centre: 0.33333334 0.33333334 -50 -50 8.333333 9
//! out label: 0 0 0 2 2 2
//! out members: 3 0 3
//! out iterations: 2
//! case more centres than are compared at once, and ties
//! args --set n=3 --set dims=1 --set k=18 --set max_iter=1 --in x=16.5,17,-1 --in centre=iota
//! out centre: -1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16.5 17
//! out label: 16 17 0
//! converged no
//! case a point that is no number
//! args --set n=2 --set dims=1 --set k=2 --in x=nan,4 --in centre=0,3 --set max_iter=1
//! out centre: nan 4
//! out label: 0 1
//! case no points
//! args --set n=0 --set dims=1 --set k=2 --in x=fill:0 --in centre=0,3
//! out centre: 0 3
//! out members: 0 0
//! out iterations: 0
//! converged yes
//
// k-means: divides points among k centres, each point to the nearest, each centre in the middle of its points.
//
// Shapes: x[n][dims] point by point; centre[k][dims]: first guess in, result out. label[n]: each point's centre, the
// one with the lower number where two are as near; members[k]: points of each. A centre without points stays where it
// is. iterations[0]. Ends when no point changes its centre, or after max_iter iterations; then the centres are the
// means of the points of label. `blocks`: the points are added up in so many parts; it decides the order of the sums.
// Complexity: n * k * dims per iteration, and n * dims + blocks * k * dims of memory.
// Algorithm: S. P. Lloyd: Least squares quantization in PCM (1957; IEEE Trans. Inf. Theory 28, 1982). LANES points are
// compared side by side with one centre after the other, from a copy that is laid out for that, and added to the sums
// of their block at once. Sums have one fixed order: in a block that of the points, then that of the blocks. So results
// are the same bits on every device. A point that is infinitely far from all centres goes to the first.
program kmeans;

const u32 LANES = 16; // points that are compared at once: a team

param u32 n;
param u32 dims;
param u32 k;
param u32 max_iter = 100;
param u32 blocks = 1024;
in f32 x[n * dims];
inout f32 centre[k * dims];
out u32 label[n];
out u32 members[k];
out u32 iterations[1];
scratch f32 turned[max(blocks, 1) * ((n / max(blocks, 1) + LANES) / LANES) * dims * LANES]; // points, team by team
scratch f32 sum[max(blocks, 1) * k * dims]; // of the points of a block, by centre
scratch u32 some[max(blocks, 1) * k]; // how many those are

kernel {
    let size = n / max(blocks, 1) + 1; // points of a block
    let used = n / size + u32(n % size != 0);
    let teams = (size - 1) / LANES + 1; // of a block
    region "turn" {
        forall team in 0 .. used * teams {
            let p = team / teams * size + team % teams * LANES;
            for j in 0 .. dims {
                for q in 0 .. LANES { // what is no point of the block fills up the team
                    turned[(team * dims + j) * LANES + q] = x[min(p + q, n - 1) * dims + j];
                }
            }
        }
    }
    var u32 it = 0;
    var u32 moved = n;
    while it < max_iter && moved != 0 {
        moved = 0;
        region "assign" {
            forall b in 0 .. used reduce(add moved) {
                let place = b * k;
                for c in 0 .. k {
                    some[place + c] = 0;
                }
                for i in 0 .. k * dims {
                    sum[place * dims + i] = 0.0;
                }
                let begin = b * size;
                let end = begin + min(size, n - begin);
                for t in 0 .. teams {
                    let team = b * teams + t;
                    let p = begin + t * LANES;
                    var f32 least[LANES];
                    var u32 near[LANES];
                    for q in 0 .. LANES {
                        least[q] = inf;
                    }
                    for c in 0 .. k {
                        var f32 square[LANES];
                        for j in 0 .. dims {
                            let t = centre[c * dims + j];
                            for q in 0 .. LANES {
                                let d = turned[(team * dims + j) * LANES + q] - t;
                                square[q] = fma(d, d, square[q]);
                            }
                        }
                        for q in 0 .. LANES {
                            let nearer = square[q] < least[q];
                            least[q] = select(nearer, square[q], least[q]);
                            near[q] = select(nearer, c, near[q]);
                        }
                    }
                    for q in 0 .. min(end - min(p, end), LANES) {
                        let c = near[q];
                        moved += u32(label[p + q] != c || it == 0);
                        label[p + q] = c;
                        some[place + c] += 1;
                        for j in 0 .. dims {
                            sum[(place + c) * dims + j] += x[(p + q) * dims + j];
                        }
                    }
                }
            }
        }
        region "centres" {
            forall i in 0 .. k * dims {
                let c = i / dims;
                var u32 points = 0;
                var f32 s = 0.0;
                for b in 0 .. used {
                    points += some[b * k + c];
                    s += sum[b * k * dims + i];
                }
                if points != 0 {
                    centre[i] = s / f32(points);
                }
                if i % dims == 0 {
                    members[c] = points;
                }
            }
        }
        it += 1;
    }
    converged(moved == 0);
    iterations[0] = it;
}
