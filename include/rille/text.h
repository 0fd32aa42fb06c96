// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text: the name that a misspelt one may mean, globs, names of files, and numbers whatever the
/// locale of the program.
///
/// Threads and ownership: pure functions; any number of threads.
#ifndef RILLE_TEXT_H
#define RILLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The known name nearest to `name` by edit distance; NULL if none is near enough to be a
/// misspelling. One slip is forgiven in names of up to three bytes, two in longer ones. Of equally
/// near names the first one wins.
const char *ri_nearest_name(const char *name, const char *const *known, int count);

/// Whether a text matches a glob: `*` is any run of characters, `?` any one.
bool ri_glob_match(const char *glob, const char *text);
/// A name as part of a file name: other characters than letters, digits, '_' and '-' become '_', no
/// name becomes "scene". The result leads to no other folder.
void ri_file_name(const char *name, char *out, size_t size);

/// Reads a decimal number that is exactly the first `size` bytes of a text: "-1.5e3". False, and 0,
/// for anything else and for numbers beyond the range of double.
bool ri_number_parse(const char *text, size_t size, double *out_value);
/// Length of the unsigned decimal number at the start of a text; 0 if there is none.
size_t ri_number_length(const char *text, size_t size);
/// The shortest of 15 to 17 digits that reads back to the same bits. Returns `buffer`.
const char *ri_number_text(double x, char buffer[40]);
/// The same with at most `digits` significant digits, for people.
const char *ri_number_text_short(double x, int digits, char buffer[40]);

#ifdef __cplusplus
}
#endif
#endif
