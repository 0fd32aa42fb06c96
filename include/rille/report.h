// SPDX-License-Identifier: Apache-2.0
/// \file
/// A report: findings about an input file, each with file and line. Nothing is dropped silently:
/// what a loader or the model builder understood, ignored, merged or found non-physical is told
/// here, in words a user can act on.
#ifndef RILLE_REPORT_H
#define RILLE_REPORT_H

#include <stddef.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where an item came from. `file` may be NULL (made by a program); `line` counts from 1, 0 if
/// unknown.
typedef struct RiSource {
    const char *file;
    int line;
} RiSource;

typedef enum RiFindingKind {
    RI_FINDING_UNDERSTOOD, ///< read and used
    RI_FINDING_MERGED,     ///< simplified without changing the motion (locked and massless links)
    RI_FINDING_IGNORED,    ///< in the file, not used
    RI_FINDING_WARNING,    ///< used, but likely not what was meant
    RI_FINDING_NONPHYSICAL ///< cannot be simulated as it is
} RiFindingKind;

/// "understood", "merged", "ignored", "warning", "non-physical".
const char *ri_finding_kind_name(RiFindingKind kind);

typedef struct RiFinding {
    RiFindingKind kind;
    const char *file; ///< may be NULL
    int line;         ///< from 1; 0 if unknown
    const char *text;
} RiFinding;

typedef struct RiReport RiReport;

/// An empty report. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_report_create(RiContext *ctx, RiReport **out_report);
/// Destroys it; NULL does nothing.
void ri_report_destroy(RiReport *report);

/// Adds a finding. `report` may be NULL: then nothing happens. A finding that cannot be stored for
/// lack of memory is counted by ri_report_lost().
void ri_report_add(RiReport *report, RiFindingKind kind, const char *file, int line, const char *format, ...)
    RI_PRINTF(5, 6);

/// Number of findings kept.
int ri_report_count(const RiReport *report);
/// Finding by index; NULL beyond the last. Borrowed, valid with the report.
const RiFinding *ri_report_get(const RiReport *report, int index);
/// How many findings of one kind there are.
int ri_report_count_kind(const RiReport *report, RiFindingKind kind);
/// Findings that were not kept for lack of memory.
int ri_report_lost(const RiReport *report);

#ifdef __cplusplus
}
#endif
#endif
