"""Programs over arrays, against NumPy and SciPy."""
import os

import numpy as np
import scipy.cluster.vq as vq
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

from case import Case, differs, first_of


def check_scan(x):
    wanted = np.cumsum(x, dtype=np.uint32)

    def check(tool):
        found = tool.run("scan", ["y", "total"], *tool.save(x=x), n=len(x))
        return first_of(differs(found, "y", wanted), differs(found, "total", wanted[-1:]))
    return check


def check_sort(key):
    def check(tool):
        bound = tool.save(key=key)
        for shape in ({}, {"chunks": 3, "least": 1}, {"chunks": 300, "least": 7}):
            wrong = differs(tool.run("sort", ["key"], *bound, n=len(key), **shape), "key", np.sort(key))
            if wrong:
                return f"{shape}: {wrong}"
        return None
    return check


def check_sort_groups(key):
    def check(tool):
        bound = tool.save(key=key)
        for groups in (512, 1, 5):
            wrong = differs(tool.run("sort_groups", ["key"], *bound, n=len(key), groups=groups), "key", np.sort(key))
            if wrong:
                return f"{groups} workgroups: {wrong}"
        return None
    return check


def check_histogram(x):
    x = (x % 256).astype(np.uint8)
    count = np.bincount(x, minlength=256)

    def check(tool):
        for blocks in (256, 1, 3):
            found = tool.run("histogram", ["count", "begin"], *tool.save(x=x), n=len(x), blocks=blocks)
            wrong = first_of(differs(found, "count", count), differs(found, "begin", np.cumsum(count) - count))
            if wrong:
                return f"{blocks} blocks: {wrong}"
        return None
    return check


def sweep(u, f):
    """An iteration in the order of the program, so that it rounds alike."""
    new = u.copy()
    new[1:-1, 1:-1] = np.float32(0.25) * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] + f[1:-1, 1:-1])
    return new


def check_jacobi(h, w, sweeps, every):
    random = np.random.default_rng(h * w)
    u, f = random.random((2, h, w), np.float32)
    wanted, change = u, np.float32(0)
    for _ in range(sweeps):
        before, wanted = wanted, sweep(wanted, f)
        change = np.abs(wanted - before).max()

    def check(tool):
        found = tool.run("jacobi", ["u", "iterations", "change"], *tool.save(u=u, f=f), w=w, h=h, tol=0,
                         max_iter=sweeps, every=every)
        return first_of(differs(found, "u", wanted), differs(found, "iterations", [sweeps]),
                        differs(found, "change", [change]))
    return check


def check_poisson(h, w):
    """To the end, against a direct solution of the equations of the inner points."""
    random = np.random.default_rng(5)
    u, f = random.random((2, h, w), np.float32)
    ring = u.astype(np.float64)
    ring[1:-1, 1:-1] = 0
    right = (f + np.roll(ring, 1, 0) + np.roll(ring, -1, 0) + np.roll(ring, 1, 1) + np.roll(ring, -1, 1))[1:-1, 1:-1]
    down, across = (sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(k - 2, k - 2)) for k in (h, w))
    inner = linalg.spsolve(sparse.kronsum(across, down).tocsc(), right.ravel())
    wanted = u.astype(np.float64)
    wanted[1:-1, 1:-1] = inner.reshape(h - 2, w - 2)

    def check(tool):
        found = tool.run("jacobi", ["u"], *tool.save(u=u, f=f), w=w, h=h, tol=1e-6)
        away = np.abs(found["u"].reshape(h, w) - wanted).max()
        return None if away < 1e-3 else f"{away} away from the solution"
    return check


def lloyd(x, centre, blocks, max_iter):
    """k-means in the order of the program, so that it rounds alike."""
    n, k = len(x), len(centre)
    centre, label = centre.copy(), np.zeros(n, np.int64)
    size = n // blocks + 1
    for it in range(1, max_iter + 1):
        square = np.zeros((n, k), np.float32)
        for j in range(x.shape[1]):
            d = x[:, j, None] - centre[None, :, j]
            square += d * d
        new = np.argmin(square, axis=1)
        still = it > 1 and (new == label).all()
        label = new
        total = np.zeros_like(centre)
        for at in range(0, n, size):
            part = np.zeros_like(centre)
            np.add.at(part, label[at:at + size], x[at:at + size])
            total += part
        members = np.bincount(label, minlength=k)
        some = members > 0
        centre[some] = total[some] / members[some, None].astype(np.float32)
        if still:
            break
    return centre, label, members, it


def check_kmeans(x, k, blocks, separate):
    x = np.ascontiguousarray(x, np.float32)
    start = x[np.random.default_rng(k).choice(len(x), k, replace=False)]
    centre, label, members, it = lloyd(x, start, blocks, 25)
    if separate:  # by an implementation that is not ours, where no point lies near a border
        other, labels = vq.kmeans2(x.astype(np.float64), start.astype(np.float64), it, minit="matrix", missing="warn")
        assert np.allclose(other, centre, rtol=1e-4) and (labels == label).all()

    def check(tool):
        found = tool.run("kmeans", ["centre", "label", "members", "iterations"], *tool.save(x=x, centre=start),
                         n=len(x), dims=x.shape[1], k=k, blocks=blocks, max_iter=25)
        return first_of(differs(found, "label", label), differs(found, "members", members),
                        differs(found, "centre", centre), differs(found, "iterations", [it]))
    return check


def make_cases(folder, real):
    random = np.random.default_rng(11)
    numbers = {"random": random.integers(0, 1 << 32, 50_000, np.uint32), "equal": np.full(1_000, 7, np.uint32),
               "few": random.integers(0, 9, 777).astype(np.uint32),
               "falling": np.arange(70_001, 0, -1).astype(np.uint32) * np.uint32(3)}
    middle = random.integers(-9, 10, (6, 8)) * 100
    points = {"heaps": (middle[random.integers(0, 6, 3_000)] + random.random((3_000, 8)), 6, 16, False),
              "two heaps": (random.random((500, 3)) + 100 * (np.arange(500) % 2)[:, None], 2, 1, True),
              "even": (random.random((2_500, 3)), 20, 1024, False)}
    if real:
        edges = np.loadtxt(os.path.join(folder, "depends.mtx"), np.int64, skiprows=2, ndmin=2) - 1
        n = int(edges.max()) + 1
        numbers["packages"] = edges[:, 1].astype(np.uint32)
        degrees = np.stack([np.bincount(side, minlength=n) for side in edges.T], axis=1)
        points["packages"] = (np.log1p(degrees), 5, 64, False)
    cases = [Case(program, name, make(values)) for name, values in numbers.items()
             for program, make in [("scan", check_scan), ("sort", check_sort), ("sort_groups", check_sort_groups),
                                   ("histogram", check_histogram)]]
    cases += [Case("kmeans", name, check_kmeans(*shape)) for name, shape in points.items()]
    cases += [Case("jacobi", f"{w} x {h}, {sweeps} sweeps", check_jacobi(h, w, sweeps, every))
              for h, w, sweeps, every in [(50, 70, 37, 10), (9, 300, 12, 1), (40, 3, 5, 3), (3, 600, 21, 21)]]
    return cases + [Case("jacobi", "poisson", check_poisson(24, 31))]
