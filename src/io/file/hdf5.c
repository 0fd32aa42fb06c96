// SPDX-License-Identifier: Apache-2.0
/// \file
/// HDF5, as far as hdf5.h says. Every address and length comes from the file and is checked before
/// it is used.
#include "io/file/hdf5.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_PIECES = 16, MOST_MESSAGES = 4096, HEADER_PREFIX = 16 };

/// `count` bytes at `at`, or NULL.
static const unsigned char *bytes(const RiHdf5 *h, uint64_t at, uint64_t count)
{
    return at <= h->size && count <= h->size - at ? h->data + at : NULL;
}

static uint64_t little(const unsigned char *p, int count)
{
    uint64_t value = 0;
    for (int k = count - 1; k >= 0; k--)
        value = value << 8 | p[k];
    return value;
}

static RiStatus broken(const RiHdf5 *h, const char *what, uint64_t at)
{
    return ri_error(h->ctx, RI_ERR_FORMAT, "%s: %s at byte %llu is damaged or of an unknown kind", h->file, what,
                    (unsigned long long)at);
}

RiStatus ri_hdf5_init(RiHdf5 *h, RiContext *ctx, const char *file, const void *data, size_t size)
{
    *h = (RiHdf5){.ctx = ctx, .file = file, .data = data, .size = size};
    const unsigned char *p = bytes(h, 0, 100);
    if (!p || memcmp(p, "\x89HDF\r\n\x1a\n", 8) != 0)
        return broken(h, "the HDF5 signature", 0);
    if (p[8] > 1)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: HDF5 superblock version %d; known are 0 and 1", file, p[8]);
    if (p[13] != 8 || p[14] != 8)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: HDF5 with offsets of %d and lengths of %d bytes; known is 8",
                        file, p[13], p[14]);
    const int first = 24 + (p[8] == 1 ? 4 : 0), entry = first + 4 * 8; // four addresses: base, free space, end, driver
    if (little(p + first + 16, 8) > size)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: cut off: it has %zu bytes and should have %llu", file, size,
                        (unsigned long long)little(p + first + 16, 8));
    h->root = little(p + entry + 8, 8);
    return RI_OK;
}

// --- object headers ------------------------------------------------------------------------------

typedef struct Message {
    const unsigned char *data;
    uint64_t size;
} Message;

/// The first message of a type in an object header, over its continuations; data NULL if there is
/// none.
static RiStatus find_message(const RiHdf5 *h, RiHdf5Object object, unsigned type, Message *out)
{
    const unsigned char *p = bytes(h, object, HEADER_PREFIX);
    *out = (Message){0};
    if (!p || p[0] != 1)
        return broken(h, "an object header", object);
    uint64_t at = object + HEADER_PREFIX, end = at + little(p + 8, 4), more_at[MOST_PIECES], more_size[MOST_PIECES];
    int pending = 0;
    for (int k = 0; k < MOST_MESSAGES; k++) {
        if (at + 8 > end) { // this piece is done: on with the next
            if (pending == 0)
                return RI_OK;
            at = more_at[--pending];
            end = at + more_size[pending];
            if (end < at || !bytes(h, at, more_size[pending]))
                return broken(h, "a continued object header", at);
            continue;
        }
        const unsigned char *m = bytes(h, at, 8);
        const uint64_t size = m ? little(m + 2, 2) : 0;
        const unsigned char *body = m ? bytes(h, at + 8, size) : NULL;
        if (!body)
            return broken(h, "a message", at);
        const unsigned kind = (unsigned)little(m, 2);
        if (kind == type) {
            *out = (Message){body, size};
            return RI_OK;
        }
        if (kind == 0x10 && size >= 16 && pending < MOST_PIECES) {
            more_at[pending] = little(body, 8);
            more_size[pending++] = little(body + 8, 8);
        }
        at += 8 + size;
    }
    return broken(h, "an object header (too many messages)", object);
}

// --- groups --------------------------------------------------------------------------------------

