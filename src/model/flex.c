// SPDX-License-Identifier: Apache-2.0
/// \file
/// Flexible links by finite segments [wittbrodt2006].
///
/// A beam of length L becomes n + 1 rigid bodies with n elastic hinges at x_k = (k - 1/2) L / n. Each
/// hinge has the compliance of its n-th of the beam, k = E I n / L. A force at the tip then bends it by
///
///     sum over k of  F (L - x_k)^2 L / (n E I)  =  F L^3 / (3 E I) (1 - 1 / (4 n^2))
///
/// the midpoint rule of the beam's integral. Large deflections are part of it; shear, warping and the
/// stiffening of the real cross-section are not. With m modes the curvature is a polynomial of degree
/// m - 1 (assumed modes, Ritz): m hinges move by themselves, the others follow by Lagrange's polynomials
/// as linear couplings. Tests: tests/model/test_flex.c (tip deflection, twist,
/// three natural frequencies, mass properties).
#include <rille/flex.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"

RiFlexDef ri_flex_default(void)
{
    return (RiFlexDef){.segments = 6};
}

/// What is known of the beam while it is cut.
typedef struct Beam {
    RiSpec *spec;
    const RiFlexDef *def;
    const char *part[RI_FLEX_SEGMENTS + 1]; ///< names of the parts, the clamped one first
    double mass, slope;                     ///< density mass / L (1 + slope (2 x / L - 1)), x from 0 to L
    RiMat3 section;                         ///< inertia that the mass on the axis does not have
    RiVec3 axis;                            ///< outwards
    RiVec3 off;                             ///< of the centre of mass from the axis
    double length;
} Beam;

static double hinge(const Beam *b, int k)
{
    return (k - 0.5) * b->length / b->def->segments;
}

static RiStatus check(RiSpec *spec, const RiFlexDef *d)
{
    const double length = fabs(d->length);
    bool soft = false;
    if (!(length > 0.0) || !isfinite(length) || d->axis < 0 || d->axis > 2)
        return ri_error(spec->ctx, RI_ERR_ARGUMENT, "flexible link '%s': length is %g m, axis is number %d", d->link,
                        d->length, d->axis);
    if (d->segments < 1 || d->segments > RI_FLEX_SEGMENTS)
        return ri_error(spec->ctx, RI_ERR_ARGUMENT, "flexible link '%s': %d segments, 1 to %d are allowed", d->link,
                        d->segments, RI_FLEX_SEGMENTS);
    if (d->modes < 0 || d->modes > RI_FLEX_MODES || d->modes > d->segments)
        return ri_error(
            spec->ctx, RI_ERR_ARGUMENT,
            "flexible link '%s': %d modes, 0 (every hinge by itself) to %d are allowed, and at most as many "
            "as segments",
            d->link, d->modes, RI_FLEX_MODES);
    if (!(d->damping >= 0.0 && isfinite(d->damping)))
        return ri_error(spec->ctx, RI_ERR_ARGUMENT, "flexible link '%s': damping is %g s, it must be 0 or more",
                        d->link, d->damping);
    const double all[3] = {d->bending[0], d->bending[1], d->torsion};
    for (int i = 0; i < 3; i++) {
        if (!(all[i] >= 0.0))
            return ri_error(spec->ctx, RI_ERR_ARGUMENT,
                            "flexible link '%s': a stiffness is %g N m^2, it must be 0 or more", d->link, all[i]);
        soft |= all[i] > 0.0 && isfinite(all[i]);
    }
    return soft ? RI_OK
                : ri_error(spec->ctx, RI_ERR_ARGUMENT, "flexible link '%s': neither bending nor torsion is given",
                           d->link);
}

/// Integrals over [a, b] of the density and of the density times x and x^2.
static void moments(const Beam *m, double a, double b, double out[3])
{
    const double L = m->length, even = m->mass / L * (1.0 - m->slope), odd = 2.0 * m->mass * m->slope / (L * L);
    double low = a, high = b;
    for (int k = 0; k < 3; k++, low *= a, high *= b) {
        out[k] = even * (high - low) / (k + 1) + odd * (high * b - low * a) / (k + 2);
    }
}

/// scale (1 - a a^T): the inertia of mass on a line along a.
static RiMat3 across(RiVec3 a, double scale)
{
    const double v[3] = {a.x, a.y, a.z};
    RiMat3 m;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m.m[i][k] = scale * ((i == k ? 1.0 : 0.0) - v[i] * v[k]);
    return m;
}

