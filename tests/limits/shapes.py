"""Programs of a given size, each large in one way: what makes passes slow or hungry that are not careful.

    shapes.py                 the names
    shapes.py NAME [BYTES]    that text, about 1000000 bytes long
"""

import sys


def repeat(make, size):
    """make(0) make(1) ... until there are `size` bytes."""
    parts, length, index = [], 0, 0
    while length < size:
        part = make(index)
        parts.append(part)
        length += len(part)
        index += 1
    return "".join(parts)


def program(declarations, body, head="(n) workgroup(64)"):
    return f"program p;\nparam u32 n = 3;\nparam f32 t = 1.0;\n{declarations}kernel {head} {{\n{body}}}\n"


BUFFERS = "inout u32 a[n];\ninout u32 b[n];\nout u32 o[n];\n"


def comments(size):
    return "program p;\n" + repeat(lambda i: "// a comment that says little\n", size) + "kernel {}\n"


def one_comment(size):
    return "program p;\n// " + "x" * size + "\nkernel {}\n"


def one_line(size):
    return program(BUFFERS, repeat(lambda i: "a[gid.x] += 1; ", size))


def one_name(size):
    return program(BUFFERS, f"    let {'x' * size} = 1;\n")


def one_string(size):
    return program(BUFFERS, f"    region \"{'x' * size}\" {{ a[gid.x] = 1; grid_barrier; b[gid.x] = a[0]; }}\n")


def one_number(size):
    return program(BUFFERS, f"    a[gid.x] = {'9' * size};\n")


def one_float(size):
    return program(BUFFERS, f"    let x = 1.{'3' * size};\n")


def underscores(size):
    return program(BUFFERS, f"    let x = 1{'_' * size}1;\n")


def wrong_names(size):
    return program("", repeat(lambda i: f"x{i} = 1;\n", size))


def wrong_types(size):
    return program(BUFFERS, repeat(lambda i: "a[gid.x] = t;\n", size))


def wrong_text(size):
    return program(BUFFERS, repeat(lambda i: "a a a;\n", size))


def double_names(size):
    return program("", repeat(lambda i: "let x = 1;\n", size))


def near_names(size):
    lets = repeat(lambda i: f"let abcdefghijkl{i} = 1;\n", size)
    return program("", lets + "".join(f"let y{i} = abcdefghijkm{i};\n" for i in range(100)))


def nesting(size):
    deep = 190
    one = "if n > 1 {" * deep + "a[gid.x] = 1;" + "}" * deep + "\n"
    return program(BUFFERS, repeat(lambda i: one, size))


def deep_expressions(size):
    one = "let x{} = " + "(" * 190 + "a[0]" + "+1)" * 190 + ";\n"
    return program(BUFFERS, repeat(lambda i: one.format(i), size))


