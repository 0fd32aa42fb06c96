// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parquet: "PAR1", a page for each column, metadata, its length, "PAR1". Tests:
/// tests/study/test_parquet.c, tests/parquet (hyparquet reads it).

#include <limits.h>
#include <string.h>

#include <rille/study/parquet.h>

#include "base/memory.h"
#include "io/file/sink.h"
#include "io/record/mcap.h"

enum { INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 };                         ///< Parquet's types
enum { T_I32 = 5, T_I64 = 6, T_BINARY = 8, T_LIST = 9, T_STRUCT = 12 }; ///< Thrift's
enum { PLAIN = 0, RLE = 3, UNCOMPRESSED = 0, REQUIRED = 0, UTF8 = 0 };

static int type_of(RiParquetKind kind)
{
    return kind == RI_PARQUET_INT64 ? INT64 : kind == RI_PARQUET_DOUBLE ? DOUBLE : BYTE_ARRAY;
}

// --- Thrift's compact protocol -------------------------------------------------------------------

/// Fields of a struct are numbered by the difference to the one before.
typedef struct Thrift {
    RiBytes *b;
    int last; ///< number of the field before
} Thrift;

static void put_varint(RiBytes *b, uint64_t x)
{
    for (; x > 0x7f; x >>= 7)
        ri_put_u8(b, (unsigned)(x & 0x7f) | 0x80);
    ri_put_u8(b, (unsigned)x);
}

static void put_signed(RiBytes *b, int64_t x)
{
    put_varint(b, ((uint64_t)x << 1) ^ (x < 0 ? ~0ULL : 0ULL)); // zigzag
}

static void put_field(Thrift *t, int number, int type)
{
    ri_put_u8(t->b, (unsigned)((number - t->last) << 4 | type));
    t->last = number;
}

static void put_int(Thrift *t, int number, int type, int64_t x)
{
    put_field(t, number, type);
    put_signed(t->b, x);
}

static void put_string(RiBytes *b, const char *text)
{
    put_varint(b, strlen(text));
    ri_put_data(b, text, strlen(text));
}

static void put_list(Thrift *t, int number, int type, int count)
{
    put_field(t, number, T_LIST);
    if (count < 15) {
        ri_put_u8(t->b, (unsigned)(count << 4 | type));
    } else {
        ri_put_u8(t->b, (unsigned)(0xf0 | type));
        put_varint(t->b, (uint64_t)count);
    }
}

static void put_end(Thrift *t)
{
    ri_put_u8(t->b, 0);
}

// --- pages ---------------------------------------------------------------------------------------

static void put_values(RiBytes *b, const RiParquetColumn *c, int rows)
{
    for (int i = 0; i < rows; i++) {
        if (c->kind == RI_PARQUET_TEXT) {
            const char *text = ((const char *const *)c->values)[i];
            ri_put_u32(b, (uint32_t)strlen(text));
            ri_put_data(b, text, strlen(text));
            continue;
        }
        uint64_t bits;
        memcpy(&bits, (const char *)c->values + 8 * (size_t)i, sizeof bits);
        ri_put_u64(b, bits);
    }
}

static void put_page_head(RiBytes *b, size_t size, int rows)
{
    Thrift page = {b, 0};
    put_int(&page, 1, T_I32, 0); // a data page
    put_int(&page, 2, T_I32, (int64_t)size);
    put_int(&page, 3, T_I32, (int64_t)size);
    put_field(&page, 5, T_STRUCT);
    Thrift data = {b, 0};
    put_int(&data, 1, T_I32, rows);
    put_int(&data, 2, T_I32, PLAIN);
    put_int(&data, 3, T_I32, RLE);
    put_int(&data, 4, T_I32, RLE);
    put_end(&data);
    put_end(&page);
}

/// Where a column's page is.
typedef struct Chunk {
    uint64_t offset, size;
} Chunk;

static RiStatus write_column(RiContext *ctx, RiSink *sink, const RiParquetColumn *c, int rows, Chunk *out)
{
    RiBytes head, values;
    ri_bytes_init(&head, ctx);
    ri_bytes_init(&values, ctx);
    put_values(&values, c, rows);
    RiStatus status = values.failed ? ri_error_memory(ctx) : RI_OK;
    if (status == RI_OK && values.size > INT_MAX)
        status = ri_error(ctx, RI_ERR_LIMIT, "%s: column '%s' has %zu bytes; less than 2 GiB are allowed", sink->path,
                          c->name, values.size);
    put_page_head(&head, values.size, rows);
    *out = (Chunk){sink->size, head.size + values.size};
    if (status == RI_OK)
        status = head.failed ? ri_error_memory(ctx) : ri_sink_write(sink, head.at, head.size);
    if (status == RI_OK && values.size > 0)
        status = ri_sink_write(sink, values.at, values.size);
    ri_bytes_free(&head);
    ri_bytes_free(&values);
    return status;
}

