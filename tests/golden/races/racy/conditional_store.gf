// The store stands under a condition that holds for some inputs, and the reader does not wait.
//! case holds
//! args --set c=1
//! race w write read
//! case holds_not
//! args --set c=0
//! out x: 0 0 0 0
program conditional_store;
param u32 c;
shared u32 w[4];
out u32 x[4];
kernel groups(1) workgroup(4) {
    if c == 1 {
        w[lid.x] = lid.x; // @write
    }
    x[lid.x] = w[(lid.x + 1) % 4]; // @read
}