def balanced_expression(size):
    def tree(depth):
        return "a[0]" if depth == 0 else f"({tree(depth - 1)}*{tree(depth - 1)})"

    depth = max(1, (size // 7).bit_length() - 1)
    return program(BUFFERS, f"    b[gid.x] = {tree(depth)};\n")


def wide_call(size):
    return program(BUFFERS, "    f(" + repeat(lambda i: "1, ", size) + "1);\n")


def lets(size):
    return program(BUFFERS, repeat(lambda i: f"let x{i} = a[gid.x];\n", size))


def chained_lets(size):
    return program(BUFFERS, "let x0 = a[gid.x];\n" + repeat(lambda i: f"let x{i + 1} = x{i} + x{i};\n", size))


def copied_lets(size):
    """Each stands for the one before."""
    return program(BUFFERS, "let x0 = gid.x;\n" + repeat(lambda i: f"let x{i + 1} = x{i};\na[x{i}] = 1;\n", size))


def doubling_lets(size):
    """Put in place of its name, each of these is twice as long as the one before."""
    lets = "let x0 = gid.x + n;\n" + repeat(lambda i: f"let x{i + 1} = x{i} ^ x{i};\n", size // 2)
    count = lets.count("\n")
    return program(BUFFERS, lets + "grid_barrier;\n" + repeat(lambda i: f"b[x{count - 1 - i % count}] = 1;\n", size // 2))


def same_names(size):
    return program(BUFFERS, repeat(lambda i: "{ let x = a[gid.x]; b[gid.x] = x; }\n", size))


def vars_(size):
    return program(BUFFERS, repeat(lambda i: f"var u32 x{i} = {i};\n", size))


def var_arrays(size):
    return program(BUFFERS, repeat(lambda i: f"var u32 x{i}[9];\nx{i}[n] = 1;\n", size))


def stores(size):
    return program(BUFFERS, repeat(lambda i: f"a[gid.x] = {i};\n", size))


def loads(size):
    return program(BUFFERS, repeat(lambda i: f"b[gid.x] += a[{i}];\n", size))


def constants(size):
    return program(repeat(lambda i: f"const u32 C{i} = {f'C{i - 1} + 1' if i else '1'};\n", size), "")


def params(size):
    return program(repeat(lambda i: f"param u32 p{i} = {f'p{i - 1}' if i else '1'};\n", size), "")


def buffers(size):
    return program(repeat(lambda i: f"scratch u32 s{i}[n];\n", size), "s0[gid.x] = 1;\n")


def used_buffers(size):
    count = size // 48
    return program("".join(f"scratch u32 s{i}[n];\n" for i in range(count)),
                   "".join(f"s{i}[gid.x] = 1;\n" for i in range(count)))


def buffers_and_barriers(size):
    count = size // 64
    return program("".join(f"scratch u32 s{i}[n];\n" for i in range(count)),
                   "".join(f"s{i}[gid.x + 1] = s{i - 1 if i else 0}[gid.x];\ngrid_barrier;\n" for i in range(count)))


def shared_arrays(size):
    return program(repeat(lambda i: f"shared u32 s{i}[4];\n", size), "s0[lid.x] = 1;\n")


def shared_and_barriers(size):
    count = size // 64
    return program("".join(f"shared u32 s{i}[4];\n" for i in range(count)),
                   "".join(f"s{i}[lid.x] = s{i - 1 if i else 0}[lid.x];\ngrid_barrier;\n" for i in range(count)))


def watched(size):
    count = size // 48
    names = ", ".join(f"s{i}" for i in range(count))
    return program("".join(f"scratch u32 s{i}[n];\n" for i in range(count)),
                   "".join(f"s{i}[gid.x] = 1;\n" for i in range(count)), f"(n) fixpoint(3) on ({names})")


def functions(size):
    return program(repeat(lambda i: f"fn u32 fn_{i}(u32 x) {{ return x; }}\n", size), "")


def function_chain(size):
    text = "fn u32 fn_0(u32 x) { return x; }\n"
    text += repeat(lambda i: f"fn u32 fn_{i + 1}(u32 x) {{ return fn_{i}(x); }}\n", size)
    return program(text, "")


def function_doubling(size):
    """Two to the 190th calls, once inlined."""
    text = BUFFERS + "fn u32 fn_0(u32 x) { return x + 1; }\n"
    text += "".join(f"fn u32 fn_{i + 1}(u32 x) {{ return fn_{i}(x) + fn_{i}(x); }}\n" for i in range(190))
    return program(text, "a[gid.x] = fn_190(1);\n")


def function_doubling_barrier(size):
    text = BUFFERS + "fn fn_0() { grid_barrier; }\n"
    text += "".join(f"fn fn_{i + 1}() {{ fn_{i}(); fn_{i}(); }}\n" for i in range(190))
    return program(text, "fn_190();\n")


def function_fan(size):
    """Each calls all before it."""
    text, calls, index = BUFFERS + "fn u32 fn_0(u32 x) { return x + 1; }\n", "fn_0(x)", 0
    while len(text) < size and index < 180:
        index += 1
        text += f"fn u32 fn_{index}(u32 x) {{ return {calls}; }}\n"
        calls += f" + fn_{index}(x)"
    return program(text, f"a[gid.x] = fn_{index}(1);\n")


def function_loads(size):
    """Each loads what all before it load, and a buffer of its own."""
    count = min(size // 90, 190)
    text = "".join(f"scratch u32 s{i}[n];\n" for i in range(size // 90))
    each = max(1, size // 90 // count)
    for i in range(count):
        own = " + ".join(f"s{k}[x]" for k in range(i * each, i * each + min(each, 150)))
        before = f" + fn_{i - 1}(x)" if i else ""
        text += f"fn u32 fn_{i}(u32 x) {{ return {own}{before}; }}\n"
    return program(text + "out u32 o[n];\n", f"o[gid.x] = fn_{count - 1}(gid.x);\n")


def many_calls(size):
    text = BUFFERS + "fn u32 f(u32 x) { var u32 y = x; for i in 0 .. 4 { y += a[i]; } return y; }\n"
    return program(text, repeat(lambda i: "b[gid.x] = f(1);\n", size))


def many_calls_barrier(size):
    text = BUFFERS + "fn f(u32 x) { a[gid.x] = x; grid_barrier; b[gid.x] = a[x]; }\n"
    return program(text, repeat(lambda i: "f(1);\n", size))


def long_function_called(size):
    text = BUFFERS + "fn u32 f(u32 x) {\nvar u32 y = x;\n" + repeat(lambda i: "y += a[y];\n", size // 2)
    return program(text + "return y;\n}\n", repeat(lambda i: "b[gid.x] = f(1);\n", size // 2))


def arguments(size):
    return program(f"fn f({repeat(lambda i: f'u32 x{i}, ', size)} u32 z) {{}}\n", "")


def regions(size):
    return program(BUFFERS, repeat(lambda i: f"region \"r{i}\" {{ a[gid.x] = 1; }}\n", size))


def regions_and_barriers(size):
    return program(BUFFERS, repeat(lambda i: f"region \"r{i}\" {{ a[gid.x] = b[{i}]; grid_barrier; "
                                   "b[gid.x] = a[0]; }\n", size))


def idle_barriers(size):
    return program(BUFFERS, repeat(lambda i: "grid_barrier;\n", size))


def barriers(size):
    return program(BUFFERS, repeat(lambda i: "a[gid.x + 1] = b[gid.x]; grid_barrier; b[gid.x + 1] = a[gid.x]; "
                                   "grid_barrier;\n", size))


def dropped_barriers(size):
    return program(BUFFERS, repeat(lambda i: "a[gid.x] += 1; grid_barrier;\n", size))


def group_barriers(size):
    return program(BUFFERS + "shared u32 s[64];\n",
                   repeat(lambda i: "s[lid.x] = a[gid.x]; barrier; a[gid.x] = s[63 - lid.x]; barrier;\n", size))


def crossings(size):
    """Every value crosses every barrier."""
    count = size // 120
    text = "".join(f"var u32 x{i} = a[gid.x];\n" for i in range(count))
    text += "".join(f"a[gid.x + 1] = x{i}; x{i} += 1; grid_barrier;\n" for i in range(count))
    return program(BUFFERS, text + "".join(f"b[gid.x] += x{i};\n" for i in range(count)))


def crossing_lets(size):
    count = size // 100
    text = "".join(f"let x{i} = gid.x + {i};\n" for i in range(count))
    text += "".join(f"a[x{i}] = 1; grid_barrier;\n" for i in range(count))
    return program(BUFFERS, text + "".join(f"b[gid.x] += x{i};\n" for i in range(count)))


def crossing_chain(size):
    count = size // 110
    text = "let x0 = gid.x;\n" + "".join(f"let x{i + 1} = x{i} + 1;\n" for i in range(count))
    text += "".join(f"a[x{i}] = 1; grid_barrier;\n" for i in range(count))
    return program(BUFFERS, text + "".join(f"b[gid.x] += x{i};\n" for i in range(count)))


def registers(size):
    count = size // 110
    text = "".join(f"var u32 x{i} = n;\n" for i in range(count))
    text += "".join(f"a[gid.x + x{i}] = x{i}; x{i} = x{i - 1 if i else 0} + 1; grid_barrier;\n" for i in range(count))
    return program(BUFFERS, text)


def grid_loops(size):
    return program(BUFFERS, repeat(lambda i: f"for i in 0 .. 2 {{ a[gid.x + i] = b[i]; grid_barrier; "
                                   "b[gid.x + i] = a[i]; }\n", size))


def deep_grid_loops(size):
    one = "".join(f"for k{k} in 0 .. 2 {{ a[gid.x + 1] = b[0]; grid_barrier;\n" for k in range(150)) + "}" * 150 + "\n"
    return program(BUFFERS, repeat(lambda i: one, size))


def deep_loops(size):
    one = "".join(f"for k{k} in 0 .. 0 {{ a[gid.x + k{k}] = b[0];\n" for k in range(150)) + "}" * 150 + "\n"
    return program(BUFFERS, repeat(lambda i: one, size))


def grid_ifs(size):
    text = "var u32 x = 0;\n" + repeat(lambda i: "if x == n { x += 1; a[gid.x + 1] = b[0]; grid_barrier; }\n", size)
    return program(BUFFERS, text)


def uniform_chain(size):
    """The last assignment makes all of them vary, one after the other, against the order of the text."""
    count = size // 42
    text = "".join(f"var u32 x{i} = n;\n" for i in range(count))
    text += "grid_barrier;\n" + "".join(f"x{i} = x{i + 1};\n" for i in range(count - 1)) + f"x{count - 1} = gid.x;\n"
    return program(BUFFERS, text)


def uniform_loop_chain(size):
    count = size // 60
    text = "".join(f"var u32 x{i} = n;\n" for i in range(count))
    text += "for t in 0 .. 2 {\ngrid_barrier;\n" + "".join(f"if x{i} == 1 {{ x{i + 1} = 2; }}\n"
                                                        for i in range(count - 1))
    return program(BUFFERS, text + f"x0 = a[gid.x];\n}}\n")


def returns(size):
    return program(BUFFERS, repeat(lambda i: "if a[gid.x] == 7 { return; }\na[gid.x + 1] = 1; grid_barrier;\n", size))


def grid_returns(size):
    return program(BUFFERS, repeat(lambda i: "if n == 77 { return; }\na[gid.x + 1] = b[0]; grid_barrier;\n", size))


def breaks(size):
    text = "for t in 0 .. 2 {\n" + repeat(lambda i: "if n == 77 { break; }\na[gid.x + 1] = b[0]; grid_barrier;\n", size)
    return program(BUFFERS, text + "}\n")


def swaps(size):
    return program(BUFFERS, repeat(lambda i: "swap(a, b);\n", size))


def swaps_in_loop(size):
    """A permutation whose period is the product of the lengths of its cycles."""
    text, body, at = "", "", 0
    for length in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71):
        for i in range(length):
            text += f"inout u32 s{at + i}[n];\n"
        body += "".join(f"swap(s{at + i}, s{at + i + 1});\n" for i in range(length - 1))
        at += length
    return program(text, f"for t in 0 .. 2 {{\n{body}s0[gid.x] += 1;\n}}\n")


def swaps_in_loop_ever(size):
    """Many cycles, many swaps, filled up."""
    count = size // 60
    text = "".join(f"inout u32 s{i}[n];\n" for i in range(count))
    body = "".join(f"swap(s{i}, s{i * 7 % count});\n" for i in range(count) if i != i * 7 % count)
    return program(text, f"for t in 0 .. 2 {{\n{body}s0[gid.x] += s1[gid.x];\n}}\n")


def foralls(size):
    return program(BUFFERS, repeat(lambda i: f"forall i in 0 .. {i % 9} {{ a[i] = b[i]; }}\ngrid_barrier;\n", size), "")


def reductions(size):
    one = "forall i in 0 .. n reduce(add s) { s += a[i]; }\n"
    return program(BUFFERS, "var u32 s = 0;\n" + repeat(lambda i: one, size), "")


def wide_reduction(size):
    count = size // 60
    text = "".join(f"var u32 s{i} = 0;\n" for i in range(count))
    names = ", ".join(f"add s{i}" for i in range(count))
    return program(BUFFERS, text + f"forall i in 0 .. n reduce({names}) {{\n" +
                   "".join(f"s{i} += i;\n" for i in range(count)) + "}\n", "")


def grid_operations(size):
    return program(BUFFERS, repeat(lambda i: f"let x{i} = grid_add(a[gid.x]);\n", size))


def group_operations(size):
    return program(BUFFERS, repeat(lambda i: f"let x{i} = group_add(a[gid.x]);\n", size))


def scans(size):
    return program(BUFFERS, repeat(lambda i: f"let x{i} = grid_scan_add(a[gid.x]);\n", size))


def copies(size):
    return program(BUFFERS, repeat(lambda i: f"copy_async(a, 0, b, 0, n, \"t{i}\");\nwait(\"t{i}\");\n", size))


def traps(size):
    return program(BUFFERS, repeat(lambda i: f"if a[gid.x] == 7 {{ trap(\"t{i}\", {i}); }}\n", size))


def asserts(size):
    return program(BUFFERS, repeat(lambda i: f"assert(a[gid.x] < 7, \"t{i}\");\n", size))


def atomics(size):
    return program(BUFFERS, repeat(lambda i: "atomic_add(a[gid.x + 1], 1);\n", size))


def used_atomics(size):
    return program(BUFFERS, repeat(lambda i: f"let x{i} = atomic_add(a[{i}], 1);\n", size))


def else_ifs(size):
    one = "if n == 1 { a[0] = 1; } " + " ".join(f"else if n == {i} {{ a[0] = {i}; }}" for i in range(190)) + "\n"
    return program(BUFFERS, repeat(lambda i: one, size))


def and_chain(size):
    one = "let x{} = " + "n == 1 && " * 190 + "n == 2;\n"
    return program(BUFFERS, repeat(lambda i: one.format(i), size))


def elementary(size):
    return program("inout f32 f[n];\n", repeat(lambda i: "f[gid.x] = pow(sin(f[gid.x]), exp(f[gid.x]));\n", size))


def elementary_f64(size):
    return program("inout f64 f[n];\n", repeat(lambda i: "f[gid.x] = pow(sin(f[gid.x]), exp(f[gid.x]));\n", size))


def selects(size):
    return program(BUFFERS, repeat(lambda i: "a[gid.x] = select(a[gid.x] > 3, b[gid.x], 7) + min(a[0], 3);\n", size))


def small_types(size):
    return program("inout u8 c[n];\ninout f16 h[n];\ninout i16 d[n];\n",
                   repeat(lambda i: "c[gid.x] += 1; h[gid.x] += 1.5; d[gid.x] -= 1;\n", size))


def collectives(size):
    return program(BUFFERS, repeat(lambda i: "all_reduce(a, add);\n", size))


def convergeds(size):
    return program(BUFFERS, repeat(lambda i: "converged(n == 1);\n", size))


def big_numbers(size):
    """Sizes that are no sizes."""
    return ("program p;\nparam u64 n = 0xffffffffffffffff;\nscratch u32 s[n];\nscratch u64 z[n * n];\n"
            "kernel (4294967295, 4294967295, 4294967295) workgroup(1024) { s[0] = 1; z[1] = 2; }\n")


def big_arrays(size):
    return program("shared u8 s[0x40000000];\n", "var u8 x[0x40000000];\nx[0] = 1; s[0] = 1; barrier; s[1] = x[1];\n")


def many_big_arrays(size):
    text = "".join(f"var u8 x{i}[0x40000000];\nx{i}[gid.x] = 1;\n" for i in range(200))
    return program(BUFFERS, text + "grid_barrier;\n" + "".join(f"a[gid.x] += u32(x{i}[0]);\n" for i in range(200)))


def size_expressions(size):
    return program("in u32 z[];\n" + repeat(lambda i: f"scratch u32 s{i}[n + n * 3 - n / 2 + len(z)];\n", size), "")


def returns_ranges(size):
    return program(repeat(lambda i: f"out u32 o{i}[n] returns(1 .. n);\n", size), "")


SHAPES = {name.rstrip("_"): value for name, value in sorted(globals().items())
          if callable(value) and name not in ("repeat", "program")}


def main():
    if len(sys.argv) < 2:
        print("\n".join(SHAPES))
        return
    sys.stdout.write(SHAPES[sys.argv[1]](int(sys.argv[2]) if len(sys.argv) > 2 else 1000000))


if __name__ == "__main__":
    main()
