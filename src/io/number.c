#include "io/number.h"
#include "io/half.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtod reads the decimal point of the process's locale; files have a point. The "C" locale object costs nothing. */
static double parse_real(const char *text, bool single) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    double value = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return value;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int hex_digit(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

static bool matches_word(const char *at, const char *end, const char *word, size_t *length) {
    size_t n = 0;
    for (; word[n]; n++) {
        if (at + n >= end || (at[n] | 0x20) != word[n]) {
            return false;
        }
    }
    *length = n;
    return true;
}

static size_t scan_word(const char *at, const char *end, gf_number *out) {
    size_t length;
    if (matches_word(at, end, "infinity", &length) || matches_word(at, end, "inf", &length)) {
        out->real = out->negative ? -(double)INFINITY : (double)INFINITY;
        return length;
    }
    if (matches_word(at, end, "nan", &length)) {
        out->real = (double)NAN;
        return length;
    }
    return 0;
}

static size_t scan_hex(const char *at, const char *end, gf_number *out) {
    const char *start = at;
    bool fits = true;
    double wide = 0;
    for (int digit; at < end && (digit = hex_digit(*at)) >= 0; at++) {
        fits = fits && out->magnitude >> 60 == 0;
        out->magnitude = out->magnitude << 4 | (unsigned)digit;
        wide = wide * 16 + digit;
    }
    out->is_integer = fits;
    out->real = out->negative ? -wide : wide;
    return (size_t)(at - start);
}

/* A decimal taken apart: up to 19 digits of mantissa, and whether that was all of them. */
typedef struct decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool whole;     /* no point, no exponent */
    bool truncated; /* digits were left out of the mantissa */
} decimal;

static const char *scan_digits(const char *at, const char *end, decimal *d, bool behind_point) {
    for (; at < end && is_digit(*at); at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (d->mantissa < UINT64_MAX / 10 || (d->mantissa == UINT64_MAX / 10 && digit <= UINT64_MAX % 10)) {
            d->mantissa = d->mantissa * 10 + digit;
            d->exponent -= behind_point;
        } else {
            d->truncated = true;
        }
    }
    return at;
}

static const char *scan_exponent(const char *at, const char *end, decimal *d) {
    if (at >= end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    const char *digits = at + 1;
    bool negative = false;
    if (digits < end && (*digits == '+' || *digits == '-')) {
        negative = *digits++ == '-';
    }
    if (digits >= end || !is_digit(*digits)) {
        return at;
    }
    int64_t exponent = 0;
    for (; digits < end && is_digit(*digits); digits++) {
        if (exponent < 100000) {
            exponent = exponent * 10 + (*digits - '0');
        }
    }
    d->exponent += negative ? -exponent : exponent;
    d->whole = false;
    return digits;
}

/* Where mantissa and power of ten are both exact in a double, one multiplication or division rounds once and is right
 * (W. D. Clinger, How to read floating point numbers accurately, 1990); all else goes to the C library. */
static double decimal_value(const decimal *d, const char *text) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->truncated && d->mantissa <= (uint64_t)1 << 53 && d->exponent >= -22 && d->exponent <= 22) {
        double mantissa = (double)d->mantissa;
        return d->exponent < 0 ? mantissa / powers[-d->exponent] : mantissa * powers[d->exponent];
    }
    return parse_real(text, false);
}

size_t gf_number_scan(const char *text, const char *end, gf_number *out) {
    const char *at = text;
    *out = (gf_number){0};
    if (at < end && (*at == '+' || *at == '-')) {
        out->negative = *at++ == '-';
    }
    if (at >= end) {
        return 0;
    }
    if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x' && hex_digit(at[2]) >= 0) {
        return (size_t)(at + 2 - text) + scan_hex(at + 2, end, out);
    }
    const char *digits = at;
    decimal d = {.whole = true};
    at = scan_digits(at, end, &d, false);
    size_t seen = (size_t)(at - digits);
    if (at < end && *at == '.' && (seen || (at + 1 < end && is_digit(at[1])))) {
        const char *fraction = ++at;
        at = scan_digits(at, end, &d, true);
        seen += (size_t)(at - fraction);
        d.whole = false;
    }
    if (seen == 0) {
        size_t length = scan_word(digits, end, out);
        return length ? (size_t)(digits - text) + length : 0;
    }
    at = scan_exponent(at, end, &d);
    if (d.whole && !d.truncated) {
        out->is_integer = true;
        out->magnitude = d.mantissa;
    } else {
        double magnitude = decimal_value(&d, digits);
        out->real = out->negative ? -magnitude : magnitude;
    }
    return (size_t)(at - text);
}

/* Elements go by way of memcpy: files give them at any address, and callers may hold them as another type. */
static uint64_t load_bits(const void *element, size_t width) {
    uint8_t byte = 0;
    uint16_t half = 0;
    uint32_t single = 0;
    uint64_t wide = 0;
    if (width == 1) {
        return memcpy(&byte, element, 1), byte;
    }
    if (width == 2) {
        return memcpy(&half, element, 2), half;
    }
    if (width == 4) {
        return memcpy(&single, element, 4), single;
    }
    return memcpy(&wide, element, 8), wide;
}

