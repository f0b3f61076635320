#!/usr/bin/python3
"""The workloads that Numba expresses well, for gridfence bench (bench/README.md has the protocol).

Numba is taken from the interpreter that runs this, or from a virtual environment `numba` beside the file, which
`bench/peers/numba_install.sh FOLDER` makes. Without it every workload is unsupported.
"""
import os
import pathlib
import sys
import time

WORKLOAD, FOLDER, _, THREADS = (sys.argv[1:] + [""] * 4)[:4]
os.environ["NUMBA_NUM_THREADS"] = THREADS or "1"

try:
    import numba
    import numpy as np
    from numba import njit, prange
except ImportError:
    own = pathlib.Path(__file__).resolve().parent / "numba"
    if (own / "bin" / "python").exists() and pathlib.Path(sys.prefix) != own:
        os.execv(own / "bin" / "python", [own / "bin" / "python", *map(str, (pathlib.Path(__file__), *sys.argv[1:]))])
    print("unsupported")
    sys.exit(0)

INF = np.uint32(0xFFFFFFFF)
TYPES = {"u8": np.uint8, "u32": np.uint32, "f32": np.float32}
PARALLEL = {"parallel": True, "cache": False}


def read(name, kind):
    return np.fromfile(f"{FOLDER}/{name}.{kind}", TYPES[kind])


def write(name, kind, values):
    np.ascontiguousarray(values, TYPES[kind]).tofile(f"{FOLDER}/out-{name}.{kind}")


def read_params():
    with open(f"{FOLDER}/params.txt", encoding="ascii") as lines:
        return {name: float(value) for name, value in (line.split() for line in lines)}


def share_out(n, blocks):
    """Where each block begins, and the end. Unsigned, so that no index is taken for one from the end."""
    return np.linspace(0, n, blocks + 1).astype(np.uint64)


class Pagerank:
    def __init__(self, params):
        self.n = int(params["n"])
        self.limits = (np.float32(params.get("damping", 0.85)), np.float32(params.get("tol", 1e-6)),
                       int(params.get("max_iter", 100)))
        self.graph = read("row", "u32"), read("col", "u32")
        out_row = read("out_row", "u32")
        self.links = out_row[1:] - out_row[:-1]

    @staticmethod
    @njit(**PARALLEL)
    def solve(row, col, links, damping, tol, max_iter):
        n = len(links)
        base = np.float32(1) / np.float32(n)
        score = np.empty(n, np.float32)
        share = np.empty(n, np.float32)
        next_share = np.empty(n, np.float32)
        lost = 0.0
        for v in prange(n):
            score[v] = base
            share[v] = base / np.float32(links[v]) if links[v] != 0 else np.float32(0)
            lost += base if links[v] == 0 else np.float32(0)
        change = np.float64(tol) + 1.0
        it = 0
        while it < max_iter and change > tol:
            same = np.float32((1 - damping) * base + damping * np.float32(lost) * base)
            change = 0.0
            lost = 0.0
            for v in prange(n):
                total = np.float32(0)
                for e in range(row[v], row[v + 1]):
                    total += share[col[e]]
                now = same + damping * total
                change += abs(now - score[v])
                score[v] = now
                if links[v] == 0:
                    lost += now
                    next_share[v] = 0
                else:
                    next_share[v] = now / np.float32(links[v])
            share, next_share = next_share, share
            it += 1
        return score, it, change

    def run(self):
        self.result = self.solve(*self.graph, self.links, *self.limits)

    def write(self):
        write("score", "f32", self.result[0])
        write("iterations", "u32", [self.result[1]])
        write("residual", "f32", [self.result[2]])


def turn_edges(n, row, col):
    """The in-edges as CSR, and where each of them was among the out-edges."""
    order = np.argsort(col, kind="stable")
    in_row = np.concatenate([[0], np.cumsum(np.bincount(col, minlength=n))]).astype(np.uint32)
    return in_row, np.repeat(np.arange(n, dtype=np.uint32), np.diff(row))[order], order


