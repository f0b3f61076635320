#!/usr/bin/python3
"""Runs peers on small inputs, compares the results with NumPy and SciPy: check.py FOLDER [PEER...] [-w WORKLOAD...]

FOLDER holds executables peer-NAME. Prints a line per peer and workload; the status is 1 if any result is wrong.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.csgraph as csgraph

INF = 0xFFFFFFFF
TYPES = {"u8": np.uint8, "u32": np.uint32, "i32": np.int32, "u64": np.uint64, "i64": np.int64, "f32": np.float32}


class Case:
    """A data folder."""

    def __init__(self, folder, seed):
        self.folder = pathlib.Path(folder)
        self.random = np.random.default_rng(seed)
        self.params = {}

    def put(self, name, kind, values):
        np.ascontiguousarray(values, TYPES[kind]).tofile(self.folder / f"{name}.{kind}")

    def set(self, **params):
        self.params.update(params)
        text = "".join(f"{name} {value}\n" for name, value in self.params.items())
        (self.folder / "params.txt").write_text(text)

    def result(self, name, kind):
        return np.fromfile(self.folder / f"out-{name}.{kind}", TYPES[kind])


def make_edges(case, scale, degree):
    """R-MAT: few vertices with many edges, many without any."""
    n = 1 << scale
    source = np.zeros(n * degree, np.int64)
    target = np.zeros(n * degree, np.int64)
    for _ in range(scale):
        part = case.random.random(n * degree)
        source = source * 2 + (part >= 0.76)
        target = target * 2 + ((part >= 0.57) & (part < 0.76) | (part >= 0.95))
    return n, source, target


def make_csr(n, source, target):
    order = np.lexsort((target, source))
    row = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=n))])
    return row, target[order]


def put_graph(case, scale=12, degree=8, symmetric=False, path=0):
    """A path of so many vertices is attached, so that a search has many levels."""
    n, source, target = make_edges(case, scale, degree)
    if path > 0:
        source = np.concatenate([source, [0], np.arange(n, n + path - 1)])
        target = np.concatenate([target, [n], np.arange(n + 1, n + path)])
        n += path
    if symmetric:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    row, col = make_csr(n, source, target)
    case.put("row", "u32", row)
    case.put("col", "u32", col)
    case.set(n=n)
    return n, row, col


def matrix_of(n, row, col, values=None):
    return sparse.csr_matrix((np.ones(len(col)) if values is None else values, col, row), shape=(n, n))


def find_levels(n, row, col, sources):
    level = np.full(n, INF, np.uint32)
    level[sources] = 0
    frontier = np.array(sources)
    depth = 0
    while len(frontier) > 0:
        depth += 1
        near = np.unique(np.concatenate([col[row[v]:row[v + 1]] for v in frontier]))
        frontier = near[level[near] == INF]
        level[frontier] = depth
    return level


def close(a, b, relative=1e-4, absolute=1e-7):
    return np.allclose(a, b, relative, absolute)


def make_flows_to(case):
    n, row, col = put_graph(case, path=60)
    target = case.random.choice(n, 31, replace=False)
    target[0] = n - 1 if row[n] > row[n - 1] else target[0]
    case.put("target", "u32", target)
    levels = [find_levels(n, row, col, [t]) for t in target]

    def check():
        state, count, deepest = (case.result(b, "u32") for b in ("state", "count", "deepest"))
        right = sum((level != INF).astype(np.uint32) << np.uint32(r) for r, level in enumerate(levels))
        farthest = [level[level != INF].max() for level in levels] + [0]
        sizes = [(level != INF).sum() - 1 for level in levels] + [0]
        return (state == right).all() and (count == sizes).all() and (deepest == farthest).all()
    return check


def make_reach(case):
    n, row, col = put_graph(case, path=60)
    sources = np.unique(case.random.choice(n, 3))
    dist = np.full(n, INF, np.uint32)
    dist[sources] = 0
    case.put("dist", "u32", dist)
    right = find_levels(n, row, col, sources)
    return lambda: (case.result("dist", "u32") == right).all()


def make_bfs(case, symmetric=True):
    n, row, col = put_graph(case, symmetric=symmetric, path=60)
    source = int(np.argmax(np.diff(row)))
    case.set(source=source)
    if not symmetric:
        transposed = make_csr(n, col, np.repeat(np.arange(n), np.diff(row)))
        case.put("in_row", "u32", transposed[0])
        case.put("in_col", "u32", transposed[1])
    else:
        case.put("in_row", "u32", row)
        case.put("in_col", "u32", col)
    right = find_levels(n, row, col, [source])

    def check():
        levels = case.result("levels", "u32")
        return (case.result("level", "u32") == right).all() and levels[0] == right[right != INF].max() + 1
    return check


def make_components(case):
    n, row, col = put_graph(case, degree=2, symmetric=True, path=300)
    source = np.repeat(np.arange(n), np.diff(row))
    case.put("from", "u32", source)
    case.put("to", "u32", col)
    number, label = csgraph.connected_components(matrix_of(n, row, col), directed=False)
    least = np.full(number, n)
    np.minimum.at(least, label, np.arange(n))

    def check():
        return (case.result("comp", "u32") == least[label]).all() and case.result("count", "u32")[0] == number
    return check


def make_pagerank(case):
    n, row, col = put_graph(case)
    case.put("out_row", "u32", np.concatenate([[0], np.cumsum(np.bincount(col, minlength=n))]))
    case.set(damping=0.85, tol=1e-6, max_iter=100)
    degree = np.bincount(col, minlength=n)
    links = matrix_of(n, row, col)
    score = np.full(n, 1 / n)
    change, turns = 1, 0
    while change > 1e-6:
        share = np.divide(score, degree, out=np.zeros(n), where=degree > 0)
        new = 0.15 / n + 0.85 * (links @ share + score[degree == 0].sum() / n)
        change = np.abs(new - score).sum()
        score = new
        turns += 1

    def check():
        return (close(case.result("score", "f32"), score) and abs(int(case.result("iterations", "u32")[0]) - turns) <= 1
                and case.result("residual", "f32")[0] <= 1e-6)
    return check


def make_sssp(case):
    n, row, col = put_graph(case, path=60)
    weight = case.random.integers(1, 256, len(col))
    source = int(np.argmax(np.diff(row)))
    case.put("weight", "u32", weight)
    case.set(source=source, delta=64)
    least = {}  # of parallel edges the lightest
    for v, w, cost in zip(np.repeat(np.arange(n), np.diff(row)), col, weight):
        least[v, w] = min(cost, least.get((v, w), INF))
    pairs = np.array(list(least.keys()))
    graph = sparse.csr_matrix((np.array(list(least.values()), float), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    right = csgraph.dijkstra(graph, indices=source)
    right = np.where(np.isinf(right), INF, right).astype(np.uint32)
    return lambda: (case.result("dist", "u32") == right).all()


def make_jacobi(case, w=300, h=211, turns=37):
    u = case.random.random((h, w), np.float32)
    f = case.random.random((h, w), np.float32)
    case.put("u", "f32", u)
    case.put("f", "f32", f)
    case.set(w=w, h=h, tol=0, max_iter=turns)
    right = u.astype(float)
    for _ in range(turns):
        next_u = right.copy()
        next_u[1:-1, 1:-1] = 0.25 * (right[1:-1, :-2] + right[1:-1, 2:] + right[:-2, 1:-1] + right[2:, 1:-1]
                                     + f[1:-1, 1:-1])
        change = np.abs(next_u - right).max()
        right = next_u

    def check():
        return (close(case.result("u", "f32"), right.ravel()) and case.result("iterations", "u32")[0] == turns
                and close(case.result("change", "f32")[0], change, 1e-3))
    return check


def make_cg(case, side=40):
    n = side * side
    line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    one = sparse.identity(side)
    a = (sparse.kron(line, one) + sparse.kron(one, line)).tocsr()
    a.sort_indices()
    b = case.random.random(n, np.float32)
    case.put("row", "u32", a.indptr)
    case.put("col", "u32", a.indices)
    case.put("val", "f32", a.data)
    case.put("b", "f32", b)
    case.put("x", "f32", np.zeros(n))
    case.set(n=n, tol=1e-5, max_iter=1000)
    right = sparse.linalg.spsolve(a.tocsc(), b.astype(float))
    return lambda: close(case.result("x", "f32"), right, 1e-3) and 20 < case.result("iterations", "u32")[0] < 200


def make_scan(case, n=100003):
    x = case.random.integers(0, 1 << 32, n, np.uint32)
    case.put("x", "u32", x)
    case.set(n=n)
    right = np.cumsum(x, dtype=np.uint32)

    return lambda: (case.result("y", "u32") == right).all() and case.result("total", "u32")[0] == right[-1]


def make_sort(case, n=100003):
    key = case.random.integers(0, 1 << 32, n, np.uint32)
    case.put("key", "u32", key)
    case.set(n=n)
    right = np.sort(key)
    return lambda: (case.result("key", "u32") == right).all()


def make_histogram(case, n=100003):
    x = case.random.integers(0, 256, n) & case.random.integers(0, 256, n)
    case.put("x", "u8", x)
    case.set(n=n)
    right = np.bincount(x, minlength=256)
    begin = np.cumsum(right) - right
    return lambda: (case.result("count", "u32") == right).all() and (case.result("begin", "u32") == begin).all()


def make_kmeans(case, n=10007, dims=5, k=13, turns=6):
    """Clouds around k places, so that rounding moves no label in a few turns."""
    place = case.random.random((k, dims)) * 20
    x = (place[case.random.integers(0, k, n)] + case.random.random((n, dims))).astype(np.float32)
    centre = x[:k].copy()
    case.put("x", "f32", x)
    case.put("centre", "f32", centre)
    case.set(n=n, dims=dims, k=k, max_iter=turns)
    right = centre.astype(float)
    before = None
    for turn in range(turns):
        label = ((x[:, None, :] - right) ** 2).sum(2).argmin(1)
        if before is not None and (before == label).all():
            break
        before = label
        for c in range(k):
            if (label == c).any():
                right[c] = x[label == c].mean(0, dtype=float)

    def check():
        return (close(case.result("centre", "f32"), right.ravel()) and (case.result("label", "u32") == label).all()
                and (case.result("members", "u32") == np.bincount(label, minlength=k)).all()
                and case.result("iterations", "u32")[0] == turn + 1)
    return check


MAKERS = {name[5:]: make for name, make in list(globals().items())
          if name.startswith("make_") and name[5:] not in ("edges", "csr")}


def talk(peer, line=None):
    if line is not None:
        peer.stdin.write(line + "\n")
        peer.stdin.flush()
    return peer.stdout.readline().strip()


def try_peer(path, workload, threads):
    """What a line says: ok, unsupported, wrong, or how it failed."""
    with tempfile.TemporaryDirectory() as folder:
        case = Case(folder, 1)
        check = MAKERS[workload](case)
        with subprocess.Popen([path, workload, folder, "2", str(threads)], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as peer:
            answer = talk(peer)
            if answer == "unsupported":
                return answer
            if answer != "ready":
                return "failed"
            times = [talk(peer, "go") for _ in range(3)]
            done = talk(peer, "result")
            peer.stdin.write("quit\n")
            peer.stdin.close()
        if not all(time.startswith("seconds ") for time in times) or done != "done" or peer.returncode != 0:
            return "failed"
        best = min(float(time.split()[1]) for time in times)
        return f"ok, {best * 1e3:.3f} ms" if check() else "WRONG"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("peer", nargs="*")
    parser.add_argument("-w", "--workload", action="append", choices=MAKERS)
    parser.add_argument("-t", "--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = options.peer or sorted(path.name[5:] for path in options.folder.glob("peer-*"))
    wrong = 0
    for name in names:
        for workload in options.workload or MAKERS:
            says = try_peer(options.folder / f"peer-{name}", workload, options.threads)
            wrong += not says.startswith(("ok", "unsupported"))
            print(f"{name:10} {workload:12} {says}", flush=True)
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
