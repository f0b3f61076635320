"""Programs over graphs and sparse matrices, against NetworkX and SciPy."""
import functools
import os
import subprocess

import networkx as nx
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.csgraph as csgraph
import scipy.sparse.linalg as linalg

from case import Case, differs, first_of

INF = 0xFFFFFFFF


class Graph:
    """Directed edges source[i] -> target[i], double ones and loops among them, and the file that holds them."""

    def __init__(self, folder, name, n, edges):
        self.name, self.n = name, n
        self.source, self.target = np.asarray(edges, np.int64).reshape(-1, 2).T
        self.random = np.random.default_rng(n + len(self.source))
        self.weight = self.random.integers(1, 256, len(self.source))
        self.file = os.path.join(folder, f"{name}.mtx")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(f"%%MatrixMarket matrix coordinate integer general\n{n} {n} {len(self.source)}\n")
            file.writelines(f"{a + 1} {b + 1} {w}\n" for a, b, w in zip(self.source, self.target, self.weight))

    @functools.cached_property
    def directed(self):
        """As NetworkX has it: of double edges their number and the least weight."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.n))
        for a, b, w in zip(self.source.tolist(), self.target.tolist(), self.weight.tolist()):
            if graph.has_edge(a, b):
                graph[a][b]["count"] += 1
                graph[a][b]["weight"] = min(graph[a][b]["weight"], w)
            else:
                graph.add_edge(a, b, count=1, weight=w)
        return graph

    @functools.cached_property
    def undirected(self):
        return nx.Graph(self.directed)

    def popular(self, count):
        """The vertices with the most edges out and in, and some others."""
        out = np.argsort(-np.bincount(self.source, minlength=self.n), kind="stable")[:count // 2]
        into = np.argsort(-np.bincount(self.target, minlength=self.n), kind="stable")[:count // 2]
        rest = self.random.integers(0, self.n, count)
        return list(dict.fromkeys([*out.tolist(), *into.tolist(), *rest.tolist()]))[:count]


def read_edges(path):
    """Vertices and edges of a Matrix Market file of a pattern."""
    with open(path, encoding="utf-8") as file:
        file.readline()
        n = int(file.readline().split()[0])
        return n, np.loadtxt(file, np.int64, ndmin=2) - 1


def make_graphs(folder, real, binary):
    random = np.random.default_rng(7)
    done = subprocess.run([binary, "rmat", "11", "8", "1"], capture_output=True, text=True, check=True)
    yield Graph(folder, "rmat", 2048, np.loadtxt(done.stdout.splitlines(), np.int64))
    mesh = nx.convert_node_labels_to_integers(nx.grid_2d_graph(60, 25))
    yield Graph(folder, "mesh", 1500, list(mesh.to_directed().edges))
    sparse_edges = random.integers(0, 700, (520, 2))
    yield Graph(folder, "sparse", 900, sparse_edges)
    hub = np.concatenate([[(5, v) for v in range(3000)], [(v, 2999) for v in range(1700)], [(2999, 1), (1, 5)]])
    yield Graph(folder, "hubs", 3100, hub)
    if real:
        yield Graph(folder, "packages", *read_edges(os.path.join(folder, "depends.mtx")))


def hops(graph, n, sources):
    """Hops from the nearest of several vertices."""
    dist = np.full(n, INF, np.uint32)
    for source in sources:
        for v, d in nx.single_source_shortest_path_length(graph, source).items():
            dist[v] = min(dist[v], d)
    return dist


def check_bfs(graph, program="bfs"):
    wanted = [(source, hops(graph.directed, graph.n, [source])) for source in graph.popular(3)]
    undirected = [(source, hops(graph.undirected, graph.n, [source])) for source, _ in wanted[:1]]
    out, back = ["--csr", f"row,col,n={graph.file}"], ["--csr", f"in_row,in_col={graph.file}", "--transpose"]
    both = [word for ends in ("row,col,n", "in_row,in_col")
            for word in ("--csr", f"{ends}={graph.file}", "--symmetric")]

    def check(tool):
        one = tool.save(in_row=np.zeros(1, np.uint32), in_col=np.zeros(0, np.uint32))
        ways = [(back, {}), (back, {"alpha": 1000, "beta": 1000}), (back, {"beta": 2}), (one, {})]
        runs = [(level, [*out, *way], {"source": source, **more}) for source, level in wanted for way, more in ways]
        runs += [(level, both, {"source": source}) for source, level in undirected]
        for level, words, params in runs:
            found = tool.run(program, ["level", "levels"], *words, **params)
            deepest = level[level != INF].max()
            wrong = first_of(differs(found, "level", level), differs(found, "levels", [deepest + 1]))
            if wrong:
                return f"{params}: {wrong}"
        return None
    return check


def check_levels(graph):
    wanted = [(source, hops(graph.directed, graph.n, [source])) for source in graph.popular(2)]

    def check(tool):
        return first_of(*(differs(tool.run("levels", ["level"], "--csr", f"row,col,n={graph.file}", source=source),
                                  "level", level) for source, level in wanted))
    return check


def check_reach(graph):
    sources = graph.popular(4)
    start = np.full(graph.n, INF, np.uint32)
    start[sources] = 0
    wanted = hops(graph.directed, graph.n, sources)

    def check(tool):
        found = tool.run("reach", ["dist"], "--csr", f"row,col,n={graph.file}", *tool.save(dist=start))
        return differs(found, "dist", wanted)
    return check


def check_sssp(graph):
    wanted = []
    for source in graph.popular(2):
        dist = np.full(graph.n, INF, np.uint32)
        for v, d in nx.single_source_dijkstra_path_length(graph.directed, source).items():
            dist[v] = d
        wanted.append((source, dist))

    def check(tool):
        for source, dist in wanted:
            for delta in (32, 7, 0xFFFFFFFF):
                found = tool.run("sssp", ["dist"], "--csr", f"row,col,n,weight={graph.file}", source=source,
                                 delta=delta)
                wrong = differs(found, "dist", dist)
                if wrong:
                    return f"from {source}, delta {delta}: {wrong}"
        return None
    return check


def check_components(graph):
    comp = np.arange(graph.n, dtype=np.uint32)
    parts = list(nx.connected_components(graph.undirected))
    for part in parts:
        comp[list(part)] = min(part)

    def check(tool):
        found = tool.run("components", ["comp", "count"], "--csr", f"row,col,n={graph.file}", "--symmetric")
        return first_of(differs(found, "comp", comp), differs(found, "count", [len(parts)]))
    return check


def check_pagerank(graph, program="pagerank"):
    scores = nx.pagerank(graph.directed, alpha=0.85, tol=1e-13, max_iter=1000, weight="count")
    wanted = np.array([scores[v] for v in range(graph.n)])

    def check(tool):
        found = tool.run(program, ["score", "residual"], "--csr", f"row,col,n={graph.file}", "--transpose",
                         "--csr", f"out_row,-={graph.file}")
        away = np.abs(found["score"].astype(float) - wanted).sum()
        # of a residual r no more than r * d / (1 - d) is left, beside what f32 rounds in the long rows
        residual = found["residual"][0]
        return None if away < 1e-4 and residual <= 1e-6 else f"{away} away, residual {residual}"
    return check


def check_flows_to(graph):
    targets = graph.popular(31)
    back = graph.directed.reverse()
    state = np.zeros(graph.n, np.uint32)
    count, deepest = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
    for rule, target in enumerate(targets):
        found = nx.single_source_shortest_path_length(back, target)
        state[list(found)] |= np.uint32(1 << rule)
        count[rule] = len(found) - 1
        deepest[rule] = max(found.values())

    def check(tool):
        found = tool.run("flows_to", ["state", "count", "deepest"], "--csr", f"row,col,n={graph.file}", "--transpose",
                         *tool.save(target=np.array(targets, np.uint32)))
        return first_of(differs(found, "state", state), differs(found, "count", count),
                        differs(found, "deepest", deepest))
    return check


def check_taint(graph):
    """Rule r crosses the edges whose weight has bit r % 8; those are searched from what it seeds, kills left out."""
    order = np.lexsort((graph.weight, graph.target, graph.source))
    source, target = graph.source[order], graph.target[order]
    row = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=graph.n))]).astype(np.uint32)
    cross = graph.weight[order].astype(np.uint32) * np.uint32(0x01010101)
    kill = graph.random.integers(0, 1 << 32, graph.n, np.uint32)
    kill[graph.random.random(graph.n) > 0.05] = 0
    seed = np.zeros(graph.n, np.uint32)
    for rule, v in enumerate(graph.popular(32)):
        seed[v] |= np.uint32(1 << rule)
    state = np.zeros(graph.n, np.uint32)
    count = np.zeros(32, np.uint32)
    for rule in range(32):
        bit = np.uint32(1 << rule)
        passes = (cross & bit != 0) & (kill[source] & bit == 0) & (kill[target] & bit == 0)
        ways = sparse.csr_matrix((np.ones(passes.sum()), (source[passes], target[passes])), (graph.n, graph.n))
        starts = np.flatnonzero(seed & ~kill & bit)
        tainted = set().union(*(csgraph.breadth_first_order(ways, v, return_predecessors=False) for v in starts))
        state[list(tainted)] |= bit
        count[rule] = len(tainted)

    def check(tool):
        bound = tool.save(row=row, col=target.astype(np.uint32), seed=seed, kill=kill, **{"pass": cross})
        found = tool.run("taint", ["state", "count"], *bound, n=graph.n)
        return first_of(differs(found, "state", state), differs(found, "count", count))
    return check


def check_cg(matrix):
    matrix = sparse.csr_matrix(matrix, dtype=np.float32)
    matrix.sort_indices()
    n = matrix.shape[0]
    random = np.random.default_rng(n)
    b, guess = random.standard_normal((2, n)).astype(np.float32)
    wanted, status = linalg.cg(matrix.astype(np.float64), b.astype(np.float64), tol=1e-12)
    assert status == 0

    def check(tool):
        bound = tool.save(row=matrix.indptr.astype(np.uint32), col=matrix.indices.astype(np.uint32), val=matrix.data,
                          b=b, x=guess)
        found = tool.run("cg", ["x", "iterations"], *bound, n=n)
        away = np.linalg.norm(found["x"] - wanted) / np.linalg.norm(wanted)
        turns = found["iterations"][0]
        return None if away < 1e-4 and 0 < turns < 1000 else f"{away} away, {turns} iterations"
    return check


def make_matrices(found):
    """Symmetric, positive definite: a Poisson problem, a random one, and A + 2 I of each graph, A scaled to [-1, 1]."""
    line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(40, 40))
    yield "poisson", sparse.kronsum(line, line)
    part = sparse.random(400, 300, 0.02, random_state=3)
    yield "random", part.T @ part + sparse.identity(300)
    for graph in found:
        if graph.name in ("mesh", "packages"):
            ends = graph.source, graph.target
            links = sparse.csr_matrix((np.ones(len(graph.source)), ends), (graph.n, graph.n))
            links = links + links.T
            scale = sparse.diags(1 / np.sqrt(np.maximum(links.sum(axis=1).A1, 1)))
            yield graph.name, scale @ links @ scale + 2 * sparse.identity(graph.n)


def make_cases(folder, real, binary):
    checks = {"flows_to": check_flows_to, "reach": check_reach, "levels": check_levels, "bfs": check_bfs,
              "bfs_lanes": lambda graph: check_bfs(graph, "bfs_lanes"),
              "components": check_components, "pagerank": check_pagerank,
              "pagerank_tiles": lambda graph: check_pagerank(graph, "pagerank_tiles"), "sssp": check_sssp, "taint": check_taint}
    found = list(make_graphs(folder, real, binary))
    cases = [Case(program, graph.name, Late(make, graph)) for program, make in checks.items() for graph in found]
    return cases + [Case("cg", name, Late(check_cg, matrix)) for name, matrix in make_matrices(found)]


class Late:
    """A check whose expectation is computed when it is first needed, and once."""

    def __init__(self, make, *inputs):
        self.make, self.inputs, self.check = make, inputs, None

    def __call__(self, tool):
        if self.check is None:
            self.check = self.make(*self.inputs)
        return self.check(tool)
