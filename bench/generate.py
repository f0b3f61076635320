#!/usr/bin/python3
"""Programs of any size, for measuring: generate.py lines N | barriers B V

lines N       about N lines of ordinary code: functions, loops, conditions, atomics, regions
barriers B V  B grid barriers, with V values that live across them
"""
import sys


def print_lines(count):
    print("program long;\n\nparam u32 n;\nin u32 x[n];\ninout u32 y[n];\nout u32 c[64];\n")
    per_function, per_region = 6, 9
    functions = count // 4 // per_function
    for k in range(functions):
        print(f"fn u32 mix{k}(u32 a, u32 b) {{\n    var u32 s = a * {k + 3} + b;\n    if s % {k % 7 + 2} == 0 {{\n"
              f"        s = rotate_left(s, {k % 31});\n    }}\n    return s ^ (b >> {k % 13});\n}}")
    print("\nkernel (n) workgroup(64) {\n    let v = gid.x;\n    var u32 acc = x[v];")
    done = functions * 7 + 12
    k = 0
    while done < count - 3:
        print(f"    region \"part {k}\" {{\n        let t{k} = mix{k % functions}(acc, {k});\n"
              f"        for i in 0 .. t{k} % 4 {{\n            acc += x[(v + i) % n] * {k + 1};\n        }}\n"
              f"        if t{k} > acc && (acc & {k % 255 + 1}) != 0 {{\n            atomic_add(c[{k % 64}], 1);\n"
              f"        }} else {{\n            y[v] += t{k};\n        }}\n    }}")
        done += per_region + 2
        k += 1
    print("    y[v] ^= acc;\n}")


def print_barriers(barriers, values):
    print(f"program split;\n\nparam u32 n;\ninout u32 y[n * {values}];\nscratch u32 s[n];\n\n"
          "kernel (n) workgroup(64) {\n    let v = gid.x;")
    for k in range(values):
        print(f"    var u32 a{k} = y[v * {values} + {k}];")
    for k in range(barriers):
        print(f"    s[v] = a{k % values} + {k};\n    grid_barrier;\n    a{(k + 1) % values} += s[n - 1 - v];\n"
              f"    grid_barrier;" if k % 2 == 0 else f"    a{(k * 7) % values} ^= a{(k * 3 + 1) % values};")
    for k in range(values):
        print(f"    y[v * {values} + {k}] = a{k};")
    print("}")


if len(sys.argv) == 3 and sys.argv[1] == "lines":
    print_lines(int(sys.argv[2]))
elif len(sys.argv) == 4 and sys.argv[1] == "barriers":
    print_barriers(int(sys.argv[2]), int(sys.argv[3]))
else:
    sys.exit(__doc__)
