#!/usr/bin/env python3
"""Random valid programs, without races and with one right answer, for the differential test.

    generate.py SEED COUNT FOLDER [--one-group]    writes FOLDER/SEED.gf, SEED+1.gf, ...

All programs have the same params and buffers, so that the driver needs to know nothing of them. Between two barriers a
buffer is either each invocation's own (its element at the linear id), or read by everybody, or the target of one kind
of integer atomic whose result is not used: so there is no race, and the order of invocations does not matter.
"""
import os
import random
import sys

WIDTHS = {"u32": "u32", "i32": "i32", "u64": "u64", "f32": "f32", "bool": "bool"}
OWN_BUFFERS = {"a": "u32", "b": "u32", "f": "f32", "w": "u64", "s": "i32"}
SMALL_BUFFERS = {"q": ("u8", "u32"), "h": ("i16", "i32"), "e": ("f16", "f32")}
ATOMIC_BUFFERS = {"sum": "add", "low": "min", "high": "max", "mix": "xor", "any": "or"}


class Writer:
    def __init__(self, seed, one_group=False):
        self.one_group = one_group
        self.r = random.Random(seed)
        self.lines = []
        self.indent = 1
        self.vars = []          # (name, type, assignable), varying, in scope
        self.uniform = []       # (name, type, assignable) of the grid level
        self.arrays = []        # private arrays (name, type, length)
        self.next = 0
        self.mode = {}
        self.shared_mode = {}
        self.depth = 0
        self.loop_depth = 0
        self.budget = self.r.randint(8, 34)
        self.has_return = False
        self.in_fn = False
        self.swaps = False

    # ---- text ----
    def put(self, text):
        # The same shapes one level down: one workgroup, its barriers and operations.
        if self.one_group:
            text = text.replace("grid_barrier", "barrier").replace("grid_", "group_")
        self.lines.append("    " * self.indent + text)

    def fresh(self, stem):
        self.next += 1
        return f"{stem}{self.next}"

    def pick(self, items):
        return self.r.choice(items)

    # ---- barriers reset what buffers are used for ----
    def fence(self):
        self.mode = {}
        self.shared_mode = {}

    def group_fence(self):
        self.shared_mode = {}

    def claim(self, name, mode):
        if name in self.mode and self.mode[name] != mode:
            return False
        self.mode[name] = mode
        return True

    # ---- expressions ----
    def literal(self, t):
        if t == "bool":
            return self.pick(["true", "false"])
        if t == "f32":
            return self.pick(["0.0", "1.0", "0.5", "2.25", "3.0", "100.0"])
        if t == "i32":
            return self.pick(["0", "1", "2", "7", "i32(-3)", "i32(-1)", "100"])
        if t == "u64":
            return self.pick(["u64(0)", "u64(1)", "u64(4294967297)", "u64(5)"])
        return self.pick(["0", "1", "2", "3", "7", "31", "255", "4000000000"])

    def leaf(self, t, pure_uniform=False):
        names = [v[0] for v in self.uniform if v[1] == t]
        if not pure_uniform:
            names += [v[0] for v in self.vars if v[1] == t] * 2
        if t == "u32":
            names += ["n", "k"]
            if not pure_uniform:
                names += [self.own, "lid.x", "wid.x"] if not self.in_forall else [self.own]
        if names and self.r.random() < 0.8:
            return self.pick(names)
        return self.literal(t)

    def load(self, t):
        """A load of this type, or None."""
        options = []
        for name, bt in OWN_BUFFERS.items():
            if bt == t:
                options.append(name)
        for name, (_, lt) in SMALL_BUFFERS.items():
            if lt == t:
                options.append(name)
        if t == "u32":
            options.append("x")
        self.r.shuffle(options)
        for name in options:
            if name == "x":
                return f"x[{self.index_any()}]"
            if self.r.random() < 0.5 and self.claim(name, "own" + self.owner):
                return f"{name}[{self.own}]"
            if self.claim(name, "read"):
                return f"{name}[{self.index_any()}]"
        return None

    def index_any(self):
        e = self.expr("u32", 1)
        return self.pick([f"({e}) % n", f"({self.own} + {self.literal('u32')}) % n", self.own, f"({e}) % max(n, 1)"])

    def expr(self, t, depth=2, uniform=False):
        r = self.r.random()
        if depth == 0 or r < 0.25:
            return self.leaf(t, uniform)
        sub = lambda tt=t: self.expr(tt, depth - 1, uniform)
        if t == "bool":
            k = self.pick(["cmp", "cmp", "cmp", "and", "or", "not", "eq"])
            tt = self.pick(["u32", "u32", "i32", "f32", "u64"])
            if k == "cmp":
                return f"({sub(tt)} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {sub(tt)})"
            if k == "and":
                return f"({sub()} && {sub()})"
            if k == "or":
                return f"({sub()} || {sub()})"
            if k == "eq":
                return f"({sub()} == {sub()})"
            return f"!{sub()}"
        if not uniform and r < 0.45:
            load = self.load(t)
            if load:
                return load
        if not uniform and self.arrays and t == "u32" and r < 0.5:
            name, _, length = self.pick(self.arrays)
            return f"{name}[{sub()} % {length}]"
        k = self.pick(["bin", "bin", "select", "min", "cast", "un"])
        if k == "select":
            return f"select({sub('bool')}, {sub()}, {sub()})"
        if k == "min":
            return f"{self.pick(['min', 'max'])}({sub()}, {sub()})"
        if k == "cast":
            other = self.pick(["u32", "i32", "f32", "u64", "bool"])
            if other != t:
                inner = sub(other)
                # A literal in a cast takes the type of the cast, which may have no such operation.
                return f"{t}({other}({inner}))" if t == "f32" and other != "bool" else f"{t}({inner})"
        if k == "un":
            if t == "f32":
                return self.pick([f"abs({sub()})", f"floor({sub()})", f"sqrt(abs({sub()}))", f"exp({sub()} * 0.01)"])
            return self.pick([f"~{sub()}", f"popcount({sub()})", f"clz({sub()})", f"abs({sub()})"])
        if t == "f32":
            op = self.pick(["+", "-", "*", "/"])
        else:
            op = self.pick(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
        if op in ("/", "%") and t != "f32" and self.r.random() < 0.8:
            return f"({sub()} {op} max({sub()}, 1))"
        if op in ("<<", ">>"):
            return f"({sub()} {op} {sub('u32')})"
        return f"({sub()} {op} {sub()})"

    # ---- statements of one invocation ----
    def plain(self, depth=2, in_loop=False):
        k = self.r.random()
        if k < 0.22 or depth == 0:
            return self.assign()
        if k < 0.5:
            return self.store()
        if k < 0.62:
            return self.declare()
        if k < 0.76:
            self.put(f"if {self.expr('bool')} {{")
            self.block(lambda: self.plain(depth - 1, in_loop), 2)
            if self.r.random() < 0.4:
                self.put("} else {")
                self.block(lambda: self.plain(depth - 1, in_loop), 2)
            return self.put("}")
        if k < 0.88:
            i = self.fresh("it")
            step = self.pick(["", "", " step 2"])
            self.put(f"for {i} in {self.pick(['0', '1'])} .. {self.expr('u32', 1)} % 5{step} {{")
            saved = list(self.vars)
            self.vars.append((i, "u32", False))
            self.block(lambda: self.plain(depth - 1, True), 2)
            self.vars = saved
            return self.put("}")
        if k < 0.92 and in_loop:
            return self.put(f"if {self.expr('bool')} {{ {self.pick(['break', 'continue'])}; }}")
        if k < 0.95 and not self.in_forall:
            self.has_return = True
            return self.put(f"if {self.expr('bool', 1)} {{ return; }}")
        if k < 0.97:
            self.put(f'region "r{self.next}" {{')
            self.block(lambda: self.plain(depth - 1, in_loop), 2)
            return self.put("}")
        return self.atomic()

    def block(self, make, most):
        saved, arrays = list(self.vars), list(self.arrays)
        self.indent += 1
        for _ in range(self.r.randint(1, most)):
            make()
        self.indent -= 1
        self.vars, self.arrays = saved, arrays

    def declare(self):
        t = self.pick(["u32", "u32", "i32", "f32", "bool", "u64"])
        if self.r.random() < 0.12:
            name = self.fresh("p")
            self.put(f"var u32 {name}[{4}];")
            self.arrays.append((name, "u32", 4))
            return
        if self.r.random() < 0.5:
            value = self.expr(t)
            name = self.fresh("t")
            if t in ("i32", "u64") or self.is_literal(value):
                value = f"{t}({value})" if t != "bool" else value
            self.put(f"let {name} = {value};")
            self.vars.append((name, t, False))
        else:
            value = self.expr(t)
            name = self.fresh("v")
            self.put(f"var {t} {name} = {value};" if self.r.random() < 0.9 else f"var {t} {name};")
            self.vars.append((name, t, True))

    def is_literal(self, text):
        return not any(c.isalpha() for c in text.replace("true", "").replace("false", ""))

    def assign(self):
        names = [v for v in self.vars if v[2]]
        if self.arrays and self.r.random() < 0.3:
            name, _, length = self.pick(self.arrays)
            return self.put(f"{name}[{self.expr('u32', 1)} % {length}] {self.pick(['=', '+=', '^='])} {self.expr('u32')};")
        if not names:
            return self.declare()
        name, t, _ = self.pick(names)
        op = "=" if t == "bool" else self.pick(["=", "=", "+=", "-=", "*="])
        self.put(f"{name} {op} {self.expr(t)};")

    def store(self):
        names = list(OWN_BUFFERS) + list(SMALL_BUFFERS) + ["c"]
        self.r.shuffle(names)
        for name in names[:4]:
            t = "u32" if name == "c" else OWN_BUFFERS.get(name) or SMALL_BUFFERS[name][1]
            if self.claim(name, "own" + self.owner):
                value = self.expr(t)
                op = self.pick(["=", "=", "+=", "-="])
                return self.put(f"{name}[{self.own}] {op} {value};")
        return self.atomic()

    def atomic(self):
        names = list(ATOMIC_BUFFERS)
        name = self.pick(names)
        if self.claim(name, "atomic"):
            index = self.expr("u32", 1)
            return self.put(f"atomic_{ATOMIC_BUFFERS[name]}({name}[{index} % 8], {self.expr('u32')});")
        return self.assign()

    # ---- statements of the grid ----
    def cross(self):
        op = self.pick(["grid_any", "grid_all", "grid_add", "grid_min", "grid_max", "grid_add", "grid_scan_add",
                        "group_add", "group_any", "group_max", "group_scan_add", "grid_load"])
        if op == "grid_load" and self.one_group:
            return self.grid_set()
        if op == "grid_load":
            self.fence()
            name = self.fresh("g")
            index = self.expr("u32", 1, True)
            self.put(f"let {name} = grid_load(a[({index}) % n]);")
            self.fence()
            self.uniform.append((name, "u32", False))
            return
        t = "bool" if op.endswith(("any", "all")) else "u32" if "scan" in op else self.pick(["u32", "i32", "f32", "u64"])
        value = self.expr(t)
        name = self.fresh("g")
        if t != "bool" and (self.is_literal(value) or t in ("i32", "u64")):
            value = f"{t}({value})"
        form = self.r.random()
        existing = [v for v in self.uniform if v[1] == t and v[2]]
        if form < 0.3 and op.startswith("grid") and "scan" not in op and existing:
            self.put(f"{self.pick(existing)[0]} = {op}({value});")
        elif form < 0.4 and "scan" not in op and op.startswith("grid"):
            self.put(f"var {t} {name} = {op}({value});")
            self.uniform.append((name, t, True))
        else:
            self.put(f"let {name} = {op}({value});")
            if op.startswith("grid") and "scan" not in op:
                self.uniform.append((name, t, False))
            else:
                self.vars.append((name, t, False))
        if op.startswith("grid"):
            self.fence()
        else:
            self.group_fence()

    def shared(self):
        if self.shared_mode.get("m") in (None, "own"):
            self.shared_mode["m"] = "own"
            self.put(f"m[lid.linear] {self.pick(['=', '+='])} {self.expr('u32')};")
        if self.r.random() < 0.6:
            if self.r.random() < 0.5:
                self.put("barrier;")
                self.group_fence()
            else:
                self.put("grid_barrier;")
                self.fence()
            self.shared_mode["m"] = "read"
            name = self.fresh("t")
            self.put(f"let {name} = m[({self.expr('u32', 1)}) % {self.group}];")
            self.vars.append((name, "u32", False))

    def grid_set(self):
        names = [v for v in self.uniform if v[2]]
        if not names or self.r.random() < 0.3:
            t = self.pick(["u32", "u32", "f32", "bool"])
            name = self.fresh("g")
            self.put(f"var {t} {name} = {self.expr(t, 2, True)};")
            self.uniform.append((name, t, True))
            return
        name, t, _ = self.pick(names)
        self.put(f"{name} {'=' if t == 'bool' else self.pick(['=', '+='])} {self.expr(t, 2, True)};")

    def forall(self):
        if self.one_group:
            return self.plain(2)
        self.fence()
        self.put("grid_barrier;")
        i = self.fresh("it")
        reduces, texts = [], []
        for v in self.uniform:
            if v[2] and self.r.random() < 0.5:
                op = self.pick(["or", "and"]) if v[1] == "bool" else self.pick(["add", "min", "max"])
                reduces.append((v, op))
                texts.append(f"{op} {v[0]}")
        reduce = f" reduce({', '.join(texts)})" if texts else ""
        self.put(f"forall {i} in {self.pick(['0', '0', '0', 'n / 2'])} .. n{reduce} {{")
        old = self.own, self.owner, self.vars, self.arrays, self.in_forall, self.uniform
        self.own, self.owner, self.vars, self.arrays, self.in_forall = i, i, [], [], True
        reduced = {v[0] for v, _ in reduces}
        self.uniform = [(u[0], u[1], False) for u in self.uniform if u[0] not in reduced]
        self.vars = [(v[0], v[1], True) for v, _ in reduces]
        self.block(lambda: self.plain(1), 3)
        if self.r.random() < 0.3:
            self.indent += 1
            self.put(f"if {self.expr('bool', 1)} {{ continue; }}")
            self.indent -= 1
            self.block(lambda: self.plain(1), 2)
        for v, op in reduces:
            self.indent += 1
            self.put(f"{v[0]} {'=' if v[1] == 'bool' else '+='} {self.expr(v[1], 1)};")
            self.indent -= 1
        self.own, self.owner, self.vars, self.arrays, self.in_forall, self.uniform = old
        self.put("}")
        self.put("grid_barrier;")
        self.fence()

    def nested(self, make):
        saved, arrays, uniform = list(self.vars), list(self.arrays), list(self.uniform)
        self.indent += 1
        self.fence()
        self.depth += 1
        make()
        self.depth -= 1
        self.fence()
        self.indent -= 1
        self.vars, self.arrays, self.uniform = saved, arrays, uniform

    def grid_body(self, most):
        for _ in range(self.r.randint(1, most)):
            self.grid_level()
        self.put("grid_barrier;")
        self.fence()

    def construct(self):
        k = self.pick(["if", "ifelse", "for", "while", "loop", "any"])
        self.fence()
        if k in ("if", "ifelse"):
            self.put(f"if {self.expr('bool', 1, True)} {{")
            self.nested(lambda: self.grid_body(3))
            if k == "ifelse":
                self.put("} else {")
                self.nested(lambda: self.grid_body(2))
            return self.put("}")
        i = self.fresh("g")
        turns = self.r.randint(1, 3)
        self.loop_depth += 1
        if k == "for":
            self.put(f"for {i} in {self.pick(['0 .. ' + str(turns), '1 .. 6 step 2', str(turns) + ' .. 0'])} {{")
            self.uniform.append((i, "u32", False))
            self.nested(lambda: (self.grid_body(3), self.exit_of_loop()))
            self.uniform.pop()
        elif k == "any":
            self.put(f"var u32 {i} = 0;")
            self.put(f"while {i} < {turns} {{")
            more = self.fresh("g")
            def body():
                self.grid_body(2)
                self.put(f"let {more} = grid_any({self.expr('bool', 1)});")
                self.fence()
                self.put(f"if !{more} {{ break; }}")
                self.fence()
                self.put(f"{i} += 1;")
            self.uniform.append((i, "u32", False))
            self.nested(body)
        elif k == "while":
            self.put(f"var u32 {i} = 0;")
            self.put(f"while {i} < {turns} {{")
            self.uniform.append((i, "u32", False))
            def body():
                if self.r.random() < 0.5:
                    self.put(f"{i} += 1;")
                    self.grid_body(3)
                    self.exit_of_loop()
                else:
                    self.grid_body(3)
                    self.put(f"{i} += 1;")
            self.nested(body)
        else:
            self.put(f"var u32 {i} = 0;")
            self.put("loop {")
            self.uniform.append((i, "u32", False))
            def body():
                self.put(f"{i} += 1;")
                self.grid_body(2)
                self.put(f"if {i} >= {turns} {{ break; }}")
                self.fence()
                if self.r.random() < 0.5:
                    self.grid_body(2)
            self.nested(body)
        self.loop_depth -= 1
        self.put("}")

    def exit_of_loop(self):
        if self.r.random() < 0.4:
            self.put(f"if {self.expr('bool', 1, True)} {{ {self.pick(['break', 'continue', 'continue', 'return'])}; }}")
            self.fence()
            if self.r.random() < 0.5:
                self.grid_body(1)

    def grid_level(self):
        self.budget -= 1
        k = self.r.random()
        if self.budget < 0 or k < 0.5:
            return self.plain(2)
        if k < 0.62:
            self.put("grid_barrier;")
            return self.fence()
        if k < 0.74:
            return self.cross()
        if k < 0.8:
            return self.grid_set()
        if k < 0.84 and not self.one:
            return self.shared()
        if k < 0.88:
            return self.forall()
        if k < 0.9 and not self.one_group:
            self.fence()
            a, b = self.pick([("a", "b"), ("d0", "d1")])
            self.put(f"swap({a}, {b});")
            return self.fence()
        if k < 0.93:
            self.put(f'region "big{self.next}" {{')
            self.next += 1
            saved, arrays, uniform = list(self.vars), list(self.arrays), list(self.uniform)
            self.indent += 1
            for _ in range(self.r.randint(1, 3)):
                self.grid_level()
            self.indent -= 1
            self.vars, self.arrays, self.uniform = saved, arrays, uniform
            return self.put("}")
        if self.depth < 3:
            return self.construct()
        return self.plain(2)

    def program(self):
        self.one = False
        self.in_forall = False
        axes = 1 if self.one_group else self.pick([1, 1, 1, 1, 2, 3])
        self.owner = "self"
        self.own = "gid.x" if axes == 1 else "gid.linear"
        group = self.pick([[1], [7], [32], [48], [256], [64]] if axes == 1 else [[4, 4], [3, 5], [8, 2]] if axes == 2
                          else [[2, 3, 2]])
        if self.one_group:
            group = [300]
        self.group = 1
        for g in group:
            self.group *= g
        space = {1: "(n)", 2: "(n2, 3)", 3: "(n3, 2, 3)"}[axes]
        fixpoint = "" if self.one_group else self.pick(["", "", "", "", " fixpoint(3)", " fixpoint(2) on (a, sum)"])
        head = ["program random;", "", "const u32 K = 5;", "param u32 n;", "param u32 n2;", "param u32 n3;", "param u32 k;",
                "in u32 x[n];"]
        head += [f"inout {t} {name}[n];" for name, t in OWN_BUFFERS.items()]
        head += [f"inout {t} {name}[n];" for name, (t, _) in SMALL_BUFFERS.items()]
        head += [f"inout u32 {name}[8];" for name in ATOMIC_BUFFERS]
        head += ["out u32 c[n];", "inout u32 d0[n];", "inout u32 d1[n];", f"shared u32 m[{self.group}];", ""]
        self.put("let own = " + self.own + ";")
        if self.r.random() < 0.5:
            self.own = "own"
        for _ in range(self.r.randint(2, 4)):
            self.declare()
        while self.budget > 0:
            self.grid_level()
        self.put("grid_barrier;")
        self.put(f"a[{self.own}] |= 1;")
        self.put(f"atomic_add(sum[{self.own} % 8], 1);")
        # Everything still in scope is seen in the end.
        for name, t, _ in self.vars[-6:]:
            value = name if t == "u32" else f"u32({name})"
            self.put(f"d0[{self.own}] ^= {value} * 3;")
        for name, t, _ in self.uniform[-4:]:
            value = name if t == "u32" else f"u32({name})"
            self.put(f"d1[{self.own}] ^= {value} * 5;")
        workgroup = ", ".join(str(g) for g in group)
        return "\n".join(head + [f"kernel {space} workgroup({workgroup}){fixpoint} {{"] + self.lines + ["}", ""])


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    for s in range(seed, seed + count):
        with open(os.path.join(folder, f"{s}.gf"), "w") as file:
            file.write(Writer(s, "--one-group" in sys.argv).program())


if __name__ == "__main__":
    main()
