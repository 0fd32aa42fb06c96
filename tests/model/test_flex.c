// SPDX-License-Identifier: Apache-2.0
/// \file
/// Flexible links against beams: deflection, twist, natural frequencies; and what cutting must keep.
#include <math.h>
#include <string.h>

#include <rille/dynamics.h>
#include <rille/flex.h>
#include <rille/model.h>
#include <rille/robot.h>
#include <rille/scene.h>

#include "check.h"
#include "study/campaign/eigen.h"

static RiContext *ctx;

/// A steel-like rod: 1 m, E I 100 N m^2, G J 80 N m^2, 2 kg.
static const double LENGTH = 1.0, BEND = 100.0, TWIST = 80.0, MASS = 2.0, RADIUS = 0.01;
enum { MOST = 200 };

static RiModel *rod_of(int segments, int modes, int axis, bool bend, bool twist)
{
    RiSpec *spec = NULL;
    RiModel *m = NULL;
    RiLinkSpec link = ri_link_default();
    RiFlexDef def = ri_flex_default();
    const RiMat3 z = ri_inertia_cylinder(MASS, RADIUS, LENGTH);
    link.name = "rod";
    link.mass = MASS;
    (&link.com.x)[axis] = 0.5 * LENGTH;
    for (int i = 0; i < 3; i++)
        link.inertia.m[i][i] = z.m[i == axis ? 2 : 0][i == axis ? 2 : 0];
    def.link = "rod";
    def.axis = axis;
    def.length = LENGTH;
    def.bending[0] = def.bending[1] = bend ? BEND : 0.0;
    def.torsion = twist ? TWIST : 0.0;
    def.segments = segments;
    def.modes = modes;
    CHECK_OK(ctx, ri_spec_create(ctx, "rod", &spec));
    spec->base = RI_BASE_FIXED;
    CHECK_OK(ctx, ri_spec_add_link(spec, &link));
    CHECK_OK(ctx, ri_spec_flex(spec, &def));
    CHECK_OK(ctx, ri_model_create(ctx, spec, NULL, &m));
    ri_spec_destroy(spec);
    return m;
}

static RiModel *rod(int segments, int axis, bool bend, bool twist)
{
    return rod_of(segments, 0, axis, bend, twist);
}

/// The lowest `count` natural frequencies [rad/s] of the robot as it is built: inverse iteration on
/// M x = lambda K x with K diagonal, the modes found before taken out.
static void frequencies(const RiModel *m, int count, double *out)
{
    static double M[MOST * MOST], K[MOST], x[MOST], y[MOST], modes[8][MOST];
    const int n = ri_model_nv(m);
    RiDyn *d = NULL;
    REQUIRE(n > 0 && n <= MOST && count <= 8);
    CHECK_OK(ctx, ri_dyn_create(ctx, m, &d));
    CHECK_OK(ctx, ri_dyn_reserve_mass_matrix(d));
    static double q[MOST];
    CHECK_OK(ctx, ri_dyn_update_position(d, q));
    CHECK_OK(ctx, ri_dyn_mass_matrix(d, M));
    int at = 0;
    for (int j = 0; j < ri_model_joint_count(m); j++) {
        const RiJointInfo joint = ri_model_joint(m, j);
        if (joint.v_index >= 0)
            K[joint.v_index] = joint.spec->stiffness, at++;
    }
    REQUIRE(at == n);
    for (int k = 0; k < count; k++) {
        double lambda = 0.0;
        for (int i = 0; i < n; i++)
            x[i] = 1.0 / (1.0 + i) + (i % (k + 2));
        for (int turn = 0; turn < 400; turn++) {
            for (int p = 0; p < k; p++) { // orthogonal in K
                double dot = 0.0;
                for (int i = 0; i < n; i++)
                    dot += modes[p][i] * K[i] * x[i];
                for (int i = 0; i < n; i++)
                    x[i] -= dot * modes[p][i];
            }
            double size = 0.0;
            for (int i = 0; i < n; i++)
                size += K[i] * x[i] * x[i];
            for (int i = 0; i < n; i++)
                x[i] /= sqrt(size);
            lambda = 0.0;
            for (int i = 0; i < n; i++) {
                y[i] = 0.0;
                for (int c = 0; c < n; c++)
                    y[i] += M[i * n + c] * x[c];
                lambda += x[i] * y[i];
            }
            memcpy(modes[k], x, (size_t)n * sizeof *x);
            for (int i = 0; i < n; i++)
                x[i] = y[i] / K[i];
        }
        out[k] = sqrt(1.0 / lambda);
    }
    ri_dyn_destroy(d);
}

