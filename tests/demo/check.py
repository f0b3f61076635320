#!/usr/bin/python3
"""check.py FOLDER: what the demo left there against breadth-first searches over its graph."""
import ast
import struct
import sys
from collections import deque


def read_npy(path):
    """The u32 elements of a .npy file of version 1."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["descr"] == "<u4", header
    count = header["shape"][0]
    assert len(data) == 10 + length + 4 * count, path
    return struct.unpack(f"<{count}I", data[10 + length:])


def main():
    folder = sys.argv[1]
    with open(f"{folder}/depends.mtx", encoding="utf-8") as file:
        next(file)
        n, _, m = map(int, next(file).split())
        back = [[] for _ in range(n)]
        edges = 0
        for line in file:
            a, b = map(int, line.split())
            back[b - 1].append(a - 1)
            edges += 1
    assert edges == m
    with open(f"{folder}/targets.txt", encoding="utf-8") as file:
        targets = [int(line) for line in file]
    state, count, deepest = (read_npy(f"{folder}/{name}.npy") for name in ("state", "count", "deepest"))
    assert len(state) == n and len(count) == 32 and len(deepest) == 32
    words = [0] * n
    for rule, target in enumerate(targets):
        hops = {target: 0}
        queue = deque([target])
        while queue:
            at = queue.popleft()
            for v in back[at]:
                if v not in hops:
                    hops[v] = hops[at] + 1
                    queue.append(v)
        for v in hops:
            words[v] |= 1 << rule
        assert count[rule] == len(hops) - 1, (rule, count[rule], len(hops) - 1)
        assert deepest[rule] == max(hops.values()), (rule, deepest[rule], max(hops.values()))
    assert list(state) == words
    assert not any(count[len(targets):]) and not any(deepest[len(targets):])
    print(f"{len(targets)} rules over {n} vertices and {m} edges are right")


if __name__ == "__main__":
    main()
