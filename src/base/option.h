// SPDX-License-Identifier: Apache-2.0
/// \file
/// Option tables: every field of an option struct is described once, and everything else follows
/// from that row.
///
///     RiOptionTable (key, field, unit, default, range, text)
///       -> defaults, range checks, fingerprint, comparison, documentation       here
///       -> reading from YAML and saving to it                                   io/robot/template_option.h
///
/// The table of an option struct lives beside the code that uses the struct. A new option is one
/// field and one row.
///
///     static const RiOption rows[] = {
///         RI_OPTION("tick", RiSimOptions, tick, "s", 1e-3, 0.0, 1e3, "control tick", .flags = RI_OPTION_ABOVE),
///         RI_OPTION_YES_NO("berms", RiSoilOptions, berms, false, "keep the soil that a wheel displaces"),
///     };
///     const RiOptionTable ri_soil_option_table = RI_OPTION_TABLE("soil", RiSoilOptions, rows);
///
/// Tests: tests/base/test_option.c (every kind of row), tests/io/test_option_tables.c (every row of
/// every table).
#ifndef RI_BASE_OPTION_H
#define RI_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

/// The type of the field. RI_OPTION and its variants take it from the field itself.
typedef enum RiOptionKind {
    RI_OPTION_NUMBER, ///< double, SI
    RI_OPTION_WHOLE,  ///< int
    RI_OPTION_BOOL,   ///< bool
    RI_OPTION_CHOICE, ///< an enumeration: `words` gives the names of its members from 0
    RI_OPTION_SEED,   ///< unsigned long long, below 2^53 in files
    RI_OPTION_TEXT,   ///< const char *, borrowed; NULL: not given
    RI_OPTION_VECTOR, ///< RiVec3, or another struct of three doubles
    RI_OPTION_OWN     ///< no field here: the owner of the table reads and saves this key itself
} RiOptionKind;

typedef enum RiOptionFlags {
    RI_OPTION_ABOVE = 1,    ///< `low` itself is not allowed
    RI_OPTION_BELOW = 2,    ///< `high` itself is not allowed
    RI_OPTION_OR_ZERO = 4,  ///< 0 is allowed besides the range
    RI_OPTION_OPTIONAL = 8, ///< a number may be NaN: not given
    RI_OPTION_SILENT = 16   ///< does not change the motion: neither in the fingerprint nor compared
} RiOptionFlags;

typedef struct RiOption {
    const char *key; ///< in files
    size_t offset;   ///< of the field [bytes]
    RiOptionKind kind;
    const char *unit;         ///< "N/m"; "" or NULL: a plain number
    double initial;           ///< the default of a number, whole number, bool, choice or seed
    double vector[3];         ///< the default of a vector
    const char *text;         ///< the default of a text; of RI_OPTION_OWN: what is allowed
    double low, high;         ///< of numbers, whole numbers and vector components; -INFINITY and INFINITY: finite
    const char *const *words; ///< of a choice
    int word_count;
    unsigned flags; ///< RiOptionFlags
    unsigned tags;  ///< for the owner of the table
    const char *doc;
} RiOption;

typedef struct RiOptionTable {
    const char *name; ///< in messages: "soil"
    size_t size;      ///< of the struct [bytes]
    const RiOption *rows;
    int count;
} RiOptionTable;

#define RI_OPTION_KIND(T, field)                                                                                       \
    _Generic(((T *)0)->field,                                                                                          \
        double: RI_OPTION_NUMBER,                                                                                      \
        int: RI_OPTION_WHOLE,                                                                                          \
        bool: RI_OPTION_BOOL,                                                                                          \
        unsigned: RI_OPTION_CHOICE,                                                                                    \
        unsigned long long: RI_OPTION_SEED,                                                                            \
        const char *: RI_OPTION_TEXT,                                                                                  \
        default: RI_OPTION_VECTOR)
#define RI_OPTION_FIELD(name, T, field) .key = name, .offset = offsetof(T, field), .kind = RI_OPTION_KIND(T, field)