/// Density and section from the link's mass properties.
static RiStatus spread(Beam *b, const RiLinkSpec *link)
{
    static const double SLACK = 1e-9;
    const double along = ri_dot(b->axis, link->com);
    double m[3];
    b->mass = link->mass;
    b->slope = 6.0 * (along / b->length - 0.5);
    b->off = ri_sub(link->com, ri_scale(along, b->axis));
    if (!(link->mass > 0.0 && fabs(b->slope) <= 1.0 + SLACK))
        return ri_error(
            b->spec->ctx, RI_ERR_MODEL,
            "flexible link '%s': its mass is %g kg with the centre %g m along the length of %g m; it must be "
            "in the middle third",
            link->name, link->mass, along, b->length);
    moments(b, 0.0, b->length, m);
    const RiMat3 rod = across(b->axis, m[2] - m[1] * m[1] / m[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b->section.m[i][k] = link->inertia.m[i][k] - rod.m[i][k];
    for (int i = 0; i < 3; i++)
        if (b->section.m[i][i] < -1e-6 * rod.m[(b->def->axis + 1) % 3][(b->def->axis + 1) % 3])
            return ri_error(
                b->spec->ctx, RI_ERR_MODEL,
                "flexible link '%s': its inertia about axis %c is %g kg m^2; its mass along a length of %g m "
                "alone has %g",
                link->name, "xyz"[i], link -> inertia.m[i][i], b->length, rod.m[i][i]);
    return RI_OK;
}

/// Mass properties of the part from x = from to x = to, in a frame at `frame` on the axis.
static void fill_part(const Beam *b, double from, double to, double frame, RiLinkSpec *out)
{
    double m[3];
    moments(b, from, to, m);
    const double middle = m[1] / m[0], share = m[0] / b->mass;
    const RiMat3 rod = across(b->axis, m[2] - m[1] * middle);
    out->mass = m[0];
    out->com = ri_add(ri_scale(middle - frame, b->axis), b->off);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->inertia.m[i][k] = rod.m[i][k] + share * b->section.m[i][k];
}

/// "LINK_k", or "LINK_what_k".
static RiStatus name_of(RiSpec *spec, const char **out, const char *link, const char *what, int k)
{
    char text[300];
    snprintf(text, sizeof text, "%.200s%s%s_%d", link, *what ? "_" : "", what, k);
    return ri_spec_string(spec, text, out);
}

/// One coordinate of hinge k between two links; `parent` may be a massless one made just before.
static RiStatus add_hinge(Beam *b, const char *parent, const char *child, double along, int axis, double stiffness,
                          const char *what, int k)
{
    RiJointSpec j = ri_joint_default();
    RI_TRY(name_of(b->spec, &j.name, b->def->link, what, k));
    j.type = RI_JOINT_REVOLUTE;
    j.parent = parent;
    j.child = child;
    j.origin.p = ri_scale(along, b->axis);
    j.axis = ri_vec3(axis == 0, axis == 1, axis == 2);
    j.stiffness = stiffness * b->def->segments / b->length;
    j.damping = b->def->damping * j.stiffness;
    j.source = b->def->source;
    return ri_spec_add_joint(b->spec, &j);
}

static const char *const bends[] = {"bend_x", "bend_y", "bend_z"};

/// Hinge k, from the part before it to the one behind it: one joint for each way that is soft, with
/// massless links in between.
static RiStatus cut(Beam *b, int k)
{
    const int axes[3] = {(b->def->axis + 1) % 3, (b->def->axis + 2) % 3, b->def->axis};
    const double stiffness[3] = {b->def->bending[0], b->def->bending[1], b->def->torsion};
    const double before = k > 1 ? hinge(b, k - 1) : 0.0;
    const char *parent = b->part[k - 1];
    double along = hinge(b, k) - before;
    int left = 0;
    for (int i = 0; i < 3; i++)
        left += stiffness[i] > 0.0 && isfinite(stiffness[i]);
    for (int i = 0; i < 3; i++) {
        const char *what = i < 2 ? bends[axes[i]] : "twist", *child = b->part[k];
        if (!(stiffness[i] > 0.0 && isfinite(stiffness[i])))
            continue;
        if (--left > 0) {
            RiLinkSpec between = ri_link_default();
            RI_TRY(name_of(b->spec, &between.name, b->def->link, what, k));
            between.source = b->def->source;
            RI_TRY(ri_spec_add_link(b->spec, &between));
            child = between.name;
        }
        RI_TRY(add_hinge(b, parent, child, along, axes[i], stiffness[i], what, k));
        parent = child;
        along = 0.0;
    }
    return RI_OK;
}

/// The part that a point of the link is on: its name, and where its frame is along the axis.
static const char *part_at(const Beam *b, RiVec3 point, double *out_frame)
{
    const double along = ri_dot(b->axis, point), slack = 1e-9 * b->length;
    int k = 0;
    while (k < b->def->segments && along >= hinge(b, k + 1) - slack)
        k++;
    *out_frame = k > 0 ? hinge(b, k) : 0.0;
    return b->part[k];
}

/// Moves what was on the link to the part that it is on.
static void move(const Beam *b, const char **link, RiVec3 *r)
{
    double frame;
    if (!*link || strcmp(*link, b->def->link) != 0)
        return;
    *link = part_at(b, *r, &frame);
    *r = ri_sub(*r, ri_scale(frame, b->axis));
}

/// The first `joints` joints and everything else.
static void move_all(const Beam *b, int joints)
{
    RiSpec *s = b->spec;
    for (int i = 0; i < joints; i++)
        move(b, &s->joints[i].parent, &s->joints[i].origin.p);
    for (int i = 0; i < s->loop_count; i++) {
        move(b, &s->loops[i].link_a, &s->loops[i].pose_a.p);
        move(b, &s->loops[i].link_b, &s->loops[i].pose_b.p);
    }
    for (int i = 0; i < s->frame_count; i++)
        move(b, &s->frames[i].link, &s->frames[i].pose.p);
    for (int i = 0; i < s->sensor_count; i++)
        move(b, &s->sensors[i].link, &s->sensors[i].pose.p);
    for (int i = 0; i < s->screw_count; i++)
        move(b, &s->screws[i].link, &s->screws[i].pose.p);
    for (int i = 0; i < s->wheel_count; i++)
        move(b, &s->wheels[i].link, &s->wheels[i].pose.p);
    for (int i = 0; i < s->contact_point_count; i++)
        move(b, &s->contact_points[i].link, &s->contact_points[i].point);
}

// --- shapes --------------------------------------------------------------------------------------

/// Which size of a shape lies along the beam, so that it can be cut: -1 if none.
static int long_size(const Beam *b, const RiShapeSpec *s)
{
    for (int k = 0; k < 3; k++)
        if (fabs(ri_dot(ri_mat3_col(&s->pose.R, k), b->axis)) > 0.9999)
            return s->type == RI_SHAPE_BOX ? k : s->type == RI_SHAPE_CYLINDER && k == 2 ? 1 : -1;
    return -1;
}

/// Cuts a box or a cylinder at the hinges; its first part takes the shape's place.
static RiStatus cut_shape(const Beam *b, int index, int size)
{
    const RiShapeSpec whole = b->spec->shapes[index];
    const double middle = ri_dot(b->axis, whole.pose.p), half = 0.5 * whole.size[size];
    bool first = true;
    for (int k = 0; k <= b->def->segments; k++) {
        const double from = k > 0 ? fmax(hinge(b, k), middle - half) : middle - half;
        const double to = k < b->def->segments ? fmin(hinge(b, k + 1), middle + half) : middle + half;
        RiShapeSpec part = whole;
        if (!(to > from))
            continue;
        part.link = b->part[k];
        part.size[size] = to - from;
        part.pose.p = ri_add(whole.pose.p, ri_scale(0.5 * (from + to) - middle - (k > 0 ? hinge(b, k) : 0.0), b->axis));
        if (first)
            b->spec->shapes[index] = part;
        part.name = NULL;
        if (!first)
            RI_TRY(ri_spec_add_shape(b->spec, &part));
        first = false;
    }
    return RI_OK;
}

static RiStatus move_shapes(const Beam *b)
{
    for (int i = 0, count = b->spec->shape_count; i < count; i++) {
        RiShapeSpec *s = &b->spec->shapes[i];
        if (!s->link || strcmp(s->link, b->def->link) != 0)
            continue;
        const int size = long_size(b, s);
        if (size >= 0)
            RI_TRY(cut_shape(b, i, size));
        else
            move(b, &s->link, &s->pose.p);
    }
    return RI_OK;
}

// --- assumed modes -------------------------------------------------------------------------------

/// Hinges, from 1 on, that move by themselves: Chebyshev's nodes, moved apart where they meet.
static void choose_nodes(const Beam *b, int node[RI_FLEX_MODES])
{
    const int m = b->def->modes, n = b->def->segments;
    for (int j = 0; j < m; j++) {
        const double at = 0.5 * (1.0 - ri_cos(M_PI * (j + 0.5) / m)) * n + 0.5;
        const int least = j ? node[j - 1] + 1 : 1, most = n - (m - 1 - j), place = (int)floor(at + 0.5);
        node[j] = place < least ? least : place > most ? most : place;
    }
}

/// Couples the hinges of one way ("bend_y").
static RiStatus couple(const Beam *b, const char *what)
{
    const int m = b->def->modes;
    int node[RI_FLEX_MODES], next = 0;
    RiCouplingTerm terms[RI_FLEX_MODES + 1];
    choose_nodes(b, node);
    for (int j = 0; j < m; j++) {
        RI_TRY(name_of(b->spec, &terms[j + 1].joint, b->def->link, what, node[j]));
        ri_spec_find_joint(b->spec, terms[j + 1].joint)->independent = true;
    }
    for (int i = 1; i <= b->def->segments; i++) {
        if (next < m && node[next] == i) {
            next++;
            continue;
        }
        RI_TRY(name_of(b->spec, &terms[0].joint, b->def->link, what, i));
        terms[0].factor = 1.0;
        for (int j = 0; j < m; j++) {
            double weight = 1.0;
            for (int k = 0; k < m; k++)
                if (k != j)
                    weight *= (double)(i - node[k]) / (node[j] - node[k]);
            terms[j + 1].factor = -weight;
        }
        const RiCouplingSpec coupling = {
            .name = terms[0].joint, .terms = terms, .term_count = m + 1, .source = b->def->source};
        RI_TRY(ri_spec_add_coupling(b->spec, &coupling));
    }
    return RI_OK;
}

static RiStatus couple_all(const Beam *b)
{
    const int axes[3] = {(b->def->axis + 1) % 3, (b->def->axis + 2) % 3, b->def->axis};
    const double stiffness[3] = {b->def->bending[0], b->def->bending[1], b->def->torsion};
    for (int i = 0; b->def->modes > 0 && i < 3; i++)
        if (stiffness[i] > 0.0 && isfinite(stiffness[i]))
            RI_TRY(couple(b, i < 2 ? bends[axes[i]] : "twist"));
    return RI_OK;
}

static RiStatus add_tip(const Beam *b)
{
    char name[300];
    RiFrameSpec tip = ri_frame_default();
    snprintf(name, sizeof name, "%.200s_tip", b->def->link);
    tip.name = name;
    tip.link = b->def->link;
    tip.pose.p = ri_scale(b->length, b->axis);
    tip.source = b->def->source;
    return ri_spec_add_frame(b->spec, &tip);
}

RiStatus ri_spec_flex(RiSpec *spec, const RiFlexDef *def)
{
    Beam b = {.spec = spec, .def = def, .length = fabs(def->length)};
    RiLinkSpec *link = ri_spec_find_link(spec, def->link);
    const int n = def->segments, joints = spec->joint_count;
    if (!link)
        return ri_error(spec->ctx, RI_ERR_NOT_FOUND, "flexible link: there is no link '%s'", def->link);
    RI_TRY(check(spec, def));
    const double sense = def->length < 0.0 ? -1.0 : 1.0;
    b.axis = ri_vec3(sense * (def->axis == 0), sense * (def->axis == 1), sense * (def->axis == 2));
    RI_TRY(spread(&b, link));
    b.part[0] = link->name;
    RiLinkSpec part = *link;
    for (int k = 1; k <= n; k++) {
        const double from = hinge(&b, k), to = k < n ? hinge(&b, k + 1) : b.length;
        RI_TRY(name_of(spec, &b.part[k], def->link, "", k));
        part.name = b.part[k];
        fill_part(&b, from, to, from, &part);
        RI_TRY(ri_spec_add_link(spec, &part));
        RI_TRY(cut(&b, k));
    }
    fill_part(&b, 0.0, hinge(&b, 1), 0.0, ri_spec_find_link(spec, def->link)); // links may have moved in memory
    RI_TRY(add_tip(&b));
    move_all(&b, joints);
    RI_TRY(move_shapes(&b));
    return couple_all(&b);
}
