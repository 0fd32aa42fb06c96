// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a robot may not be: the checks on single items of a spec, and ri_spec_check, which reports
/// them all.
#include <stdio.h>
#include <string.h>

#include "model/build.h"

RiWhere ri_where(RiSource source)
{
    RiWhere w = {""};
    if (source.file && source.line > 0)
        snprintf(w.text, sizeof w.text, "%s:%d: ", source.file, source.line);
    else if (source.file)
        snprintf(w.text, sizeof w.text, "%s: ", source.file);
    return w;
}

static bool finite3(RiVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool finite_pose(const RiPose *x)
{
    for (int i = 0; i < 9; i++)
        if (!isfinite(x->R.m[i / 3][i % 3]))
            return false;
    return finite3(x->p);
}

#define PROBLEM(...)                                                                                                   \
    do {                                                                                                               \
        snprintf(text, size, __VA_ARGS__);                                                                             \
        return true;                                                                                                   \
    } while (0)

static bool breaks_triangle(const double e[3])
{
    return e[2] > (e[0] + e[1]) * (1.0 + 1e-6);
}

/// Warns of an inertia that was taken although no body has it: motion obeys it, but no forces within
/// a body would.
static void suspicious_inertia(const RiLinkSpec *link, RiReport *report)
{
    double e[3];
    RiMat3 axes;
    ri_mat3_eigen(&link->inertia, e, &axes);
    if (breaks_triangle(e))
        ri_report_add(report, RI_FINDING_WARNING, link->source.file, link->source.line,
                      "link '%s': no body has the principal moments %g, %g and %g kg m^2; they are taken because "
                      "'any_inertia' says so",
                      link->name, e[0], e[1], e[2]);
}

/// A mass distribution exists with these principal moments iff none is negative and each is at most
/// the sum of the others.
static bool inertia_problem(const RiLinkSpec *link, char *text, size_t size)
{
    const double(*m)[3] = link->inertia.m;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (!isfinite(m[i][k]))
                PROBLEM("link '%s': inertia is not a finite number", link->name);
            if (fabs(m[i][k] - m[k][i]) > 1e-9 * (fabs(m[i][i]) + fabs(m[k][k])))
                PROBLEM("link '%s': inertia is not symmetric", link->name);
        }
    double e[3];
    RiMat3 axes;
    ri_mat3_eigen(&link->inertia, e, &axes);
    if (e[0] < -1e-9 * fabs(e[2]))
        PROBLEM("link '%s': inertia has the negative principal moment %g kg m^2", link->name, e[0]);
    if (breaks_triangle(e) && !link->any_inertia)
        PROBLEM("link '%s': inertia violates the triangle inequality: principal moments %g, %g and %g kg m^2 (the "
                "largest may not exceed the sum of the others; 'any_inertia' of the link takes it as it is)",
                link->name, e[0], e[1], e[2]);
    if (link->mass == 0.0 && e[2] > 0.0)
        PROBLEM("link '%s': inertia without mass", link->name);
    return false;
}

bool ri_link_problem(const RiLinkSpec *link, char *text, size_t size)
{
    if (!link->name || !*link->name)
        PROBLEM("a link has no name");
    if (!isfinite(link->mass))
        PROBLEM("link '%s': mass is not a finite number", link->name);
    if (link->mass < 0.0)
        PROBLEM("link '%s': mass %g kg is negative", link->name, link->mass);
    if (!finite3(link->com))
        PROBLEM("link '%s': centre of mass is not finite", link->name);
    return inertia_problem(link, text, size);
}

static bool axis_problem(const RiJointSpec *joint, char *text, size_t size)
{
    const bool one = joint->type != RI_JOINT_FIXED && joint->type != RI_JOINT_BALL && joint->type != RI_JOINT_FREE;
    if (!one)
        return false;
    const double n = ri_norm(joint->axis);
    if (!(fabs(n - 1.0) < 1e-6))
        PROBLEM("joint '%s': axis (%g, %g, %g) is not a unit vector", joint->name, joint->axis.x, joint->axis.y,
                joint->axis.z);
    if (joint->type != RI_JOINT_UNIVERSAL)
        return false;
    if (!(fabs(ri_norm(joint->axis2) - 1.0) < 1e-6))
        PROBLEM("joint '%s': second axis is not a unit vector", joint->name);
    if (ri_norm(ri_cross(joint->axis, joint->axis2)) < 1e-6)
        PROBLEM("joint '%s': the two axes of a universal joint are parallel", joint->name);
    return false;
}