/// Cantilever: beta L = 1.875, 4.694, 7.855, in two planes each. The error of the segments is of second
/// order: 0.23 / n^2 for the first mode.
TEST(a_rod_swings_at_the_frequencies_of_a_cantilever)
{
    static const double beta[3] = {1.8751040687, 4.6940911330, 7.8547574382};
    static const double most[3][3] = {{0.027, 0.10, 0.27}, {0.0067, 0.024, 0.04}, {0.0017, 0.0055, 0.009}};
    for (int k = 0; k < 3; k++) {
        const int segments = k == 0 ? 3 : k == 1 ? 6 : 12;
        double w[6] = {0.0};
        RiModel *m = rod(segments, k, true, false);
        frequencies(m, 6, w);
        for (int i = 0; i < 3; i++) {
            const double exact = beta[i] * beta[i] * sqrt(BEND / (MASS / LENGTH)) / (LENGTH * LENGTH);
            printf("     %2d segments, mode %d: %.4f of %.3f rad/s\n", segments, i + 1, w[2 * i] / exact, exact);
            CHECK_CLOSE(w[2 * i] / exact, 1.0, most[k][i]);
            CHECK_CLOSE(w[2 * i + 1] / exact, 1.0, most[k][i]);
        }
        ri_model_destroy(m);
    }
}

/// Twist: pi/2 sqrt(G J L / I) / L with the polar inertia I of the whole rod.
TEST(a_rod_twists_at_the_frequency_of_a_shaft)
{
    double w[1] = {0.0};
    RiModel *m = rod(12, 0, false, true);
    frequencies(m, 1, w);
    const double exact = 0.5 * M_PI * sqrt(TWIST / (LENGTH * 0.5 * MASS * RADIUS * RADIUS));
    CHECK_CLOSE(w[0] / exact, 1.0, 2e-3);
    ri_model_destroy(m);
}

/// A scene after so many ticks; NULL if it cannot be run that far.
static RiScene *run_text(const char *text, int ticks)
{
    RiScene *scene = NULL;
    RiStatus status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    for (int k = 0; k < ticks && status == RI_OK; k++)
        status = ri_sim_step(ri_scene_sim(scene));
    CHECK_OK(ctx, status);
    if (status != RI_OK)
        ri_scene_destroy(scene);
    return status == RI_OK ? scene : NULL;
}

static double eval(RiScene *scene, const char *name)
{
    double x = NAN;
    CHECK_OK(ctx, ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x));
    return x;
}

/// A mast of a template with a camera on top comes to rest under a small force at its tip where
/// F L^3 / 3 E I says, within 1 / 4 n^2, and its frame goes with it.
TEST(a_mast_bends_under_a_force_at_its_tip)
{
    static const char text[] =
        "scene: mast\n"
        "robot: {template: {robot: mast, base: fixed, links: [{name: foot, mass: 1 kg, solid: sphere, size: [0.05]}, "
        "{name: mast, mass: 1 kg, com: [0, 0, 0.5], solid: box, size: [0.02, 0.02, 1], "
        "flexible: {axis: z, length: 1 m, bending: [50, 80], torsion: 20, damping: 0.05 s, segments: 5}}, "
        "{name: head, mass: 0.1 kg, solid: sphere, size: [0.03]}], "
        "joints: [{name: clamp, type: fixed, parent: foot, child: mast}, "
        "{name: neck, type: fixed, parent: mast, child: head, origin: {xyz: [0, 0, 1]}}], "
        "frames: [{name: tip, link: mast, origin: {xyz: [0, 0, 1]}}]}}\n"
        "gravity: none\ntick: 2 ms\nduration: 10 s\n"
        "springs: [{name: pull, link: head, anchor: [1000, 0, 1], stiffness: 1e-3 N/m, length: 0}]\n"
        "devices: [{name: imu, type: imu, frame: tip}]\n";
    RiScene *scene = run_text(text, 4000);
    REQUIRE(scene != NULL);
    double bent = 0.0, tip = 0.0; // angles about y, and the tip from the hinges below it
    for (int k = 1; k <= 5; k++) {
        char name[48];
        snprintf(name, sizeof name, "mast_bend_y_%d.position", k);
        bent += eval(scene, name);
        tip += eval(scene, name) * (1.0 - (k - 0.5) / 5.0);
    }
    const double force = 1.0, exact = force / (3.0 * 80.0); // about y is the second axis after z: z, x, y
    CHECK_CLOSE(tip, exact * (1.0 - 1.0 / 100.0), 2e-3 * exact);
    CHECK_CLOSE(bent, force / (2.0 * 80.0), 2e-3 * exact);
    ri_scene_destroy(scene);
}

