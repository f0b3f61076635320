// GF0304: fixes in a kernel without a space.
program no_space_chain;
param u32 n;
inout u32 x[n];
kernel {
    let stop = x[0];
    while stop == 0 { forall i in 0 .. n { x[i] = 1; } }
    forall i in 0 .. x[0] { x[i] = 1; }
    while x[0] == 0 { forall i in 0 .. n { x[i] = 1; } }
}
