// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a call that can fail returns.
///
/// A function that can fail returns an RiStatus; the sentence that explains a failure is held by
/// the RiContext (see context.h). Outputs come last, are prefixed `out_`, and are left safe (NULL,
/// 0) on error.
#ifndef RILLE_STATUS_H
#define RILLE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The one list of status codes: name, short text.
#define RI_STATUS_LIST(X)                                                                                              \
    X(RI_OK, "ok")                                                                                                     \
    X(RI_ERR_MEMORY, "out of memory")                                                                                  \
    X(RI_ERR_ARGUMENT, "bad argument")                                                                                 \
    X(RI_ERR_FORMAT, "malformed input")                                                                                \
    X(RI_ERR_IO, "input/output failure")                                                                               \
    X(RI_ERR_NOT_FOUND, "not found")                                                                                   \
    X(RI_ERR_LIMIT, "limit exceeded")                                                                                  \
    X(RI_ERR_MODEL, "inconsistent model")                                                                              \
    X(RI_ERR_NUMERIC, "numerical failure")                                                                             \
    X(RI_ERR_UNSUPPORTED, "not supported by this build")                                                               \
    X(RI_ERR_DEVICE, "a device failed")

typedef enum RiStatus {
#define RI_STATUS_ENUM(name, text) name,
    RI_STATUS_LIST(RI_STATUS_ENUM)
#undef RI_STATUS_ENUM
        RI_STATUS_COUNT
} RiStatus;

#if defined(__GNUC__)
#define RI_MUST_CHECK               __attribute__((warn_unused_result))
#define RI_PRINTF(fmt_index, first) __attribute__((format(printf, fmt_index, first)))
#else
#define RI_MUST_CHECK
#define RI_PRINTF(fmt_index, first)
#endif

/// Returns early with the status of a failed call.
#define RI_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const RiStatus ri_try_status = (call);                                                                         \
        if (ri_try_status != RI_OK)                                                                                    \
            return ri_try_status;                                                                                      \
    } while (0)

/// Short text of a status, never NULL. The full sentence is ri_context_message().
const char *ri_status_text(RiStatus status);

#ifdef __cplusplus
}
#endif
#endif
