#!/usr/bin/python3
"""Files written by NumPy and SciPy and read here, and the other way round: numpy_check.py IO_TOOL"""
import os
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import scipy.io
    import scipy.sparse
except ImportError as missing:
    print(f"skip {missing}")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

tool = os.path.abspath(sys.argv[1])
passed = failed = 0
random = np.random.default_rng(1)
TYPES = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "u8": "u64", "i8": "i64",
         "f2": "f16", "f4": "f32", "f8": "f64", "b1": "u8"}


def report(name, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name} {detail}")


def run(*words):
    return subprocess.run([tool, *words], capture_output=True, text=True)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def values(code, shape):
    width = int(code[1:])
    if code == "b1":
        return random.integers(0, 2, shape).astype("b1")
    count = int(np.prod(shape))
    made = random.integers(0, 256, count * width, dtype=np.uint8).view("<" + code).reshape(shape)
    return np.where(np.isnan(made), np.array(1.5, made.dtype), made) if code[0] == "f" else made


def check_npy():
    for code, name in TYPES.items():
        for order in "<>":
            for shape in [(), (0,), (7,), (3, 4), (2, 3, 4), (2, 0, 3), (1,) * 32]:
                for layout in "CF":
                    for version in [(1, 0), (2, 0), (3, 0)]:
                        array = values(code, shape).astype(order + code, order=layout)
                        array = np.asarray(array, order=layout)
                        with open("in.npy", "wb") as file, warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            np.lib.format.write_array(file, array, version=version)
                        done = run("copy", "in.npy", name, "out.npy")
                        wanted = array.astype("<" + code).astype("u1") if code == "b1" else array.astype("<" + code)
                        ok = done.returncode == 0 and same(np.load("out.npy"), np.ascontiguousarray(wanted).reshape(shape))
                        report(f"npy {order}{code} {shape} {layout} {version}", ok, done.stderr)


def check_text_and_raw():
    for code, name in TYPES.items():
        if code == "b1":
            continue
        array = values(code, (500,))
        np.save("in.npy", array)
        report(f"to text {code}", run("copy", "in.npy", name, "out.txt").returncode == 0)
        with np.errstate(over="ignore"):
            words = open("out.txt").read().split()
            back = np.array([int(w) for w in words], code) if code[0] != "f" else np.array(words, "<" + code)
        report(f"text {code}", same(back, array))
        run("copy", "out.txt", name, "again.npy")
        report(f"text again {code}", same(np.load("again.npy"), array))
        run("copy", "in.npy", name, "out.bin")
        report(f"raw out {code}", open("out.bin", "rb").read() == array.tobytes())
        run("copy", "out.bin", name, "again.npy")
        report(f"raw in {code}", same(np.load("again.npy"), array))
        if code != "u8":  # savetxt writes by way of f64
            np.savetxt("save.txt", array if code[0] == "f" else array.clip(-2**40, 2**40) if code == "i8" else array)
            run("copy", "save.txt", name, "again.npy")
            wanted = array.clip(-2**40, 2**40) if code == "i8" else array
            report(f"savetxt {code}", same(np.load("again.npy"), wanted))


def check_convert():
    for code, name in TYPES.items():
        for to, to_name in TYPES.items():
            if "b1" in (code, to):
                continue
            for value in [0, 1, -1, 127, 128, 255, 256, 2048, 2049, 65504, 65535, 65536, 2**24, 2**24 + 1, 2**31 - 1, 2**31,
                          2**32 - 1, 2**53, 2**53 + 2, 2**62, 0.5, 1e-8, 2.0**-24, 2.0**-149, 1e39]:
                if code[0] != "f" and not (float(value).is_integer() and
                                           np.iinfo(code).min <= value <= np.iinfo(code).max):
                    continue
                with np.errstate(all="ignore"):
                    array = np.array([value]).astype("<" + code)
                    if array[0] != value and not (code[0] == "f" and isinstance(value, float)):
                        continue
                    if code[0] == "f" and not np.isfinite(array[0]):
                        continue
                    exact = int(array[0]) if float(array[0]).is_integer() else None
                    if to[0] == "f":
                        made = array.astype("<" + to)
                        fits = np.isfinite(made[0]) and (int(made[0]) == exact if exact is not None
                                                         else float(made[0]) == float(array[0]))
                    else:
                        limits = np.iinfo(to)
                        fits = exact is not None and limits.min <= exact <= limits.max
                        made = np.array([exact], "<" + to) if fits else None
                np.save("in.npy", array)
                done = run("copy", "in.npy", to_name, "out.npy")
                ok = (done.returncode == 0) == bool(fits) and (not fits or same(np.load("out.npy"), made))
                report(f"convert {value} from {code} to {to}", ok, done.stderr)


