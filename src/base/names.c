// SPDX-License-Identifier: Apache-2.0
/// \file
/// Name table (salted hash, linear probing, at most half full) and edit distance.
#include "base/names.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
    RI_NAME_COMPARED = 64, // longest part of a name that takes part in "did you mean"
    RI_NAME_CROWD = 256    // a run of full slots that no million of ordinary names has in a table half full
};

void ri_names_init(RiNames *names, RiContext *ctx)
{
    *names = (RiNames){.ctx = ctx};
}

void ri_names_free(RiNames *names)
{
    ri_release(names->ctx, names->keys);
    ri_release(names->ctx, names->values);
    ri_names_init(names, names->ctx);
}

/// Slot of the key, or the free slot where it would go; *out_passed slots are before it. The
/// table must not be full.
static int slot_of(const RiNames *names, const char *key, int *out_passed)
{
    const uint64_t mask = (uint64_t)names->capacity - 1;
    uint64_t i = ri_hash_text(names->salt, key) & mask;
    int passed = 0;
    for (; names->keys[i] && strcmp(names->keys[i], key) != 0; passed++)
        i = (i + 1) & mask;
    *out_passed = passed;
    return (int)i;
}

/// Moves all names to a table of another size or with another hash.
static RiStatus rebuild(RiNames *names, int capacity, uint64_t salt)
{
    RiNames bigger = {.ctx = names->ctx, .capacity = capacity, .count = names->count, .salt = salt};
    int passed;
    bigger.keys = ri_alloc_zero(names->ctx, (size_t)bigger.capacity, sizeof *bigger.keys);
    bigger.values = ri_alloc_zero(names->ctx, (size_t)bigger.capacity, sizeof *bigger.values);
    if (!bigger.keys || !bigger.values) {
        ri_names_free(&bigger);
        return ri_error_memory(names->ctx);
    }
    for (int i = 0; i < names->capacity; i++) {
        if (!names->keys[i])
            continue;
        const int slot = slot_of(&bigger, names->keys[i], &passed);
        bigger.keys[slot] = names->keys[i];
        bigger.values[slot] = names->values[i];
    }
    ri_names_free(names);
    *names = bigger;
    return RI_OK;
}

RiStatus ri_names_add(RiNames *names, const char *key, int value, int *out_existing)
{
    *out_existing = -1;
    if (2 * (names->count + 1) > names->capacity)
        RI_TRY(rebuild(names, names->capacity ? 2 * names->capacity : 64, names->salt));
    int passed, slot = slot_of(names, key, &passed);
    if (passed > RI_NAME_CROWD) {
        RI_TRY(rebuild(names, names->capacity, ri_hash_mix(names->salt, 1)));
        slot = slot_of(names, key, &passed);
    }
    if (names->keys[slot]) {
        *out_existing = names->values[slot];
        return RI_OK;
    }
    names->keys[slot] = key;
    names->values[slot] = value;
    names->count++;
    return RI_OK;
}

int ri_names_find(const RiNames *names, const char *key)
{
    if (!names->capacity)
        return -1;
    int passed;
    const int slot = slot_of(names, key, &passed);
    return names->keys[slot] ? names->values[slot] : -1;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int ri_edit_distance(const char *a, const char *b, int limit)
{
    const size_t na = strnlen(a, RI_NAME_COMPARED), nb = strnlen(b, RI_NAME_COMPARED);
    if (na >= RI_NAME_COMPARED || nb >= RI_NAME_COMPARED)
        return limit;
    int rows[3][RI_NAME_COMPARED + 1]; // two rows back, one row back, this row
    for (size_t k = 0; k <= nb; k++)
        rows[1][k] = (int)k;
    for (size_t i = 1; i <= na; i++) {
        int *now = rows[2], *before = rows[1], *before2 = rows[0];
        now[0] = (int)i;
        for (size_t k = 1; k <= nb; k++) {
            now[k] = least(least(before[k] + 1, now[k - 1] + 1), before[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before2[k - 2] + 1);
        }
        memcpy(rows[0], rows[1], sizeof rows[0]);
        memcpy(rows[1], rows[2], sizeof rows[1]);
    }
    return least(rows[1][nb], limit);
}

RiNameSearch ri_name_search(const char *name)
{
    return (RiNameSearch){.name = name, .distance = strlen(name) < 4 ? 2 : 3};
}

void ri_name_search_look(RiNameSearch *search, const char *known)
{
    const int distance = ri_edit_distance(search->name, known, 99);
    if (distance < search->distance) {
        search->distance = distance;
        search->found = known;
    }
}

const char *ri_nearest_name(const char *name, const char *const *known, int count)
{
    RiNameSearch near = ri_name_search(name);
    for (int i = 0; i < count; i++)
        ri_name_search_look(&near, known[i]);
    return near.found;
}

/// The order in the table depends on hashes, so equally near names are put in alphabetical order.
const char *ri_names_nearest(const RiNames *names, const char *key)
{
    RiNameSearch near = ri_name_search(key);
    for (int i = 0; i < names->capacity; i++) {
        const char *known = names->keys[i];
        if (!known)
            continue;
        const bool same = near.found && ri_edit_distance(key, known, 99) == near.distance;
        if (same && strcmp(known, near.found) < 0)
            near.found = known;
        else
            ri_name_search_look(&near, known);
    }
    return near.found;
}

// Only the last star needs to be retried: what an earlier one could take, it can too.
bool ri_glob_match(const char *glob, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*glob == '*') {
            star = glob++;
            retry = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return !*glob;
}

void ri_file_name(const char *name, char *out, size_t size)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++)
        out[n] = strchr(allowed, name[n]) ? name[n] : '_';
    out[n] = '\0';
    if (n == 0)
        snprintf(out, size, "scene");
}
