// SPDX-License-Identifier: Apache-2.0
/// \file
/// The screw-soil law in a step: the stresses of screw.c with memory, regular at rest and in every direction.
///
/// Nodes stand at stations along the axis and at equal angles across the contact. Each remembers, as parts of what the soil can bear there,
///
///     m   pressed in [0, 1]          dm/dt = v_r / delta, kept within its bounds: elastic over delta, then plastic; goes with the soil
///     u   friction, a vector         du/dt = (v - |v| u) / K           along the resultant slip P v; goes with the soil, that is back with v_x
///     b   blade in [-1, 1]           db/dt = (v_n - |v_n| b) / K       across the blades; goes with the soil between them, back with omega lead / 2 pi
///
/// so that u and b are Janosi's 1 - exp(-j / K) where the direction stays, and nothing moves at rest [dahl1968; janosi1961]. Where strength grows a shear stress
/// stays what it was, where it falls the mobilised part does: stored energy never grows by itself. A front half that moves ahead is pressed, the rear half is not: that
/// is ploughing, and so are the end faces. Slopes are secants, a sum of squares. Tests: tests/soil/test_screw.c.
#include <math.h>
#include <string.h>

#include "soil/screw.h"

enum { PRESSED, ALONG, AROUND, BLADE, FRICTION_WAS, BLADE_WAS, FIELDS }; ///< of a node; what was: strengths times width
enum {
    FRONT,
    BACK,
    ENDS,
    FACE_WAS = ENDS,
    HEAD = 2 * ENDS
};                                        ///< of a memory: how far faces are pressed, and what they could bear
static const double LEAST_ELASTIC = 1e-5; ///< [m]
static const double ENTRY = 1e-3;         ///< within which soil at an end is replaced [m]
static const double FREE = 0.1;           ///< pressed part below which a node comes free
static const double TILT = 0.5;           ///< sine of the inclination that is doubted

int ri_screw_memory_size(const RiSoilScrew *w)
{
    return HEAD + FIELDS * w->stations * w->patches;
}

/// A screw at work in a step.
typedef struct Step {
    const RiSoilScrew *w;
    const RiNodeKernels *k;
    RiThread t;
    const RiScrewPlace *at;
    const double *memory; ///< of the nodes
    int nodes;            ///< in a field
    RiVec3 v, omega;
    double h;
} Step;

static Step begin(const RiSoilScrew *w, const RiScrewPlace *at, const double *memory, RiVec3 v, RiVec3 omega, double h)
{
    return (Step){.w = w,
                  .k = ri_node_kernels_find(NULL),
                  .t = ri_screw_thread(w),
                  .at = at,
                  .memory = memory + HEAD,
                  .nodes = w->stations * w->patches,
                  .v = v,
                  .omega = omega,
                  .h = h};
}