def csr(*words):
    done = run("csr", words[0], "row.npy", "col.npy", "val.npy", *words[1:])
    if done.returncode:
        return done.stderr
    return np.load("row.npy"), np.load("col.npy"), np.load("val.npy")


def expect_csr(name, found, matrix):
    matrix = matrix.tocsr()
    matrix.sort_indices()
    ok = not isinstance(found, str) and np.array_equal(found[0], matrix.indptr) and \
        np.array_equal(found[1], matrix.indices) and np.array_equal(found[2], matrix.data)
    report(name, ok, found if isinstance(found, str) else "")


def check_matrices():
    for rows, cols in [(1, 1), (20, 20), (30, 7), (5, 90)]:
        for field in ["pattern", "integer", "real"]:
            for symmetry in ["general", "symmetric", "skew-symmetric"]:
                if symmetry != "general" and rows != cols or (field, symmetry) == ("pattern", "skew-symmetric"):
                    continue
                matrix = scipy.sparse.random(rows, cols, 0.2, random_state=3).tocoo()
                if field == "integer":
                    matrix.data = (matrix.data * 2000 - 1000).astype(np.int64) | 1
                    matrix = matrix.astype(np.int64)
                if field == "pattern":
                    matrix.data[:] = 1
                if symmetry == "symmetric":
                    matrix = (scipy.sparse.tril(matrix) + scipy.sparse.tril(matrix, -1).T).tocoo()
                if symmetry == "skew-symmetric":
                    matrix = (scipy.sparse.tril(matrix, -1) - scipy.sparse.tril(matrix, -1).T).tocoo()
                scipy.io.mmwrite("m.mtx", matrix, field=field, symmetry=symmetry, precision=17)
                wanted = scipy.io.mmread("m.mtx")
                expect_csr(f"mtx {rows}x{cols} {field} {symmetry}", csr("m.mtx"), wanted)
                expect_csr(f"mtx {rows}x{cols} {field} {symmetry} transposed", csr("m.mtx", "transpose"), wanted.T)


def check_edge_lists():
    for separator, ending in [(" ", "txt"), ("\t", "tsv"), (",", "csv")]:
        pairs = random.integers(0, 50, (400, 2))
        pairs = np.unique(pairs, axis=0)
        random.shuffle(pairs)
        weights = random.standard_normal(len(pairs))
        with open("e." + ending, "w") as file:
            file.write("# edges\n")
            for (a, b), w in zip(pairs, weights):
                file.write(f"{a}{separator}{b}{separator}{w!r}\n")
        size = pairs.max() + 1
        wanted = scipy.sparse.coo_matrix((weights, pairs.T), (size, size))
        expect_csr(f"edges {ending}", csr("e." + ending), wanted)
    sparse = pairs * 1000003 + 17
    np.savetxt("e.txt", sparse, fmt="%d")
    ids, new = np.unique(sparse, return_inverse=True)
    new = new.reshape(sparse.shape)
    wanted = scipy.sparse.coo_matrix((np.ones(len(new)), new.T), (len(ids), len(ids)))
    expect_csr("edges remapped", csr("e.txt", "remap"), wanted)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_npy()
    check_text_and_raw()
    check_convert()
    check_matrices()
    check_edge_lists()
    os.chdir("/")
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
