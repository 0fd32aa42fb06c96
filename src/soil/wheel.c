// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soils and wheels made ready for the law, and the parts of it that closed forms and steps share.
/// Equation numbers are those of ARTEMIS [trease2011].
#include "soil/wheel.h"
#include "base/functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- a soil --------------------------------------------------------------------------------------

/// Takes x, or what is assumed in its place.
static double given(double x, double otherwise, unsigned flag, RiSoilLaw *law)
{
    if (!isnan(x))
        return x;
    law->assumed |= flag;
    return otherwise;
}

static RiStatus check_soil(RiContext *ctx, const RiSoil *s, double width, double gravity)
{
    const struct {
        const char *name;
        double x;
    } needed[] = {
        {"n", s->n}, {"kphi", s->kphi}, {"kc", s->kc}, {"cohesion", s->cohesion}, {"friction angle", s->friction}};
    if (s->form == RI_SOIL_HARD)
        return ri_error(ctx, RI_ERR_ARGUMENT, "'%s' is hard ground, not a soil that a wheel sinks into", s->name);
    enum { SINKAGE = 3 }; // numbers of the pressure, which a law of its own does without
    for (size_t i = s->law ? SINKAGE : 0; i < sizeof needed / sizeof *needed; i++)
        if (isnan(needed[i].x))
            return ri_error(ctx, RI_ERR_ARGUMENT, "soil '%s': its source gives no %s, which the wheel-soil law needs",
                            s->name, needed[i].name);
    if (!(width > 0.0) || !(gravity > 0.0) || !isfinite(width) || !isfinite(gravity))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil '%s': a wheel width of %g m and a gravity of %g m/s^2; both must be "
                        "positive",
                        s->name, width, gravity);
    if (!s->law && !isnan(s->n1) && !(s->n + s->n1 > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil '%s': n %g and n1 %g give an exponent of %g at full slip; it must stay above 0", s->name,
                        s->n, s->n1, s->n + s->n1);
    if (!(s->friction < 1.5))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil '%s': a friction angle of %g rad; the law holds below 1.5", s->name,
                        s->friction);
    return RI_OK;
}

/// Where a law keeps what a soil may give besides.
static double *place_of(RiSoilLaw *law, RiSoilKey key)
{
    switch (key) {
    case RI_SOIL_N1_SKID:
        return &law->n1_skid;
    case RI_SOIL_N_BETA:
        return &law->n_beta;
    case RI_SOIL_KX_BETA:
        return &law->kx_beta;
    case RI_SOIL_KY_BETA:
        return &law->ky_beta;
    case RI_SOIL_A1_SKID:
        return &law->a1_skid;
    case RI_SOIL_A0_BETA:
        return &law->a0_beta;
    case RI_SOIL_A1_BETA:
        return &law->a1_beta;
    case RI_SOIL_EXIT0:
        return &law->exit0;
    case RI_SOIL_EXIT1:
        return &law->exit1;
    case RI_SOIL_BULLDOZING:
        return &law->bulldozing;
    case RI_SOIL_PLOUGHING:
        return &law->ploughing;
    case RI_SOIL_COUPLED:
    case RI_SOIL_KEY_COUNT:
        break;
    }
    return NULL;
}

static void take_more(const RiSoilMore *more, RiSoilLaw *law)
{
    law->given = more->given;
    for (int i = 0; i < RI_SOIL_COUPLED; i++)
        if (more->given & 1u << i)
            *place_of(law, (RiSoilKey)i) = more->at[i];
    if (more->given & 1u << RI_SOIL_COUPLED)
        law->coupled = more->at[RI_SOIL_COUPLED] != 0.0;
}

/// Pressure-sinkage k (z / unit)^n of a soil that check_soil has passed.
static void set_modulus(const RiSoil *s, double width, double gravity, RiSoilLaw *law)
{
    switch (s->form) {
    case RI_SOIL_BEKKER:
        law->k = s->kc / width + s->kphi; // equation 1
        law->unit = 1.0;
        return;
    case RI_SOIL_REECE: { // (c kc + gamma b kphi) (z / b)^n, gamma at the gravity of the measurement, if that is known
        const double weight = isnan(s->gravity) ? law->unit_weight : law->unit_weight / gravity * s->gravity;
        law->k = s->cohesion * s->kc + weight * width * s->kphi;
        law->unit = width;
        return;
    }
    case RI_SOIL_HARD: // check_soil refuses it
        return;
    }
}

