// Rows that go along several arrays, some of which end before the row does: what lies outside gives 0, whatever a look at
// the whole row has said. Turns of signed numbers may begin below zero, and those of 64 bits be anything.
//! races no
//! args --set n=9 --in row=0,3,3,12,7,9,11,4,0,20 --in far=0,3,8589934592,12 --in below=-2,3,-5,-1,2 --in val=1,-2,3,-4,2,1,-1,4,-3,2,3,-1 --in col=0,1,2,3,4,5,6,7 --in x=1,2,4,8,16,32,64,128
//! out sum: 10 1 482 1 510 6 1 1 491
//! out wide: -9 -251 0
//! out low: 19.5 0.5 0.5 5.5
program row_strips;

param u32 n;
in  u32 row[n + 1];
in  u64 far[];
in  i32 below[];
in  i32 val[]; // longer than col
in  u32 col[];
in  f32 x[];
out f32 sum[n];
out f32 wide[max(len(far), 1) - 1];
out f32 low[max(len(below), 1) - 1];

kernel {
    forall v in 0 .. n {
        var f32 s = 1.0;
        for e in row[v] .. row[v + 1] {
            s += f32(val[e]) * x[col[e]];
        }
        sum[v] = s;
    }
    forall v in 0 .. max(len(far), 1) - 1 {
        var f32 s = 0.0;
        for e in far[v] .. min(far[v + 1], far[v] + 40) {
            s -= f32(val[e]) + x[e];
        }
        wide[v] = s;
    }
    forall v in 0 .. max(len(below), 1) - 1 {
        var f32 s = 0.5;
        for e in below[v] .. below[v + 1] {
            s += f32(val[e]) * 2.0 + x[e + 1];
        }
        low[v] = s;
    }
}
