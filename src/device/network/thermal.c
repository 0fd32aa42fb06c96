// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lumped temperatures: nodes, conductors, and one implicit step of all of them.
///
///     C T' = Q + sum g_ij (T_j - T_i) + sky, ground, air;   radiation e s A (T_s^4 - T^4) = g (T_s - T), g = e s A (T^2 + T_s^2)(T + T_s)
///
/// Backward Euler. Radiation is a conductance taken at the last iterate, so every iterate solves a
/// symmetric positive definite system, by conjugate gradients (scaled by the diagonal) whose cost
/// grows with nodes and conductors. Flows are booked with the conductances of the last iterate:
/// books close to the solver's tolerance. A node without heat capacity keeps its temperature:
/// surroundings.
#include "device/network/network.h"
#include "device/ports.h"

static const double stefan = 5.670374419e-8;

static const RiPort node_ports[NODE_COUNT] = {
    [NODE_HEAT_INPUT] = RI_INPUT("heat", "W", "Heat from a device, such as that of a motor."),
    [NODE_CAPACITY] = RI_PARAMETER("capacity", "J/K", 1000.0, 0.0, 1e12, "Heat capacity; 0: it keeps its temperature."),
    [NODE_AREA] = RI_PARAMETER("area", "m^2", 0.0, 0.0, 1e6, "Of its outside."),
    [NODE_ABSORPTANCE] = RI_PARAMETER("absorptance", "", 0.5, 0.0, 1.0, "For sunlight."),
    [NODE_EMISSIVITY] = RI_PARAMETER("emissivity", "", 0.8, 0.0, 1.0, "In the infrared."),
    [NODE_SUN_AREA] = RI_PARAMETER("sun_area", "m^2", 0.0, 0.0, 1e6, "Area that the direct sun sees."),
    [NODE_SKY_VIEW] = RI_PARAMETER("sky_view", "", 0.5, 0.0, 1.0, "Part of the outside that sees the sky."),
    [NODE_GROUND_VIEW] = RI_PARAMETER("ground_view", "", 0.5, 0.0, 1.0, "Part of the outside that sees the ground."),
    [NODE_CONVECTION] = RI_PARAMETER("convection", "W/m^2/K", 0.0, 0.0, 1e6, "To still air."),
    [NODE_WIND_CONVECTION] = RI_PARAMETER("wind_convection", "", 0.0, 0.0, 1e6,
                                          "Added to it times the root of the wind's speed in m/s, in W/(m^2 K)."),
    [NODE_VIEWS] = RI_PARAMETER("views", "", 0.0, 0.0, 2.0,
                                "0: views and sun_area are given; by rays: 1 a plate that faces z of the frame, 2 a "
                                "convex part all round."),
    [NODE_EYE] = RI_PARAMETER("eye", "m", 0.3, 0.0, 100.0,
                              "Height of the point that rays begin at: above the frame, or along z of it for a plate."),
    [NODE_RHU] = RI_PARAMETER("rhu", "W", 0.0, 0.0, 1e6, "Heat of radioisotope units."),
    [NODE_START] = RI_PARAMETER("start_temperature", "K", 273.0, 1.0, 5000.0, "At the start."),
    [NODE_COLD_LIMIT] = RI_PARAMETER("cold_limit", "K", 0.0, 0.0, 5000.0, "Below it, it is `outside` its limits."),
    [NODE_HOT_LIMIT] = RI_PARAMETER("hot_limit", "K", 5000.0, 0.0, 5000.0, "Above it, too."),
    [NODE_TEMPERATURE] = RI_LIMITED_STATE("temperature", "K", 0.0, 1e5, "Of the node."),
    [NODE_GAINED] = RI_STATE("gained", "J", "Heat from sun, devices, heaters and isotopes since the start."),
    [NODE_EMITTED] = RI_STATE("emitted", "J", "Heat to sky, ground and air since the start."),
    [NODE_CONDUCTED] = RI_STATE("conducted", "J", "Heat from other nodes since the start."),
    [NODE_LEAST] = RI_STATE("least", "K", "Lowest temperature since the start."),
    [NODE_MOST] = RI_STATE("most", "K", "Highest temperature since the start."),
    [NODE_OUTSIDE] = RI_OUTPUT("outside", "", "1: outside its limits."),
    [NODE_SEEN_SKY] = RI_OUTPUT("seen_sky", "", "Part of its outside that sees the sky; by rays with `views`."),
    [NODE_SEEN_GROUND] = RI_OUTPUT("seen_ground", "", "The ground; what neither has sees the robot itself."),
    [NODE_RESIDUAL] = RI_OUTPUT("balance", "", "What its books lack over the heat turned over."),
};