/// Text at an offset of a local heap; NULL if it does not end inside the file.
static const char *heap_text(const RiHdf5 *h, uint64_t heap, uint64_t offset)
{
    const unsigned char *p = bytes(h, heap, 32);
    if (!p || memcmp(p, "HEAP", 4) != 0)
        return NULL;
    const uint64_t size = little(p + 8, 8), start = little(p + 24, 8);
    const unsigned char *text = bytes(h, start, size);
    if (!text || offset >= size || !memchr(text + offset, 0, (size_t)(size - offset)))
        return NULL;
    return (const char *)text + offset;
}

/// Looks for a name in a leaf of symbols.
static RiStatus find_in_leaf(const RiHdf5 *h, uint64_t leaf, uint64_t heap, const char *name, size_t length,
                             RiHdf5Object *out)
{
    enum { ENTRY = 40 };
    const unsigned char *p = bytes(h, leaf, 8);
    const uint64_t count = p ? little(p + 6, 2) : 0;
    if (!p || memcmp(p, "SNOD", 4) != 0 || !bytes(h, leaf + 8, count * ENTRY))
        return broken(h, "a symbol table", leaf);
    for (uint64_t k = 0; k < count; k++) {
        const unsigned char *entry = p + 8 + k * ENTRY;
        const char *text = heap_text(h, heap, little(entry, 8));
        if (!text)
            return broken(h, "a name", leaf);
        if (strncmp(text, name, length) == 0 && text[length] == '\0')
            *out = little(entry + 8, 8);
    }
    return RI_OK;
}

/// Walks all leaves of a group's B-tree, whose levels fall on the way down.
static RiStatus find_in_tree(const RiHdf5 *h, uint64_t node, int level, uint64_t heap, const char *name, size_t length,
                             RiHdf5Object *out)
{
    const unsigned char *p = bytes(h, node, 24);
    const uint64_t count = p ? little(p + 6, 2) : 0;
    if (!p || memcmp(p, "TREE", 4) != 0 || p[4] != 0 || p[5] >= level || !bytes(h, node + 24, count * 16 + 8))
        return broken(h, "a B-tree", node);
    for (uint64_t k = 0; k < count && *out == 0; k++) {
        const uint64_t child = little(p + 24 + 8 + 16 * k, 8);
        RI_TRY(p[5] == 0 ? find_in_leaf(h, child, heap, name, length, out)
                         : find_in_tree(h, child, p[5], heap, name, length, out));
    }
    return RI_OK;
}

RiStatus ri_hdf5_find(const RiHdf5 *h, const char *path, RiHdf5Object *out)
{
    enum { LEVELS = 4 }; ///< of a B-tree: millions of names
    RiHdf5Object at = h->root;
    *out = 0;
    while (*path) {
        const size_t length = strcspn(path, "/");
        Message table;
        RI_TRY(find_message(h, at, 0x11, &table));
        if (!table.data || table.size < 16)
            return RI_OK; // not a group, or one of a newer kind
        RiHdf5Object next = 0;
        RI_TRY(find_in_tree(h, little(table.data, 8), LEVELS, little(table.data + 8, 8), path, length, &next));
        if (next == 0)
            return RI_OK;
        at = next;
        path += length + (path[length] == '/');
    }
    *out = at;
    return RI_OK;
}

// --- datasets ------------------------------------------------------------------------------------

/// Numbers in the file: how many, of what kind, and where.
typedef struct Numbers {
    uint64_t count;
    int size; ///< bytes of one
    bool is_float, is_signed, is_big;
    const unsigned char *data;
} Numbers;

static RiStatus read_space(const RiHdf5 *h, RiHdf5Object o, uint64_t *out_count)
{
    Message m;
    RI_TRY(find_message(h, o, 0x01, &m));
    const bool known = m.data && m.size >= 4 && (m.data[0] == 1 || m.data[0] == 2);
    const uint64_t head = known && m.data[0] == 1 ? 8 : 4, rank = known ? m.data[1] : 0;
    if (!known || m.size < head + 8 * rank)
        return broken(h, "the size of a dataset", o);
    *out_count = m.data[0] == 2 && m.data[3] == 2 ? 0 : 1;
    for (uint64_t k = 0; k < rank; k++) {
        const uint64_t extent = little(m.data + head + 8 * k, 8);
        if (extent > h->size || (extent > 0 && *out_count > h->size / extent))
            return broken(h, "the size of a dataset", o);
        *out_count *= extent;
    }
    return RI_OK;
}

