// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory: the context's allocator, and an arena for things that are freed together.
///
/// Threads and ownership: a block belongs to the context that it came from and to its thread. What
/// a function of the library hands out as an array is such a block: ri_release frees it.
#ifndef RILLE_MEMORY_H
#define RILLE_MEMORY_H

#include <stddef.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Uninitialised block of `count * size` bytes; NULL on overflow or exhaustion. count or size 0
/// gives a valid block.
void *ri_alloc(RiContext *ctx, size_t count, size_t size);
/// The same, zeroed.
void *ri_alloc_zero(RiContext *ctx, size_t count, size_t size);
/// Resizes a block of ri_alloc (block may be NULL). On failure returns NULL and the old block
/// stays.
void *ri_resize(RiContext *ctx, void *block, size_t count, size_t size);
/// Releases a block of this context; NULL does nothing.
void ri_release(RiContext *ctx, void *block);
/// Room for one more item in a list of ri_alloc that has `count` of them: doubled when it is full.
/// `list` is the address of the pointer to the items, `*room` how many fit (0 for no list yet) and
/// `first` how many shall fit at first. On failure the list stays as it was.
RI_MUST_CHECK RiStatus ri_grow(RiContext *ctx, void *list, int count, int *room, int first, size_t size);
/// Records "out of memory" and returns RI_ERR_MEMORY.
RiStatus ri_error_memory(RiContext *ctx);

/// A list of blocks freed together. Zero-initialise with ri_arena_init; allocations are 64-byte
/// aligned.
typedef struct RiArena {
    RiContext *ctx;
    struct RiArenaBlock *blocks;
    size_t used, capacity; ///< of the newest block [bytes]
} RiArena;

/// An empty arena in the caller's memory; its blocks come from ctx.
void ri_arena_init(RiArena *arena, RiContext *ctx);
/// Releases all that came from the arena, which is then empty.
void ri_arena_free(RiArena *arena);
/// Zeroed memory; NULL if there is none.
void *ri_arena_alloc(RiArena *arena, size_t count, size_t size);
/// Copy of a string (NULL gives NULL and is not an error).
char *ri_arena_string(RiArena *arena, const char *text);
/// Copy of the first n bytes of a string, terminated.
char *ri_arena_string_n(RiArena *arena, const char *text, size_t n);

#ifdef __cplusplus
}
#endif
#endif
