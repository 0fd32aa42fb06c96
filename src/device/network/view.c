// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the parts of a robot see: the horizon, the sun's disc, sky and ground around a thermal node;
/// and what tables say: passes of a relay, the dust over time.
///
///     disc:  part of it above the horizon (a chord), times the part of that which rays reach
///     views: plate  sum over cosine-weighted rays / rays,   round  sum over even rays / rays
///     pass:  cos lambda = cos lambda_min cos theta, theta even in time from rise to set
///
/// lambda is the angle at the body's centre between site and relay, tan e = (cos lambda - R / r) /
/// sin lambda its elevation. A relay on a circular orbit over a body that does not turn goes so
/// exactly. Tests: tests/device/test_network_view.c.
#include "base/functions.h"
#include "device/network/network.h"
#include "device/ports.h"

static const double degree = M_PI / 180.0;

static RiVec3 unit(RiVec3 v)
{
    return ri_scale(1.0 / ri_norm(v), v);
}

// --- tables --------------------------------------------------------------------------------------

/// The row that a place in the first column is behind or at; -1 before the first.
static int row_at(const RiMember *m, double x)
{
    int low = -1, high = m->table_rows;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (m->table[(size_t)middle * (size_t)m->table_columns] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const double *row_of(const RiMember *m, int row)
{
    return m->table + (size_t)row * (size_t)m->table_columns;
}

double ri_member_course(const RiMember *m, double time)
{
    const int i = row_at(m, time);
    if (i < 0 || i == m->table_rows - 1)
        return row_of(m, i < 0 ? 0 : i)[1];
    const double *a = row_of(m, i), *b = row_of(m, i + 1);
    return a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]);
}

const char *ri_member_table_trouble(const RiMember *m)
{
    const bool passes = ri_member_is(m, RI_SUBSYSTEM_ORBITER), horizon = ri_member_is(m, RI_SUBSYSTEM_HORIZON);
    if (!m->table)
        return horizon ? "needs a 'file': a table of azimuth_deg and elevation_deg, or a map of heights" : NULL;
    for (int i = 0; i < m->table_rows; i++) {
        const double *x = row_of(m, i);
        if (passes && !(x[1] > x[0]))
            return "has a pass in its table that sets before it rises";
        if (passes && i > 0 && x[0] < row_of(m, i - 1)[1])
            return "has passes in its table that overlap";
        if (passes && !(x[2] > 0.0 && x[2] <= 90.0 * degree + 1e-12))
            return "has a pass in its table whose highest elevation is not above 0 and at most 90 degrees";
        if (horizon && !(fabs(x[1]) < 90.0 * degree && x[0] >= 0.0 && x[0] < 360.0 * degree))
            return "has a row with an azimuth outside 0 to 360 degrees or an elevation beyond 90";
        if (ri_member_is(m, RI_SUBSYSTEM_SITE) && !(x[1] >= 0.0 && x[1] <= 30.0))
            return "has an optical depth in its table that is not from 0 to 30";
    }
    return NULL;
}

// --- passes --------------------------------------------------------------------------------------

RiLook ri_pass_look(const double pass[5], double body, double orbit, double time)
{
    const double ratio = body / orbit, top = pass[2];
    const double least = ri_acos(ratio * ri_cos(top)) - top, most = ri_acos(ratio);
    const double edge = ri_acos(fmin(ri_cos(most) / ri_cos(least), 1.0));
    const double theta = edge * (2.0 * (time - pass[0]) / (pass[1] - pass[0]) - 1.0);
    const double c = ri_cos(least) * ri_cos(theta), s = sqrt(fmax(1.0 - c * c, 0.0));
    RiLook look = {.range = sqrt(body * body + orbit * orbit - 2.0 * body * orbit * c)};
    look.elevation = ri_atan2(c - ratio, s);
    look.light_time = look.range / 299792458.0;
    // on a great circle that passes at `least`; its ends are those of the table
    double turn = pass[4] - pass[3];
    turn -= 2.0 * M_PI * floor((turn + M_PI) / (2.0 * M_PI));
    const double side = ri_atan2(ri_sin(theta), ri_cos(theta) * ri_sin(least)),
                 end = ri_atan2(ri_sin(edge), ri_cos(edge) * ri_sin(least));
    look.azimuth = pass[3] + turn * 0.5 * (1.0 + (end > 0.0 ? side / end : 0.0));
    look.azimuth -= 2.0 * M_PI * floor(look.azimuth / (2.0 * M_PI));
    look.towards = ri_sun_direction((RiSun){.azimuth = look.azimuth, .elevation = look.elevation});
    return look;
}

