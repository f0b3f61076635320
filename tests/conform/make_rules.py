#!/usr/bin/env python3
"""Makes the rule_*.gf files whose expectations are tables: every operation on edge values, by loads, literals and params.

Expectations are computed here from the definitions in exact integers and fractions, independent of the project.
Run in this folder; files that are not named below are written by hand.
"""
from fractions import Fraction
import math
import struct

INTS = {'u32': (32, False), 'i32': (32, True), 'u64': (64, False), 'i64': (64, True)}


def wrap(t, x):
    bits, signed = INTS[t]
    x &= (1 << bits) - 1
    return x - (1 << bits) if signed and x >> (bits - 1) else x


def unsigned(t, x):
    return x & ((1 << INTS[t][0]) - 1)


def divide(t, a, b):
    if b == 0:
        return a
    q = abs(a) // abs(b)
    return wrap(t, q if (a < 0) == (b < 0) else -q)


def remain(t, a, b):
    return 0 if b == 0 else wrap(t, a - b * (abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)))


def reverse(t, x):
    bits = INTS[t][0]
    return wrap(t, int(format(unsigned(t, x), '0%db' % bits)[::-1], 2))


def rotate(t, x, s):
    bits = INTS[t][0]
    u = unsigned(t, x)
    s %= bits
    return wrap(t, (u << s) | (u >> (bits - s)))


def clz(t, x):
    return INTS[t][0] - unsigned(t, x).bit_length()


def ctz(t, x):
    u = unsigned(t, x)
    return INTS[t][0] if u == 0 else (u & -u).bit_length() - 1


