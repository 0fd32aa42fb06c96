// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether one robot may stand in for another (EELS-DARTS 2.1.5 [hasseler2024]): the same moving
/// tree, by names. Numbers, axes, meshes, and fixed frames may differ; joints, their types, their
/// order in the tree and their couplings may not.
#include <string.h>

#include "base/names.h"
#include "model/build.h"

typedef struct Side {
    const RiSpec *spec;
    RiNames joints;      // all joints
    RiNames joint_above; // link name -> joint index
} Side;

static bool moves(const RiJointSpec *j)
{
    return j->type != RI_JOINT_FIXED && !j->locked;
}

static RiStatus open_side(RiContext *ctx, const RiSpec *spec, Side *side)
{
    side->spec = spec;
    ri_names_init(&side->joints, ctx);
    ri_names_init(&side->joint_above, ctx);
    int existing;
    for (int i = 0; i < spec->joint_count; i++) {
        RI_TRY(ri_names_add(&side->joints, spec->joints[i].name, i, &existing));
        RI_TRY(ri_names_add(&side->joint_above, spec->joints[i].child, i, &existing));
    }
    return RI_OK;
}

static void close_side(Side *side)
{
    ri_names_free(&side->joints);
    ri_names_free(&side->joint_above);
}

/// Name of the nearest moving joint above a joint, "(base)" if there is none. A cycle ends at its
/// own length.
static const char *moving_parent(const Side *side, const RiJointSpec *j)
{
    for (int steps = 0; steps <= side->spec->joint_count; steps++) {
        const int above = ri_names_find(&side->joint_above, j->parent);
        if (above < 0)
            return "(base)";
        j = &side->spec->joints[above];
        if (moves(j))
            return j->name;
    }
    return "(base)";
}

static bool same_family(RiJointType a, RiJointType b)
{
    const bool ra = a == RI_JOINT_REVOLUTE || a == RI_JOINT_CONTINUOUS,
               rb = b == RI_JOINT_REVOLUTE || b == RI_JOINT_CONTINUOUS;
    return a == b || (ra && rb);
}

static int compare_joints(const Side *a, const Side *b, RiReport *report)
{
    int differences = 0;
    for (int i = 0; i < b->spec->joint_count; i++) {
        const RiJointSpec *new_joint = &b->spec->joints[i];
        const int at = ri_names_find(&a->joints, new_joint->name);
        const char *file = new_joint->source.file;
        const int line = new_joint->source.line;
        if (at < 0 || !moves(&a->spec->joints[at])) {
            if (moves(new_joint) && ++differences)
                ri_report_add(report, RI_FINDING_NONPHYSICAL, file, line,
                              "joint '%s' moves here, but not in the built-in robot", new_joint->name);
            continue;
        }
        const RiJointSpec *old = &a->spec->joints[at];
        if (!same_family(old->type, new_joint->type) || !moves(new_joint)) {
            differences++;
            ri_report_add(report, RI_FINDING_NONPHYSICAL, file, line, "joint '%s' is %s here, %s in the built-in robot",
                          new_joint->name, moves(new_joint) ? ri_joint_type_name(new_joint->type) : "fixed",
                          ri_joint_type_name(old->type));
            continue;
        }
        const char *old_parent = moving_parent(a, old), *new_parent = moving_parent(b, new_joint);
        if (strcmp(old_parent, new_parent) != 0 && ++differences)
            ri_report_add(report, RI_FINDING_NONPHYSICAL, file, line,
                          "joint '%s' hangs on joint '%s' here, on '%s' in the built-in robot", new_joint->name,
                          new_parent, old_parent);
    }
    for (int i = 0; i < a->spec->joint_count; i++) {
        const RiJointSpec *old = &a->spec->joints[i];
        if (moves(old) && ri_names_find(&b->joints, old->name) < 0 && ++differences)
            ri_report_add(report, RI_FINDING_NONPHYSICAL, b->spec->link_count ? b->spec->links[0].source.file : NULL, 0,
                          "joint '%s' (%s) of the built-in robot is missing", old->name, ri_joint_type_name(old->type));
    }
    return differences;
}

static int compare_counts(const RiSpec *a, const RiSpec *b, RiReport *report)
{
    const struct {
        const char *what;
        int before, after;
    } counts[] = {{"couplings", a->coupling_count, b->coupling_count},
                  {"loops", a->loop_count, b->loop_count},
                  {"screws", a->screw_count, b->screw_count},
                  {"wheels", a->wheel_count, b->wheel_count}};
    int differences = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].before == counts[i].after)
            continue;
        const bool structural = i < 2; // threads and rims may be left out of a URDF; ties may not
        differences += structural;
        ri_report_add(report, structural ? RI_FINDING_NONPHYSICAL : RI_FINDING_WARNING, NULL, 0,
                      "%d %s here, %d in the built-in robot", counts[i].after, counts[i].what, counts[i].before);
    }
    return differences;
}

RiStatus ri_spec_compare(const RiSpec *built_in, const RiSpec *replacement, RiReport *report, bool *out_similar)
{
    *out_similar = false;
    Side a = {0}, b = {0};
    RiStatus status = open_side(replacement->ctx, built_in, &a);
    if (status == RI_OK)
        status = open_side(replacement->ctx, replacement, &b);
    if (status == RI_OK)
        *out_similar = compare_joints(&a, &b, report) + compare_counts(built_in, replacement, report) == 0;
    if (a.spec)
        close_side(&a);
    if (b.spec)
        close_side(&b);
    return status;
}