RiLook ri_member_pass(const RiMember *m, const RiNetworkWorld *w, double time)
{
    const double body = ri_body_radius(w->place->world), orbit = m->x[ORBITER_SEMI_MAJOR];
    const int i = row_at(m, time);
    if (i >= 0 && time <= row_of(m, i)[1])
        return ri_pass_look(row_of(m, i), body, orbit, time);
    return (RiLook){.towards = {0.0, 0.0, -1.0},
                    .elevation = -0.5 * M_PI,
                    .range = body + orbit,
                    .light_time = (body + orbit) / 299792458.0};
}

// --- horizon and disc ----------------------------------------------------------------------------

/// Where the robot is in the 3 x 3 places of a map's horizon, from 0 to 2 each way; false: outside.
static bool place_among(const RiNetwork *n, const RiMember *m, double at[2])
{
    const double spacing = m->table[HORIZON_SPACING], here[2] = {n->x, n->y};
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        const double u = 1.0 + here[k] / spacing;
        at[k] = fmin(fmax(u, 0.0), HORIZON_PLACES - 1.0);
        inside &= u == at[k];
    }
    return inside;
}

/// Elevation in a row of the table; from a map it is straight between the places around the robot.
static double elevation_in(const RiNetwork *n, const RiMember *m, const double *row)
{
    if (m->table_columns != HORIZON_COLUMNS)
        return row[1];
    double at[2];
    (void)place_among(n, m, at);
    const int i = at[0] < 1.0 ? 0 : 1, j = at[1] < 1.0 ? 0 : 1;
    const double u = at[0] - i, v = at[1] - j, *e = row + 1 + (ptrdiff_t)HORIZON_PLACES * j + i;
    return (1.0 - v) * ((1.0 - u) * e[0] + u * e[1]) + v * ((1.0 - u) * e[HORIZON_PLACES] + u * e[HORIZON_PLACES + 1]);
}

double ri_network_horizon(const RiNetwork *n, double azimuth)
{
    if (n->horizon < 0)
        return 0.0;
    const RiMember *m = &n->members[n->horizon];
    const double turn = 2.0 * M_PI, at = azimuth - turn * floor(azimuth / turn);
    const int i = row_at(m, at), count = m->table_rows;
    const double *a = row_of(m, i < 0 ? count - 1 : i), *b = row_of(m, i < 0 || i == count - 1 ? 0 : i + 1);
    const double from = i < 0 ? a[0] - turn : a[0], to = i == count - 1 ? b[0] + turn : b[0];
    const double ea = elevation_in(n, m, a), eb = elevation_in(n, m, b);
    return (to > from ? ea + (eb - ea) * (at - from) / (to - from) : ea) + m->x[HORIZON_LIFT];
}

static double elevation_of(RiVec3 u)
{
    return ri_atan2(u.z, ri_hypot(u.x, u.y));
}

bool ri_network_is_above(const RiNetwork *n, RiVec3 towards)
{
    return elevation_of(towards) >= ri_network_horizon(n, ri_atan2(towards.x, towards.y));
}

double ri_network_disc(const RiNetwork *n, const RiNetworkWorld *w)
{
    return ri_sun_disc_above(w->sun.elevation - ri_network_horizon(n, w->sun.azimuth),
                             ri_sun_disc_radius(w->sun.distance));
}

/// A point of the sun's disc: `up` and `aside` in radii of it.
static RiVec3 disc_point(const RiNetworkWorld *w, double radius, double up, double aside)
{
    const RiVec3 side = unit(ri_cross((RiVec3){0.0, 0.0, 1.0}, w->towards)), over = ri_cross(w->towards, side);
    const RiVec3 off = ri_add(ri_scale(radius * up, over), ri_scale(radius * aside, side));
    return unit(ri_add(w->towards, off));
}

double ri_network_sunlit(const RiNetwork *n, const RiNetworkWorld *w, RiVec3 point)
{
    enum { LOOKS = 3, POINTS = 200 };
    const double radius = ri_sun_disc_radius(w->sun.distance);
    if (!w->free_view)
        return 1.0;
    if (!(radius > 0.0) || fabs(w->towards.z) > 0.99999)
        return w->free_view(w->user, point, w->towards);
    int above = 0;
    double seen = 0.0;
    for (int i = 0; i < LOOKS; i++) { // lowest, middle and highest point of the disc
        const RiVec3 u = disc_point(w, radius, 0.98 * (i - 1), 0.0);
        if (!ri_network_is_above(n, u))
            continue;
        above++;
        seen += w->free_view(w->user, point, u);
    }
    if (above == 0 || seen == 0.0 || seen == above)
        return above > 0 ? seen / above : 0.0;
    above = 0;
    seen = 0.0;
    for (int i = 0; i < POINTS; i++) { // a sunflower: points of equal area
        const double r = sqrt((i + 0.5) / POINTS), turn = 2.399963229728653 * i;
        const RiVec3 u = disc_point(w, radius, r * ri_cos(turn), r * ri_sin(turn));
        if (!ri_network_is_above(n, u))
            continue;
        above++;
        seen += w->free_view(w->user, point, u);
    }
    return above > 0 ? seen / above : 0.0;
}