RiStatus ri_soil_law_init(RiContext *ctx, const RiSoil *s, double width, double gravity, RiSoilLaw *out_law)
{
    RI_TRY(check_soil(ctx, s, width, gravity));
    RiSoilLaw law = {.n0 = s->n,
                     .cohesion = s->cohesion,
                     .tan_phi = ri_tan(s->friction),
                     .bulldozing = 1.0,
                     .unload = 2e7,
                     .unload_time = 4e-3,
                     .base_depth = INFINITY,
                     .thickness = INFINITY,
                     .share = 1.0,
                     .shear_lag = 0.05,
                     .slip_most = 0.76,
                     .angle_most = 61.0 * M_PI / 180.0,
                     .ploughing = 1.0,
                     .bearing = ri_bearing_factors(s->friction),
                     .passive = ri_passive_factor(s->friction)};
    law.n1 = law.n1_skid = given(s->n1, 0.0, RI_ASSUMED_N1, &law);
    law.kx = given(s->kx, 0.02, RI_ASSUMED_KX, &law);
    law.ky = given(s->ky, law.kx, RI_ASSUMED_KY, &law);
    law.unit_weight = gravity * given(s->density, 1500.0, RI_ASSUMED_DENSITY, &law);
    law.a0 = given(s->a0, 0.4, RI_ASSUMED_A0, &law);
    law.a1 = law.a1_skid = given(s->a1, 0.15, RI_ASSUMED_A1, &law);
    take_more(&s->more, &law);
    set_modulus(s, width, gravity, &law);
    if (s->law) {
        law.plugin = s->law;
        law.plugin_numbers = s->law_numbers;
        law.plugin_width = width;
        law.plugin_gravity = gravity;
        law.n0 = law.k = law.unit = 1.0; // not asked
        law.n1 = law.n1_skid = 0.0;
        law.stacked = true;
    }
    if (!(law.k > 0.0) || !isfinite(law.k))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil '%s': kc %g and kphi %g give no positive stiffness for a wheel of %g m", s->name, s->kc,
                        s->kphi, width);
    *out_law = law;
    return RI_OK;
}

// --- a wheel -------------------------------------------------------------------------------------

enum { SLICES = 5, PATCHES = 16 };

RiStatus ri_soil_wheel_init_profile(RiContext *ctx, double width, int slices, const double *radii,
                                    RiSoilWheel *out_wheel)
{
    RiSoilWheel w = {.width = width, .slices = slices, .patches = PATCHES, .panels = 1};
    if (!(width > 0.0) || !(width < 100.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "a wheel of width %g m; it must be positive and below 100 m", width);
    if (slices < 1 || slices > RI_SLICE_MAX)
        return ri_error(ctx, RI_ERR_ARGUMENT, "a wheel of %d slices; 1 to %d are allowed", slices, RI_SLICE_MAX);
    for (int i = 0; i < slices; i++) {
        if (!(radii[i] > 0.0) || !(radii[i] < 100.0))
            return ri_error(ctx, RI_ERR_ARGUMENT,
                            "slice %d of a wheel has the radius %g m; it must be positive and below "
                            "100 m",
                            i, radii[i]);
        w.slice_radius[i] = radii[i];
        w.slice_width[i] = width / slices;
        w.slice_y[i] = width * ((i + 0.5) / slices - 0.5);
        w.radius = radii[i] > w.radius ? radii[i] : w.radius;
    }
    *out_wheel = w;
    return RI_OK;
}

RiStatus ri_soil_wheel_init(RiContext *ctx, double radius, double width, double crown, int slices,
                            RiSoilWheel *out_wheel)
{
    double radii[RI_SLICE_MAX];
    const int n = slices == 0 ? SLICES : slices;
    if (!(crown >= 0.0) || (crown > 0.0 && !(crown >= 0.5 * width)))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "a wheel of width %g m with a crown of %g m; 0 (flat) or at least half the "
                        "width is allowed",
                        width, crown);
    for (int i = 0; i < n && i < RI_SLICE_MAX; i++) {
        const double y = width * ((i + 0.5) / n - 0.5);
        radii[i] = radius - (crown > 0.0 ? crown - sqrt(crown * crown - y * y) : 0.0);
    }
    RI_TRY(ri_soil_wheel_init_profile(ctx, width, n, radii, out_wheel));
    out_wheel->radius = radius;
    return RI_OK;
}

double ri_wheel_slip(double v, double rim)
{
    const double size_v = fabs(v), size_rim = fabs(rim);
    if (size_v == 0.0 && size_rim == 0.0)
        return 0.0;
    // same sense: 1 - v / rim (driving), rim / v - 1 (braking); opposite: 1 + v / rim, -rim / v -
    // 1, where v / rim < 0 (equations 21)
    return size_rim >= size_v ? 1.0 - size_v / size_rim : size_rim / size_v - 1.0;
}

// --- parts of the law ----------------------------------------------------------------------------

RiSliding ri_soil_sliding(double slip, double sine)
{
    RiSliding x = {.slip = slip, .slide = fabs(slip)};
    if (sine == 0.0)
        return x;
    const double cosine = sqrt(fmax(0.0, 1.0 - sine * sine)), straight = 1.0 - fabs(slip);
    const double square = slip * slip + 2.0 * straight * (1.0 - cosine);
    x.beta = ri_asin(sine);
    x.slide = square < 1.0 ? sqrt(square) : 1.0;
    return x;
}

