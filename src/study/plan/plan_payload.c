// SPDX-License-Identifier: Apache-2.0
/// \file
/// Payload of plans: arms that go to a target and home, cameras that take pictures.
///
/// An arm is a device of class place_instrument (onboard/instrument.c): it finds the way or says why
/// there is none, and its joints follow with dynamics. Where the scene has none its joints stay, but
/// reach and time are the arm's own. A picture is traced from the scene as it is at that moment.
/// Test: tests/study/test_plan_payload.c.
#include "study/plan/plan_run.h"

#include <math.h>
#include <string.h>

#include <rille/picture.h>

enum { ARM_HOME, ARM_GOES, ARM_THERE, ARM_RETURNS, ARM_REFUSED };
static const double arm_look = 1.0;  // [s]
static const double arm_near = 0.05; // [m] of the tip from its target

static int camera_of(const RiPlanRun *r, const char *name)
{
    int i = ri_scene_camera_count(r->scene) - 1;
    while (i >= 0 && strcmp(ri_scene_camera(r->scene, i)->name, name) != 0)
        i--;
    return i;
}

RiStatus ri_plan_find_payload(RiPlanRun *r)
{
    for (int i = 0; i < r->plan->activity_count; i++) {
        const RiActivity *a = &r->plan->activities[i];
        double phase;
        if (a->camera && camera_of(r, a->camera) < 0)
            return ri_yaml_error(a->node, RI_ERR_NOT_FOUND, "the scene has no camera '%s'", a->camera);
        if (a->arm &&
            (ri_plan_get(r, a->arm, "phase", &phase) != RI_OK || ri_plan_get(r, a->arm, "preload", &phase) != RI_OK))
            return ri_yaml_error(a->node, RI_ERR_NOT_FOUND, "the scene has no device '%s' of class place_instrument",
                                 a->arm);
    }
    return RI_OK;
}

double ri_plan_picture_bits(const RiPlanRun *r, const RiActivity *a)
{
    if (!a->camera)
        return 0.0;
    const RiCamera *c = &ri_scene_camera(r->scene, camera_of(r, a->camera))->camera;
    return (double)a->pictures * c->width * c->height * a->depth;
}

// --- arms ----------------------------------------------------------------------------------------

/// Switches dynamics of a switchable scene for the time in which the arm moves.
static RiStatus set_dynamics(RiPlanRun *r, bool on, const char **out_reason)
{
    if (r->dynamic < 0 || r->fidelity != RI_FIDELITY_AUTO)
        return RI_OK;
    RI_TRY(ri_values_write(r->values, r->dynamic, on));
    return ri_plan_step(r, RI_PLAN_SETTLE, false, out_reason);
}

/// Steps until the arm comes to a phase, or is refused, or a response ends it.
static RiStatus move_arm(RiPlanRun *r, const RiActivity *a, double phase, bool answer, const char **out_reason)
{
    const double begun = ri_sim_time(r->sim);
    double now = -1.0;
    while (!*out_reason && now != phase && now != ARM_REFUSED) {
        RiPlanStop stop;
        RI_TRY(ri_plan_step(r, arm_look, false, out_reason));
        RI_TRY(ri_plan_get(r, a->arm, "phase", &now));
        RI_TRY(ri_plan_look(r, &stop));
        if (stop.stop && answer && !*out_reason)
            *out_reason = stop.reason;
        if (ri_sim_time(r->sim) - begun > a->longest && !*out_reason)
            *out_reason = ri_plan_text(r, "'%s' had not moved after %.0f s", a->arm, a->longest);
    }
    return RI_OK;
}

static const char *why_not(RiPlanRun *r, const RiActivity *a)
{
    static const char *const reasons[] = {"", "the target is too far", "its joints' limits are in the way",
                                          "the target is out of reach", "there is no straight path to the target"};
    double reason = 0.0;
    if (ri_plan_get(r, a->arm, "reason", &reason) != RI_OK || !(reason >= 1.0 && reason <= 4.0))
        return ri_plan_text(r, "'%s' refused the target", a->arm);
    return ri_plan_text(r, "'%s' refused: %s", a->arm, reasons[(int)reason]);
}

