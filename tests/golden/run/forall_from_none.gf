// A forall that has nothing to do at first and more in each turn: what it reduces grows from no memory at all.
//! args
//! out total: 0 10 45 105
program forall_from_none;

out u32 total[4];

kernel {
    var u32 width = 0;
    for turn in 0 .. 4 {
        var u32 sum = 0;
        forall i in 0 .. width reduce(add sum) {
            sum = i;
        }
        total[turn] = sum;
        width += 5;
    }
}
