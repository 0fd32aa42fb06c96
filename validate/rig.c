// SPDX-License-Identifier: Apache-2.0
/// \file
/// Life and motion of a rig.
#include "validate/rig.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

// --- life ----------------------------------------------------------------------------------------

static void take_down(RiRig *rig)
{
    ri_integrator_destroy(rig->it);
    ri_dyn_destroy(rig->dyn);
    ri_model_destroy(rig->model);
    ri_spec_destroy(rig->spec);
    ri_release(rig->ctx, rig->block);
}

static RiStatus set_up(RiRig *rig, const char *name, RiVec3 gravity, RiRigFn build)
{
    RI_TRY(ri_spec_create(rig->ctx, name, &rig->spec));
    RI_TRY(ri_rig_link(rig, "world", 0.0, ri_vec3(0.0, 0.0, 0.0), ri_diagonal(0.0, 0.0, 0.0)));
    RI_TRY(build(rig));
    RI_TRY(ri_model_create(rig->ctx, rig->spec, NULL, &rig->model));
    RI_TRY(ri_dyn_create(rig->ctx, rig->model, &rig->dyn));
    ri_dyn_set_gravity(rig->dyn, gravity);
    RI_TRY(ri_integrator_create(rig->ctx, rig->dyn, &rig->it));
    const size_t nq = (size_t)ri_model_nq(rig->model), nv = (size_t)ri_model_nv(rig->model);
    rig->block = ri_alloc_zero(rig->ctx, 2 * (nq + nv), sizeof *rig->block);
    if (!rig->block)
        return ri_error_memory(rig->ctx);
    rig->q = rig->block;
    rig->v = rig->q + nq;
    rig->old_q = rig->v + nv;
    rig->old_v = rig->old_q + nq;
    ri_model_get_initial_q(rig->model, rig->q);
    return RI_OK;
}

RiStatus ri_rig_use(RiValidation *run, const char *name, RiVec3 gravity, RiRigFn build, RiRigFn experiment, void *user)
{
    RiRig rig = {.run = run, .ctx = run->ctx, .user = user};
    RiStatus status = set_up(&rig, name, gravity, build);
    if (status == RI_OK)
        status = experiment(&rig);
    take_down(&rig);
    return status;
}

// --- building ------------------------------------------------------------------------------------