double ri_network_penumbra(const RiNetwork *n, const RiNetworkWorld *w, RiVec3 point)
{
    const double radius = ri_sun_disc_radius(w->sun.distance);
    for (int i = -1; i <= 1 && w->look && radius > 0.0; i++)
        if (w->look(w->user, point, disc_point(w, radius, 0.98 * i, 0.0)) == RI_SEEN_ROBOT)
            return 1.0;
    return ri_network_sunlit(n, w, point);
}

// --- views of thermal nodes ----------------------------------------------------------------------

RiVec3 ri_node_eye(const RiMember *m)
{
    const RiVec3 up = m->x[NODE_VIEWS] == 1.0 ? ri_mat3_col(&m->pose.R, 2) : (RiVec3){0.0, 0.0, 1.0};
    return ri_add(m->pose.p, ri_scale(m->x[NODE_EYE], up));
}

/// Direction k of the rays of a node: weighted by the cosine about a plate's normal, or even.
static RiVec3 view_ray(const RiMember *m, int ring, int place, int rings, int places)
{
    const double u = (ring + 0.5) / rings, turn = 2.0 * M_PI * (place + 0.5) / places;
    const bool plate = m->x[NODE_VIEWS] == 1.0;
    const double z = plate ? sqrt(1.0 - u) : 1.0 - 2.0 * u, r = sqrt(fmax(1.0 - z * z, 0.0));
    const RiVec3 ray = ri_vec3(r * ri_cos(turn), r * ri_sin(turn), z);
    return plate ? ri_rotate(&m->pose.R, ray) : ray;
}

void ri_node_look(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    enum { RINGS = 16, PLACES = 24 };
    double sky = 0.0, ground = 0.0;
    if (m->x[NODE_VIEWS] == 0.0) {
        m->x[NODE_SEEN_SKY] = m->x[NODE_SKY_VIEW];
        m->x[NODE_SEEN_GROUND] = m->x[NODE_GROUND_VIEW];
        return;
    }
    const RiVec3 eye = ri_node_eye(m);
    for (int ring = 0; ring < RINGS; ring++)
        for (int place = 0; place < PLACES; place++) {
            const RiVec3 u = view_ray(m, ring, place, RINGS, PLACES);
            const RiSeen seen = w->look ? w->look(w->user, eye, u) : RI_SEEN_SKY;
            if (seen == RI_SEEN_GROUND || (seen == RI_SEEN_SKY && !ri_network_is_above(n, u)))
                ground += 1.0;
            else if (seen == RI_SEEN_SKY)
                sky += 1.0;
        }
    m->x[NODE_SEEN_SKY] = sky / (RINGS * PLACES);
    m->x[NODE_SEEN_GROUND] = ground / (RINGS * PLACES);
}

double ri_node_sun_area(const RiMember *m, const RiNetworkWorld *w)
{
    const double *x = m->x;
    if (x[NODE_VIEWS] == 0.0)
        return x[NODE_SUN_AREA];
    return x[NODE_AREA] *
           (x[NODE_VIEWS] == 1.0 ? fmax(ri_dot(ri_mat3_col(&m->pose.R, 2), w->towards), 0.0) : 0.25); // Cauchy
}

// --- classes -------------------------------------------------------------------------------------

static const RiPort horizon_ports[HORIZON_COUNT] = {
    [HORIZON_LIFT] = RI_PARAMETER("lift", "rad", 0.0, -0.5, 0.5, "Added to all elevations of the table."),
    [HORIZON_SUN] = RI_OUTPUT("at_sun", "rad", "Elevation of the horizon below or above the sun."),
    [HORIZON_DISC] = RI_OUTPUT("disc", "", "Part of the sun's disc above it."),
    [HORIZON_BEYOND] =
        RI_OUTPUT("beyond", "", "1: the robot is farther from the origin than the map's horizon is known."),
};

void ri_horizon_step(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    m->x[HORIZON_SUN] = ri_network_horizon(n, w->sun.azimuth);
    m->x[HORIZON_DISC] = ri_network_disc(n, w);
    double at[2];
    m->x[HORIZON_BEYOND] = m->table_columns == HORIZON_COLUMNS && !place_among(n, m, at);
}

const RiDeviceClass ri_device_horizon = {
    .abi = RI_DEVICE_ABI,
    .name = "horizon",
    .doc = "The horizon far away, from a table or a map of heights: it hides the sun, the Earth and relays.",
    .attach = RI_ATTACH_NONE,
    .ports = horizon_ports,
    .port_count = HORIZON_COUNT,
    .update = ri_subsystem_update,
};