static void store_bits(void *element, size_t width, uint64_t bits) {
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    uint32_t single = (uint32_t)bits;
    const void *from = width == 1 ? (void *)&byte : width == 2 ? (void *)&half : width == 4 ? (void *)&single : &bits;
    memcpy(element, from, width);
}

gf_number gf_number_load(gf_type type, const void *element) {
    gf_number number = {0};
    size_t width = gf_type_bytes(type);
    float single;
    if (width == 0) {
        return number;
    }
    uint64_t bits = load_bits(element, width);
    switch (type) {
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_U16:
    case GF_TYPE_U32:
    case GF_TYPE_U64:
        number.is_integer = true;
        number.magnitude = bits;
        break;
    case GF_TYPE_I8:
    case GF_TYPE_I16:
    case GF_TYPE_I32:
    case GF_TYPE_I64:
        number.is_integer = true;
        number.negative = bits >> (8 * width - 1) != 0;
        number.magnitude = number.negative ? (0 - bits) & (UINT64_MAX >> (64 - 8 * width)) : bits;
        break;
    case GF_TYPE_F16:
        number.real = gf_half_to_double((uint16_t)bits);
        break;
    case GF_TYPE_F32:
        memcpy(&single, element, sizeof single);
        number.real = (double)single;
        break;
    case GF_TYPE_F64:
        memcpy(&number.real, element, sizeof number.real);
        break;
    }
    return number;
}

/* A real that is a whole number of at most 64 bits, as an integer. */
static gf_fit make_integer(gf_number *number) {
    if (number->is_integer) {
        return GF_FIT_EXACT;
    }
    double real = number->real;
    if (!isfinite(real) || real != floor(real)) {
        return GF_FIT_NOT_WHOLE;
    }
    double magnitude = fabs(real);
    if (magnitude >= 0x1p64) {
        return GF_FIT_RANGE;
    }
    *number = (gf_number){.is_integer = true, .negative = real < 0, .magnitude = (uint64_t)magnitude};
    return GF_FIT_EXACT;
}

static gf_fit store_unsigned(gf_number number, uint64_t limit, uint64_t *out) {
    gf_fit fit = make_integer(&number);
    if (fit != GF_FIT_EXACT) {
        return fit;
    }
    if ((number.negative && number.magnitude) || number.magnitude > limit) {
        return GF_FIT_RANGE;
    }
    *out = number.magnitude;
    return fit;
}

/* `limit` is the largest value; the smallest is one further from 0. */
static gf_fit store_signed(gf_number number, uint64_t limit, int64_t *out) {
    gf_fit fit = make_integer(&number);
    if (fit != GF_FIT_EXACT) {
        return fit;
    }
    if (number.magnitude > limit + number.negative) {
        return GF_FIT_RANGE;
    }
    /* The smallest i64 has no positive counterpart: go by way of one less. */
    if (number.negative && number.magnitude) {
        *out = -(int64_t)(number.magnitude - 1) - 1;
    } else {
        *out = (int64_t)number.magnitude;
    }
    return fit;
}

/* How a float that was made from a number compares with it. */
static gf_fit judge_float(gf_number number, double made) {
    if (number.is_integer) {
        double magnitude = fabs(made);
        if (!isfinite(made)) {
            return GF_FIT_RANGE;
        }
        return magnitude < 0x1p64 && (uint64_t)magnitude == number.magnitude ? GF_FIT_EXACT : GF_FIT_ROUNDED;
    }
    if (isnan(number.real) || made == number.real) {
        return GF_FIT_EXACT;
    }
    return isfinite(made) ? GF_FIT_ROUNDED : GF_FIT_RANGE;
}

static double as_double(gf_number number) {
    if (!number.is_integer) {
        return number.real;
    }
    double magnitude = (double)number.magnitude;
    return number.negative ? -magnitude : magnitude;
}

static float as_single(gf_number number) {
    if (!number.is_integer) {
        return (float)number.real;
    }
    float magnitude = (float)number.magnitude;
    return number.negative ? -magnitude : magnitude;
}

static gf_fit store_float(gf_number number, gf_type type, void *out) {
    gf_fit fit;
    if (type == GF_TYPE_F64) {
        double made = as_double(number);
        fit = judge_float(number, made);
        if (fit <= GF_FIT_ROUNDED) {
            memcpy(out, &made, sizeof made);
        }
    } else if (type == GF_TYPE_F32) {
        float made = as_single(number);
        fit = judge_float(number, (double)made);
        if (fit <= GF_FIT_ROUNDED) {
            memcpy(out, &made, sizeof made);
        }
    } else {
        uint16_t made = gf_half_from_double(as_double(number));
        fit = judge_float(number, gf_half_to_double(made));
        if (fit <= GF_FIT_ROUNDED) {
            memcpy(out, &made, sizeof made);
        }
    }
    return fit;
}

