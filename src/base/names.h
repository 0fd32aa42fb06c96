// SPDX-License-Identifier: Apache-2.0
/// \file
/// A map from name to index, and the nearest known name for "did you mean".
#ifndef RI_BASE_NAMES_H
#define RI_BASE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/text.h>

/// Open-addressing table; the strings are borrowed. Zero-initialised is empty. Names that were made
/// to meet in one slot cost no more than others: where they crowd, the table is sorted again by
/// another hash.
typedef struct RiNames {
    RiContext *ctx;
    const char **keys;
    int *values;
    int capacity, count;
    uint64_t salt; ///< start of the hash
} RiNames;

void ri_names_init(RiNames *names, RiContext *ctx);
void ri_names_free(RiNames *names);
/// Adds key -> value. If the key exists, nothing changes and *out_existing is its value, else -1.
RI_MUST_CHECK RiStatus ri_names_add(RiNames *names, const char *key, int value, int *out_existing);
/// Value of a key, or -1.
int ri_names_find(const RiNames *names, const char *key);
/// The key with the smallest edit distance to `key`, if it is small enough to be a misspelling;
/// else NULL.
const char *ri_names_nearest(const RiNames *names, const char *key);

/// A search for the name that a misspelt one may mean: begin with ri_name_search, show it every
/// known name, take `found`. The rules are those of ri_nearest_name, which does this over an array.
typedef struct RiNameSearch {
    const char *name;
    const char *found; ///< NULL: none is near
    int distance;      ///< a name must be nearer than this
} RiNameSearch;
RiNameSearch ri_name_search(const char *name);
void ri_name_search_look(RiNameSearch *search, const char *known);

/// Edit distance (insert, delete, replace, swap of neighbours) of two strings, at most `limit`.
int ri_edit_distance(const char *a, const char *b, int limit);

#endif
