#!/usr/bin/env python3
"""The workloads that PyTorch expresses, as a peer of the benchmark (bench/README.md).

Where a run is many small operations on data that stays where it is, they are captured in a CUDA graph.
"""
import os
import sys
import time

WORKLOADS = ("jacobi", "pagerank", "cg", "scan", "sort")


def say(text):
    print(text, flush=True)


class Workload:
    """What all have: the data as tensors on the device, and results by name."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "params.txt"), encoding="utf-8") as file:
            self.params = {name: float(value) for name, value in (line.split() for line in file)}

    def read(self, name, kind):
        dtype = {"u32": np.int32, "f32": np.float32}[kind]
        host = np.fromfile(os.path.join(self.folder, f"{name}.{kind}"), dtype=dtype)
        return torch.from_numpy(host).to(DEVICE)

    def put(self, name, kind, tensor):
        tensor.cpu().numpy().tofile(os.path.join(self.folder, f"out-{name}.{kind}"))

    def reset(self):
        pass

    def matrix(self, values):
        """The CSR matrix of row and col, with the values or ones."""
        row, col = self.read("row", "u32"), self.read("col", "u32")
        if values is None:
            values = torch.ones(col.numel(), dtype=torch.float32, device=DEVICE)
        n = row.numel() - 1
        return torch.sparse_csr_tensor(row, col, values, size=(n, n), check_invariants=False)


class Jacobi(Workload):
    """Sums of shifted slices; the sweeps between two looks are one graph."""

    def load(self):
        w, h = int(self.params["w"]), int(self.params["h"])
        self.most, self.every = int(self.params["max_iter"]), int(self.params.get("every", 10))
        self.tol = self.params["tol"]
        self.first = self.read("u", "f32").reshape(h, w)
        self.f = self.read("f", "f32").reshape(h, w)[1:-1, 1:-1]
        self.u, self.other = self.first.clone(), self.first.clone()
        self.change = torch.zeros((), dtype=torch.float32, device=DEVICE)
        self.graphs = {}

    def sweep(self, source, to, look):
        inner = to[1:-1, 1:-1]
        torch.add(source[1:-1, :-2], source[1:-1, 2:], out=inner)
        inner += source[:-2, 1:-1]
        inner += source[2:, 1:-1]
        inner += self.f
        inner *= 0.25
        if look:
            self.change.copy_((inner - source[1:-1, 1:-1]).abs().max())

    def sweeps(self, count, source, to):
        for i in range(count):
            self.sweep(source, to, i + 1 == count)
            source, to = to, source

    def replay(self, count, swapped):
        key = (count, swapped)
        if key not in self.graphs:
            pair = (self.other, self.u) if swapped else (self.u, self.other)
            saved = [part.clone() for part in pair]
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self.sweeps(count, *pair)
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.sweeps(count, *pair)
            for part, old in zip(pair, saved):
                part.copy_(old)
            self.graphs[key] = graph
        self.graphs[key].replay()

    def reset(self):
        self.u.copy_(self.first)
        self.other.copy_(self.first)

    def run(self):
        done, swapped = 0, False
        while done < self.most:
            count = min(self.every, self.most - done)
            self.replay(count, swapped)
            done += count
            swapped ^= count % 2 == 1
            if not self.change.item() > self.tol:
                break
        self.result = self.other if swapped else self.u

    def write(self):
        self.put("u", "f32", self.result)


class Pagerank(Workload):
    def load(self):
        self.a = self.matrix(None)
        out_row = self.read("out_row", "u32")
        self.links = (out_row[1:] - out_row[:-1]).to(torch.float32)
        self.inverse = torch.where(self.links > 0, 1 / self.links, 0.0)
        self.dangling = (self.links == 0).to(torch.float32)

    def run(self):
        n = self.links.numel()
        damping, tol, most = self.params["damping"], self.params["tol"], int(self.params["max_iter"])
        score = torch.full((n,), 1 / n, dtype=torch.float32, device=DEVICE)
        for _ in range(most):
            lost = torch.dot(score, self.dangling)
            new = torch.mv(self.a, score * self.inverse)
            new += lost / n
            new *= damping
            new += (1 - damping) / n
            change = (new - score).abs().sum()
            score = new
            if not change.item() > tol:
                break
        self.score = score

    def write(self):
        self.put("score", "f32", self.score)


class Cg(Workload):
    def load(self):
        self.a = self.matrix(self.read("val", "f32"))
        self.b = self.read("b", "f32")
        self.first = self.read("x", "f32")

    def reset(self):
        self.x = self.first.clone()

    def run(self):
        tol, most = self.params["tol"], int(self.params["max_iter"])
        x = self.x
        r = self.b - torch.mv(self.a, x)
        p = r.clone()
        rr = torch.dot(r, r)
        goal = tol * tol * rr.item()
        for _ in range(most):
            if not rr.item() > goal:
                break
            q = torch.mv(self.a, p)
            alpha = rr / torch.dot(p, q)
            r -= alpha * q
            after = torch.dot(r, r)
            x += alpha * p
            p = torch.addcmul(r, p, after / rr)
            rr = after

    def write(self):
        self.put("x", "f32", self.x)


class Scan(Workload):
    def load(self):
        self.x = self.read("x", "u32")
        self.y = torch.empty_like(self.x)

    def run(self):
        torch.cumsum(self.x, 0, dtype=torch.int32, out=self.y)

    def write(self):
        self.put("y", "u32", self.y)
        self.put("total", "u32", self.y[-1:])


class Sort(Workload):
    """Keys are unsigned, and PyTorch's are not: their highest bit is turned, before and after."""

    def load(self):
        self.first = self.read("key", "u32")
        self.key = self.first.clone()

    def reset(self):
        self.key = None
        self.key = self.first.clone()

    def run(self):
        flip = -(1 << 31)
        self.key = torch.sort(self.key ^ flip).values
        self.key ^= flip

    def write(self):
        self.put("key", "u32", self.key)


def run_once(workload):
    workload.reset()
    WAKE.add_(1)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    workload.run()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def main():
    workload = {"jacobi": Jacobi, "pagerank": Pagerank, "cg": Cg, "scan": Scan, "sort": Sort}[sys.argv[1]](sys.argv[2])
    workload.load()
    run_once(workload)
    run_once(workload)
    say("ready")
    for line in sys.stdin:
        if line == "go\n":
            say(f"seconds {run_once(workload):.9f}")
        elif line == "result\n":
            workload.write()
            say("done")
        else:
            break


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("peer-NAME WORKLOAD DATA_FOLDER ROUNDS THREADS")
    if sys.argv[1] not in WORKLOADS:
        sys.exit(say("unsupported"))
    try:
        import numpy as np
        import torch
    except ImportError as missing:
        print(missing, file=sys.stderr)
        sys.exit(say("unsupported"))

    if not torch.cuda.is_available():
        sys.exit("no CUDA device for PyTorch")
    DEVICE = torch.device("cuda")
    WAKE = torch.zeros(1, device=DEVICE)
    torch.set_grad_enabled(False)
    main()
