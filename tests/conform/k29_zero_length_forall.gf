// A `forall` over nothing does nothing, and what stands around it is done; an empty `[]` input is legal.
//! args --set n=0 --in x=fill:0 --size x=0
//! out y:
//! out total: 100 3
//! case three
//! args --set n=3 --in x=1,2,3
//! out y: 1 4 9
//! out total: 106 3
program k29_forall;

param u32 n;
in    u32 x[];
out   u32 y[n];
out   u32 total[2];

kernel {
    var u32 sum = 100;
    forall i in 0 .. len(x) reduce(add sum) { sum += x[i]; }
    forall i in 0 .. n { y[i] = x[i] * x[i]; }
    var u32 turns = 0;
    for k in 0 .. 3 {
        forall i in 0 .. 0 { total[0] = 77; }
        turns += 1;
    }
    forall one in 0 .. 1 { total[0] = sum; total[1] = turns; }
}
