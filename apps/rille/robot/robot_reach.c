// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot reach`: which joint positions bring an arm's tool to a point, or why none do.
#include <rille/arm.h>

#include "robot/robot.h"

enum { SOLUTIONS = 16 };
static const double DEGREES = 180.0 / M_PI;

static bool read_vector(const char *text, RiVec3 *out)
{
    double x[3];
    int count;
    if (!cli_parse_numbers(text, 3, 3, x, &count))
        return false;
    *out = ri_vec3(x[0], x[1], x[2]);
    return true;
}

static bool read_target(const RobotArgs *args, RiArmTarget *out)
{
    *out = (RiArmTarget){.aim = RI_ARM_AUTO};
    if (!args->at || !read_vector(args->at, &out->point)) {
        fprintf(stderr, "rille robot reach: --at expects three numbers X,Y,Z [m]%s%s%s\n", args->at ? ", not '" : "",
                args->at ? args->at : "", args->at ? "'" : "");
        return false;
    }
    if (args->direction && !read_vector(args->direction, &out->direction)) {
        cli_error("reach: --direction expects three numbers X,Y,Z, not '%s'", args->direction);
        return false;
    }
    return true;
}

/// Angle up to which a direction is said to be reached [rad].
static const double POINTS_THERE = 1e-3;

/// Whether the best way points where it was asked to. An arm of four joints or less may reach the
/// point and not the direction.
static bool points_there(const RiArmTarget *target, const RiArmReach *r, const RiArmSolution *s)
{
    const bool asked = ri_norm(target->direction) > 0.0;
    return !asked || r->count == 0 || s[0].angle <= POINTS_THERE;
}

/// The ways that point there first.
static void best_first(const RiArmReach *r, RiArmSolution *s)
{
    for (int k = 1; k < r->count; k++)
        if (s[k].angle < s[0].angle - POINTS_THERE) {
            const RiArmSolution better = s[k];
            s[k] = s[0];
            s[0] = better;
        }
}

static void print_text(const RiArmTarget *target, const RiArmChain *arm, const RiArmReach *r, const RiArmSolution *s)
{
    if (!points_there(target, r, s)) {
        printf("the point is reached, the direction is not: the tool points %.4g deg off at best",
               s[0].angle * DEGREES);
    } else
        printf("%s", ri_arm_status_name(r->status));
    if (r->status == RI_ARM_TOO_FAR)
        printf(": %.4g m beyond the stretched arm", r->shortest);
    else if (r->status == RI_ARM_LIMITS)
        printf(": '%s' would have to go %.4g deg beyond [%.4g, %.4g] deg", arm->joints[r->joint].name,
               r->beyond * DEGREES, arm->joints[r->joint].lower * DEGREES, arm->joints[r->joint].upper * DEGREES);
    else if (r->status == RI_ARM_REACHED && points_there(target, r, s))
        printf(": %d way%s, nearest to the robot's initial position first", r->count, r->count == 1 ? "" : "s");
    printf("\n");
    if (r->status != RI_ARM_REACHED)
        printf("the nearest the tool comes within all limits is %.4g mm and %.4g deg away, with\n",
               r->nearest.distance * 1e3, r->nearest.angle * DEGREES);
    printf("\n%-24s", "joint [deg; slides: mm]");
    const int count = r->count > 0 ? r->count : 1;
    for (int k = 0; k < count; k++)
        printf("%10d", k + 1);
    for (int i = 0; i < arm->count; i++) {
        printf("\n%-24s", arm->joints[i].name);
        for (int k = 0; k < count; k++)
            printf("%10.3f", (r->count > 0 ? s[k].q[i] : r->nearest.q[i]) * (arm->joints[i].slides ? 1e3 : DEGREES));
    }
    printf("\n%-24s", "left of the range [%]");
    for (int k = 0; k < count; k++)
        printf("%10.1f", 100.0 * (r->count > 0 ? s[k].margin : r->nearest.margin));
    printf("\n");
}

static void write_solution(Json *j, const char *key, const RiArmChain *arm, const RiArmSolution *s)
{
    json_open(j, key, '{');
    json_numbers(j, "q", s->q, arm->count);
    json_number(j, "distance", s->distance);
    json_number(j, "angle", s->angle);
    json_number(j, "margin", s->margin);
    json_close(j, '}');
}

static void write_json(const RiArmTarget *target, const RiArmChain *arm, const RiArmReach *r, const RiArmSolution *s)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "status", points_there(target, r, s) ? ri_arm_status_name(r->status) : "direction");
    json_string(&j, "joint", r->joint >= 0 ? arm->joints[r->joint].name : NULL);
    json_number(&j, "beyond", r->beyond);
    json_open(&j, "joints", '[');
    for (int i = 0; i < arm->count; i++)
        json_string(&j, NULL, arm->joints[i].name);
    json_close(&j, ']');
    json_open(&j, "solutions", '[');
    for (int k = 0; k < r->count; k++)
        write_solution(&j, NULL, arm, &s[k]);
    json_close(&j, ']');
    write_solution(&j, "nearest", arm, &r->nearest);
    json_close(&j, '}');
}

static CliExit answer(const RobotArgs *args, const Robot *r, const RiArmTarget *target)
{
    RiArmChain arm;
    RiArmSolution s[SOLUTIONS];
    double q[RI_ARM_JOINTS];
    const RiStatus status = ri_arm_chain(r->ctx, r->model, args->from, args->tip ? args->tip : "tool", &arm);
    if (status != RI_OK)
        return cli_fail(r->ctx, status);
    for (int i = 0; i < arm.count; i++)
        q[i] = ri_model_joint(r->model, ri_model_find_joint(r->model, arm.joints[i].name)).spec->position[0];
    const RiArmReach reach = ri_arm_solve(&arm, target, q, SOLUTIONS, s);
    if (reach.count > 0 && !points_there(target, &reach, s))
        best_first(&reach, s);
    if (args->json)
        write_json(target, &arm, &reach, s);
    else
        print_text(target, &arm, &reach, s);
    return reach.status == RI_ARM_REACHED && points_there(target, &reach, s) ? CLI_DONE : CLI_RUN_FAILED;
}

int robot_reach(int argc, char **argv)
{
    static const struct argp_option options[] = {
        ROBOT_OPTIONS_LOAD,
        ROBOT_OPTION_JSON,
        {.name = "at", .key = OPT_AT, .arg = "X,Y,Z", .doc = "Target of the tip, in the frame of the base link [m]"},
        {.name = "direction", .key = OPT_DIRECTION, .arg = "X,Y,Z", .doc = "Direction of the tool's x axis"},
        {.name = "tip", .key = OPT_TIP, .arg = "FRAME", .doc = "Link, frame or mount at the end of the arm (tool)"},
        {.name = "from", .key = OPT_FROM, .arg = "LINK", .doc = "Base link (the root of the robot)"},
        {0}};
    static const char doc[] = "Shows all joint positions found that bring an arm's tool to a point and, with "
                              "--direction, let it point there; or why none do and how near it comes.";
    RobotArgs args;
    RiArmTarget target;
    if (!robot_parse(options, "ROBOT", doc, 1, argc, argv, &args))
        return cli_no_memory();
    if (!read_target(&args, &target)) {
        robot_args_free(&args);
        return CLI_BAD_INPUT;
    }
    Robot r;
    CliExit code = robot_open(&args, &r);
    if (code == CLI_DONE)
        code = answer(&args, &r, &target);
    robot_close(&r);
    robot_args_free(&args);
    return code;
}