static bool number_problem(const RiJointSpec *j, char *text, size_t size)
{
    const struct {
        const char *name;
        double value;
    } fields[] = {{"damping", j->damping},
                  {"friction", j->friction},
                  {"stiffness", j->stiffness},
                  {"armature", j->armature},
                  {"stop stiffness", j->stop_stiffness},
                  {"stop damping", j->stop_damping},
                  {"stop exponent", j->stop_exponent}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!isfinite(fields[i].value) || fields[i].value < 0.0)
            PROBLEM("joint '%s': %s is %g; it must be finite and not negative", j->name, fields[i].name,
                    fields[i].value);
    if (!(j->stop_restitution >= 0.0 && j->stop_restitution <= 1.0))
        PROBLEM("joint '%s': stop restitution is %g; it must be 0 to 1", j->name, j->stop_restitution);
    if (!isfinite(j->rest))
        PROBLEM("joint '%s': spring rest position is not finite", j->name);
    for (int k = 0; k < ri_joint_type_nq(j->type); k++)
        if (!isfinite(j->position[k]))
            PROBLEM("joint '%s': initial position is not finite", j->name);
    return false;
}

bool ri_joint_problem(const RiJointSpec *joint, char *text, size_t size)
{
    if (!joint->name || !*joint->name)
        PROBLEM("a joint has no name");
    if ((unsigned)joint->type >= RI_JOINT_TYPE_COUNT)
        PROBLEM("joint '%s': unknown type %d", joint->name, (int)joint->type);
    if (!joint->child || !joint->parent)
        PROBLEM("joint '%s': parent or child link is missing", joint->name);
    if (!finite_pose(&joint->origin))
        PROBLEM("joint '%s': origin is not finite", joint->name);
    if (axis_problem(joint, text, size) || number_problem(joint, text, size))
        return true;
    if (joint->has_limits && !(joint->lower <= joint->upper))
        PROBLEM("joint '%s': unreachable limits: lower %g is above upper %g", joint->name, joint->lower, joint->upper);
    if (joint->effort < 0.0 || joint->velocity < 0.0)
        PROBLEM("joint '%s': effort and velocity limits may not be negative", joint->name);
    return false;
}

bool ri_coupling_problem(const RiCouplingSpec *x, char *text, size_t size)
{
    const char *name = x->name ? x->name : "(unnamed)";
    if (x->term_count < 1)
        PROBLEM("coupling '%s' has no terms", name);
    if (!isfinite(x->offset))
        PROBLEM("coupling '%s': offset is not finite", name);
    bool any = false;
    for (int i = 0; i < x->term_count; i++) {
        if (!x->terms[i].joint)
            PROBLEM("coupling '%s': a term names no joint", name);
        if (!isfinite(x->terms[i].factor))
            PROBLEM("coupling '%s': factor of joint '%s' is not finite", name, x->terms[i].joint);
        for (int k = 0; k < i; k++)
            if (strcmp(x->terms[i].joint, x->terms[k].joint) == 0)
                PROBLEM("coupling '%s': joint '%s' is tied to itself", name, x->terms[i].joint);
        any |= x->terms[i].factor != 0.0;
    }
    if (!any)
        PROBLEM("coupling '%s': all factors are zero", name);
    return false;
}

bool ri_loop_problem(const RiLoopSpec *loop, char *text, size_t size)
{
    const char *name = loop->name ? loop->name : "(unnamed)";
    if ((unsigned)loop->type >= RI_LOOP_TYPE_COUNT)
        PROBLEM("loop '%s': unknown type %d", name, (int)loop->type);
    if (!loop->link_a || !loop->link_b)
        PROBLEM("loop '%s': link_a or link_b is missing", name);
    if (!finite_pose(&loop->pose_a) || !finite_pose(&loop->pose_b))
        PROBLEM("loop '%s': a frame is not finite", name);
    if (loop->type == RI_LOOP_DISTANCE && !(loop->distance > 0.0))
        PROBLEM("loop '%s': distance %g m is not positive", name, loop->distance);
    return false;
}

