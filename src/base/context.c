// SPDX-License-Identifier: Apache-2.0
/// \file
/// The context: allocator, allocation count, message of the last failure.
#include <rille/context.h>

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/opened.h"

enum { RI_MESSAGE_SIZE = 4096 };

struct RiContext {
    RiAllocator allocator;
    unsigned long long allocations;
    char message[RI_MESSAGE_SIZE];
    void (*opened)(void *user, const char *path); ///< may be NULL
    void *opened_user;
};

static void *heap_resize(void *user, void *block, size_t size)
{
    (void)user;
    return realloc(block, size);
}

static void heap_release(void *user, void *block)
{
    (void)user;
    free(block);
}

RiStatus ri_context_create(const RiAllocator *allocator, RiContext **out_context)
{
    *out_context = NULL;
    const RiAllocator heap = {heap_resize, heap_release, NULL};
    const RiAllocator used = allocator ? *allocator : heap;
    RiContext *ctx = used.resize(used.user, NULL, sizeof *ctx);
    if (!ctx)
        return RI_ERR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = used;
    *out_context = ctx;
    return RI_OK;
}

void ri_context_destroy(RiContext *ctx)
{
    if (!ctx)
        return;
    const RiAllocator a = ctx->allocator;
    a.release(a.user, ctx);
}

void ri_context_watch_opened(RiContext *ctx, void (*fn)(void *user, const char *path), void *user)
{
    ctx->opened = fn;
    ctx->opened_user = user;
}

void ri_context_opened(RiContext *ctx, const char *path)
{
    if (ctx->opened)
        ctx->opened(ctx->opened_user, path);
}

const char *ri_context_message(const RiContext *ctx)
{
    return ctx->message;
}

RiStatus ri_error(RiContext *ctx, RiStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    return status;
}

void ri_context_clear(RiContext *ctx)
{
    ctx->message[0] = '\0';
}

unsigned long long ri_context_allocation_count(const RiContext *ctx)
{
    return ctx->allocations;
}

void *ri_resize(RiContext *ctx, void *block, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    const size_t bytes = count * size;
    ctx->allocations++;
    return ctx->allocator.resize(ctx->allocator.user, block, bytes ? bytes : 1);
}

RiStatus ri_grow(RiContext *ctx, void *list, int count, int *room, int first, size_t size)
{
    if (count < *room)
        return RI_OK;
    if (*room > INT_MAX / 2)
        return ri_error_memory(ctx);
    const int more = *room ? 2 * *room : first;
    void *items;
    memcpy(&items, list, sizeof items); // a pointer of any type
    items = ri_resize(ctx, items, (size_t)more, size);
    if (!items)
        return ri_error_memory(ctx);
    memcpy(list, &items, sizeof items);
    *room = more;
    return RI_OK;
}

void *ri_alloc(RiContext *ctx, size_t count, size_t size)
{
    return ri_resize(ctx, NULL, count, size);
}

void *ri_alloc_zero(RiContext *ctx, size_t count, size_t size)
{
    void *block = ri_alloc(ctx, count, size);
    return block ? memset(block, 0, count * size) : NULL;
}

void ri_release(RiContext *ctx, void *block)
{
    if (block)
        ctx->allocator.release(ctx->allocator.user, block);
}

RiStatus ri_error_memory(RiContext *ctx)
{
    return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
}