/// The elastica: a clamped strip with the weight P at its end, P L^2 / E I = 1, 2, 5; its end sinks by w
/// and comes back by u [mattiasson1981].
TEST(a_strip_bends_far_as_the_elastica_does)
{
    static const double exact[3][3] = {{1.0, 0.30172, 0.05643}, {2.0, 0.49346, 0.16064}, {5.0, 0.71379, 0.38763}};
    for (int i = 0; i < 3; i++) {
        char text[1200];
        snprintf(
            text, sizeof text,
            "scene: strip\n"
            "robot: {template: {robot: strip, base: fixed, links: [{name: wall}, {name: strip, mass: 1e-4 kg, com: "
            "[0.5, 0, 0], solid: box, size: [1, 0.02, 0.02], flexible: {axis: x, length: 1 m, bending: [1, 0], "
            "damping: 0.3 s, segments: 16}}, {name: weight, mass: 1 kg, solid: sphere, size: [0.01]}], joints: "
            "[{name: clamp, type: fixed, parent: wall, child: strip}, {name: end, type: fixed, parent: strip, child: "
            "weight, origin: {xyz: [1, 0, 0]}}]}}\n"
            "gravity: [0, 0, %.17g]\ntick: 5 ms\nduration: 60 s\n",
            -exact[i][0]);
        RiScene *scene = run_text(text, 8000);
        REQUIRE(scene != NULL);
        const double w = -eval(scene, "com.z"), u = 1.0 - eval(scene, "com.x");
        printf("     P L^2 / E I = %g: %.4f and %.4f, exact %.4f and %.4f\n", exact[i][0], w, u, exact[i][1],
               exact[i][2]);
        CHECK_CLOSE(w, exact[i][1], 2e-3);
        CHECK_CLOSE(u, exact[i][2], 2e-3);
        ri_scene_destroy(scene);
    }
}

/// Mass, centre of mass and inertia of a link that is cut are those it had.
TEST(cutting_keeps_mass_and_inertia)
{
    RiSpec *spec = NULL;
    RiLinkSpec link = ri_link_default(), plain;
    RiFlexDef def = ri_flex_default();
    link.name = "arm";
    link.mass = 3.0;
    link.com = ri_vec3(0.55, 0.02, -0.01);
    link.inertia = (RiMat3){{{0.02, 0.001, 0.0}, {0.001, 0.3, 0.002}, {0.0, 0.002, 0.31}}};
    plain = link;
    def.link = "arm";
    def.length = 1.0;
    def.bending[0] = 10.0;
    def.segments = 7;
    CHECK_OK(ctx, ri_spec_create(ctx, "arm", &spec));
    CHECK_OK(ctx, ri_spec_add_link(spec, &link));
    CHECK_OK(ctx, ri_spec_flex(spec, &def));
    CHECK_INT(spec->link_count, 8);
    CHECK_INT(spec->joint_count, 7);
    double mass = 0.0, I[3][3] = {{0}};
    RiVec3 com = {0.0, 0.0, 0.0};
    for (int i = 0; i < spec->link_count; i++) {
        const RiLinkSpec *l = &spec->links[i];
        const RiVec3 at = {i > 0 ? (i - 0.5) / 7.0 : 0.0, 0.0, 0.0}, c = ri_add(at, l->com), r = ri_sub(c, plain.com);
        const double v[3] = {r.x, r.y, r.z};
        mass += l->mass;
        com = ri_add(com, ri_scale(l->mass / 3.0, c));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                I[a][b] += l->inertia.m[a][b] + l->mass * ((a == b ? ri_dot(r, r) : 0.0) - v[a] * v[b]);
    }
    CHECK_CLOSE(mass, 3.0, 1e-12);
    CHECK(ri_norm(ri_sub(com, plain.com)) < 1e-12);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            CHECK_CLOSE(I[a][b], plain.inertia.m[a][b], 1e-12);
    ri_spec_destroy(spec);
}