class Reach:
    """By pull over the in-edges, which are made beforehand: Numba has no atomic minimum on the CPU."""

    def __init__(self, params):
        self.first = read("dist", "u32")
        self.graph = turn_edges(int(params["n"]), read("row", "u32"), read("col", "u32"))[:2]

    def reset(self):
        self.dist = self.first.copy()

    @staticmethod
    @njit(**PARALLEL)
    def solve(row, col, dist):
        changed = 1
        depth = np.uint32(0)
        while changed != 0:
            changed = 0
            for v in prange(len(dist)):
                if dist[v] == INF:
                    for e in range(row[v], row[v + 1]):
                        if dist[col[e]] == depth:
                            dist[v] = depth + np.uint32(1)
                            changed += 1
                            break
            depth += np.uint32(1)

    def run(self):
        self.solve(*self.graph, self.dist)

    def write(self):
        write("dist", "u32", self.dist)


class Sssp:
    """Bellman-Ford by pull, from vertices whose distance changed in the sweep before or in this one."""

    def __init__(self, params):
        self.n, self.source = int(params["n"]), int(params.get("source", 0))
        row, col, order = turn_edges(self.n, read("row", "u32"), read("col", "u32"))
        self.graph = row, col, read("weight", "u32")[order]

    @staticmethod
    @njit(**PARALLEL)
    def solve(row, col, weight, n, source):
        dist = np.empty(n, np.uint32)
        moved = np.zeros(n, np.uint32)  # the last sweep that changed the distance
        for v in prange(n):
            dist[v] = INF
        dist[source] = 0
        moved[source] = 1
        sweep = np.uint32(1)
        changed = 1
        while changed != 0:
            changed = 0
            for v in prange(n):
                least = dist[v]
                for e in range(row[v], row[v + 1]):
                    u = col[e]
                    if moved[u] >= sweep:
                        d = dist[u]
                        if weight[e] < INF - d and d + weight[e] < least:
                            least = d + weight[e]
                if least < dist[v]:
                    dist[v] = least
                    moved[v] = sweep + np.uint32(1)
                    changed += 1
            sweep += np.uint32(1)
        return dist

    def run(self):
        self.dist = self.solve(*self.graph, self.n, self.source)

    def write(self):
        write("dist", "u32", self.dist)


class Components:
    """Labels go along the edges and jump to those of their labels, in place: each is written by one thread only."""

    def __init__(self, params):
        self.n = int(params["n"])
        self.graph = read("row", "u32"), read("col", "u32")

    @staticmethod
    @njit(**PARALLEL)
    def solve(row, col, n):
        comp = np.empty(n, np.uint32)
        for v in prange(n):
            comp[v] = v
        changed = 1
        while changed != 0:
            changed = 0
            for v in prange(n):
                least = comp[v]
                for e in range(row[v], row[v + 1]):
                    least = min(least, comp[col[e]])
                while comp[least] < least:
                    least = comp[least]
                if least < comp[v]:
                    comp[v] = least
                    changed += 1
        roots = 0
        for v in prange(n):
            if comp[v] == v:
                roots += 1
        return comp, roots

    def run(self):
        self.result = self.solve(*self.graph, self.n)

    def write(self):
        write("comp", "u32", self.result[0])
        write("count", "u32", [self.result[1]])


class Jacobi:
    def __init__(self, params):
        self.shape = int(params["h"]), int(params["w"])
        self.limits = np.float32(params.get("tol", 1e-5)), int(params.get("max_iter", 10000))
        self.first = read("u", "f32").reshape(self.shape)
        self.f = read("f", "f32").reshape(self.shape)

    def reset(self):
        self.u = self.first.copy()

    @staticmethod
    @njit(fastmath={"nnan", "nsz"}, **PARALLEL)  # what a vectorised maximum needs; there are no NaNs
    def solve(u, f, tol, max_iter):
        h, w = u.shape
        other = np.empty_like(u)
        for y in prange(h):
            other[y] = u[y]
        worst = tol + np.float32(1)
        it = 0
        quarter = np.float32(0.25)
        rows = np.zeros(h, np.float32)
        while it < max_iter and worst > tol:
            for y in prange(1, h - 1):
                here, left, right = u[y, 1:-1], u[y, :-2], u[y, 2:]
                above, below, source, to = u[y - 1, 1:-1], u[y + 1, 1:-1], f[y, 1:-1], other[y, 1:-1]
                most = np.float32(0)
                for x in range(w - 2):  # one index for all, which is never negative: else nothing is vectorised
                    new = quarter * (left[x] + right[x] + above[x] + below[x] + source[x])
                    most = max(most, abs(new - here[x]))
                    to[x] = new
                rows[y] = most
            worst = rows.max()
            u, other = other, u
            it += 1
        return u, it, worst

    def run(self):
        self.result = self.solve(self.u, self.f, *self.limits)

    def write(self):
        write("u", "f32", self.result[0])
        write("iterations", "u32", [self.result[1]])
        write("change", "f32", [self.result[2]])


