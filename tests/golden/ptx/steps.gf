// ptx: steps
// A loop with a branch and a loop in it: one kernel, launched again and again, that does what comes next.
program steps;

param u32 n;
inout u32 x[n];
inout u32 y[n];

kernel {
    var bool more = true;
    var u32 turn = 0;
    while more {
        more = false;
        if turn % 2 == 0 {
            forall i in 0 .. n reduce(or more) {
                x[i] = x[i] / 2 + y[i];
                more = x[i] > 9;
            }
        } else {
            var u32 left = n;
            while left != 0 {
                let most = left;
                left = 0;
                forall i in 0 .. most reduce(add left) {
                    y[i] = x[i] % 7;
                    left = u32(y[i] > most);
                }
                swap(x, y);
            }
            more = turn < 9;
        }
        turn += 1;
    }
}