static void refuse(double mass, double com, double length, int segments, const char *part)
{
    RiSpec *spec = NULL;
    RiLinkSpec link = ri_link_default();
    RiFlexDef def = ri_flex_default();
    link.name = "arm";
    link.mass = mass;
    link.com = ri_vec3(com, 0.0, 0.0);
    link.inertia = ri_inertia_box(1.0, ri_vec3(1.0, 0.1, 0.1));
    def.link = "arm";
    def.length = length;
    def.bending[0] = 10.0;
    def.segments = segments;
    CHECK_OK(ctx, ri_spec_create(ctx, "arm", &spec));
    CHECK_OK(ctx, ri_spec_add_link(spec, &link));
    const RiStatus status = ri_spec_flex(spec, &def);
    CHECK(status != RI_OK && strstr(ri_context_message(ctx), part));
    ri_spec_destroy(spec);
}

TEST(what_cannot_be_cut_is_refused_with_the_reason)
{
    refuse(1.0, 0.9, 1.0, 6, "middle third");
    refuse(0.0, 0.5, 1.0, 6, "its mass is 0 kg");
    refuse(1.0, 0.5, 0.0, 6, "length is 0 m");
    refuse(1.0, 0.5, 1.0, 65, "65 segments");
    refuse(1.0, 1.0, 2.0, 6, "alone has");
}

/// All natural frequencies [rad/s] of a rod that bends in one plane, in rising order; returns their number.
/// The springs are linear, so differences of the passive forces are exact.
static int all_frequencies(const RiModel *m, double *out)
{
    enum { N = 64 };
    static double M[N * N], K[N * N], A[N * N], force[2][N], e[N], q[N], zero[N];
    const int n = ri_model_nv(m);
    RiDyn *d = NULL;
    if (n > N)
        abort();
    CHECK_OK(ctx, ri_dyn_create(ctx, m, &d));
    CHECK_OK(ctx, ri_dyn_reserve_mass_matrix(d));
    memset(q, 0, sizeof q);
    CHECK_OK(ctx, ri_dyn_update_position(d, q));
    CHECK_OK(ctx, ri_dyn_mass_matrix(d, M));
    for (int j = 0; j < n; j++) {
        for (int side = 0; side < 2; side++) {
            q[j] = side ? -1e-3 : 1e-3;
            CHECK_OK(ctx, ri_dyn_update_position(d, q));
            ri_dyn_update_velocity(d, zero);
            ri_dyn_passive_forces(d, force[side]);
        }
        q[j] = 0.0;
        for (int i = 0; i < n; i++)
            K[n * i + j] = (force[1][i] - force[0][i]) / 2e-3;
    }
    ri_dyn_destroy(d);
    // K z = w^2 M z with M = V diag(e) V': the eigenvalues of e^-1/2 V' K V e^-1/2
    ri_eigen_symmetric(n, M, e);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    sum += M[n * k + i] * K[n * k + l] * M[n * l + j];
            A[n * i + j] = sum / sqrt(e[i] * e[j]);
        }
    ri_eigen_symmetric(n, A, out);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (out[j] < out[i]) {
                const double swap = out[i];
                out[i] = out[j], out[j] = swap;
            }
    for (int i = 0; i < n; i++)
        out[i] = sqrt(out[i]);
    return n;
}

/// Fewer shapes are stiffer: Ritz's values lie above those of all hinges [rao2011], and come near them fast.
TEST(modes_give_the_frequencies_of_all_hinges_from_above)
{
    static const double first[] = {0.0, 0.28, 5e-3, 4e-4, 2e-6}, second[] = {0.0, 0.0, 0.6, 9e-3, 6e-3};
    double all[64], w[64];
    RiModel *m = rod(32, 0, true, false);
    CHECK_INT(all_frequencies(m, all), 64);
    ri_model_destroy(m);
    for (int modes = 1; modes <= 4; modes++) {
        m = rod_of(32, modes, 0, true, false);
        CHECK_INT(all_frequencies(m, w), 2 * modes);
        for (int plane = 0; plane < 2; plane++) {
            CHECK(w[plane] >= all[plane] * (1.0 - 1e-9) && w[plane] <= all[plane] * (1.0 + first[modes]));
            if (modes > 1)
                CHECK(w[2 + plane] >= all[2 + plane] * (1.0 - 1e-9) &&
                      w[2 + plane] <= all[2 + plane] * (1.0 + second[modes]));
        }
        ri_model_destroy(m);
    }
}