gf_fit gf_number_store(gf_number number, gf_type type, void *out) {
    bool is_signed = type == GF_TYPE_I8 || type == GF_TYPE_I16 || type == GF_TYPE_I32 || type == GF_TYPE_I64;
    if (type == GF_TYPE_NONE) {
        return GF_FIT_RANGE;
    }
    if (type == GF_TYPE_F16 || type == GF_TYPE_F32 || type == GF_TYPE_F64) {
        return store_float(number, type, out);
    }
    size_t width = gf_type_bytes(type);
    uint64_t all = type == GF_TYPE_BOOL ? 1 : UINT64_MAX >> (64 - 8 * width);
    uint64_t bits = 0;
    int64_t value = 0;
    gf_fit fit = is_signed ? store_signed(number, all >> 1, &value) : store_unsigned(number, all, &bits);
    if (fit != GF_FIT_EXACT) {
        return fit;
    }
    if (is_signed) {
        bits = (uint64_t)value;
    }
    store_bits(out, width, bits);
    return fit;
}

bool gf_number_overflowed(const char *text, gf_number number) {
    char first = text[*text == '+' || *text == '-'];
    return !number.is_integer && isinf(number.real) && (is_digit(first) || first == '.');
}

bool gf_number_parse(const char *text, size_t length, gf_type type, void *out, gf_fit *fit) {
    gf_number number;
    if (length == 0 || gf_number_scan(text, text + length, &number) != length) {
        return false;
    }
    /* By way of a double a float would be rounded twice; a hexadecimal or infinite one needs no rounding here. */
    if (type == GF_TYPE_F32 && !number.is_integer && isfinite(number.real)) {
        const char *digits = text + (*text == '+' || *text == '-');
        if (!(digits[0] == '0' && (digits[1] | 0x20) == 'x')) {
            float single = (float)parse_real(text, true);
            *fit = judge_float(number, (double)single);
            if (*fit <= GF_FIT_ROUNDED) {
                memcpy(out, &single, sizeof single);
            }
            return true;
        }
    }
    if (gf_number_overflowed(text, number)) {
        *fit = GF_FIT_RANGE;
        return true;
    }
    *fit = gf_number_store(number, type, out);
    return true;
}

static size_t format_integer(gf_number number, char *text) {
    char digits[20];
    size_t count = 0, length = 0;
    do {
        digits[count++] = (char)('0' + number.magnitude % 10);
        number.magnitude /= 10;
    } while (number.magnitude);
    if (number.negative) {
        text[length++] = '-';
    }
    while (count) {
        text[length++] = digits[--count];
    }
    text[length] = 0;
    return length;
}

/* printf writes the decimal point of the process's locale, of one or more bytes: back to a point. */
static size_t print_real(double value, int precision, char *text) {
    char raw[GF_NUMBER_TEXT * 2];
    size_t length = 0;
    bool in_point = false;
    snprintf(raw, sizeof raw, "%.*g", precision, value);
    for (const char *at = raw; *at; at++) {
        bool plain = is_digit(*at) || *at == 'e' || *at == '+' || *at == '-';
        if (plain || !in_point) {
            text[length++] = (char)(plain ? *at : '.');
        }
        in_point = !plain;
    }
    text[length] = 0;
    return length;
}

size_t gf_number_format(gf_type type, const void *element, char text[GF_NUMBER_TEXT]) {
    gf_number number = gf_number_load(type, element);
    if (number.is_integer) {
        return format_integer(number, text);
    }
    double value = number.real;
    if (isnan(value) || isinf(value)) {
        return (size_t)snprintf(text, GF_NUMBER_TEXT, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
    if (value == floor(value) && fabs(value) < 1e15) {
        number = (gf_number){.negative = signbit(value) != 0, .magnitude = (uint64_t)fabs(value)};
        return format_integer(number, text);
    }
    /* A decimal of up to 15 (6, 3) digits survives the way through a normal f64 (f32, f16), so the loop can begin
     * there: printf drops the zeros that a shorter text would not have. Not so for subnormals. */
    int first = type == GF_TYPE_F64 ? 15 : type == GF_TYPE_F32 ? 6 : 3;
    int last = type == GF_TYPE_F64 ? 17 : type == GF_TYPE_F32 ? 9 : 5;
    double smallest = type == GF_TYPE_F64 ? 0x1p-1022 : type == GF_TYPE_F32 ? 0x1p-126 : 0x1p-14;
    if (fabs(value) < smallest) {
        first = 1;
    }
    for (int precision = first;; precision++) {
        size_t length = print_real(value, precision, text);
        uint64_t back = 0;
        gf_fit fit;
        bool read = gf_number_parse(text, length, type, &back, &fit) && fit <= GF_FIT_ROUNDED;
        if (precision >= last || (read && memcmp(&back, element, gf_type_bytes(type)) == 0)) {
            return length;
        }
    }
}