// --- metadata ------------------------------------------------------------------------------------

static void put_schema(Thrift *file, const RiParquetColumn *columns, int count)
{
    put_list(file, 2, T_STRUCT, count + 1);
    Thrift root = {file->b, 0};
    put_field(&root, 4, T_BINARY);
    put_string(file->b, "table");
    put_int(&root, 5, T_I32, count);
    put_end(&root);
    for (int i = 0; i < count; i++) {
        Thrift e = {file->b, 0};
        put_int(&e, 1, T_I32, type_of(columns[i].kind));
        put_int(&e, 3, T_I32, REQUIRED);
        put_field(&e, 4, T_BINARY);
        put_string(file->b, columns[i].name);
        if (columns[i].kind == RI_PARQUET_TEXT)
            put_int(&e, 6, T_I32, UTF8);
        put_end(&e);
    }
}

static void put_chunk(RiBytes *b, const RiParquetColumn *c, const Chunk *chunk, int rows)
{
    Thrift column = {b, 0}, meta = {b, 0};
    put_int(&column, 2, T_I64, (int64_t)chunk->offset);
    put_field(&column, 3, T_STRUCT);
    put_int(&meta, 1, T_I32, type_of(c->kind));
    put_list(&meta, 2, T_I32, 1);
    put_signed(b, PLAIN);
    put_list(&meta, 3, T_BINARY, 1);
    put_string(b, c->name);
    put_int(&meta, 4, T_I32, UNCOMPRESSED);
    put_int(&meta, 5, T_I64, rows);
    put_int(&meta, 6, T_I64, (int64_t)chunk->size);
    put_int(&meta, 7, T_I64, (int64_t)chunk->size);
    put_int(&meta, 9, T_I64, (int64_t)chunk->offset);
    put_end(&meta);
    put_end(&column);
}

static void put_metadata(RiBytes *b, int rows, const RiParquetColumn *columns, const Chunk *chunks, int count)
{
    Thrift file = {b, 0}, group = {b, 0};
    int64_t size = 0;
    for (int i = 0; i < count; i++)
        size += (int64_t)chunks[i].size;
    put_int(&file, 1, T_I32, 1);
    put_schema(&file, columns, count);
    put_int(&file, 3, T_I64, rows);
    put_list(&file, 4, T_STRUCT, 1);
    put_list(&group, 1, T_STRUCT, count);
    for (int i = 0; i < count; i++)
        put_chunk(b, &columns[i], &chunks[i], rows);
    put_int(&group, 2, T_I64, size);
    put_int(&group, 3, T_I64, rows);
    put_end(&group);
    put_field(&file, 6, T_BINARY);
    put_string(b, "rille");
    put_end(&file);
}

static RiStatus check(RiContext *ctx, const char *path, int rows, const RiParquetColumn *columns, int count)
{
    if (count < 1 || rows < 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: a table of %d columns and %d rows", path, count, rows);
    for (int i = 0; i < count; i++) {
        if (!columns[i].name || !*columns[i].name)
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s: column %d has no name", path, i + 1);
        for (int k = 0; k < i; k++)
            if (strcmp(columns[i].name, columns[k].name) == 0)
                return ri_error(ctx, RI_ERR_ARGUMENT, "%s: two columns are called '%s'", path, columns[i].name);
    }
    return RI_OK;
}

RiStatus ri_parquet_save(RiContext *ctx, const char *path, int rows, const RiParquetColumn *columns, int count)
{
    RI_TRY(check(ctx, path, rows, columns, count));
    RiSink sink;
    RiBytes tail;
    Chunk *chunks = ri_alloc_zero(ctx, (size_t)count, sizeof *chunks);
    if (!chunks)
        return ri_error_memory(ctx);
    RiStatus status = ri_sink_open(&sink, ctx, path);
    if (status != RI_OK) {
        ri_release(ctx, chunks);
        return status;
    }
    ri_bytes_init(&tail, ctx);
    status = ri_sink_write(&sink, "PAR1", 4);
    for (int i = 0; i < count && status == RI_OK; i++)
        status = write_column(ctx, &sink, &columns[i], rows, &chunks[i]);
    put_metadata(&tail, rows, columns, chunks, count);
    ri_put_u32(&tail, (uint32_t)tail.size);
    ri_put_data(&tail, "PAR1", 4);
    if (status == RI_OK)
        status = tail.failed ? ri_error_memory(ctx) : ri_sink_write(&sink, tail.at, tail.size);
    ri_bytes_free(&tail);
    ri_release(ctx, chunks);
    return ri_sink_close(&sink, status);
}