class Cg:
    def __init__(self, params):
        self.limits = np.float32(params.get("tol", 1e-6)), int(params.get("max_iter", 1000))
        self.matrix = read("row", "u32"), read("col", "u32"), read("val", "f32")
        self.b, self.first = read("b", "f32"), read("x", "f32")

    def reset(self):
        self.x = self.first.copy()

    @staticmethod
    @njit(**PARALLEL)
    def solve(row, col, val, b, x, tol, max_iter):
        n = len(b)
        r = np.empty(n, np.float32)
        p = np.empty(n, np.float32)
        q = np.empty(n, np.float32)
        rr = 0.0
        for v in prange(n):
            s = b[v]
            for e in range(row[v], row[v + 1]):
                s -= val[e] * x[col[e]]
            r[v] = s
            p[v] = s
            rr += s * s
        goal = tol * tol * rr
        it = 0
        while it < max_iter and rr > goal:
            pq = 0.0
            for v in prange(n):
                s = np.float32(0)
                for e in range(row[v], row[v + 1]):
                    s += val[e] * p[col[e]]
                q[v] = s
                pq += p[v] * s
            alpha = np.float32(rr / pq)
            following = 0.0
            for v in prange(n):
                s = r[v] - alpha * q[v]
                r[v] = s
                following += s * s
            beta = np.float32(following / rr)
            for v in prange(n):
                d = p[v]
                x[v] += alpha * d
                p[v] = r[v] + beta * d
            rr = following
            it += 1
        return it, rr

    def run(self):
        self.result = self.solve(*self.matrix, self.b, self.x, *self.limits)

    def write(self):
        write("x", "f32", self.x)
        write("iterations", "u32", [self.result[0]])
        write("residual", "f32", [self.result[1]])


class Scan:
    def __init__(self, params):
        self.x = read("x", "u32")
        self.y = np.empty_like(self.x)
        self.blocks = share_out(int(params["n"]), 16 * int(THREADS))

    @staticmethod
    @njit(**PARALLEL)
    def solve(x, y, blocks):
        count = len(blocks) - 1
        sums = np.zeros(count + 1, np.uint32)
        for b in prange(count):
            total = np.uint32(0)
            for i in range(blocks[b], blocks[b + 1]):
                total += x[i]
            sums[b + 1] = total
        for b in range(count):
            sums[b + 1] += sums[b]
        for b in prange(count):
            total = sums[b]
            for i in range(blocks[b], blocks[b + 1]):
                total += x[i]
                y[i] = total

    def run(self):
        self.solve(self.x, self.y, self.blocks)

    def write(self):
        write("y", "u32", self.y)
        write("total", "u32", self.y[-1:])


