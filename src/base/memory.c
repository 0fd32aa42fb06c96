// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory blocks and arenas. An arena is a stack of blocks, each at least RI_ARENA_BLOCK bytes;
/// allocation is a pointer bump, and all of it is released at once.
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { RI_ARENA_BLOCK = 16384, RI_ARENA_ALIGN = 64 };

typedef struct RiArenaBlock {
    struct RiArenaBlock *next;
} RiArenaBlock;

void ri_arena_init(RiArena *arena, RiContext *ctx)
{
    *arena = (RiArena){.ctx = ctx};
}

void ri_arena_free(RiArena *arena)
{
    for (RiArenaBlock *b = arena->blocks; b;) {
        RiArenaBlock *next = b->next;
        ri_release(arena->ctx, b);
        b = next;
    }
    ri_arena_init(arena, arena->ctx);
}

/// Offset in `b` at which the next allocation may start, aligned for its true address.
static size_t aligned_offset(const RiArenaBlock *b, size_t used)
{
    const uintptr_t at = (uintptr_t)b + used;
    const uintptr_t up = (at + RI_ARENA_ALIGN - 1) & ~(uintptr_t)(RI_ARENA_ALIGN - 1);
    return (size_t)(up - (uintptr_t)b);
}

void *ri_arena_alloc(RiArena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - RI_ARENA_BLOCK) / size)
        return NULL;
    const size_t bytes = count * size;
    size_t start = arena->blocks ? aligned_offset(arena->blocks, arena->used) : 0;
    if (!arena->blocks || start > arena->capacity || arena->capacity - start < bytes) {
        const size_t least = bytes + sizeof(RiArenaBlock) + 2 * RI_ARENA_ALIGN;
        const size_t capacity = least > RI_ARENA_BLOCK ? least : RI_ARENA_BLOCK;
        RiArenaBlock *b = ri_alloc(arena->ctx, 1, capacity);
        if (!b)
            return NULL;
        b->next = arena->blocks;
        arena->blocks = b;
        arena->capacity = capacity;
        start = aligned_offset(b, sizeof *b);
    }
    arena->used = start + bytes;
    return memset((char *)arena->blocks + start, 0, bytes);
}

char *ri_arena_string_n(RiArena *arena, const char *text, size_t n)
{
    char *copy = ri_arena_alloc(arena, n + 1, 1);
    if (copy)
        memcpy(copy, text, n);
    return copy;
}

char *ri_arena_string(RiArena *arena, const char *text)
{
    return text ? ri_arena_string_n(arena, text, strlen(text)) : NULL;
}

void *ri_carve(char *block, size_t *at, size_t count, size_t size)
{
    void *p = block ? block + *at : NULL;
    *at += (count * size + RI_ARENA_ALIGN - 1) / RI_ARENA_ALIGN * RI_ARENA_ALIGN;
    return p;
}