double ri_soil_exponent(const RiSoilLaw *soil, const RiSliding *x)
{
    const double slip = x->slip;
    const double straight = soil->n0 + (slip < 0.0 ? -soil->n1_skid : soil->n1) * slip; // equation 22
    return straight + soil->n1 * (x->slide - fabs(slip)) + soil->n_beta * x->beta;
}

double ri_soil_middle(const RiSoilLaw *soil, const RiSliding *x)
{
    const double a0 = soil->a0 + soil->a0_beta * x->beta,
                 a1 = (x->slip < 0.0 ? soil->a1_skid : soil->a1) + soil->a1_beta * x->beta;
    const double share = a0 + a1 * x->slip + soil->a1 * (x->slide - fabs(x->slip)); // equation 2, where l is the slip i
    return share < 0.0 ? 0.0 : share > 0.95 ? 0.95 : share;
}

double ri_soil_exit(const RiSoilLaw *soil, double r, double entry, double slip)
{
    double angle = (soil->exit0 + soil->exit1 * slip) * entry;
    if (soil->rebound > 0.0) {
        const double h = r * (1.0 - ri_cos(entry)), back = 1.0 - soil->rebound * h / r;
        angle -= ri_acos(back < 0.0 ? 0.0 : back);
    }
    return angle > 0.0 ? 0.0 : angle < -entry ? -entry : angle;
}

/// Points and weights of Gauss and Legendre on [0, 1].
static const double point[RI_PANEL_POINTS] = {0.01985507175123188, 0.10166676129318664, 0.23723379504183550,
                                              0.40828267875217510, 0.59171732124782490, 0.76276620495816450,
                                              0.89833323870681336, 0.98014492824876812};
static const double share[RI_PANEL_POINTS] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894364,
                                              0.18134189168918100, 0.18134189168918100, 0.15685332293894364,
                                              0.11119051722668724, 0.05061426814518813};

void ri_nodes_run(int panels, double *out_square, double *out_rate)
{
    for (int i = 0; i < panels * RI_PANEL_POINTS; i++) {
        const double t = (i / RI_PANEL_POINTS + point[i % RI_PANEL_POINTS]) / panels;
        out_square[i] = t * t;
        out_rate[i] = 2.0 * t * share[i % RI_PANEL_POINTS] / panels;
    }
}

/// Angles and weights. Either part is run through by t in [0, 1] with theta = end + (middle - end)
/// t^2: the stress grows like a power of the distance from the end, which that makes smooth enough
/// for Gauss's rule.
static void place_nodes(const RiArc *arc, int panels, RiNodes *out)
{
    double square[RI_NODE_MAX / 2], rate[RI_NODE_MAX / 2];
    const double front = arc->entry - arc->middle, back = arc->middle - arc->exit, area = arc->b * arc->r;
    ri_nodes_run(panels, square, rate);
    for (int i = 0; i < out->half; i++) {
        out->theta[i] = arc->entry - front * square[i];
        out->theta[out->half + i] = arc->exit + back * square[i];
        out->weight[i] = area * front * rate[i];
        out->weight[out->half + i] = area * back * rate[i];
    }
}

/// Pressure to which soil has been pressed before.
static double virgin(const RiNodeKernels *kernels, const RiSoilLaw *soil, double n, const RiArc *arc)
{
    return soil->stacked ? ri_stack_pressure(kernels, soil, &arc->sliding, arc->packed, arc->packed)
                         : soil->k * ri_pow(arc->packed / soil->unit, n);
}

/// Normal stress and its slope from depths. Soil that has been pressed before gives its old
/// pressure back within an elastic stretch; hard ground under thin soil adds its own.
static void press(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiArc *arc, double n, RiNodes *out)
{
    const bool packed = arc->packed > 0.0;
    const double stretch = packed ? virgin(kernels, soil, n, arc) / soil->unload : 1.0;
    for (int i = 0; i < out->half; i++) {
        const double z = out->depth[i];
        out->slope[i] = packed && z < stretch ? 1.0 + arc->packed / stretch : 1.0;
        out->depth[i] = packed ? z + arc->packed * fmin(1.0, z / stretch) : z;
    }
    if (soil->stacked) {
        double slope[RI_NODE_MAX / 2];
        ri_stack_press(kernels, soil, &arc->sliding, arc->packed, out->half, out->depth, out->sigma, slope);
        for (int i = 0; i < out->half; i++)
            out->slope[i] *= slope[i];
    } else {
        kernels->power(out->half, out->depth, soil->unit, n, soil->k, out->sigma);
        for (int i = 0; i < out->half; i++)
            out->slope[i] *= out->depth[i] > 0.0 ? n * out->sigma[i] / out->depth[i] : 0.0;
    }
    for (int i = 0; i < out->half && soil->base_depth < arc->r; i++)
        if (out->depth[i] > soil->base_depth) {
            out->sigma[i] += soil->base_stiffness * (out->depth[i] - soil->base_depth);
            out->slope[i] += soil->base_stiffness;
        }
}

