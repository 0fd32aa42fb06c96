// SPDX-License-Identifier: Apache-2.0
/// \file
/// The context: memory and the message of the last failure.
///
///     RiContext ---> every ri_*_create(ctx, ...) ---> objects that keep a pointer to it
///
/// Threads and ownership: one context per thread; it must outlive the objects created with it. The
/// library has no mutable file-scope variables, never prints and never exits.
#ifndef RILLE_CONTEXT_H
#define RILLE_CONTEXT_H

#include <stddef.h>

#include <rille/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiContext RiContext;

/// Where memory comes from. `resize(user, NULL, n)` allocates, `resize(user, p, n)` grows or
/// shrinks, `release(user, p)` frees (p may be NULL). Both may be called only from the context's
/// thread.
typedef struct RiAllocator {
    void *(*resize)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
    void *user;
} RiAllocator;

/// Creates a context. `allocator` may be NULL (malloc, realloc, free); it is copied.
RI_MUST_CHECK RiStatus ri_context_create(const RiAllocator *allocator, RiContext **out_context);
/// Destroys it; NULL does nothing.
void ri_context_destroy(RiContext *ctx);

/// The sentence that explains the last failure: "file:line: what, field, value, what is allowed".
/// Never NULL; valid until the next failure in this context.
const char *ri_context_message(const RiContext *ctx);

/// Records a failure: stores the formatted message and returns `status`.
RiStatus ri_error(RiContext *ctx, RiStatus status, const char *format, ...) RI_PRINTF(3, 4);

/// Forgets the stored message.
void ri_context_clear(RiContext *ctx);

/// Number of allocator calls (resize) made through this context since it was created.
unsigned long long ri_context_allocation_count(const RiContext *ctx);

#ifdef __cplusplus
}
#endif
#endif