static const char *node_start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (x[NODE_SKY_VIEW] + x[NODE_GROUND_VIEW] > 1.0 + 1e-9)
        return "'sky_view' and 'ground_view' add up to more than 1";
    if (x[NODE_VIEWS] != floor(x[NODE_VIEWS]))
        return "'views' must be 0, 1 or 2";
    return x[NODE_COLD_LIMIT] < x[NODE_HOT_LIMIT] ? NULL : "'cold_limit' must be below 'hot_limit'";
}

const RiDeviceClass ri_device_thermal_node = {
    .abi = RI_DEVICE_ABI,
    .name = "thermal_node",
    .doc = "A part of the robot that has one temperature.",
    .attach = RI_ATTACH_FRAME,
    .ports = node_ports,
    .port_count = NODE_COUNT,
    .start = node_start,
    .update = ri_subsystem_update,
};

static const RiPort conductor_ports[CONDUCTOR_COUNT] = {
    [CONDUCTOR_A] = RI_INPUT("a", "K", "A node: connect to its temperature."),
    [CONDUCTOR_B] = RI_INPUT("b", "K", "The other node."),
    [CONDUCTOR_CONDUCTANCE] = RI_PARAMETER("conductance", "W/K", 0.0, 0.0, 1e9, "Of conduction."),
    [CONDUCTOR_RADIATION] = RI_PARAMETER("radiation_area", "m^2", 0.0, 0.0, 1e6,
                                         "Emissivity times area times view factor of radiation between them."),
    [CONDUCTOR_FLOW] = RI_OUTPUT("flow", "W", "From a to b."),
    [CONDUCTOR_ENERGY] = RI_STATE("energy", "J", "From a to b since the start."),
};

const RiDeviceClass ri_device_conductor = {
    .abi = RI_DEVICE_ABI,
    .name = "conductor",
    .doc = "Conduction or radiation between two thermal nodes.",
    .attach = RI_ATTACH_NONE,
    .ports = conductor_ports,
    .port_count = CONDUCTOR_COUNT,
    .update = ri_subsystem_update,
};

// --- the step ------------------------------------------------------------------------------------

/// Work arrays, one number per node each.
typedef struct Solve {
    double *T, *diagonal, *rhs, *r, *z, *p, *Ap;
    const double *site; ///< ports of the site, NULL
    double dt;
} Solve;

static double radiative(double area, double T, double S)
{
    return stefan * area * (T * T + S * S) * (T + S);
}

static double link(const double *x, double a, double b)
{
    return x[CONDUCTOR_CONDUCTANCE] + radiative(x[CONDUCTOR_RADIATION], a, b);
}

/// Conductances to sky, ground and air, and their temperatures.
static int surroundings(const double *x, const double *site, double T, double g[3], double S[3])
{
    if (!site || x[NODE_AREA] == 0.0)
        return 0;
    const double e = x[NODE_EMISSIVITY] * x[NODE_AREA];
    const double h = x[NODE_CONVECTION] + x[NODE_WIND_CONVECTION] * sqrt(site[SITE_WIND]);
    S[0] = site[SITE_SKY];
    S[1] = site[SITE_GROUND];
    S[2] = site[SITE_AIR];
    g[0] = radiative(e * x[NODE_SEEN_SKY], T, S[0]);
    g[1] = radiative(e * x[NODE_SEEN_GROUND], T, S[1]);
    g[2] = site[SITE_PRESSURE] > 0.0 ? h * x[NODE_AREA] : 0.0;
    return 3;
}

static bool is_fixed(const double *x)
{
    return x[NODE_CAPACITY] == 0.0;
}

