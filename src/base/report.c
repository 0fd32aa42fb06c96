// SPDX-License-Identifier: Apache-2.0
/// \file
/// A growing list of findings.
#include <rille/report.h>

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

struct RiReport {
    RiArena arena;
    RiFinding *items;
    int count, capacity, lost;
};

const char *ri_finding_kind_name(RiFindingKind kind)
{
    static const char *const names[] = {"understood", "merged", "ignored", "warning", "non-physical"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

RiStatus ri_report_create(RiContext *ctx, RiReport **out_report)
{
    RiReport *report = *out_report = ri_alloc_zero(ctx, 1, sizeof *report);
    if (!report)
        return ri_error_memory(ctx);
    ri_arena_init(&report->arena, ctx);
    return RI_OK;
}

void ri_report_destroy(RiReport *report)
{
    if (!report)
        return;
    RiContext *ctx = report->arena.ctx;
    ri_release(ctx, report->items);
    ri_arena_free(&report->arena);
    ri_release(ctx, report);
}

/// Makes room for one more item.
static int has_room(RiReport *report)
{
    return ri_grow(report->arena.ctx, &report->items, report->count, &report->capacity, 32, sizeof *report->items) ==
           RI_OK;
}

void ri_report_add(RiReport *report, RiFindingKind kind, const char *file, int line, const char *format, ...)
{
    if (!report)
        return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    RiFinding item = {.kind = kind, .line = line, .text = ri_arena_string(&report->arena, text)};
    item.file = ri_arena_string(&report->arena, file);
    if (!item.text || (file && !item.file) || !has_room(report)) {
        report->lost++;
        return;
    }
    report->items[report->count++] = item;
}

int ri_report_count(const RiReport *report)
{
    return report->count;
}

const RiFinding *ri_report_get(const RiReport *report, int index)
{
    return index >= 0 && index < report->count ? &report->items[index] : NULL;
}

int ri_report_count_kind(const RiReport *report, RiFindingKind kind)
{
    int n = 0;
    for (int i = 0; i < report->count; i++)
        n += report->items[i].kind == kind;
    return n;
}

int ri_report_lost(const RiReport *report)
{
    return report->lost;
}
