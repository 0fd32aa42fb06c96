// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers as text. strtod and printf use the decimal point of the program's locale; files use a
/// point.
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 128 }; // longest text of a number [bytes]

static size_t count_digits(const char *text, size_t size, size_t at)
{
    size_t n = 0;
    while (at + n < size && text[at + n] >= '0' && text[at + n] <= '9')
        n++;
    return n;
}

size_t ri_number_length(const char *text, size_t size)
{
    size_t n = count_digits(text, size, 0), digits = n;
    if (n < size && text[n] == '.') {
        const size_t fraction = count_digits(text, size, n + 1);
        digits += fraction;
        n += 1 + fraction;
    }
    if (digits == 0)
        return 0;
    if (n < size && (text[n] == 'e' || text[n] == 'E')) {
        const size_t sign = n + 1 < size && (text[n + 1] == '+' || text[n + 1] == '-');
        const size_t exponent = count_digits(text, size, n + 1 + sign);
        n += exponent ? 1 + sign + exponent : 0;
    }
    return n;
}

bool ri_number_parse(const char *text, size_t size, double *out_value)
{
    *out_value = 0.0;
    const size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    if (size >= NUMBER_LENGTH || size == sign || ri_number_length(text + sign, size - sign) != size - sign)
        return false;
    char copy[NUMBER_LENGTH];
    memcpy(copy, text, size);
    copy[size] = '\0';
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return false;
    const double value = strtod_l(copy, NULL, plain);
    freelocale(plain);
    if (!isfinite(value))
        return false;
    *out_value = value;
    return true;
}

const char *ri_number_text_short(double x, int digits, char buffer[40])
{
    snprintf(buffer, 40, "%.*g", digits, x);
    if (isfinite(x))
        for (char *c = buffer; *c; c++)
            if (!strchr("0123456789+-e", *c))
                *c = '.'; // the decimal point of the program's locale
    return buffer;
}

const char *ri_number_text(double x, char buffer[40])
{
    double back;
    if (x == 0.0)
        return strcpy(buffer, signbit(x) ? "-0.0" : "0");
    for (int digits = 15; digits <= 17; digits++) {
        ri_number_text_short(x, digits, buffer);
        if (ri_number_parse(buffer, strlen(buffer), &back) && back == x)
            break;
    }
    return buffer;
}