void ri_nodes_fill(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiArc *arc, double n, int panels,
                   RiNodes *out)
{
    out->half = panels * RI_PANEL_POINTS;
    place_nodes(arc, panels, out);
    kernels->turn(2 * out->half, out->theta, out->sine, out->cosine);
    // z = r (cos theta - cos theta_f), as a product that does not cancel
    double half[RI_NODE_MAX], sines[RI_NODE_MAX], unused[RI_NODE_MAX];
    for (int i = 0; i < out->half; i++) {
        half[i] = 0.5 * (arc->entry + out->theta[i]);
        half[out->half + i] = 0.5 * (arc->entry - out->theta[i]);
    }
    kernels->turn(2 * out->half, half, sines, unused);
    for (int i = 0; i < out->half; i++)
        out->depth[i] = 2.0 * arc->r * sines[i] * sines[out->half + i] + arc->over;
    press(kernels, soil, arc, n, out);
}

double ri_soil_side_wall(const RiSoilLaw *soil, double r, double entry, double *out_arm)
{
    // f(x) = sqrt(r^2 - x^2) - z0 over |x| <= X; integrals of f, f^2 and of the arm z0 + f / 2
    const double s = ri_sin(entry), c = ri_cos(entry), z0 = r * c, X = r * s;
    const double f1 = r * r * (entry - s * c), f2 = 2.0 * r * r * X - 2.0 * X * X * X / 3.0 - 2.0 * z0 * r * r * entry;
    *out_arm = f1 > 0.0 ? z0 + 0.5 * f2 / f1 : r;
    return soil->bulldozing * (soil->unit_weight * soil->bearing.Ng * f2 + soil->cohesion * soil->bearing.Nc * f1);
}

double ri_soil_grouser(const RiSoilWheel *w, const RiSoilLaw *soil)
{
    if (w->grousers <= 0)
        return 0.0;
    const double h = w->grouser_height;
    const double one =
        (0.5 * soil->unit_weight * h * h * soil->passive + 2.0 * soil->cohesion * h * sqrt(soil->passive)) *
        ri_cos(w->grouser_angle);
    return one * w->grousers / (2.0 * M_PI);
}

void ri_soil_wheel_lock_lugs(RiSoilWheel *w)
{
    static const double WEDGE = 1.7320508075688772; // tan(45 deg + phi / 2) at 30 degrees
    const double h = w->grouser_height, reach = WEDGE * h * w->grousers / (2.0 * M_PI * w->radius);
    if (w->grousers <= 0 || !(h > 0.0) || w->locked > 0.0)
        return;
    w->locked = reach < 1.0 ? reach : 1.0;
    for (int i = 0; i < w->slices; i++)
        w->slice_radius[i] += w->locked * h;
    w->radius += w->locked * h;
}

double ri_soil_lug_gain(const RiSoilWheel *w, const RiSoilLaw *soil, double *out_more)
{
    *out_more = 0.0;
    if (w->locked == 0.0)
        return 1.0;
    const double high = w->grouser_height / w->width, friction = 0.64 * high * ri_atan(1.0 / high);
    *out_more = w->locked * soil->cohesion * (2.0 * high - friction);
    return 1.0 + w->locked * friction;
}

double ri_soil_front(const RiSoilWheel *w, const RiSoilLaw *soil, double h)
{
    return soil->ploughing * soil->unit_weight * soil->bearing.Ng * w->width * h * h;
}

double ri_soil_ploughed(double slip)
{
    return slip > 0.0 ? sqrt(1.0 - slip) : 1.0;
}

double ri_soil_directed(double vx, double vy, double rim)
{
    static const double SPIN = 0.5; // a rim that spins carries the soil back and so has a front, however it moves
    static const double STRAIGHT =
        0.99; // up to here it is as good as straight on: some 12 degrees for a wheel that rolls
    const double along = fabs(vx) + SPIN * fabs(rim), square = along * along, all = square + vy * vy;
    return square >= STRAIGHT * STRAIGHT * all ? 1.0 : along / (STRAIGHT * sqrt(all));
}

unsigned ri_soil_doubts(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, const RiSliding *x)
{
    return (sinkage > 0.5 * w->radius ? RI_DOUBT_SINKAGE : 0u) |
           (fabs(x->slip) > soil->slip_most ? RI_DOUBT_SLIP : 0u) | (x->beta > soil->angle_most ? RI_DOUBT_ANGLE : 0u);
}
