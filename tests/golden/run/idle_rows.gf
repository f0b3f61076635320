//! args --set n=5 --set step=1 --in phase=1,1,0,1
//! out y: 0 1 3 6 0
//! out z: 1 100 107 100 101
//! out more: 0 101 5 101
//! order-free yes
//! case nobody acts at first
//! args --set n=5 --set step=2 --in phase=1,1,0,1
//! out y: 0 0 0 0 0
//! out z: 1 100 101 100 101
//! out more: 0 101 6 0
//! case nor behind
//! args --set n=5 --set step=1 --in phase=0,1,0,1
//! out y: 0 1 3 6 0
//! out z: 0 0 0 0 0
//! out more: 0 0 5 0
//! case an element that is not there, and a division by zero
//! races no
//! args --set n=5 --set step=4294967295 --in phase=1,1,0,0
//! out y: 0 0 0 0 0
//! out z: 1 100 101 100 101
//! out more: 0 101 6 0
//
// Conditions, or parts of them, that are the same for all invocations: a device may ask them once for many.
program idle_rows;

param u32 n;
param u32 step;
in u32 phase[4];
out u32 y[n];
out u32 z[n];
out u32 more[4];

kernel (n) {
    let i = gid.x;
    region "in front" {
        if phase[step] == 1 && i < n - 1 {
            for k in 0 .. i + 1 {
                y[i] += k;
            }
        }
    }
    grid_barrier;
    region "behind, and with a name" {
        let other = n - 1 - i;
        if other % 2 == 0 && (n > 2 && phase[0] / phase[3] != phase[2]) {
            z[other] = y[other] * 2 + 1;
        }
    }
    grid_barrier;
    region "what is written meanwhile" {
        if z[0] == 1 && i > 0 {
            z[i] += 100;
        }
    }
    grid_barrier;
    region "another thing beside it" {
        if phase[1] == 0 {
            more[0] = 1;
        }
        if i == n - 1 {
            more[1] = z[i];
        }
    }
    grid_barrier;
    region "otherwise" {
        if phase[step] == 1 {
            more[2] = 5;
        } else if i == 2 {
            more[2] = 6;
        }
    }
    grid_barrier;
    region "one inside another" {
        if phase[0] == 1 {
            if phase[step] == 1 && i == 3 {
                more[3] = atomic_load(z[4]);
            }
        }
    }
}