def edges(t):
    bits, signed = INTS[t]
    top = 1 << bits
    half = top >> 1
    if signed:
        values = [0, 1, -1, 7, -7, half - 1, -half, -half + 1, 0x1234567 - half // 3]
    else:
        values = [0, 1, 7, half - 1, half, half + 1, top - 1, top - 7, 0x1234567 + half // 3]
    # Every value meets 0, 1, all ones, the extremes, a neighbour and itself at least once over the operations.
    n = len(values)
    pairs = [(values[i], values[(i * 5 + k) % n]) for k in (0, 1, 3) for i in range(n)]
    pairs += [(values[i], 0) for i in range(n)] + [(-half, -1)] * signed
    seen = []
    for p in pairs:
        if p not in seen:
            seen.append(p)
    return seen


def literal(t, x):
    if x >= 0:
        return '%s(%d)' % (t, x)
    if x == -(1 << (INTS[t][0] - 1)):
        return '(%s(%d) - 1)' % (t, x + 1)
    return '%s(%d)' % (t, x)


def table(name, t, result, comment, ops, pairs, show=lambda x: str(x), lit=None, operand=None, wrap_result='%s'):
    """ops: (text with A and B, function). One row per operation, one column per pair."""
    lit = lit or (lambda x: literal(t, x))
    operand = operand or (lambda x: str(x))
    k = len(pairs)
    want = [show(f(a, b)) for _, f in ops for a, b in pairs]
    lines = ['// ' + comment,
             '// Rows: ' + ', '.join(text for text, _ in ops) + '.',
             '// The same operands loaded, as literals, as params, and mixed.']
    args = '//! args --in a=%s --in b=%s' % (','.join(operand(a) for a, _ in pairs),
                                             ','.join(operand(b) for _, b in pairs))
    for i, (a, b) in enumerate(pairs):
        args += ' --set p%d=%s --set q%d=%s' % (i, operand(a), i, operand(b))
    lines.append(args)
    for out in ('loaded', 'literals', 'params', 'mixed'):
        lines.append('//! out %s: %s' % (out, ' '.join(want)))
    lines.append('//! order-free yes')
    if 'divide' in name:
        lines.append('//! races no')
    lines.append('program %s;' % name)
    lines.append('')
    for i in range(k):
        lines.append('param %s p%d;' % (t, i))
        lines.append('param %s q%d;' % (t, i))
    lines += ['in  %s a[%d];' % (t, k), 'in  %s b[%d];' % (t, k)]
    for out in ('loaded', 'literals', 'params', 'mixed'):
        lines.append('out %s %s[%d];' % (result, out, k * len(ops)))
    lines += ['', 'kernel (%d) workgroup(4) {' % k, '    let i = gid.x;']
    for r, (text, _) in enumerate(ops):
        lines.append('    loaded[%d + i] = %s;' % (r * k, wrap_result % text.replace('A', 'a[i]').replace('B', 'b[i]')))
    for i, (a, b) in enumerate(pairs):
        lines.append('    if i == %d {' % i)
        for r, (text, _) in enumerate(ops):
            at = r * k + i
            lines.append('        literals[%d] = %s;' % (at, wrap_result % text.replace('A', lit(a)).replace('B', lit(b))))
            lines.append('        params[%d] = %s;' % (at, wrap_result % text.replace('A', 'p%d' % i).replace('B', 'q%d' % i)))
            mixed = ('a[i]', lit(b)) if (r + i) % 2 else (lit(a), 'q%d' % i)
            lines.append('        mixed[%d] = %s;' % (at, wrap_result % text.replace('A', mixed[0]).replace('B', mixed[1])))
        lines.append('    }')
    lines.append('}')
    with open(name + '.gf', 'w') as f:
        f.write('\n'.join(lines) + '\n')


def integers():
    for t in INTS:
        bits = INTS[t][0]
        pairs = edges(t)
        table('rule_wrap_' + t, t, t, 'Integer overflow wraps; signed is two\'s complement.',
              [('A + B', lambda a, b: wrap(t, a + b)), ('A - B', lambda a, b: wrap(t, a - b)),
               ('A * B', lambda a, b: wrap(t, a * b)), ('-(A) + B', lambda a, b: wrap(t, b - a)),
               ('abs(A)', lambda a, b: wrap(t, abs(a)))], pairs)
        table('rule_divide_' + t, t, t,
              'x / 0 is x, x % 0 is 0, the least value / -1 is itself, its remainder 0; else toward zero.',
              [('A / B', lambda a, b: divide(t, a, b)), ('A % B', lambda a, b: remain(t, a, b))], pairs)
        table('rule_bits_' + t, t, t, 'Operations on bits.',
              [('A & B', lambda a, b: wrap(t, a & b)), ('A | B', lambda a, b: wrap(t, a | b)),
               ('A ^ B', lambda a, b: wrap(t, a ^ b)), ('~A', lambda a, b: wrap(t, ~a)),
               ('popcount(A)', lambda a, b: bin(unsigned(t, a)).count('1')), ('clz(A)', lambda a, b: clz(t, a)),
               ('ctz(A)', lambda a, b: ctz(t, a)), ('reverse_bits(A)', lambda a, b: reverse(t, a))],
              pairs[:len(pairs) // 2 + 1])
        table('rule_order_' + t, t, t, 'Least, greatest, clamp, sign and the high half of a product.',
              [('min(A, B)', lambda a, b: min(a, b)), ('max(A, B)', lambda a, b: max(a, b)),
               ('clamp(A, min(A, B), max(A, B) / 2)', lambda a, b: min(max(a, min(a, b)), divide(t, max(a, b), 2))),
               ('sign(A)', lambda a, b: (a > 0) - (a < 0)),
               ('mul_hi(A, B)', lambda a, b: wrap(t, (a * b) >> bits))], pairs)
        table('rule_compare_' + t, t, 'u32', 'Comparisons: six bits, from == to >=.',
              [('u32(A == B) | u32(A != B) << 1 | u32(A < B) << 2 | u32(A <= B) << 3 | u32(A > B) << 4 | u32(A >= B) << 5',
                lambda a, b: (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5)],
              pairs)
        # The count may be any integer type: here the operand's own. Negative counts are taken modulo the width.
        counts = [0, 1, bits - 1, bits, bits + 1, 2 * bits + 3, (1 << bits) - 1 if not INTS[t][1] else -1,
                  (1 << (bits - 1)) + 5 if not INTS[t][1] else -bits + 1]
        values = [v for v, _ in pairs[:9]]
        shifts = [(values[(i * 2 + k) % 9], c) for i, c in enumerate(counts) for k in (3, 6, 8)]
        table('rule_shift_' + t, t, t, 'A shift is by its count modulo the width; >> is arithmetic on signed.',
              [('A << B', lambda a, b: wrap(t, a << (b % bits))), ('A >> B', lambda a, b: wrap(t, a >> (b % bits))),
               ('rotate_left(A, B)', lambda a, b: rotate(t, a, b % bits)),
               ('rotate_right(A, B)', lambda a, b: rotate(t, a, -b % bits))], shifts)


# ---- floats, as their bits ----

FLOATS = {'f32': (24, -149, 127, 'f', 'I', 32), 'f64': (53, -1074, 1023, 'd', 'Q', 64), 'f16': (11, -24, 15, 'e', 'H', 16)}
NAN = {'f32': 0x7fc00000, 'f64': 0x7ff8000000000000, 'f16': 0x7e00}


def to_bits(t, x):
    """x: a float that t holds exactly."""
    if x != x:
        return NAN[t]
    return struct.unpack(FLOATS[t][4], struct.pack(FLOATS[t][3], x))[0]


def from_bits(t, b):
    return struct.unpack(FLOATS[t][3], struct.pack(FLOATS[t][4], b))[0]


def nearest(t, q, negative_zero=False):
    """A fraction as bits of t: nearest, ties to even, subnormals kept, too large is infinite."""
    digits, least, most, _, _, bits = FLOATS[t]
    sign = q < 0 or (q == 0 and negative_zero)
    q = abs(q)
    top = 0
    if q != 0:
        e = q.numerator.bit_length() - q.denominator.bit_length()
        while Fraction(2) ** e > q:
            e -= 1
        while Fraction(2) ** (e + 1) <= q:
            e += 1
        e = max(e - digits + 1, least)
        scaled = q / Fraction(2) ** e
        n = scaled.numerator // scaled.denominator
        rest = scaled - n
        if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n % 2 == 1):
            n += 1
        if n.bit_length() > digits:
            n >>= 1
            e += 1
        if e + digits - 1 > most:
            top = ((1 << (bits - digits)) - 1) << (digits - 1)
        elif n < 1 << (digits - 1):
            top = n
        else:
            top = ((e - least + 1) << (digits - 1)) + n - (1 << (digits - 1))
    return top | (sign << (bits - 1))


def is_zero_negative(x):
    return x == 0 and math.copysign(1, x) < 0


def exact(x):
    return Fraction(x)


def special(*xs):
    return any(x != x or math.isinf(x) for x in xs)


def add(t, a, b):
    if special(a, b):
        return to_bits(t, a + b)
    q = exact(a) + exact(b)
    return nearest(t, q, q == 0 and is_zero_negative(a) and is_zero_negative(b))


def multiply(t, a, b):
    if special(a, b):
        return to_bits(t, a * b)
    return nearest(t, exact(a) * exact(b), math.copysign(1, a) * math.copysign(1, b) < 0)


def quotient(t, a, b):
    minus = math.copysign(1, a) * math.copysign(1, b) < 0
    if a != a or b != b or (math.isinf(a) and math.isinf(b)) or (a == 0 and b == 0):
        return NAN[t]
    if math.isinf(a) or b == 0:
        return to_bits(t, -math.inf if minus else math.inf)
    if math.isinf(b):
        return to_bits(t, -0.0 if minus else 0.0)
    return nearest(t, exact(a) / exact(b), minus)


def root(t, a):
    if a != a or a < 0:
        return NAN[t]
    if a == 0 or math.isinf(a):
        return to_bits(t, a)
    q = exact(a)
    shift = 400 + 2 * 1200   # even, so that the root of 2^shift is exact; far more digits than any type has
    n = (q.numerator << shift) // q.denominator
    r = math.isqrt(n)
    low = Fraction(r, 1 << (shift // 2))
    if r * r != n or (q.numerator << shift) % q.denominator:
        low += Fraction(1, 1 << (shift // 2 + 2))   # not exact: a little above r, and below r + 1
    return nearest(t, low)


def fused(t, a, b, c):
    if special(a, b, c):
        if a != a or b != b or c != c or (math.isinf(a) and b == 0) or (math.isinf(b) and a == 0):
            return NAN[t]
        if math.isinf(a) or math.isinf(b):
            p = math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
            return to_bits(t, p + c)
        return to_bits(t, c)
    q = exact(a) * exact(b) + exact(c)
    minus = math.copysign(1, a) * math.copysign(1, b) < 0
    both = (a == 0 or b == 0) and minus and is_zero_negative(c)
    return nearest(t, q, q == 0 and both)


def least(t, a, b):
    if a != a or b != b:
        return to_bits(t, b if a != a else a)
    if a == 0 and b == 0:
        return to_bits(t, a if math.copysign(1, a) < 0 else b)
    return to_bits(t, min(a, b))


def greatest(t, a, b):
    if a != a or b != b:
        return to_bits(t, b if a != a else a)
    if a == 0 and b == 0:
        return to_bits(t, b if math.copysign(1, a) < 0 else a)
    return to_bits(t, max(a, b))


def float_edges(t):
    digits, low, most, _, _, _ = FLOATS[t]
    tiny = 2.0 ** low
    normal = 2.0 ** (low + digits - 1)
    ulp = 2.0 ** (1 - digits)
    huge = (2.0 - ulp) * 2.0 ** most
    return [0.0, -0.0, 1.0, -1.0, 1.0 + ulp, 1.0 - ulp / 2, tiny, -tiny, normal, normal - tiny, huge, -huge,
            math.inf, -math.inf, math.nan, 3.0, from_bits(t, nearest(t, Fraction(1, 3))),
            from_bits(t, nearest(t, Fraction(-1, 10))), 2.0 ** (digits - 2) + 0.5, 2.0 ** digits + 2.0, ulp / 2]


def float_text(t, x):
    if x != x:
        return 'nan'
    if math.isinf(x):
        return 'inf' if x > 0 else '-inf'
    s = repr(x)
    return s if '.' in s or 'e' in s else s + '.0'


def float_literal(t, x):
    s = float_text(t, x)
    return '(-%s(%s))' % (t, s[1:]) if s.startswith('-') else '%s(%s)' % (t, s)


def floats():
    for t in ('f32', 'f64'):
        values = float_edges(t)
        n = len(values)
        pairs = []
        for k in (1, 4, 10):
            pairs += [(values[i], values[(i * 8 + k) % n]) for i in range(n)]
        pairs += [(values[i], values[i]) for i in range(n)]
        pairs = pairs[:48]
        u = 'u32' if t == 'f32' else 'u64'
        common = dict(lit=lambda x: float_literal(t, x), operand=lambda x: float_text(t, x),
                      wrap_result='bitcast<%s>(%%s)' % u)
        table('rule_float_add_' + t, t, u, 'IEEE 754, nearest even, subnormals kept: sums.',
              [('A + B', lambda a, b: add(t, a, b)), ('A - B', lambda a, b: add(t, a, -b))], pairs, **common)
        table('rule_float_multiply_' + t, t, u, 'IEEE 754, nearest even, subnormals kept: products and quotients.',
              [('A * B', lambda a, b: multiply(t, a, b)), ('A / B', lambda a, b: quotient(t, a, b))], pairs, **common)
        table('rule_float_fused_' + t, t, u, 'fma rounds once; a * b + c rounds twice and is never contracted.',
              [('fma(A, B, A)', lambda a, b: fused(t, a, b, a)), ('fma(A, B, B)', lambda a, b: fused(t, a, b, b)),
               ('A * B + A', lambda a, b: add(t, from_bits(t, multiply(t, a, b)), a)),
               ('A * A - B * B', lambda a, b: add(t, from_bits(t, multiply(t, a, a)), -from_bits(t, multiply(t, b, b))))],
              pairs[:24], **common)
        table('rule_float_order_' + t, t, u, 'min and max give the number where one side is NaN; -0 is below +0.',
              [('min(A, B)', lambda a, b: least(t, a, b)), ('max(A, B)', lambda a, b: greatest(t, a, b)),
               ('abs(A)', lambda a, b: to_bits(t, abs(a))), ('-(A)', lambda a, b: to_bits(t, -a))],
              pairs + [(0.0, -0.0), (-0.0, 0.0), (math.nan, math.nan), (math.nan, -0.0)], **common)
        table('rule_float_compare_' + t, t, 'u32', 'Comparisons, with NaN false but for !=; six bits, and is_nan, is_inf.',
              [('u32(A == B) | u32(A != B) << 1 | u32(A < B) << 2 | u32(A <= B) << 3 | u32(A > B) << 4 | u32(A >= B) << 5'
                ' | u32(is_nan(A)) << 6 | u32(is_inf(A)) << 7',
                lambda a, b: (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5
                | (a != a) << 6 | math.isinf(a) << 7)], pairs, lit=common['lit'], operand=common['operand'])
        whole = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999997 if t == 'f32' else 0.49999999999999994, 3.7,
                 -3.7, 2.0 ** (FLOATS[t][0] - 2) + 0.5, 2.0 ** FLOATS[t][0], math.inf, -math.inf, math.nan,
                 float_edges(t)[6], -float_edges(t)[6]]
        whole = [from_bits(t, nearest(t, exact(x))) if not special(x) and x != 0 else x for x in whole]

        def rounded(f):
            return lambda a, b: to_bits(t, a) if special(a) or a == 0 else to_bits(t, math.copysign(float(f(exact(a))), a))

        def toward_zero(q):
            return int(q)

        table('rule_float_whole_' + t, t, u, 'floor, ceil, trunc, round (ties to even, as WGSL has it) and sqrt.',
              [('floor(A)', rounded(math.floor)), ('ceil(A)', rounded(math.ceil)), ('trunc(A)', rounded(toward_zero)),
               ('round(A)', rounded(round)), ('sqrt(A)', lambda a, b: root(t, a))],
              [(x, x) for x in whole + float_edges(t)], **common)


def conversions():
    for t in ('f32', 'f64'):
        digits = FLOATS[t][0]
        values = [0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 2.0 ** 31, 2.0 ** 31 - 1.0, -2.0 ** 31, -2.0 ** 31 - 1.0, 2.0 ** 32,
                  2.0 ** 32 - 1.0, 4294967040.0, 2.0 ** 63, -2.0 ** 63, 2.0 ** 64, 1.8446742974197924e19,
                  1e30, -1e30, math.inf, -math.inf, math.nan, 2.0 ** digits - 1.0, 1e-40]
        values = [x if special(x) or x == 0 else from_bits(t, nearest(t, exact(x))) for x in values]
        for r in INTS:
            bits, signed = INTS[r]
            low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)

            def cast(a, b):
                if a != a:
                    return 0
                if math.isinf(a):
                    return high if a > 0 else low
                return min(max(int(a), low), high)

            table('rule_cast_%s_%s' % (t, r), t, r, 'A float to an integer: toward zero, saturating, NaN gives 0.',
                  [('%s(A)' % r, cast)], [(x, x) for x in values], lit=lambda x: float_literal(t, x),
                  operand=lambda x: float_text(t, x))
    for t in INTS:
        values = [v for v, _ in edges(t)[:9]] + [wrap(t, (1 << 24) + 1), wrap(t, (1 << 24) + 3), wrap(t, (1 << 25) - 1),
                                                wrap(t, (1 << 53) + 1), wrap(t, (1 << 53) + 3), wrap(t, (1 << 62) + (1 << 38)),
                                                wrap(t, (1 << 62) + (1 << 38) + 1)]
        for r, u in (('f32', 'u32'), ('f64', 'u64')):
            table('rule_cast_%s_%s' % (t, r), t, u, 'An integer to a float: nearest, ties to even.',
                  [('bitcast<%s>(%s(A))' % (u, r), lambda a, b: nearest(r, Fraction(a)))], [(x, x) for x in values])
        for r in INTS:
            if r != t:
                table('rule_cast_%s_%s' % (t, r), t, r, 'An integer to another type keeps its low bits, signed ones extended.',
                      [('%s(A)' % r, lambda a, b: wrap(r, a))], [(x, x) for x in values[:9]])
    ulp = 2.0 ** -23
    values = [0.0, -0.0, 1.0 + ulp / 2, 1.0 + ulp * 1.5, 1.0 + ulp / 2 + 2.0 ** -52, 1e-46, 7e-46, 7.1e-46, -1e-50, 1e39,
              3.4028235677973366e38, 3.4028235677973362e38, -1e300, math.inf, -math.inf, math.nan, 2.0 ** -149,
              2.0 ** -150, 2.0 ** -150 + 2.0 ** -190, 0.1]

    def narrow(a, b):
        return to_bits('f32', a) if special(a) else nearest('f32', exact(a), is_zero_negative(a))

    table('rule_cast_f64_f32', 'f64', 'u32', 'f64 to f32: nearest, ties to even.',
          [('bitcast<u32>(f32(A))', narrow)], [(x, x) for x in values], lit=lambda x: float_literal('f64', x),
          operand=lambda x: float_text('f64', x))
    values = [from_bits('f32', nearest('f32', exact(x))) if not special(x) and x != 0 else x for x in values] + [2.0 ** -149]
    table('rule_cast_f32_f64', 'f32', 'u64', 'f32 to f64 is exact.',
          [('bitcast<u64>(f64(A))', lambda a, b: to_bits('f64', a))], [(x, x) for x in values],
          lit=lambda x: float_literal('f32', x), operand=lambda x: float_text('f32', x))


def halves():
    """f16 in storage: what is stored is rounded from f32 and read back exactly."""
    values = [0.0, -0.0, 1.0, 1.00048828125, 1.0009765625, 1.00146484375, 65504.0, 65519.996, 65520.0, -65520.0, 1e9,
              2.0 ** -24, 2.0 ** -25, 2.0 ** -25 * 1.0001, 2.0 ** -26, 6.103515625e-05, 6.1e-05, math.inf, -math.inf,
              math.nan, 0.1, -2.5, 2049.0, 2051.0]
    values = [x if special(x) or x == 0 else from_bits('f32', nearest('f32', exact(x))) for x in values]
    half = [to_bits('f16', x) if special(x) else nearest('f16', exact(x), is_zero_negative(x)) for x in values]
    back = [to_bits('f32', from_bits('f16', h)) if h != NAN['f16'] else NAN['f32'] for h in half]
    n = len(values)
    lines = ['// f16 in a buffer: stored from f32 to the nearest, ties to even; loaded exactly. In a workgroup array alike.',
             '//! args --in x=' + ','.join(float_text('f32', x) for x in values)]
    for out in ('buffer', 'local', 'own', 'constant'):
        lines.append('//! out %s: %s' % (out, ' '.join(map(str, back))))
    lines += ['//! order-free yes', 'program rule_half;', '', 'in  f32 x[%d];' % n]
    lines += ['out u32 %s[%d];' % (out, n) for out in ('buffer', 'local', 'own', 'constant')]
    lines += ['scratch f16 h[%d];' % n, 'scratch f16 c[%d];' % n, 'shared f16 w[%d];' % n, '',
              'kernel groups (1) workgroup(%d) {' % n, '    let i = lid.x;', '    var f16 p[2];', '    h[i] = x[i];',
              '    w[i] = x[i];', '    p[1] = x[i];']
    for i, x in enumerate(values):
        lines.append('    if i == %d { c[%d] = %s; }' % (i, i, float_literal('f32', x)))
    lines += ['    grid_barrier;', '    buffer[i] = bitcast<u32>(h[i]);', '    local[i] = bitcast<u32>(w[i]);',
              '    own[i] = bitcast<u32>(p[1]);', '    constant[i] = bitcast<u32>(c[i]);', '}']
    with open('rule_half.gf', 'w') as f:
        f.write('\n'.join(lines) + '\n')


integers()
floats()
conversions()
halves()
