//! args --set n=12600007
//! out wrong: 0
//! only native
//! order-free yes
//! races no
//! long
//
// Runs of all lengths up to 200, at all places in a line, are copied into arrays that are larger than caches are. Some
// read behind the end of what they copy, some go on behind the end of where it goes.
program runs_streamed;

const u32 NEAR = 256;
const u32 ROOM = 223; // elements from one run to the next: 15 + 200, and some that stay as they are
const u32 LONGEST = 200;
const u32 LINE = 16;

param u32 n;
scratch u32 y[n];
scratch u32 z[n];
scratch u64 w[n / 2];
out u32 wrong[1];

fn u32 expected(u32 c, u32 at) {
    let shift = c / (LONGEST + 1) % LINE;
    if at < shift || at >= shift + c % (LONGEST + 1) {
        return 7;
    }
    let i = c % 97 + at - shift;
    if i >= NEAR {
        return 0;
    }
    return c * NEAR + i + 1;
}

kernel {
    region "fill" {
        forall k in 0 .. n {
            y[k] = 7;
            z[k] = 8;
        }
        forall k in 0 .. n / 2 {
            w[k] = 7;
        }
    }
    grid_barrier;
    region "copy" {
        forall c in 0 .. n / ROOM + 1 {
            var u32 near[NEAR];
            for i in 0 .. NEAR {
                near[i] = c * NEAR + i + 1;
            }
            let to = c * ROOM + c / (LONGEST + 1) % LINE;
            let from = c % 97;
            for i in 0 .. c % (LONGEST + 1) {
                y[to + i] = near[from + i];
                z[to + i] = near[from + i] + 1;
            }
            for i in to .. to + c % (LONGEST + 1) {
                w[i] = u64(near[from + i - to]);
            }
        }
    }
    grid_barrier;
    forall k in 0 .. n {
        let right = expected(k / ROOM, k % ROOM);
        if y[k] != right || z[k] != right + 1 || (k < n / 2 && w[k] != u64(right)) {
            atomic_add(wrong[0], 1);
        }
    }
}
