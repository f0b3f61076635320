// ptx: checked
// Who is told is told with where the forall begins, in the narrow type of its variable.
program checked_items;

param i32 begin;
in f32 x[10];
out f32 y[10];

kernel {
    forall i in begin .. 7 {
        y[i] = x[i + 3];
    }
}