/// Diagonal and right-hand side at the iterate T.
static void assemble(const RiNetwork *n, Solve *s)
{
    for (int i = 0; i < n->count; i++) {
        const RiMember *m = &n->members[i];
        const int k = n->node_of[i];
        if (k < 0)
            continue;
        double g[3], S[3];
        const double *x = m->x, c = is_fixed(x) ? 1.0 : x[NODE_CAPACITY] / s->dt;
        s->diagonal[k] = c;
        s->rhs[k] = c * x[NODE_TEMPERATURE] + (is_fixed(x) ? 0.0 : m->heat);
        for (int e = is_fixed(x) ? 0 : surroundings(x, s->site, s->T[k], g, S); e > 0; e--) {
            s->diagonal[k] += g[e - 1];
            s->rhs[k] += g[e - 1] * S[e - 1];
        }
    }
    for (int i = 0; i < n->count; i++) {
        const RiMember *m = &n->members[i];
        if (!ri_member_is(m, RI_SUBSYSTEM_CONDUCTOR))
            continue;
        const int a = n->node_of[m->ref[0]], b = n->node_of[m->ref[1]];
        const bool fixed_a = is_fixed(n->members[m->ref[0]].x), fixed_b = is_fixed(n->members[m->ref[1]].x);
        const double g = link(m->x, s->T[a], s->T[b]);
        s->diagonal[a] += fixed_a ? 0.0 : g;
        s->diagonal[b] += fixed_b ? 0.0 : g;
        s->rhs[a] += fixed_b && !fixed_a ? g * s->T[b] : 0.0; // surroundings are known: they go to the right
        s->rhs[b] += fixed_a && !fixed_b ? g * s->T[a] : 0.0;
    }
}

/// out = A v, with the conductances of the iterate T.
static void multiply(const RiNetwork *n, const Solve *s, const double *v, double *out)
{
    for (int k = 0; k < n->node_count; k++)
        out[k] = s->diagonal[k] * v[k];
    for (int i = 0; i < n->count; i++) {
        const RiMember *m = &n->members[i];
        if (!ri_member_is(m, RI_SUBSYSTEM_CONDUCTOR) || is_fixed(n->members[m->ref[0]].x) ||
            is_fixed(n->members[m->ref[1]].x))
            continue;
        const int a = n->node_of[m->ref[0]], b = n->node_of[m->ref[1]];
        const double g = link(m->x, s->T[a], s->T[b]);
        out[a] -= g * v[b];
        out[b] -= g * v[a];
    }
}

/// Conjugate gradients from the iterate; the solution goes to `x`.
static void solve(const RiNetwork *n, Solve *s, double *x)
{
    const int count = n->node_count;
    double rz = 0.0, scale = 0.0;
    multiply(n, s, x, s->Ap);
    for (int k = 0; k < count; k++) {
        s->r[k] = s->rhs[k] - s->Ap[k];
        s->z[k] = s->p[k] = s->r[k] / s->diagonal[k];
        rz += s->r[k] * s->z[k];
        scale += s->rhs[k] * s->rhs[k] / s->diagonal[k];
    }
    for (int i = 0; i < 4 * count + 20 && rz > 1e-30 * scale; i++) {
        double pAp = 0.0, next = 0.0;
        multiply(n, s, s->p, s->Ap);
        for (int k = 0; k < count; k++)
            pAp += s->p[k] * s->Ap[k];
        if (!(pAp > 0.0))
            break;
        for (int k = 0; k < count; k++) {
            x[k] += rz / pAp * s->p[k];
            s->r[k] -= rz / pAp * s->Ap[k];
            s->z[k] = s->r[k] / s->diagonal[k];
            next += s->r[k] * s->z[k];
        }
        for (int k = 0; k < count; k++)
            s->p[k] = s->z[k] + next / rz * s->p[k];
        rz = next;
    }
}

/// Books of a node, with the conductances at the iterate and the new temperature.
static void book(const Solve *s, RiMember *m, int k, double fresh)
{
    double g[3], S[3], *x = m->x, out = 0.0;
    if (is_fixed(x))
        return;
    for (int e = surroundings(x, s->site, s->T[k], g, S); e > 0; e--)
        out += g[e - 1] * (fresh - S[e - 1]);
    x[NODE_GAINED] += m->heat * s->dt;
    x[NODE_EMITTED] += out * s->dt;
    x[NODE_TEMPERATURE] = fresh;
    x[NODE_LEAST] = fmin(x[NODE_LEAST], fresh);
    x[NODE_MOST] = fmax(x[NODE_MOST], fresh);
}

