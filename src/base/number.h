// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers as text, whatever the locale of the program.
#ifndef RI_BASE_NUMBER_H
#define RI_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/// Reads a decimal number that is exactly the first `size` bytes of a text: "-1.5e3". False, and 0,
/// for anything else and for numbers beyond the range of double.
bool ri_number_parse(const char *text, size_t size, double *out_value);
/// Length of the unsigned decimal number at the start of a text; 0 if there is none.
size_t ri_number_length(const char *text, size_t size);
/// The shortest of 15 to 17 digits that reads back to the same bits. Returns `buffer`.
const char *ri_number_text(double x, char buffer[40]);
/// The same with at most `digits` significant digits, for people.
const char *ri_number_text_short(double x, int digits, char buffer[40]);

#endif