RiMat3 ri_diagonal(double x, double y, double z)
{
    return (RiMat3){{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
}

RiStatus ri_rig_link(RiRig *rig, const char *name, double mass, RiVec3 com, RiMat3 inertia)
{
    RiLinkSpec link = ri_link_default();
    link.name = name;
    link.mass = mass;
    link.com = com;
    link.inertia = inertia;
    return ri_spec_add_link(rig->spec, &link);
}

RiStatus ri_rig_joint(RiRig *rig, RiJointType type, const char *parent, const char *child, RiVec3 origin, RiVec3 axis,
                      double position)
{
    RiJointSpec joint = ri_joint_default();
    joint.name = child;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.origin.p = origin;
    joint.axis = axis;
    if (ri_joint_type_nq(type) == 1)
        joint.position[0] = position;
    return ri_spec_add_joint(rig->spec, &joint);
}

RiStatus ri_rig_close(RiRig *rig, RiLoopType type, const char *a, RiVec3 point_a, const char *b, RiVec3 point_b)
{
    RiLoopSpec loop = ri_loop_default();
    loop.name = b;
    loop.type = type;
    loop.link_a = a;
    loop.link_b = b;
    loop.pose_a.p = point_a;
    loop.pose_b.p = point_b;
    return ri_spec_add_loop(rig->spec, &loop);
}

RiStatus ri_rig_couple(RiRig *rig, const char *a, double factor_a, const char *b, double factor_b)
{
    RiCouplingTerm terms[] = {{a, factor_a}, {b, factor_b}};
    RiCouplingSpec coupling = ri_coupling_default();
    coupling.name = a;
    coupling.terms = terms;
    coupling.term_count = 2;
    return ri_spec_add_coupling(rig->spec, &coupling);
}

// --- experiments ---------------------------------------------------------------------------------

int ri_rig_joint_index(const RiRig *rig, const char *joint)
{
    return ri_model_find_joint(rig->model, joint);
}

double *ri_rig_q(RiRig *rig, const char *joint)
{
    return rig->q + ri_model_joint(rig->model, ri_rig_joint_index(rig, joint)).q_index;
}

double *ri_rig_v(RiRig *rig, const char *joint)
{
    return rig->v + ri_model_joint(rig->model, ri_rig_joint_index(rig, joint)).v_index;
}

RiStatus ri_rig_update(RiRig *rig)
{
    RI_TRY(ri_dyn_update_position(rig->dyn, rig->q));
    ri_dyn_update_velocity(rig->dyn, rig->v);
    return RI_OK;
}

RiStatus ri_rig_energy(RiRig *rig, double *out_energy)
{
    RI_TRY(ri_rig_update(rig));
    *out_energy = ri_dyn_kinetic_energy(rig->dyn) + ri_dyn_potential_energy(rig->dyn);
    return RI_OK;
}

static size_t state_size(const RiRig *rig)
{
    return (size_t)(ri_model_nq(rig->model) + ri_model_nv(rig->model)) * sizeof *rig->q;
}

RiStatus ri_rig_step(RiRig *rig, double h)
{
    memcpy(rig->old_q, rig->q, state_size(rig)); // q and v are neighbours
    RI_TRY(ri_integrator_rk4(rig->it, rig->time, h, rig->q, rig->v));
    rig->time += h;
    return RI_OK;
}

RiStatus ri_rig_run(RiRig *rig, double t_end, double h)
{
    const double start = rig->time;
    const int steps = (int)ceil((t_end - start) / h - 1e-6);
    const double length = (t_end - start) / steps;
    for (int i = 0; i < steps; i++) {
        rig->time = start + i * length;
        RI_TRY(ri_rig_step(rig, length));
    }
    rig->time = t_end;
    return ri_rig_update(rig);
}

/// value at the fraction x of the last step, which began at `start` and had length h.
static RiStatus value_within(RiRig *rig, double start, double h, double x, RiRigValue value, double *out)
{
    memcpy(rig->q, rig->old_q, state_size(rig));
    RI_TRY(ri_integrator_rk4(rig->it, start, x * h, rig->q, rig->v));
    *out = value(rig);
    return RI_OK;
}

/// Where in the last step value passes through zero, given its values at both ends.
static RiStatus locate(RiRig *rig, double start, double h, RiRigValue value, double f0, double f1, double *out_x)
{
    double x0 = 0.0, x1 = 1.0, x = 0.5;
    int side = 0;
    for (int i = 0; i < 60 && x1 - x0 > 1e-15; i++) {
        double f;
        x = (f1 * x0 - f0 * x1) / (f1 - f0);
        RI_TRY(value_within(rig, start, h, x, value, &f));
        if (f == 0.0)
            break;
        if ((f > 0.0) == (f1 > 0.0)) {
            x1 = x, f1 = f;
            f0 *= side == 1 ? 0.5 : 1.0; // Illinois: move the end that stays
            side = 1;
        } else {
            x0 = x, f0 = f;
            f1 *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    *out_x = x;
    return RI_OK;
}

RiStatus ri_rig_cross(RiRig *rig, double h, double limit, RiRigValue value, double *out_time)
{
    *out_time = NAN;
    const double first = rig->time;
    for (int i = 0; rig->time < limit; i++) {
        const double start = first + i * h, before = value(rig);
        rig->time = start;
        RI_TRY(ri_rig_step(rig, h));
        const double after = value(rig);
        if (before == 0.0 || (before > 0.0) == (after > 0.0))
            continue;
        double x;
        RI_TRY(locate(rig, start, h, value, before, after, &x));
        *out_time = start + x * h;
        RI_TRY(value_within(rig, start, h, 1.0, value, &x));
        return RI_OK;
    }
    return ri_error(rig->ctx, RI_ERR_NUMERIC, "no crossing was found before t = %g s", limit);
}