/// Every hinge turned by the same angle: the elastica of a moment at the end, a quarter of a circle, however
/// large. The segments touch a circle in their middles, and both ends lie on it.
TEST(a_rod_with_constant_curvature_is_a_circle)
{
    enum { N = 32 };
    static double q[2 * N];
    const double turn = 0.5 * M_PI / N, radius = LENGTH / N / (2.0 * tan(0.5 * turn));
    RiModel *m = rod(N, 0, true, false);
    RiDyn *d = NULL;
    for (int k = 1; k <= N; k++) {
        char name[32];
        snprintf(name, sizeof name, "rod_bend_y_%d", k);
        q[ri_model_joint(m, ri_model_find_joint(m, name)).q_index] = -turn;
    }
    CHECK_OK(ctx, ri_dyn_create(ctx, m, &d));
    CHECK_OK(ctx, ri_dyn_update_position(d, q));
    const RiVec3 tip = ri_dyn_frame_pose(d, ri_model_find_frame(m, "rod_tip")).p;
    CHECK_CLOSE(tip.x, radius, 1e-12);
    CHECK_CLOSE(tip.z, radius, 1e-12);
    CHECK_CLOSE(radius / (LENGTH / (0.5 * M_PI)), 1.0, turn * turn / 11.9);
    ri_dyn_destroy(d);
    ri_model_destroy(m);
}

static const char MAST[] =
    "<robot name=\"mast\"><link name=\"world\"/><link name=\"rod\"><inertial><origin xyz=\"0.5 0 0\"/>"
    "<mass value=\"0.314\"/><inertia ixx=\"3.04e-6\" iyy=\"0.026169\" izz=\"0.026169\" ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial><visual><origin xyz=\"0.5 0 0\"/><geometry>"
    "<box size=\"1 0.01 0.004\"/></geometry></visual></link><joint name=\"clamp\" type=\"fixed\">"
    "<parent link=\"world\"/><child link=\"rod\"/></joint><rille>%s</rille></robot>";

TEST(an_urdf_cuts_links_and_their_shapes)
{
    char text[1500];
    RiSpec *spec = NULL;
    snprintf(text, sizeof text, MAST,
             "<flexible link=\"rod\" length=\"1\" bending=\"10\" bending2=\"60\" segments=\"5\" modes=\"2\"/>");
    CHECK_OK(ctx, ri_urdf_parse(ctx, "mast.urdf", text, strlen(text), NULL, &spec));
    CHECK_INT(spec->joint_count, 11);
    CHECK_INT(spec->coupling_count, 6);
    CHECK_CLOSE(ri_spec_find_joint(spec, "rod_bend_y_3")->stiffness, 50.0, 1e-9);
    CHECK_CLOSE(ri_spec_find_joint(spec, "rod_bend_z_3")->stiffness, 300.0, 1e-9);
    double length = 0.0;
    for (int i = 0; i < spec->shape_count; i++)
        length += spec->shapes[i].size[0];
    CHECK_INT(spec->shape_count, 6);
    CHECK_CLOSE(length, 1.0, 1e-12);
    ri_spec_destroy(spec);
    spec = NULL;
    snprintf(text, sizeof text, MAST,
             "<flexible link=\"rod\" length=\"1\" bending=\"10\" segments=\"3\" modes=\"4\"/>");
    const RiStatus status = ri_urdf_parse(ctx, "mast.urdf", text, strlen(text), NULL, &spec);
    CHECK(status != RI_OK && strstr(ri_context_message(ctx), "mast.urdf:1") &&
          strstr(ri_context_message(ctx), "4 modes, 0 (every hinge by itself) to 6"));
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_rod_swings_at_the_frequencies_of_a_cantilever),
                               CASE(a_rod_twists_at_the_frequency_of_a_shaft),
                               CASE(a_mast_bends_under_a_force_at_its_tip),
                               CASE(a_strip_bends_far_as_the_elastica_does),
                               CASE(cutting_keeps_mass_and_inertia),
                               CASE(what_cannot_be_cut_is_refused_with_the_reason),
                               CASE(modes_give_the_frequencies_of_all_hinges_from_above),
                               CASE(a_rod_with_constant_curvature_is_a_circle),
                               CASE(an_urdf_cuts_links_and_their_shapes)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