// Rows. The last argument is the text; more fields may follow it: "width", .flags =
// RI_OPTION_ABOVE.
#define RI_OPTION(key_, T, field, unit_, initial_, low_, high_, ...)                                                   \
    {                                                                                                                  \
        RI_OPTION_FIELD(key_, T, field), .unit = unit_, .initial = initial_, .low = low_, .high = high_,               \
                                         .doc = __VA_ARGS__                                                            \
    }
#define RI_OPTION_YES_NO(key_, T, field, initial_, ...)                                                                \
    {                                                                                                                  \
        RI_OPTION_FIELD(key_, T, field), .initial = initial_, .high = 1.0, .doc = __VA_ARGS__                          \
    }
#define RI_OPTION_ONE_OF(key_, T, field, words_, initial_, ...)                                                        \
    {                                                                                                                  \
        RI_OPTION_FIELD(key_, T, field), .initial = initial_, .words = words_,                                         \
                                         .word_count = (int)(sizeof(words_) / sizeof *(words_)), .doc = __VA_ARGS__    \
    }
#define RI_OPTION_WORD(key_, T, field, text_, ...)                                                                     \
    {                                                                                                                  \
        RI_OPTION_FIELD(key_, T, field), .text = text_, .doc = __VA_ARGS__                                             \
    }
/// A key that its owner reads; `allowed_` says what may be given.
#define RI_OPTION_OWNED(key_, allowed_, ...)                                                                           \
    {                                                                                                                  \
        .key = key_, .kind = RI_OPTION_OWN, .text = allowed_, .doc = __VA_ARGS__                                       \
    }
#define RI_OPTION_TABLE(name_, T, rows_)                                                                               \
    {                                                                                                                  \
        name_, sizeof(T), rows_, (int)(sizeof(rows_) / sizeof *(rows_))                                                \
    }

/// The row of a key; NULL.
const RiOption *ri_option_find(const RiOptionTable *table, const char *key);
/// The key nearest to a misspelt one; NULL if none is near.
const char *ri_option_nearest(const RiOptionTable *const *tables, int count, const char *key);

/// A number, whole number, bool, choice or seed of a struct, as a number.
double ri_option_number(const RiOption *row, const void *options);
/// Writes it; `x` must be of the row's kind (a whole number for an int).
void ri_option_set_number(const RiOption *row, void *options, double x);
/// Text and vector fields.
const char *ri_option_text(const RiOption *row, const void *options);
void ri_option_set_text(const RiOption *row, void *options, const char *text);
void ri_option_vector(const RiOption *row, const void *options, double out[3]);
void ri_option_set_vector(const RiOption *row, void *options, const double x[3]);

/// Writes the default of every row; other fields stay as they are.
void ri_options_default(const RiOptionTable *table, void *options);

/// Checks one row. RI_ERR_ARGUMENT with "where: key is VALUE, allowed is ...".
RI_MUST_CHECK RiStatus ri_option_check(RiContext *ctx, const char *where, const RiOption *row, const void *options);
/// Checks all rows; `where` NULL: the name of the table.
RI_MUST_CHECK RiStatus ri_options_check(RiContext *ctx, const char *where, const RiOptionTable *table,
                                        const void *options);

/// Continues hash `h` over the values of all rows that are not silent.
uint64_t ri_options_fingerprint(const RiOptionTable *table, const void *options, uint64_t h);
/// The first row that is not silent and whose values differ; NULL if there is none. NaN is equal to
/// NaN.
const RiOption *ri_options_compare(const RiOptionTable *table, const void *a, const void *b);

/// The value of a row as text that reads back to the same bits: "0.002 m", "true", "[0, 0, -9.81]
/// m/s^2". Returns `buffer`; a text that does not fit is cut.
const char *ri_option_print(const RiOption *row, const void *options, char *buffer, size_t size);
/// The default in the same form, for people: seven digits. "" for RI_OPTION_OWN and texts without
/// one.
const char *ri_option_print_default(const RiOption *row, char *buffer, size_t size);
/// What is allowed: "0 to 1", "above 0", "envelope or thread".
const char *ri_option_print_allowed(const RiOption *row, char *buffer, size_t size);
/// One row of a Markdown table: "| `key` | default | allowed | text |".
const char *ri_option_print_markdown(const RiOption *row, char *buffer, size_t size);

#endif
