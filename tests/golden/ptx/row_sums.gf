// ptx: threads=1024
// Rows that add up floats: turns at once, each an element at a constant distance from the first, where all of the row is
// inside of the arrays that it goes along.
program row_sums;

param u32 n;
in u32 row[n + 1];
in u32 col[];
in f32 val[];
in f32 x[n];
out f32 y[n];

kernel {
    forall v in 0 .. n {
        var f32 s = 0.0;
        for e in row[v] .. row[v + 1] {
            s += val[e] * x[col[e]];
        }
        y[v] = s;
    }
}
