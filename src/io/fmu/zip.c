// SPDX-License-Identifier: Apache-2.0
/// \file
/// Zip files by zlib: local heads, the directory at the end, and its last record (PKWARE's APPNOTE,
/// sections 4.3 and 4.4).
#include "io/fmu/zip.h"

#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum { LOCAL = 30, CENTRAL = 46, END = 22 };
static const uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;

void ri_zip_init(RiZip *z, RiContext *ctx, const char *path)
{
    *z = (RiZip){.ctx = ctx, .path = path};
}

static void free_entries(RiZip *z)
{
    for (int i = 0; i < z->count; i++)
        ri_release(z->ctx, z->entries[i].name);
    ri_release(z->ctx, z->entries);
}

void ri_zip_free(RiZip *z)
{
    free_entries(z);
    if (z->room) // a reader borrows
        ri_release(z->ctx, z->data);
    ri_zip_init(z, z->ctx, z->path);
}

// --- numbers -------------------------------------------------------------------------------------

static void put16(unsigned char *at, unsigned x)
{
    at[0] = (unsigned char)x;
    at[1] = (unsigned char)(x >> 8);
}

static void put32(unsigned char *at, uint32_t x)
{
    put16(at, x & 0xffff);
    put16(at + 2, x >> 16);
}

static unsigned get16(const unsigned char *at)
{
    return at[0] | (unsigned)at[1] << 8;
}

