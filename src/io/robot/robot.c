// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robots by file name, and one robot in place of another.
#include <rille/robot.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <rille/model.h>

/// The part of a path from its last dot, "" if its last name has none.
static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

static bool is_urdf(const char *path)
{
    return strcasecmp(ending_of(path), ".urdf") == 0 || strcasecmp(ending_of(path), ".xml") == 0 ||
           strcasecmp(ending_of(path), ".xacro") == 0;
}

static bool is_template(const char *path)
{
    return strcasecmp(ending_of(path), ".yaml") == 0 || strcasecmp(ending_of(path), ".yml") == 0;
}

RiStatus ri_robot_load(RiContext *ctx, const char *path, const RiLoadOptions *options, RiSpec **out_spec)
{
    *out_spec = NULL;
    if (is_template(path))
        return ri_template_load(ctx, path, options, out_spec);
    if (!is_urdf(path))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: a robot file ends in .urdf, .xacro, .xml, .yaml or .yml", path);
    return ri_urdf_load(ctx, path, options, out_spec);
}

/// Fails with the differences that ri_spec_compare added to `report` from the finding `first` on.
static RiStatus refuse(RiContext *ctx, const char *built_in, const char *replacement, const RiReport *report, int first)
{
    char list[2048] = "";
    for (int i = first; i < ri_report_count(report); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "\n  %s", ri_report_get(report, i)->text);
    }
    return ri_error(ctx, RI_ERR_MODEL, "%s: not structurally similar to %s, so it cannot replace it:%s", replacement,
                    built_in, list);
}

/// Compares two loaded robots; the differences go to the caller's report, or to one of our own for
/// the message.
static RiStatus check_similar(RiContext *ctx, const char *built_in, const char *replacement, const RiSpec *a,
                              const RiSpec *b, RiReport *report)
{
    RiReport *own = NULL;
    if (!report)
        RI_TRY(ri_report_create(ctx, &own));
    RiReport *used = report ? report : own;
    const int first = ri_report_count(used);
    bool similar = false;
    RiStatus status = ri_spec_compare(a, b, used, &similar);
    if (status == RI_OK && !similar)
        status = refuse(ctx, built_in, replacement, used, first);
    ri_report_destroy(own);
    return status;
}

/// The options for one of two robots: settings are for the one that is a template, if the other is
/// not.
static RiLoadOptions options_for(const char *path, const char *other, const RiLoadOptions *options)
{
    RiLoadOptions own = options ? *options : ri_load_options_default();
    if (is_urdf(path) && is_template(other))
        own.setting_count = 0;
    return own;
}

RiStatus ri_robot_replace(RiContext *ctx, const char *built_in, const char *replacement, const RiLoadOptions *options,
                          RiSpec **out_spec)
{
    *out_spec = NULL;
    RiLoadOptions old_options = options_for(built_in, replacement, options);
    const RiLoadOptions new_options = options_for(replacement, built_in, options);
    old_options.report = NULL; // findings are about the robot that is used
    RiSpec *original = NULL, *spec = NULL;
    RI_TRY(ri_robot_load(ctx, built_in, &old_options, &original));
    RiStatus status = ri_robot_load(ctx, replacement, &new_options, &spec);
    if (status == RI_OK)
        status = check_similar(ctx, built_in, replacement, original, spec, new_options.report);
    ri_spec_destroy(original);
    if (status != RI_OK) {
        ri_spec_destroy(spec);
        return status;
    }
    *out_spec = spec;
    return RI_OK;
}