RiStatus ri_plan_reach(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    double phase, distance, moves = 0.0;
    RI_TRY(ri_plan_set(r, a->arm, "target_x", a->x));
    RI_TRY(ri_plan_set(r, a->arm, "target_y", a->y));
    RI_TRY(ri_plan_set(r, a->arm, "target_z", a->z));
    RI_TRY(ri_plan_set(r, a->arm, "go", 1.0));
    RI_TRY(set_dynamics(r, true, out_reason));
    RI_TRY(move_arm(r, a, ARM_THERE, true, out_reason));
    RI_TRY(ri_plan_get(r, a->arm, "phase", &phase));
    RI_TRY(ri_plan_get(r, a->arm, "distance", &distance));
    if (phase == ARM_REFUSED && !*out_reason)
        *out_reason = why_not(r, a);
    const bool kinematic = ri_sim_options(r->sim)->method == RI_METHOD_KINEMATIC;
    moves = kinematic ? 0.0 : r->dynamic >= 0 ? ri_plan_value(r, r->dynamic) : 1.0;
    if (moves != 0.0 && phase == ARM_THERE && distance > arm_near && !*out_reason)
        *out_reason = ri_plan_text(r, "the tip of '%s' is %.3f m from its target", a->arm, distance);
    const char *late = NULL;
    RI_TRY(set_dynamics(r, false, &late));
    return ri_plan_come_to_rest(r);
}

RiStatus ri_plan_stow(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const char *late = NULL;
    RI_TRY(ri_plan_set(r, a->arm, "go", 0.0));
    RI_TRY(set_dynamics(r, true, &late));
    RI_TRY(move_arm(r, a, ARM_HOME, false, &late));
    RI_TRY(set_dynamics(r, false, &late));
    if (late && !*out_reason)
        *out_reason = late;
    return ri_plan_come_to_rest(r);
}

// --- cameras -------------------------------------------------------------------------------------

static double mean_green(const RiPictureView *view)
{
    double sum = 0.0;
    const size_t n = (size_t)view->width * (size_t)view->height;
    for (size_t i = 0; i < n; i++)
        sum += (double)view->radiance[3 * i + 1];
    return sum / (double)n;
}

static RiStatus keep_picture(RiPlanRun *r, const RiActivity *a, const RiPictureView *view, double radiance)
{
    if (r->picture_count == RI_PLAN_PICTURES)
        return RI_OK;
    uint8_t *bytes;
    size_t size;
    const RiPicture picture = {(uint8_t *)(uintptr_t)view->rgb, view->width, view->height};
    RI_TRY(ri_picture_encode(r->ctx, &picture, &bytes, &size));
    r->pictures[r->picture_count++] = (RiPlanPicture){.camera = a->camera,
                                                      .row = r->row_count,
                                                      .time = ri_sim_time(r->sim),
                                                      .width = view->width,
                                                      .height = view->height,
                                                      .radiance = radiance,
                                                      .png = bytes,
                                                      .size = size};
    return RI_OK;
}

RiStatus ri_plan_take_picture(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    RiPictureView view;
    if (r->fidelity == RI_FIDELITY_MAP)
        return RI_OK;
    if (!r->eyes) {
        const RiStatus status = ri_perception_create(r->ctx, r->scene, 0, NULL, &r->eyes);
        if (status == RI_ERR_UNSUPPORTED) { // a build that cannot trace: the data count, the picture does not
            *out_reason = "this build cannot take pictures: it lacks the ray tracer";
            return RI_OK;
        }
        RI_TRY(status);
    }
    RI_TRY(ri_perception_look(r->eyes));
    RI_TRY(ri_perception_picture(r->eyes, camera_of(r, a->camera), &view));
    const double radiance = mean_green(&view);
    if (!(radiance > 0.0))
        *out_reason = ri_plan_text(r, "the picture of '%s' is black: there is no light", a->camera);
    return keep_picture(r, a, &view, radiance);
}