static uint32_t get32(const unsigned char *at)
{
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

// --- writing -------------------------------------------------------------------------------------

static RiStatus put(RiZip *z, const void *data, size_t size)
{
    if (z->size + size > z->room) {
        const size_t room = 2 * (z->size + size) + 4096;
        unsigned char *more = ri_resize(z->ctx, z->data, room, 1);
        if (!more)
            return ri_error_memory(z->ctx);
        z->data = more;
        z->room = room;
    }
    if (size)
        memcpy(z->data + z->size, data, size);
    z->size += size;
    return RI_OK;
}

static RiStatus add_entry(RiZip *z, const char *name, size_t name_size, const RiZipEntry *entry)
{
    RI_TRY(ri_grow(z->ctx, &z->entries, z->count, &z->entry_room, 32, sizeof *z->entries));
    RiZipEntry *e = &z->entries[z->count];
    *e = *entry;
    e->name = ri_alloc_zero(z->ctx, name_size + 1, 1);
    if (!e->name)
        return ri_error_memory(z->ctx);
    memcpy(e->name, name, name_size);
    z->count++;
    return RI_OK;
}

/// Raw deflate; *out_size is 0 if that does not make it smaller.
static RiStatus pack(RiZip *z, const void *data, size_t size, unsigned char **out, size_t *out_size)
{
    z_stream s = {0};
    *out = NULL;
    *out_size = 0;
    if (deflateInit2(&s, 2, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return ri_error_memory(z->ctx);
    unsigned char *packed = ri_alloc(z->ctx, size, 1);
    if (!packed) {
        deflateEnd(&s);
        return ri_error_memory(z->ctx);
    }
    s.next_in = (unsigned char *)data;
    s.avail_in = (uInt)size;
    s.next_out = packed;
    s.avail_out = (uInt)size;
    if (deflate(&s, Z_FINISH) == Z_STREAM_END)
        *out_size = (size_t)s.total_out;
    deflateEnd(&s);
    *out = packed;
    return RI_OK;
}

/// The fields that a local head and the directory share, from `version needed` on.
static void put_common(unsigned char *at, const RiZipEntry *e)
{
    put16(at, 20);         // version needed: deflate, folders
    put16(at + 2, 0x0800); // names are UTF-8
    put16(at + 4, (unsigned)e->method);
    put16(at + 6, 0);    // no time: the same content gives the same bytes
    put16(at + 8, 0x21); // 1980-01-01
    put32(at + 10, e->crc);
    put32(at + 14, (uint32_t)e->packed);
    put32(at + 18, (uint32_t)e->size);
    put16(at + 22, (unsigned)strlen(e->name));
}

RiStatus ri_zip_add(RiZip *z, const char *name, const void *data, size_t size, bool deflate_it)
{
    unsigned char head[LOCAL] = {0}, *packed = NULL;
    size_t packed_size = 0;
    if (size > RI_ZIP_MOST || z->size > RI_ZIP_MOST || z->count == RI_ZIP_ENTRIES || strlen(name) > 1000)
        return ri_error(z->ctx, RI_ERR_LIMIT, "%s: '%.200s' does not fit into an archive of at most %d bytes", z->path,
                        name, RI_ZIP_MOST);
    if (deflate_it && size > 64)
        RI_TRY(pack(z, data, size, &packed, &packed_size));
    const RiZipEntry e = {.offset = z->size,
                          .packed = packed_size ? packed_size : size,
                          .size = size,
                          .crc = (uint32_t)crc32(0, data, (uInt)size),
                          .method = packed_size ? 8 : 0};
    RiStatus status = add_entry(z, name, strlen(name), &e);
    if (status == RI_OK) {
        put32(head, local_mark);
        put_common(head + 4, &z->entries[z->count - 1]);
        status = put(z, head, LOCAL);
    }
    if (status == RI_OK)
        status = put(z, name, strlen(name));
    if (status == RI_OK)
        status = put(z, packed_size ? packed : data, e.packed);
    ri_release(z->ctx, packed);
    return status;
}

RiStatus ri_zip_finish(RiZip *z)
{
    const size_t begin = z->size;
    unsigned char end[END] = {0};
    for (int i = 0; i < z->count; i++) {
        const RiZipEntry *e = &z->entries[i];
        unsigned char head[CENTRAL] = {0};
        put32(head, central_mark);
        put16(head + 4, 3 << 8 | 20); // made on Unix
        put_common(head + 6, e);
        put32(head + 38, (0100000u | 0644u | (strstr(e->name, ".so") ? 0111u : 0u)) << 16);
        put32(head + 42, (uint32_t)e->offset);
        RI_TRY(put(z, head, CENTRAL));
        RI_TRY(put(z, e->name, strlen(e->name)));
    }
    put32(end, end_mark);
    put16(end + 8, (unsigned)z->count);
    put16(end + 10, (unsigned)z->count);
    put32(end + 12, (uint32_t)(z->size - begin));
    put32(end + 16, (uint32_t)begin);
    return put(z, end, END);
}

// --- reading -------------------------------------------------------------------------------------

static RiStatus wrong(const RiZip *z, const char *what)
{
    return ri_error(z->ctx, RI_ERR_FORMAT, "%s: not a zip file that can be read: %s", z->path, what);
}

/// Whether a name stays below the folder that it is unpacked into.
static bool is_safe(const char *name, size_t size)
{
    if (size == 0 || size > 1000 || name[0] == '/' || memchr(name, '\\', size) || memchr(name, ':', size))
        return false;
    for (size_t i = 0, begin = 0; i <= size; i++) {
        if (i < size && (unsigned char)name[i] < ' ')
            return false;
        if (i < size && name[i] != '/')
            continue;
        if (i - begin == 2 && name[begin] == '.' && name[begin + 1] == '.')
            return false;
        begin = i + 1;
    }
    return true;
}

/// Where the last record begins; `size` if there is none.
static size_t find_end(const unsigned char *data, size_t size)
{
    for (size_t back = END; back <= size && back <= END + 65535; back++)
        if (get32(data + size - back) == end_mark && get16(data + size - back + 20) == back - END)
            return size - back;
    return size;
}

static RiStatus read_entry(RiZip *z, size_t limit, size_t *at)
{
    const unsigned char *head = z->data + *at;
    if (*at + CENTRAL > limit || get32(head) != central_mark)
        return wrong(z, "its directory is damaged");
    const size_t name = get16(head + 28), rest = name + get16(head + 30) + get16(head + 32);
    const RiZipEntry e = {.offset = get32(head + 42),
                          .packed = get32(head + 20),
                          .size = get32(head + 24),
                          .crc = get32(head + 16),
                          .method = (int)get16(head + 10)};
    if (*at + CENTRAL + rest > limit)
        return wrong(z, "its directory is cut off");
    if (get16(head + 8) & 1)
        return wrong(z, "it is encrypted");
    if (!is_safe((const char *)head + CENTRAL, name))
        return wrong(z, "a name leads to another folder, or is none");
    if (e.method != 0 && e.method != 8)
        return wrong(z, "an entry is neither stored nor deflated");
    if (e.size > RI_ZIP_MOST || e.packed > z->size || e.offset > z->size)
        return wrong(z, "an entry is too large, or lies outside the file");
    *at += CENTRAL + rest;
    return add_entry(z, (const char *)head + CENTRAL, name, &e);
}

static RiStatus read_directory(RiZip *z)
{
    const size_t end = find_end(z->data, z->size);
    if (end == z->size)
        return wrong(z, "it has no end record");
    const int count = (int)get16(z->data + end + 10);
    size_t at = get32(z->data + end + 16);
    if (get16(z->data + end + 4) || get16(z->data + end + 6) || count == 65535 || at == 0xffffffff)
        return wrong(z, "it has several parts, or is larger than 4 GiB");
    if (at > end)
        return wrong(z, "its directory lies outside the file");
    for (int i = 0; i < count; i++)
        RI_TRY(read_entry(z, end, &at));
    return RI_OK;
}

RiStatus ri_zip_open(RiContext *ctx, const char *path, const unsigned char *data, size_t size, RiZip *out_zip)
{
    ri_zip_init(out_zip, ctx, path);
    out_zip->data = (unsigned char *)data;
    out_zip->size = size;
    const RiStatus status = size < END ? wrong(out_zip, "it is too short") : read_directory(out_zip);
    if (status != RI_OK)
        ri_zip_free(out_zip);
    return status;
}

int ri_zip_find(const RiZip *z, const char *name)
{
    for (int i = 0; i < z->count; i++)
        if (strcmp(z->entries[i].name, name) == 0)
            return i;
    return -1;
}

static bool unpack(const unsigned char *from, size_t packed, unsigned char *out, size_t size)
{
    z_stream s = {.next_in = (unsigned char *)from, .avail_in = (uInt)packed, .next_out = out, .avail_out = (uInt)size};
    unsigned char none;
    if (size == 0) {
        s.next_out = &none;
        s.avail_out = 1;
    }
    if (inflateInit2(&s, -15) != Z_OK)
        return false;
    const int code = inflate(&s, Z_FINISH);
    const bool good = code == Z_STREAM_END && s.total_out == size;
    inflateEnd(&s);
    return good;
}

RiStatus ri_zip_read(const RiZip *z, int entry, unsigned char **out_data, size_t *out_size)
{
    const RiZipEntry *e = &z->entries[entry];
    const unsigned char *head = z->data + e->offset;
    *out_data = NULL;
    *out_size = 0;
    if (z->size - e->offset < LOCAL || get32(head) != local_mark)
        return wrong(z, "an entry does not begin where the directory says");
    const size_t skip = LOCAL + (size_t)get16(head + 26) + get16(head + 28);
    if (skip > z->size - e->offset || e->packed > z->size - e->offset - skip)
        return wrong(z, "an entry is cut off");
    if (e->method == 0 ? e->packed != e->size : e->size / 1100 > e->packed)
        return wrong(z, "the size of an entry is impossible");
    unsigned char *data = ri_alloc(z->ctx, e->size + 1, 1);
    if (!data)
        return ri_error_memory(z->ctx);
    bool good = true;
    if (e->method == 8)
        good = unpack(head + skip, e->packed, data, e->size);
    else if (e->size)
        memcpy(data, head + skip, e->size);
    if (!good || (uint32_t)crc32(0, data, (uInt)e->size) != e->crc) {
        ri_release(z->ctx, data);
        return wrong(z, "an entry does not match its checksum");
    }
    data[e->size] = '\0';
    *out_data = data;
    *out_size = e->size;
    return RI_OK;
}
