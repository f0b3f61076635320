#!/usr/bin/env python3
"""Random valid programs, without races and with one right answer, for the differential test.

    generate.py SEED COUNT FOLDER [--one-group]    writes FOLDER/SEED.gf, SEED+1.gf, ...

All programs have the same params and buffers, so that the driver needs to know nothing of them. Between two barriers a
buffer is either each invocation's own (its element at the linear id, or those of a family that no two invocations
share), or read by everybody, or the target of one kind of integer atomic whose result is not used, or of stores of one
constant: so there is no race, and the order of invocations does not matter.
"""
import os
import random
import sys

OWN_BUFFERS = {"a": "u32", "b": "u32", "f": "f32", "w": "u64", "s": "i32", "l": "i64", "r": "f64"}
SMALL_BUFFERS = {"q": ("u8", "u32"), "h": ("i16", "i32"), "e": ("f16", "f32")}
FOUR_BUFFERS = {"four": ("u32", "u32"), "bytes": ("u8", "u32"), "wide": ("f64", "f64")}  # of 4 * n elements
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
        if t == "i64":
            return self.pick(["i64(0)", "i64(1)", "i64(-4294967297)", "i64(-2)"])
        if t == "f64":
            return self.pick(["f64(0.0)", "f64(0.1)", "f64(-2.5)", "f64(1000.0)"])
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
        for name, (_, lt) in FOUR_BUFFERS.items():
            if lt == t:
                options.append(name)
        if t == "u32":
            options.append("x")
        self.r.shuffle(options)
        for name in options:
            if self.r.random() < 0.35 and name in self.helpers and self.claim(name, "read"):
                return f"{self.pick(self.helpers[name])}({self.index_affine('u32')})"
            if name in FOUR_BUFFERS:
                if self.r.random() < 0.5 and self.claim(name, "four" + self.owner):
                    return f"{name}[{self.own} * 4 + {self.expr('u32', 1)} % 4]"
                if self.claim(name, "read"):
                    return f"{name}[{self.index_wide()}]"
                continue
            if self.r.random() < 0.4 and self.claim(name, "read"):
                return f"{name}[{self.index_wide()}]"
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

    def index_affine(self, t):
        """Of the invocation or a loop, plus, minus or times something: in bounds, in part, or not at all."""
        i = self.pick([self.own] + self.counters[-3:] * 2)
        i = i if t == "u32" else f"{t}({i})"
        c, d = self.r.randint(0, 3), self.pick(["1", "1", "2", "3", "64"])
        j = self.pick(self.counters) if self.counters else self.own
        j = j if t == "u32" else f"{t}({j})"
        far = {"u32": "4294967295", "i32": "2147483647", "u64": "u64(0x100000000)", "i64": "i64(-5)"}[t]
        n = "n" if t == "u32" else f"{t}(n)"
        forms = [f"{i} + {c}", f"{i} - {c}", f"{i} * {d}", f"{i} * {d} + {c}", f"{n} - 1 - {i}", f"{i} + {j}",
                 f"{i} * 4 + {j}", f"({i} + {far}) - {c}", f"{i} + {far}", f"{i} << {c}", f"({i} - {c}) * {d} + {j}",
                 f"{c} - {i}", f"min({i} + {c}, {n} - 1)", f"{i} * {n} + {j}", f"{i} + {n} / 2"]
        if t in ("i32", "i64"):
            forms += [f"-{i}", f"-{i} + {n} - 1"]
        return self.pick(forms)

    def index_wide(self):
        t = self.pick(["u32", "u32", "u32", "i32", "u64", "i64"])
        index = self.index_affine(t)
        return f"{self.pick(['u64', 'i64'])}({index})" if t in ("u32", "i32") and self.r.random() < 0.15 else index

    def expr(self, t, depth=2, uniform=False):
        r = self.r.random()
        if depth == 0 or r < 0.25:
            return self.leaf(t, uniform)
        sub = lambda tt=t: self.expr(tt, depth - 1, uniform)
        if t == "bool":
            k = self.pick(["cmp", "cmp", "cmp", "and", "or", "not", "eq"])
            tt = self.pick(["u32", "u32", "i32", "f32", "u64", "i64", "f64"])
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
            other = self.pick(["u32", "i32", "f32", "u64", "i64", "f64", "bool"])
            if other != t:
                inner = sub(other)
                # A literal in a cast takes the type of the cast, which may have no such operation.
                return f"{t}({other}({inner}))" if t in ("f32", "f64") and other != "bool" else f"{t}({inner})"
        if k == "un":
            if t in ("f32", "f64"):
                return self.pick([f"abs({sub()})", f"floor({sub()})", f"sqrt(abs({sub()}))", f"exp({sub()} * 0.01)"])
            return self.pick([f"~{sub()}", f"popcount({sub()})", f"clz({sub()})", f"abs({sub()})"])
        if t in ("f32", "f64"):
            op = self.pick(["+", "-", "*", "/"])
        else:
            op = self.pick(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
        if op in ("/", "%") and t not in ("f32", "f64") and self.r.random() < 0.8:
            return f"({sub()} {op} max({sub()}, 1))"
        if op in ("<<", ">>"):
            return f"({sub()} {op} {sub('u32')})"
        return f"({sub()} {op} {sub()})"

    # ---- statements of one invocation ----
    def count(self, make, i, most=2):
        """The body of a loop with the counter i, which indices like to use."""
        saved = list(self.vars)
        self.vars.append((i, "u32", False))
        self.counters.append(i)
        self.block(make, most)
        self.counters.pop()
        self.vars = saved

    def nest(self):
        """Loops in loops, with affine accesses at each level, and a way out here and there."""
        total, depth = self.fresh("v"), self.r.randint(1, 6)
        t = self.pick(["u32", "u32", "u32", "f32", "u64", "f64"])
        self.put(f"var {t} {total};")
        trips = 3 if depth < 4 else 2
        opened = 0
        claimed = self.pick(list(FOUR_BUFFERS))
        own = self.r.random() < 0.6 and self.claim(claimed, "four" + self.owner)
        for level in range(depth):
            i = self.fresh("it")
            bounds = self.pick([f"0 .. {trips}", f"0 .. {trips}", f"1 .. {trips + 1}", f"0 .. n % {trips + 1}",
                                f"0 .. {trips * 2} step 2", f"{self.own} .. {self.own} + {trips}",
                                f"{self.own} * 4 .. {self.own} * 4 + {trips}", f"n - min(n, 2) .. n + 1"])
            self.put(f"for {i} in {bounds} {{")
            self.indent += 1
            opened += 1
            self.counters.append(i)
            if self.r.random() < 0.5:
                load = self.load(t)
                if load:
                    self.put(f"{total} += {load};")
            if self.r.random() < 0.15:
                self.put(f"if {self.expr('bool', 1)} {{ {self.pick(['break', 'continue'])}; }}")
            if self.r.random() < 0.2:
                name, t1 = self.fresh("t"), self.pick(["u32", "i32", "u64", "i64"])
                self.put(f"let {name} = {t1}({self.index_affine('u32')});")
                if self.claim("x", "read") and t == "u32":
                    self.put(f"{total} ^= x[{name} {self.pick(['+', '-', '*'])} {self.r.randint(1, 3)}];")
        if own:
            wanted = FOUR_BUFFERS[claimed][1]
            value = total if wanted == t else f"{wanted}({total})"
            inner = self.counters[-1]
            index = self.pick([f"{self.own} * 4 + {inner} % 4", f"({self.own} << 2) + ({inner} & 3)"])
            self.put(f"{claimed}[{index}] {self.pick(['=', '+='])} {value};")
        for _ in range(opened):
            self.counters.pop()
            self.indent -= 1
            self.put("}")
        self.vars.append((total, t, True))

    def steps(self):
        """A loop whose counter goes by steps, down, or in 64 bits."""
        i = self.fresh("it")
        t, bounds = self.pick([("u32", "u32(7) .. 0"), ("i32", "i32(5) .. -2 step -1"), ("i32", "i32(-3) .. 4 step 2"),
                               ("u64", "u64(0) .. u64(n % 6) step 2"), ("i64", "i64(n % 5) .. -2 step -2"),
                               ("i32", "i32(n % 9) .. 0 step -3"), ("u32", "4294967290 .. 4294967295 step 2"),
                               ("u32", "0 .. 9 step n % 4")])
        total = self.fresh("v")
        self.put(f"var u32 {total};")
        self.put(f"for {i} in {bounds} {{")
        self.indent += 1
        for name in self.r.sample(["x", "a", "four", "q"], 2):
            if self.claim(name, "read"):
                index = self.pick([i, f"{i} + 1", f"{i} * 2", f"{i} - 2", f"{t}({self.own}) + {i}",
                                   f"{t}({self.own}) * 2 - {i}", f"{i} << 1"])
                self.put(f"{total} = {total} * 3 + {name}[{index}];")
        if self.r.random() < 0.5:
            self.put(f"{total} += u32({i});")
        self.indent -= 1
        self.put("}")
        self.vars.append((total, "u32", True))

    def local(self):
        """An array of the invocation, filled and read by a loop, outside as well."""
        name, total, i = self.fresh("p"), self.fresh("v"), self.fresh("it")
        t = self.pick(["u32", "u32", "f32", "u64"])
        self.put(f"var {t} {name}[{self.pick([3, 5, 16])}];")
        self.put(f"for {i} in 0 .. {self.pick(['3', '6', 'n % 7'])} {{")
        self.count(lambda: self.put(f"{name}[{i} + {self.r.randint(0, 1)}] {self.pick(['=', '+='])} {self.expr(t, 1)};"),
                   i)
        self.put("}")
        self.put(f"var {t} {total};")
        self.put(f"for {i} in 0 .. {self.pick(['4', '9'])} {{ {total} += {name}[{i}]; }}")
        self.vars.append((total, t, True))

    def spread(self):
        """Elements that no two invocations share, some of them outside."""
        k = self.r.random()
        if k < 0.3 and self.claim("four", "four" + self.owner) and self.claim("x", "read"):
            tag = self.fresh("g")
            count = self.pick(["4", "3", "n % 5", "i32(n % 4) - 1"])
            self.put(f"copy_async(four, {self.own} * 4, x, {self.index_affine('u32')}, min({count}, 4), {tag});")
            return self.put(f"wait({tag});")
        if k < 0.5:
            name = self.pick(list(FOUR_BUFFERS))
            if self.claim(name, "four" + self.owner):
                t, i = FOUR_BUFFERS[name][1], self.fresh("it")
                self.put(f"for {i} in 0 .. {self.pick(['4', '3', 'n % 5'])} {{")
                def one():
                    self.put(f"{name}[{self.own} * 4 + {i}] {self.pick(['=', '+=', '-='])} {self.expr(t, 1)};")
                self.count(one, i)
                return self.put("}")
        c = self.r.randint(0, 3)
        forms = {f"+{c}": f"{self.own} + {c}", f"-{c}": f"{self.own} - {c}", f"-{c} i": f"i32({self.own}) - {c}",
                 f"*2+{c}": f"{self.own} * 2 + {c}", "back": f"n - 1 - {self.own}", f"3*-{c}": f"{self.own} * 3 - {c}",
                 "half": f"u64({self.own}) + u64(n / 2)"}
        form = self.pick(list(forms))
        name = self.pick(["a", "b", "f", "w", "q", "h", "four", "wide"])
        t = OWN_BUFFERS.get(name) or (SMALL_BUFFERS.get(name) or FOUR_BUFFERS.get(name))[1]
        if self.claim(name, form + self.owner):
            return self.put(f"{name}[{forms[form]}] {self.pick(['=', '=', '+='])} {self.expr(t, 1)};")
        return self.store()

    def plain(self, depth=2, in_loop=False):
        k = self.r.random()
        if depth > 0 and self.affine and k < 0.3:
            make = self.pick([self.nest, self.steps, self.local, self.spread, self.spread, self.nest])
            return make()
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
            self.count(lambda: self.plain(depth - 1, True), i)
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
        t = self.pick(["u32", "u32", "i32", "f32", "bool", "u64", "i64", "f64"])
        if self.r.random() < 0.12:
            name = self.fresh("p")
            self.put(f"var u32 {name}[{4}];")
            self.arrays.append((name, "u32", 4))
            return
        if self.r.random() < 0.5:
            value = self.expr(t)
            name = self.fresh("t")
            if t in ("i32", "u64", "i64", "f64") or self.is_literal(value):
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
        if self.r.random() < 0.3:
            name = self.pick(["flag", "flags"])
            if self.claim(name, "constant"):
                return self.put(f"{name}[{self.expr('u32', 1)} % {self.pick(['8', '9'])}] = 7;")
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
        t = "bool" if op.endswith(("any", "all")) else "u32" if "scan" in op else self.pick(["u32", "i32", "f32", "u64", "i64", "f64"])
        value = self.expr(t)
        name = self.fresh("g")
        if t != "bool" and (self.is_literal(value) or t in ("i32", "u64", "i64", "f64")):
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
            t = self.pick(["u32", "u32", "f32", "bool", "i32", "u64", "i64", "f64"])
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
        self.counters = []
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

    def functions(self):
        """Loads through functions: at the index handed in, beside it, or in a loop from there."""
        lines = []
        for name, t in [("x", "u32"), ("f", "f32"), ("four", "u32"), ("w", "u64")]:
            self.helpers[name] = [f"{name}_at", f"{name}_run", f"{name}_near"]
            lines += [f"fn {t} {name}_at(u32 i) {{", f"    return {name}[i];", "}",
                      f"fn {t} {name}_near(u32 i) {{", f"    let j = i + {self.r.randint(0, 3)};",
                      f"    if i > {self.r.randint(0, 90)} {{ return {name}[j - 2]; }}",
                      f"    return {name}_at(j) + {name}[i * {self.r.randint(1, 3)}];", "}",
                      f"fn {t} {name}_run(u32 i) {{", f"    var {t} s;",
                      f"    for k in 0 .. {self.pick(['3', '4', 'n % 4'])} {{",
                      f"        s += {self.pick([f'{name}[i + k]', f'{name}[i * 4 + k]', f'{name}_at(i - k)'])};",
                      "    }", "    return s;", "}"]
        return lines

    def program(self):
        self.one = False
        self.helpers = {}
        self.counters = []
        self.affine = self.r.random() < 0.75
        functions = self.functions() if self.affine else []
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
        fixpoint = "" if self.one_group else self.pick(["", "", "", "", " fixpoint(3)", " fixpoint(2) on (a, sum)",
                                                        " fixpoint(4) on (low, high, any)", " fixpoint(5) on (flag, flags)"])
        if not self.one_group and self.r.random() < 0.15:
            space = {1: "groups (n / 16 + 1)", 2: "groups (n / 24, 2)", 3: "groups (n / 48, 1, 2)"}[axes]
        head = ["program random;", "", "const u32 K = 5;", "param u32 n;", "param u32 n2;", "param u32 n3;", "param u32 k;",
                "in u32 x[n];"]
        head += [f"inout {t} {name}[n];" for name, t in OWN_BUFFERS.items()]
        head += [f"inout {t} {name}[n];" for name, (t, _) in SMALL_BUFFERS.items()]
        head += [f"inout {t} {name}[n * 4];" for name, (t, _) in FOUR_BUFFERS.items()]
        head += [f"inout u32 {name}[8];" for name in ATOMIC_BUFFERS]
        head += ["inout u32 flag[8];", "inout u8 flags[8];"]
        head += ["out u32 c[n];", "inout u32 d0[n];", "inout u32 d1[n];", f"shared u32 m[{self.group}];", ""]
        head += functions
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
        if " on (low" in fixpoint:
            self.put(f"atomic_min(low[{self.own} % 8], a[{self.own}] / 4);")
            self.put(f"atomic_max(high[{self.own} % 8], a[{self.own}] % 512);")
            self.put(f"atomic_or(any[{self.own} % 8], a[{self.own}] / 2);")
        if " on (flag" in fixpoint:
            self.put(f"flag[a[{self.own}] % 8] = 7;")
            self.put(f"flags[b[{self.own}] % 16] = 7;")
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