static RiStatus read_type(const RiHdf5 *h, RiHdf5Object o, Numbers *n)
{
    Message m;
    RI_TRY(find_message(h, o, 0x03, &m));
    if (!m.data || m.size < 8)
        return broken(h, "the type of a dataset", o);
    const int class = m.data[0] & 0x0f;
    n->size = (int)little(m.data + 4, 2);
    n->is_float = class == 1;
    n->is_big = m.data[1] & 1;
    n->is_signed = m.data[1] & 8;
    const bool fits = class == 0 ? n->size >= 1 && n->size <= 8 : class == 1 && (n->size == 4 || n->size == 8);
    return fits ? RI_OK
                : ri_error(h->ctx, RI_ERR_UNSUPPORTED,
                           "%s: a dataset of class %d and %d bytes; known are integers and "
                           "floating-point numbers",
                           h->file, class, n->size);
}

static RiStatus read_layout(const RiHdf5 *h, RiHdf5Object o, Numbers *n)
{
    Message m;
    RI_TRY(find_message(h, o, 0x08, &m));
    if (!m.data || m.size < 4)
        return broken(h, "the layout of a dataset", o);
    const uint64_t wanted = n->count * (uint64_t)n->size;
    const bool old = m.data[0] <= 2;
    const int class = old ? m.data[2] : m.data[1];
    if (class == 2 || m.data[0] > 3)
        return ri_error(h->ctx, RI_ERR_UNSUPPORTED, "%s: a dataset in chunks; known are those in one piece", h->file);
    if (class == 0 && !old) {
        const uint64_t size = little(m.data + 2, 2);
        n->data = size >= wanted && m.size >= 4 + size ? m.data + 4 : NULL;
    } else if (class == 1 && m.size >= (old ? 16 : 18)) {
        n->data = bytes(h, little(m.data + (old ? 8 : 2), 8), wanted);
    }
    return n->data ? RI_OK : broken(h, "the data of a dataset", o);
}

static double number(const Numbers *n, uint64_t k)
{
    unsigned char b[8] = {0};
    const unsigned char *p = n->data + k * (uint64_t)n->size;
    for (int i = 0; i < n->size; i++)
        b[i] = n->is_big ? p[n->size - 1 - i] : p[i];
    const uint64_t bits = little(b, n->size);
    if (n->is_float && n->size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (n->is_float) {
        const uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return value;
    }
    const int unused = 64 - 8 * n->size;
    return n->is_signed ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
}

RiStatus ri_hdf5_read(const RiHdf5 *h, const char *path, size_t most, double **out_numbers, size_t *out_count)
{
    RiHdf5Object o;
    Numbers n = {0};
    *out_numbers = NULL;
    *out_count = 0;
    RI_TRY(ri_hdf5_find(h, path, &o));
    if (o == 0)
        return ri_error(h->ctx, RI_ERR_FORMAT, "%s: there is no dataset '%s'", h->file, path);
    RI_TRY(read_space(h, o, &n.count));
    RI_TRY(read_type(h, o, &n));
    if (n.count > most)
        return ri_error(h->ctx, RI_ERR_LIMIT, "%s: '%s' has %llu numbers; allowed are %zu", h->file, path,
                        (unsigned long long)n.count, most);
    if (n.count > 0)
        RI_TRY(read_layout(h, o, &n));
    double *numbers = ri_alloc(h->ctx, (size_t)n.count, sizeof *numbers);
    if (!numbers)
        return ri_error_memory(h->ctx);
    for (uint64_t k = 0; k < n.count; k++)
        numbers[k] = number(&n, k);
    *out_numbers = numbers;
    *out_count = (size_t)n.count;
    return RI_OK;
}
