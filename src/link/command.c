// SPDX-License-Identifier: Apache-2.0
/// \file
/// Requests of pages. What each one needs is in a table; limits are those of the protocol.
#include "link/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Members that a request needs.
enum { NUMBER = 1, ON = 2, NAME = 4, TEXT = 8, POSE = 16, RANGE = 32, ID = 64 };

typedef struct OpInfo {
    const char *name;
    int needs;
    const char *number; ///< what the number is called
    double low, high;
} OpInfo;

static const OpInfo ops[RI_VIEW_OP_COUNT] = {
    [RI_VIEW_PAUSE] = {.name = "pause"},
    [RI_VIEW_RESUME] = {.name = "resume"},
    [RI_VIEW_RESTART] = {.name = "restart"},
    [RI_VIEW_CHECKPOINT] = {.name = "checkpoint"},
    [RI_VIEW_STEP] = {"step", NUMBER, "count", 1, 1e6},
    [RI_VIEW_SPEED] = {"speed", NUMBER, "factor", 0, 1e6},
    [RI_VIEW_SEEK] = {"seek", NUMBER, "time", -1e9, 1e9},
    [RI_VIEW_GRAVITY] = {.name = "gravity", .needs = ON},
    [RI_VIEW_SET] = {.name = "set", .needs = NAME | TEXT},
    [RI_VIEW_GET] = {.name = "get", .needs = NAME},
    [RI_VIEW_MOVE] = {.name = "move", .needs = POSE},
    [RI_VIEW_PLOT] = {.name = "plot", .needs = NAME | RANGE | ID},
    [RI_VIEW_UNPLOT] = {.name = "unplot", .needs = ID},
    [RI_VIEW_LAYER] = {.name = "layer", .needs = NAME | ON},
    [RI_VIEW_RATE] = {"rate", NUMBER, "frames", 1, 60},
};

const char *ri_view_op_name(RiViewOp op)
{
    return (unsigned)op < RI_VIEW_OP_COUNT ? ops[op].name : "";
}

static bool refuse(char why[RI_WHY], const char *op, const char *what)
{
    snprintf(why, RI_WHY, "%s: %s", op, what);
    return false;
}

static bool take_id(const RiJson *j, RiViewCommand *c, int needs, char why[RI_WHY])
{
    const int id = ri_json_member(j, 0, "id");
    c->has_id = id >= 0 && ri_json_number(j, id, &c->id);
    if ((id >= 0 && !c->has_id) || (c->has_id && (c->id != floor(c->id) || fabs(c->id) > 9007199254740992.0)))
        return refuse(why, "id", "must be a whole number");
    return c->has_id || !(needs & ID) || refuse(why, ri_view_op_name(c->op), "'id' is missing");
}

static bool take_op(const RiJson *j, RiViewCommand *c, char why[RI_WHY])
{
    char name[32];
    const int op = ri_json_member(j, 0, "op");
    if (op < 0 || !ri_json_string(j, op, name, sizeof name))
        return refuse(why, "op", "is missing or not a short string");
    for (int i = 0; i < RI_VIEW_OP_COUNT; i++)
        if (strcmp(name, ops[i].name) == 0) {
            c->op = (RiViewOp)i;
            return true;
        }
    return refuse(why, "op", "is not a request of this protocol");
}

static bool take_run(const RiJson *j, RiViewCommand *c, char why[RI_WHY])
{
    double run = 0.0;
    const int token = ri_json_member(j, 0, "run");
    if (token >= 0 && (!ri_json_number(j, token, &run) || run < 0.0 || run >= RI_VIEW_RUNS || run != floor(run)))
        return refuse(why, "run", "must be 0 or 1");
    c->run = (int)run;
    return true;
}

static bool take_number(const RiJson *j, RiViewCommand *c, char why[RI_WHY])
{
    const OpInfo *info = &ops[c->op];
    const int token = ri_json_member(j, 0, info->number);
    if (token < 0 && c->op == RI_VIEW_STEP) {
        c->number = 1.0;
        return true;
    }
    if (ri_json_number(j, token, &c->number) && c->number >= info->low && c->number <= info->high)
        return true;
    snprintf(why, RI_WHY, "%s: '%s' must be a number from %g to %g", info->name, info->number, info->low, info->high);
    return false;
}

static bool take_pose(const RiJson *j, RiViewCommand *c, char why[RI_WHY])
{
    double p[3], q[4] = {1.0, 0.0, 0.0, 0.0};
    const int turn = ri_json_member(j, 0, "quaternion");
    if (!ri_json_numbers(j, ri_json_member(j, 0, "position"), 3, p) || fabs(p[0]) > 1e9 || fabs(p[1]) > 1e9 ||
        fabs(p[2]) > 1e9)
        return refuse(why, "move", "'position' must be three numbers below 1e9");
    if (turn >= 0 && !ri_json_numbers(j, turn, 4, q))
        return refuse(why, "move", "'quaternion' must be four numbers");
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(n > 1e-6) || !(n < 1e6))
        return refuse(why, "move", "'quaternion' has no direction");
    const int settle = ri_json_member(j, 0, "settle");
    if (settle >= 0 && !ri_json_bool(j, settle, &c->on))
        return refuse(why, "move", "'settle' must be true or false");
    c->position = ri_vec3(p[0], p[1], p[2]);
    c->quaternion = (RiQuat){q[0] / n, q[1] / n, q[2] / n, q[3] / n};
    return true;
}

/// A time that may be left out or null.
static bool take_time(const RiJson *j, const char *name, double *out)
{
    const int token = ri_json_member(j, 0, name);
    return token < 0 || j->tokens[token].type == RI_JSON_NULL || ri_json_number(j, token, out);
}

static bool take_members(const RiJson *j, RiViewCommand *c, char why[RI_WHY])
{
    const OpInfo *info = &ops[c->op];
    if ((info->needs & NUMBER) && !take_number(j, c, why))
        return false;
    if ((info->needs & ON) && !ri_json_bool(j, ri_json_member(j, 0, "on"), &c->on))
        return refuse(why, info->name, "'on' must be true or false");
    if ((info->needs & NAME) && !ri_json_string(j, ri_json_member(j, 0, "name"), c->name, sizeof c->name))
        return refuse(why, info->name, "'name' must be a string of at most 159 bytes");
    if ((info->needs & TEXT) && !ri_json_string(j, ri_json_member(j, 0, "text"), c->text, sizeof c->text))
        return refuse(why, info->name, "'text' must be a string of at most 255 bytes");
    if ((info->needs & POSE) && !take_pose(j, c, why))
        return false;
    if ((info->needs & RANGE) && (!take_time(j, "from", &c->from) || !take_time(j, "to", &c->to)))
        return refuse(why, info->name, "'from' and 'to' must be times or null");
    return true;
}

bool ri_command_parse(RiJson *j, const char *text, size_t size, RiViewCommand *out, char why[RI_WHY])
{
    *out = (RiViewCommand){.from = -INFINITY, .to = INFINITY};
    why[0] = '\0';
    if (!ri_json_parse(j, text, size)) {
        snprintf(why, RI_WHY, "byte %d: %s", j->at, j->why);
        return false;
    }
    if (j->tokens[0].type != RI_JSON_OBJECT)
        return refuse(why, "message", "must be an object");
    if (!take_id(j, out, 0, why) || !take_op(j, out, why) || !take_run(j, out, why))
        return false;
    return take_id(j, out, ops[out->op].needs, why) && take_members(j, out, why);
}
