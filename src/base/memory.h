// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory: the context's allocator, and an arena for things that die together.
#ifndef RI_BASE_MEMORY_H
#define RI_BASE_MEMORY_H

#include <stddef.h>

#include <rille/context.h>

/// Uninitialised block of `count * size` bytes; NULL on overflow or exhaustion. count or size 0
/// gives a valid block.
void *ri_alloc(RiContext *ctx, size_t count, size_t size);
/// The same, zeroed.
void *ri_alloc_zero(RiContext *ctx, size_t count, size_t size);
/// Resizes a block of ri_alloc (block may be NULL). On failure returns NULL and the old block
/// stays.
void *ri_resize(RiContext *ctx, void *block, size_t count, size_t size);
void ri_release(RiContext *ctx, void *block);
/// Records "out of memory" and returns RI_ERR_MEMORY.
RiStatus ri_error_memory(RiContext *ctx);

/// Takes room for `count` items off a block at *at and moves *at on, in steps of 64 bytes; with a
/// NULL block it only counts. Laying out a workspace is one function run twice: to learn its size,
/// and to place its arrays.
void *ri_carve(char *block, size_t *at, size_t count, size_t size);

/// A list of blocks freed together. Zero-initialise with ri_arena_init; allocations are 64-byte
/// aligned.
typedef struct RiArena {
    RiContext *ctx;
    struct RiArenaBlock *blocks;
    size_t used, capacity; ///< of the newest block [bytes]
} RiArena;

void ri_arena_init(RiArena *arena, RiContext *ctx);
void ri_arena_free(RiArena *arena);
/// Zeroed memory; NULL if there is none.
void *ri_arena_alloc(RiArena *arena, size_t count, size_t size);
/// Copy of a string (NULL gives NULL and is not an error).
char *ri_arena_string(RiArena *arena, const char *text);
/// Copy of the first n bytes of a string, terminated.
char *ri_arena_string_n(RiArena *arena, const char *text, size_t n);

#endif