class Histogram:
    def __init__(self, params):
        self.x = read("x", "u8")
        self.blocks = share_out(int(params["n"]), 16 * int(THREADS))

    @staticmethod
    @njit(**PARALLEL)
    def solve(x, blocks):
        blocks_count = len(blocks) - 1
        tables = np.zeros((blocks_count, 4, 256), np.uint32)
        for b in prange(blocks_count):
            one, two, three, four = tables[b, 0], tables[b, 1], tables[b, 2], tables[b, 3]
            end = blocks[b + 1]
            whole = blocks[b] + (end - blocks[b]) // np.uint64(4) * np.uint64(4)
            for i in range(blocks[b], whole, np.uint64(4)):
                one[x[i]] += np.uint32(1)
                two[x[i + np.uint64(1)]] += np.uint32(1)
                three[x[i + np.uint64(2)]] += np.uint32(1)
                four[x[i + np.uint64(3)]] += np.uint32(1)
            for i in range(whole, end):
                one[x[i]] += np.uint32(1)
        count = np.zeros(256, np.uint32)
        begin = np.zeros(256, np.uint32)
        for b in range(blocks_count):
            for table in range(4):
                for v in range(256):
                    count[v] += tables[b, table, v]
        for v in range(255):
            begin[v + 1] = begin[v] + count[v]
        return count, begin

    def run(self):
        self.result = self.solve(self.x, self.blocks)

    def write(self):
        write("count", "u32", self.result[0])
        write("begin", "u32", self.result[1])


def make_kmeans(k, dims):
    """The numbers are constants of the compiled code, as a hand would have them."""
    @njit(**PARALLEL)
    def solve(x, centre, max_iter, blocks):
        count = len(blocks) - 1
        label = np.empty(len(x), np.uint32)
        sums = np.empty((count, k, dims), np.float32)
        some = np.empty((count, k), np.uint32)
        members = np.zeros(k, np.uint32)
        moved = 1
        it = 0
        while it < max_iter and moved != 0:
            moved = 0
            for b in prange(count):
                own_sum = np.zeros((k, dims), np.float32)
                own_some = np.zeros(k, np.uint32)
                changed = 0
                for p in range(blocks[b], blocks[b + 1]):
                    nearest = 0
                    least = np.float32(np.inf)
                    for c in range(k):
                        square = np.float32(0)
                        for j in range(dims):
                            d = x[p, j] - centre[c, j]
                            square += d * d
                        if square < least:
                            least = square
                            nearest = c
                    if it == 0 or label[p] != nearest:
                        changed += 1
                    label[p] = nearest
                    own_some[nearest] += np.uint32(1)
                    for j in range(dims):
                        own_sum[nearest, j] += x[p, j]
                sums[b] = own_sum
                some[b] = own_some
                moved += changed
            for c in range(k):
                members[c] = some[:, c].sum()
                if members[c] != 0:
                    for j in range(dims):
                        centre[c, j] = sums[:, c, j].sum() / np.float32(members[c])
            it += 1
        return label, members, it
    return solve


class Kmeans:
    def __init__(self, params):
        n, dims, k = (int(params[name]) for name in ("n", "dims", "k"))
        self.limit = int(params.get("max_iter", 100))
        self.x = read("x", "f32").reshape(n, dims)
        self.first = read("centre", "f32").reshape(k, dims)
        self.blocks = share_out(n, 16 * int(THREADS))
        self.solve = make_kmeans(k, dims)

    def reset(self):
        self.centre = self.first.copy()

    def run(self):
        self.result = self.solve(self.x, self.centre, self.limit, self.blocks)

    def write(self):
        write("centre", "f32", self.centre)
        write("label", "u32", self.result[0])
        write("members", "u32", self.result[1])
        write("iterations", "u32", [self.result[2]])


WORKLOADS = {"pagerank": Pagerank, "reach": Reach, "sssp": Sssp, "components": Components, "jacobi": Jacobi, "cg": Cg,
             "scan": Scan, "histogram": Histogram, "kmeans": Kmeans}


def run_once(workload):
    if hasattr(workload, "reset"):
        workload.reset()
    begin = time.perf_counter()
    workload.run()
    return time.perf_counter() - begin


def main():
    if WORKLOAD not in WORKLOADS:
        print("unsupported")
        return
    numba.set_num_threads(int(THREADS))
    workload = WORKLOADS[WORKLOAD](read_params())
    run_once(workload)  # compiles
    print("ready", flush=True)
    for line in sys.stdin:
        order = line.strip()
        if order == "quit":
            break
        if order == "go":
            print(f"seconds {run_once(workload):.9f}", flush=True)
        elif order == "result":
            workload.write()
            print("done", flush=True)
        else:
            sys.exit(f"not understood: {order}")


main()