static void finish(RiMember *m)
{
    double *x = m->x;
    x[NODE_OUTSIDE] = x[NODE_TEMPERATURE] < x[NODE_COLD_LIMIT] || x[NODE_TEMPERATURE] > x[NODE_HOT_LIMIT];
    const double turned =
        fabs(x[NODE_GAINED]) + fabs(x[NODE_EMITTED]) + fabs(x[NODE_CONDUCTED]) + x[NODE_CAPACITY] * x[NODE_START];
    const double held = x[NODE_CAPACITY] * (x[NODE_TEMPERATURE] - x[NODE_START]);
    x[NODE_RESIDUAL] = is_fixed(x) ? 0.0 : (held - x[NODE_GAINED] + x[NODE_EMITTED] - x[NODE_CONDUCTED]) / turned;
}

static void book_conductors(RiNetwork *n, const Solve *s, const double *fresh)
{
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (!ri_member_is(m, RI_SUBSYSTEM_CONDUCTOR))
            continue;
        RiMember *A = &n->members[m->ref[0]], *B = &n->members[m->ref[1]];
        const int a = n->node_of[m->ref[0]], b = n->node_of[m->ref[1]];
        m->x[CONDUCTOR_FLOW] = link(m->x, s->T[a], s->T[b]) * (fresh[a] - fresh[b]);
        m->x[CONDUCTOR_ENERGY] += m->x[CONDUCTOR_FLOW] * s->dt;
        A->x[NODE_CONDUCTED] -= m->x[CONDUCTOR_FLOW] * s->dt;
        B->x[NODE_CONDUCTED] += m->x[CONDUCTOR_FLOW] * s->dt;
    }
}

/// Heat of a node by sun, isotopes and its input.
static double own_heat(const RiNetwork *n, const RiMember *m, const double *site, const RiNetworkWorld *w)
{
    const double *x = m->x;
    double heat = x[NODE_HEAT_INPUT] + x[NODE_RHU];
    if (!site || x[NODE_ABSORPTANCE] == 0.0)
        return heat;
    const double direct = site[SITE_BEAM] * ri_node_sun_area(m, w);
    const double lit = direct > 0.0 ? ri_network_sunlit(n, w, ri_node_eye(m)) : 1.0;
    const double around = x[NODE_AREA] * (x[NODE_SEEN_SKY] * site[SITE_DIFFUSE] +
                                          x[NODE_SEEN_GROUND] * site[SITE_USED_ALBEDO] * site[SITE_GLOBAL]);
    return heat + x[NODE_ABSORPTANCE] * (direct * lit + around);
}

void ri_thermal_begin(RiNetwork *n)
{
    for (int i = 0; i < n->count; i++)
        if (n->node_of[i] >= 0) {
            double *x = n->members[i].x;
            x[NODE_TEMPERATURE] = x[NODE_LEAST] = x[NODE_MOST] = x[NODE_START];
        }
}

void ri_thermal_step(RiNetwork *n, const RiNetworkWorld *w)
{
    enum { ITERATIONS = 12 };
    const int count = n->node_count;
    if (count == 0)
        return;
    double *v = n->work;
    Solve s = {v, v + count, v + 2 * count, v + 3 * count, v + 4 * count, v + 5 * count, v + 6 * count, NULL, w->dt};
    double *fresh = v + 7 * count;
    s.site = n->site >= 0 ? n->members[n->site].x : NULL;
    for (int i = 0; i < n->count; i++)
        if (n->node_of[i] >= 0) {
            n->members[i].heat += own_heat(n, &n->members[i], s.site, w);
            s.T[n->node_of[i]] = fresh[n->node_of[i]] = n->members[i].x[NODE_TEMPERATURE];
        }
    for (int i = 0; i < ITERATIONS; i++) {
        double change = 0.0;
        assemble(n, &s);
        solve(n, &s, fresh);
        for (int k = 0; k < count; k++)
            change = fmax(change, fabs(fresh[k] - s.T[k]) / fmax(fresh[k], 1.0));
        if (change < 1e-11 || i == ITERATIONS - 1)
            break;
        for (int k = 0; k < count; k++)
            s.T[k] = fmax(fresh[k], 0.1);
    }
    for (int i = 0; i < n->count; i++)
        if (n->node_of[i] >= 0)
            book(&s, &n->members[i], n->node_of[i], fresh[n->node_of[i]]);
    book_conductors(n, &s, fresh);
    for (int i = 0; i < n->count; i++)
        if (n->node_of[i] >= 0)
            finish(&n->members[i]);
}