/// Findings that do not stop a simulation, but that an engineer would want to know.
static void suspicious_joint(const RiJointSpec *j, RiReport *report)
{
    const char *file = j->source.file;
    const int line = j->source.line;
    if (j->has_limits && j->lower == j->upper)
        ri_report_add(report, RI_FINDING_WARNING, file, line, "joint '%s': limits leave no travel (%g)", j->name,
                      j->lower);
    if (j->has_limits && ri_joint_type_nq(j->type) == 1 && (j->position[0] < j->lower || j->position[0] > j->upper))
        ri_report_add(report, RI_FINDING_WARNING, file, line, "joint '%s': initial position %g is outside [%g, %g]",
                      j->name, j->position[0], j->lower, j->upper);
    if (j->has_limits && j->velocity == 0.0)
        ri_report_add(report, RI_FINDING_WARNING, file, line, "joint '%s': velocity limit 0 allows no motion", j->name);
}

static bool is_name(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

/// Whether something of a link may touch the ground.
static bool may_touch(const RiSpec *spec, const char *link)
{
    for (int i = 0; i < spec->screw_count; i++)
        if (is_name(spec->screws[i].link, link))
            return true;
    for (int i = 0; i < spec->wheel_count; i++)
        if (is_name(spec->wheels[i].link, link))
            return true;
    for (int i = 0; i < spec->contact_point_count; i++)
        if (is_name(spec->contact_points[i].link, link))
            return true;
    for (int i = 0; i < spec->shape_count; i++)
        if ((spec->shapes[i].use & (RI_SHAPE_COLLISION | RI_SHAPE_GROUND)) && is_name(spec->shapes[i].link, link))
            return true;
    return false;
}

int ri_spec_next_bare_link(const RiSpec *spec, int from)
{
    for (int i = from + 1; i < spec->link_count; i++)
        if (spec->links[i].mass > 0.0 && !may_touch(spec, spec->links[i].name))
            return i;
    return -1;
}

int ri_spec_list_bare_links(const RiSpec *spec, char *out, size_t size)
{
    int count = 0;
    size_t at = 0;
    out[0] = '\0';
    for (int i = ri_spec_next_bare_link(spec, -1); i >= 0; i = ri_spec_next_bare_link(spec, i)) {
        const char *name = spec->links[i].name;
        const size_t length = strlen(name);
        if (at + length + 8 < size)
            at += (size_t)snprintf(out + at, size - at, "%s%s", count ? ", " : "", name);
        else if (at + 5 < size && (at < 3 || strcmp(out + at - 3, "...") != 0))
            at += (size_t)snprintf(out + at, size - at, "...");
        count++;
    }
    return count;
}

/// Links that go through the ground.
static void report_bare(const RiSpec *spec, RiReport *report)
{
    char names[512];
    const int count = ri_spec_list_bare_links(spec, names, sizeof names), first = ri_spec_next_bare_link(spec, -1);
    if (count > 0)
        ri_report_add(report, RI_FINDING_WARNING, spec->links[first].source.file, spec->links[first].source.line,
                      "%d of %d links have no collision shape, wheel, screw or contact point and touch nothing: %s",
                      count, spec->link_count, names);
}

RiStatus ri_spec_check(const RiSpec *spec, RiReport *report)
{
    char text[768];
    report_bare(spec, report);
    for (int i = 0; i < spec->link_count; i++) {
        if (ri_link_problem(&spec->links[i], text, sizeof text))
            ri_report_add(report, RI_FINDING_NONPHYSICAL, spec->links[i].source.file, spec->links[i].source.line, "%s",
                          text);
        else
            suspicious_inertia(&spec->links[i], report);
    }
    for (int i = 0; i < spec->joint_count; i++) {
        if (ri_joint_problem(&spec->joints[i], text, sizeof text))
            ri_report_add(report, RI_FINDING_NONPHYSICAL, spec->joints[i].source.file, spec->joints[i].source.line,
                          "%s", text);
        else
            suspicious_joint(&spec->joints[i], report);
    }
    for (int i = 0; i < spec->coupling_count; i++)
        if (ri_coupling_problem(&spec->couplings[i], text, sizeof text))
            ri_report_add(report, RI_FINDING_NONPHYSICAL, spec->couplings[i].source.file,
                          spec->couplings[i].source.line, "%s", text);
    for (int i = 0; i < spec->loop_count; i++)
        if (ri_loop_problem(&spec->loops[i], text, sizeof text))
            ri_report_add(report, RI_FINDING_NONPHYSICAL, spec->loops[i].source.file, spec->loops[i].source.line, "%s",
                          text);
    return ri_report_lost(report) ? ri_error_memory(spec->ctx) : RI_OK;
}