static double limited(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// Velocity of the screw's surface against the soil, at a radius.
typedef struct Slide {
    double along, around, in; ///< along x, around it, and outward, into the soil
} Slide;

static Slide slide_at(const Step *s, double x, double radius, double sine, double cosine)
{
    const double y = s->v.y + s->omega.z * x, z = s->v.z - s->omega.y * x;
    return (Slide){s->v.x - radius * (s->omega.y * cosine + s->omega.z * sine),
                   y * cosine + z * sine + s->omega.x * radius, y * sine - z * cosine};
}

// --- what moves with the soil -----------------------------------------------------------------------------------------------------------

/// Four weights of cubic interpolation between n >= 4 equidistant places at p, and the first of them.
static int cubic(double p, int n, double weight[4])
{
    const int whole = (int)p - 1, i = whole < 0 ? 0 : whole > n - 4 ? n - 4 : whole;
    const double t = p - i, a = t - 1.0, b = t - 2.0, c = t - 3.0;
    weight[0] = a * b * c * (-1.0 / 6.0);
    weight[1] = 0.5 * t * b * c;
    weight[2] = -0.5 * t * a * c;
    weight[3] = t * a * b * (1.0 / 6.0);
    return i;
}

/// The same between stations, at the place x; `near` is the station it is looked for from.
static int cubic_at(const RiSoilScrew *w, double x, int near, double weight[4])
{
    int i = near;
    while (i > 0 && x < w->station_x[i])
        i--;
    while (i < w->stations - 2 && x >= w->station_x[i + 1])
        i++;
    i = i - 1 < 0 ? 0 : i - 1 > w->stations - 4 ? w->stations - 4 : i - 1;
    const double *at = w->station_x + i, a = x - at[0], b = x - at[1], c = x - at[2], d = x - at[3];
    weight[0] = b * c * d / ((at[0] - at[1]) * (at[0] - at[2]) * (at[0] - at[3]));
    weight[1] = a * c * d / ((at[1] - at[0]) * (at[1] - at[2]) * (at[1] - at[3]));
    weight[2] = a * b * d / ((at[2] - at[0]) * (at[2] - at[1]) * (at[2] - at[3]));
    weight[3] = a * b * c / ((at[3] - at[0]) * (at[3] - at[1]) * (at[3] - at[2]));
    return i;
}

/// Where the soil of a station comes from when it has moved back by `way` during the step. Soil that comes in at an end takes the place of what was there within
/// a short way, so that a screw that trembles does not forget.
typedef struct Source {
    int first;
    double weight[4];
    double keep; ///< 1, less where soil has come in
    int end;     ///< at which it comes in
} Source;

static Source source_of(const Step *s, int station, double way)
{
    const double half = 0.5 * s->w->length, from = s->w->station_x[station] + way;
    Source out = {.keep = limited(1.0 - (fabs(from) - half) / ENTRY, 0.0, 1.0), .end = way > 0.0 ? FRONT : BACK};
    out.first = cubic_at(s->w, limited(from, -half, half), station, out.weight);
    return out;
}

/// A field of a station after the soil has moved; what comes in brings `fresh` with it.
static void carry_along(const Step *s, int field, const Source *from, double fresh, double low, double *out)
{
    const int count = s->w->patches;
    const double *u = s->memory + field * s->nodes + from->first * count, *c = from->weight;
    const double keep = from->keep, add = (1.0 - keep) * fresh;
    for (int k = 0; k < count; k++, u++) {
        const double x = c[0] * u[0] + c[1] * u[count] + c[2] * u[2 * count] + c[3] * u[3 * count];
        out[k] = keep * limited(x, low, 1.0) + add;
    }
}

/// The same across, for several fields of a station: soil that the screw moves over sideways by `way`.
static void carry_across(const Step *s, int station, double way, int fields, double *const *u)
{
    const int n = s->w->patches;
    const double *cosine = s->at->cosine + station * n, per_patch = way / (s->w->radius * s->at->step[station]);
    double was[3][RI_SCREW_PATCH_MAX];
    for (int f = 0; f < fields; f++)
        memcpy(was[f], u[f], (size_t)n * sizeof **u);
    for (int k = 0; k < n; k++) {
        const double p = k + per_patch / (cosine[k] > 0.05 ? cosine[k] : 0.05);
        const bool fresh = p < -0.5 || p > n - 0.5;
        double c[4];
        const int i = cubic(limited(p, 0.0, n - 1.0), n, c);
        for (int f = 0; f < fields; f++) {
            const double *at = was[f] + i;
            u[f][k] = fresh ? 0.0 : limited(c[0] * at[0] + c[1] * at[1] + c[2] * at[2] + c[3] * at[3], -1.0, 1.0);
        }
    }
}

/// Nodes of a station at the end of the step.
typedef struct Row {
    double pressed[RI_SCREW_PATCH_MAX], beyond[RI_SCREW_PATCH_MAX]; ///< m, and the way beyond what is elastic [m]
    double u[RI_SCREW_PATCH_MAX], c[RI_SCREW_PATCH_MAX], b[RI_SCREW_PATCH_MAX];
    double friction[RI_SCREW_PATCH_MAX], blade[RI_SCREW_PATCH_MAX];  ///< strengths, as far as the node is pressed [Pa]
    double slope_u[RI_SCREW_PATCH_MAX], slope_b[RI_SCREW_PATCH_MAX]; ///< du/dv, db/dv [s/m]
    double in[RI_SCREW_PATCH_MAX];                                   ///< speed into the soil [m/s]
} Row;

/// Part of a mobilised shear that is left where the strength has changed.
static double left_of(double was, double now)
{
    return now > was ? was / now : 1.0;
}

/// Strength of a node that is pressed by the part m: cohesion and the soil's own weight stay until it comes free.
static double strength_at(double without, double with, double m)
{
    const double touch = m < FREE ? m / FREE : 1.0;
    return touch * (without + m * (with - without));
}

/// Pressing: elastic within delta, plastic beyond. Soil that comes in has been pressed by the end of the drum.
static void press_row(const Step *s, int station, Row *row)
{
    const int n = s->w->patches;
    const double l = s->w->station_x[station];
    const Source soil = source_of(s, station, s->h * s->v.x);
    carry_along(s, PRESSED, &soil, s->at->incoming[soil.end], 0.0, row->pressed);
    for (int k = 0; k < n; k++) {
        const int at = station * n + k;
        row->in[k] = slide_at(s, l, s->w->core, s->at->sine[at], s->at->cosine[at]).in;
        const double delta = s->at->elastic[at], m = row->pressed[k] + s->h * row->in[k] / delta;
        row->beyond[k] = m > 1.0 ? (m - 1.0) * delta : 0.0;
        row->pressed[k] = limited(m, 0.0, 1.0);
        row->friction[k] = strength_at(s->at->friction[0][at], s->at->friction[1][at], row->pressed[k]);
        row->blade[k] = strength_at(s->at->blade[0][at], s->at->blade[1][at], row->pressed[k]);
    }
}

/// Shear: what came with the soil, and what this step adds.
static void shear_row(const Step *s, int station, Row *row)
{
    const int n = s->w->patches, padded = (n + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES, first = station * n;
    const double K = s->at->soil[station]->law.kx, l = s->w->station_x[station],
                 thread = s->omega.x * s->w->lead * s->w->hand / (2.0 * M_PI);
    const double sideways = s->h * (s->v.y + s->omega.z * l), wide = s->at->step[station];
    double a[2][RI_SCREW_PATCH_MAX] = {{0.0}}, e[2][RI_SCREW_PATCH_MAX], along[RI_SCREW_PATCH_MAX],
           around[RI_SCREW_PATCH_MAX], across[RI_SCREW_PATCH_MAX];
    const Source soil = source_of(s, station, s->h * s->v.x), between = source_of(s, station, s->h * thread);
    carry_along(s, ALONG, &soil, 0.0, -1.0, row->u);
    carry_along(s, AROUND, &soil, 0.0, -1.0, row->c);
    carry_along(s, BLADE, &between, 0.0, -1.0, row->b);
    double *const fields[] = {row->u, row->c, row->b};
    if (sideways != 0.0)
        carry_across(s, station, sideways, 3, fields);
    for (int k = 0; k < n; k++) {
        const double sine = s->at->sine[first + k], cosine = s->at->cosine[first + k];
        const Slide f = slide_at(s, l, s->at->arm[first + k], sine, cosine),
                    b = slide_at(s, l, s->t.radius, sine, cosine);
        const double with = s->at->plug[first + k] * (f.along * s->t.cosine - f.around * s->t.sine);
        along[k] = f.along - with * s->t.cosine, around[k] = f.around + with * s->t.sine;
        across[k] = b.along * s->t.cosine - b.around * s->t.sine;
        a[0][k] = sqrt(along[k] * along[k] + around[k] * around[k]) * (s->h / K);
        a[1][k] = fabs(across[k]) * (s->h / K);
    }
    s->k->mobilise(padded, a[0], e[0]);
    s->k->mobilise(padded, a[1], e[1]);
    const double *friction = s->memory + FRICTION_WAS * s->nodes + first,
                 *blade = s->memory + BLADE_WAS * s->nodes + first;
    for (int k = 0; k < n; k++) {
        const double by = left_of(friction[k], wide * row->friction[k]),
                     by_blade = left_of(blade[k], wide * row->blade[k]);
        row->slope_u[k] = a[0][k] > 1e-12 ? e[0][k] / a[0][k] * (s->h / K) : s->h / K;
        row->slope_b[k] = a[1][k] > 1e-12 ? e[1][k] / a[1][k] * (s->h / K) : s->h / K;
        row->u[k] = by * row->u[k] * (1.0 - e[0][k]) + row->slope_u[k] * along[k];
        row->c[k] = by * row->c[k] * (1.0 - e[0][k]) + row->slope_u[k] * around[k];
        row->b[k] = by_blade * row->b[k] * (1.0 - e[1][k]) + row->slope_b[k] * across[k];
    }
}

// --- sums ---------------------------------------------------------------------------------------------------------------------------

/// Sums over a station, about its point of the axis. Sliding along the axis is the motion A = (omega_y, omega_z, v_x), sliding around it R = (omega_x, v_y, v_z): at
/// a node A = (-rho cos, -rho sin, 1) and R = (rho, cos, sin), and pressing is (sin, -cos) in (v_y, v_z).
typedef struct Sums {
    double force[3], moment[3];
    double aa[6], ar[9], rr[6]; ///< slopes: symmetric ones by columns of their lower half, ar by rows of A
} Sums;

/// Tangential forces at a node of radius rho: along the axis and around it.
static void add_tangent(Sums *s, double rho, double sine, double cosine, double along, double around)
{
    s->force[0] += along;
    s->force[1] += around * cosine;
    s->force[2] += around * sine;
    s->moment[0] += rho * around;
    s->moment[1] -= rho * cosine * along;
    s->moment[2] -= rho * sine * along;
}

/// Their slopes, aa A A^T + ar (A R^T + R A^T) + rr R R^T.
static void add_slopes(Sums *s, double rho, double sine, double cosine, double aa, double ar, double rr)
{
    const double y = -rho * cosine, z = -rho * sine, a[3] = {y, z, 1.0}, r[3] = {rho, cosine, sine};
    const double A[6] = {y * y, y * z, y, z * z, z, 1.0};
    const double R[6] = {rho * rho, rho * cosine, rho * sine, cosine * cosine, cosine * sine, sine * sine};
    for (int i = 0; i < 6; i++) {
        s->aa[i] += aa * A[i];
        s->rr[i] += rr * R[i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            s->ar[3 * i + k] += ar * a[i] * r[k];
}

/// Adds a station at x to wrench and slopes at the origin, whose v_y + x omega_z and v_z - x omega_y are the station's v_y and v_z.
static void add_sums(const Sums *s, double x, double wrench[6], double S[6][6])
{
    static const int A[3] = {1, 2, 3}, R[3] = {0, 4, 5}, lower[6][2] = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}};
    double T[6][6] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        wrench[i] += s->moment[i];
        wrench[3 + i] += s->force[i];
    }
    wrench[1] -= x * s->force[2];
    wrench[2] += x * s->force[1];
    for (int i = 0; i < 6; i++) {
        const int r = lower[i][0], c = lower[i][1];
        T[A[r]][A[c]] = T[A[c]][A[r]] = s->aa[i];
        T[R[r]][R[c]] = T[R[c]][R[r]] = s->rr[i];
    }
    for (int i = 0; i < 9; i++)
        T[A[i / 3]][R[i % 3]] = T[R[i % 3]][A[i / 3]] = s->ar[i];
    for (int i = 0; i < 6; i++) {
        T[2][i] += x * T[4][i];
        T[1][i] -= x * T[5][i];
    }
    for (int i = 0; i < 6; i++) {
        T[i][2] += x * T[i][4];
        T[i][1] -= x * T[i][5];
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            S[i][k] += T[i][k];
}

/// One node: pressure, friction, blade.
static void add_node(const Step *s, int station, int k, const RiScrewStresses *x, const Row *row, double area,
                     double damping, Sums *sum, RiScrewStep *out)
{
    const int at = station * s->w->patches + k;
    const double sine = s->at->sine[at], cosine = s->at->cosine[at], m = row->pressed[k], delta = s->at->elastic[at];
    const bool plastic = row->beyond[k] > 0.0;
    const double rise = plastic ? x->rise[k] * cosine : 0.0, damper = m > 0.0 && row->in[k] > 0.0 ? damping : 0.0;
    const double out_force = -area * (m * x->pressure[k] + rise * row->beyond[k] + damper * row->in[k]);
    const double c = s->t.cosine, n = s->t.sine, plug = s->at->plug[at], arm = s->at->arm[at], rho = s->t.radius;
    const double aa = 1.0 - plug * c * c, ar = plug * c * n, rr = 1.0 - plug * n * n; // P
    const double friction = area * row->friction[k], blade = area * row->blade[k], b = blade * row->b[k];
    const double along = -friction * (aa * row->u[k] + ar * row->c[k]);
    sum->force[1] += out_force * sine;
    sum->force[2] -= out_force * cosine;
    add_tangent(sum, arm, sine, cosine, along, -friction * (ar * row->u[k] + rr * row->c[k]));
    add_tangent(sum, rho, sine, cosine, -b * c, b * n);
    out->f.thrust -= b * c;
    out->f.drag += along;
    out->f.limit += area * strength_at(x->strength[0][k], x->strength[1][k], m);
    if (!(s->h > 0.0))
        return;
    const double g = friction * row->slope_u[k], gb = blade * row->slope_b[k];
    const double stiff = area * (s->h * (plastic ? rise : m > 0.0 ? x->pressure[k] / delta : 0.0) + damper);
    add_slopes(sum, arm, sine, cosine, g * (aa * aa + ar * ar), g * ar * (aa + rr), g * (ar * ar + rr * rr));
    add_slopes(sum, rho, sine, cosine, gb * c * c, -gb * c * n, gb * n * n);
    sum->rr[3] += stiff * sine * sine;
    sum->rr[4] -= stiff * sine * cosine;
    sum->rr[5] += stiff * cosine * cosine;
}

/// How far a face is pressed after the step, before bounds.
static double face_after(const Step *s, int end, const double *memory)
{
    const double speed = s->v.x + s->at->face_z * s->omega.y;
    return memory[end] * left_of(memory[FACE_WAS + end], s->at->face[end]) +
           s->h * (end == FRONT ? speed : -speed) / s->at->face_elastic[end];
}

/// Pressed faces at either end.
static void add_faces(const Step *s, const double *memory, double wrench[6], RiScrewStep *out)
{
    for (int end = 0; end < ENDS; end++) {
        const double force = s->at->face[end], z = s->at->face_z;
        if (!(force > 0.0))
            continue;
        const double delta = s->at->face_elastic[end], whole = face_after(s, end, memory);
        const double m = limited(whole, 0.0, 1.0), back = end == FRONT ? -m * force : m * force;
        wrench[3] += back;
        wrench[1] += z * back;
        out->f.drag += back;
        out->stored += 0.5 * force * delta * m * m;
        if (!(s->h > 0.0 && whole > 0.0 && whole < 1.0))
            continue;
        const double slope = s->h * force / delta;
        out->slope[3][3] += slope;
        out->slope[1][3] += slope * z;
        out->slope[3][1] += slope * z;
        out->slope[1][1] += slope * z * z;
    }
}

// --- the contact ------------------------------------------------------------------------------------------------------------------------

/// Places the nodes of a station: false if it is free.
static bool place_station(const Step *s, const RiScrewGround *g, int station, RiScrewPlace *out, RiScrewPlane *plane,
                          unsigned *doubts)
{
    const int n = s->w->patches, padded = (n + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    double low, high, theta[RI_SCREW_PATCH_MAX] = {0.0}, sine[RI_SCREW_PATCH_MAX], cosine[RI_SCREW_PATCH_MAX];
    const double side = g->side[station], along = g->along[station], size = sqrt(1.0 + side * side + along * along);
    *plane = (RiScrewPlane){g->height[station], side, 1.0 / size};
    out->soil[station] = NULL;
    const int arc = g->soil[station] ? ri_screw_arc(s->w, *plane, &low, &high) : 0;
    if (arc == 0)
        return false;
    out->soil[station] = g->soil[station];
    out->step[station] = (high - low) / n;
    for (int k = 0; k < n; k++)
        theta[k] = low + (k + 0.5) * out->step[station];
    s->k->turn(padded, theta, sine, cosine);
    memcpy(out->sine + station * n, sine, (size_t)n * sizeof *sine);
    memcpy(out->cosine + station * n, cosine, (size_t)n * sizeof *cosine);
    *doubts |= arc == 2 ? RI_SCREW_DOUBT_BURIED : 0u;
    *doubts |= fabs(along) > TILT * size ? RI_SCREW_DOUBT_TILT : 0u;
    return true;
}

/// What the face of an end can bear: it presses fresh soil, below the depth to which others have pressed it before, and loads what they did.
static void set_face(const Step *s, const RiScrewGround *g, int end, const RiScrewStresses *x, int station,
                     RiScrewPlace *out)
{
    const RiSoilLaw *law = &out->soil[station]->law;
    const double *delta = out->elastic + station * s->w->patches, before = g->pressed[end], deep = x->deepest;
    const double fresh = before <= 0.0 ? 1.0 : deep > before ? 1.0 - pow(before / deep, law->n0 + 1.0) : 0.0;
    double loading = 0.0;
    for (int k = 0; k < s->w->patches; k++)
        loading += 0.5 * x->pressure[k] * delta[k] * s->w->radius * out->step[station];
    out->face_elastic[end] = delta[s->w->patches / 2];
    out->incoming[end] = limited(1.0 - (before - deep) / out->face_elastic[end], 0.0, 1.0);
    out->face[end] = fresh * x->face + (1.0 - fresh) * out->incoming[end] * loading;
    out->face_z = -s->w->core + 0.5 * limited(deep, 0.0, s->w->core);
}

/// Energy that a row could give back.
static void store_row(const Step *s, int station, const Row *row, RiScrewStep *out)
{
    const double half = 0.5 * s->w->radius * s->at->step[station] * s->w->station_length[station],
                 K = s->at->soil[station]->law.kx;
    for (int k = 0; k < s->w->patches; k++) {
        const int at = station * s->w->patches + k;
        const double m = row->pressed[k], u = row->u[k], c = row->c[k], b = row->b[k];
        out->stored += half * (s->at->pressure[at] * s->at->elastic[at] * m * m +
                               K * (row->friction[k] * (u * u + c * c) + row->blade[k] * b * b));
    }
}

static void add_station(const Step *s, const RiScrewGround *g, int station, const RiScrewPlane *plane, double wrench[6],
                        RiScrewStep *out)
{
    RiScrewPlace *place = &out->place;
    const int n = s->w->patches, first = station * n;
    const RiScrewSoil *soil = place->soil[station];
    RiScrewStresses x;
    Row row;
    ri_screw_stresses(s->k, s->w, &s->t, soil, *plane, n, place->step[station], place->sine + first,
                      place->cosine + first, &x);
    for (int k = 0; k < n; k++) {
        place->elastic[first + k] = fmax(LEAST_ELASTIC, 0.5 * x.pressure[k] / soil->law.unload);
        place->arm[first + k] = x.arm[k];
        for (int full = 0; full < 2; full++) {
            place->friction[full][first + k] = x.friction[full][k];
            place->blade[full][first + k] = x.blade[full][k];
        }
        place->plug[first + k] = x.plug[k];
        place->pressure[first + k] = x.pressure[k];
    }
    if (station == 0 || station == s->w->stations - 1)
        set_face(s, g, station == 0 ? BACK : FRONT, &x, station, place);
    press_row(s, station, &row);
    shear_row(s, station, &row);
    const double area = s->w->radius * place->step[station] * s->w->station_length[station];
    Sums sums = {0};
    for (int k = 0; k < n; k++)
        add_node(s, station, k, &x, &row, area, soil->law.damping, &sums, out);
    add_sums(&sums, s->w->station_x[station], wrench, out->slope);
    store_row(s, station, &row, out);
    out->f.sinkage = fmax(out->f.sinkage, x.deepest);
}

void ri_screw_step(const RiSoilScrew *w, const RiScrewGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiScrewStep *out)
{
    const Step s = begin(w, &out->place, memory, v, omega, h);
    const double thread = omega.x * w->lead * w->hand / (2.0 * M_PI);
    double wrench[6] = {0.0};
    out->f = (RiScrewForce){.slip = ri_wheel_slip(v.x, thread), .sinkage = w->core - w->radius};
    memset(out->slope, 0, sizeof out->slope);
    out->stored = 0.0;
    out->touching = false;
    out->place.face[FRONT] = out->place.face[BACK] = 0.0;
    out->place.incoming[FRONT] = out->place.incoming[BACK] = 1.0;
    const RiScrewSoil *soil = NULL;
    for (int i = 0; i < w->stations; i++) {
        RiScrewPlane plane;
        if (!place_station(&s, ground, i, &out->place, &plane, &out->f.doubts))
            continue;
        add_station(&s, ground, i, &plane, wrench, out);
        soil = out->place.soil[i];
        out->touching = true;
    }
    if (!soil)
        return;
    add_faces(&s, memory, wrench, out);
    for (int i = 0; i < 6; i++)
        for (int k = i + 1; k < 6; k++)
            out->slope[i][k] = out->slope[k][i]; // to the bit
    out->f.moment = ri_vec3(wrench[0], wrench[1], wrench[2]);
    out->f.force = ri_vec3(wrench[3], wrench[4], wrench[5]);
    out->f.torque = -wrench[0];
    out->f.doubts |= ri_screw_doubts(w, soil, out->f.sinkage, out->f.slip);
}

// --- memory -----------------------------------------------------------------------------------------------------------------------------

/// What a row carries along the axis at the end of the step.
static void show_row(const Step *s, int station, const Row *row, RiScrewStep *out)
{
    const double area = s->w->radius * s->at->step[station] * s->w->station_length[station], c = s->t.cosine,
                 n = s->t.sine;
    for (int k = 0; k < s->w->patches; k++) {
        const double plug = s->at->plug[station * s->w->patches + k];
        out->f.thrust -= area * row->blade[k] * row->b[k] * c;
        out->f.drag -= area * row->friction[k] * ((1.0 - plug * c * c) * row->u[k] + plug * c * n * row->c[k]);
    }
}

void ri_screw_remember(const RiSoilScrew *w, RiScrewStep *step, double *memory, RiVec3 v, RiVec3 omega, double h)
{
    const Step s = begin(w, &step->place, memory, v, omega, h);
    const int n = w->patches;
    double next[FIELDS * RI_SCREW_NODE_MAX];
    memset(next, 0, sizeof *next * (size_t)(FIELDS * s.nodes));
    step->f.thrust = step->f.drag = step->stored = 0.0;
    step->f.slip = ri_wheel_slip(v.x, omega.x * w->lead * w->hand / (2.0 * M_PI));
    for (int i = 0; i < w->stations; i++) {
        Row row;
        if (!step->place.soil[i])
            continue;
        press_row(&s, i, &row);
        shear_row(&s, i, &row);
        show_row(&s, i, &row, step);
        store_row(&s, i, &row, step);
        for (int k = 0; k < n; k++) {
            row.friction[k] *= step->place.step[i];
            row.blade[k] *= step->place.step[i];
        }
        const double *const from[FIELDS] = {row.pressed, row.u, row.c, row.b, row.friction, row.blade};
        for (int f = 0; f < FIELDS; f++)
            memcpy(next + f * s.nodes + i * n, from[f], (size_t)n * sizeof *next);
    }
    for (int end = 0; end < ENDS; end++) {
        const double m = step->place.face[end] > 0.0 ? limited(face_after(&s, end, memory), 0.0, 1.0) : 0.0;
        step->f.drag -= (end == FRONT ? m : -m) * step->place.face[end];
        step->stored += m > 0.0 ? 0.5 * step->place.face[end] * step->place.face_elastic[end] * m * m : 0.0;
        memory[end] = m;
    }
    memcpy(memory + FACE_WAS, step->place.face, sizeof step->place.face);
    memcpy(memory + HEAD, next, (size_t)(FIELDS * s.nodes) * sizeof *next);
}
