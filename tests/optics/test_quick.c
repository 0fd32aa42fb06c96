// SPDX-License-Identifier: Apache-2.0
/// \file
/// Quick pictures beside the paths that they replace; equal bits on all instruction sets.
#include "check.h"

#include <math.h>
#include <string.h>

#include <rille/camera.h>
#include <rille/context.h>

#include "base/memory.h"
#include "base/rng.h"
#include "optics/quick.h"
#include "optics/tracer.h"

enum { WIDE = 100, HIGH = 70, CELLS = 200 };

static RiContext *ctx;

/// Waves of ground under a camera, with balls, a mirror box and a box of metal on it.
typedef struct Stage {
    RiRaster *raster;
    RiTerrain *terrain;
    RiRayScene *scene;
    RiOpticSurface *surfaces;
    RiLight *light;
    RiCamera camera;
    RiTraceJob job;
} Stage;

static bool lens(const void *user, double x, double y, const double u[3], RiRay *out)
{
    const Stage *s = user;
    RiVec3 o, d;
    (void)u;
    if (!ri_camera_ray(&s->camera, x, y, &o, &d))
        return false;
    *out = (RiRay){.origin = {0.0, 0.0, 2.0},
                   .direction = {d.z * cos(0.3) - d.y * sin(0.3), -d.x, -d.y * cos(0.3) - d.z * sin(0.3)},
                   .far = INFINITY,
                   .mask = RI_RAY_PHYSICAL};
    return true;
}

static void add_body(Stage *s, const char *material, RiRayShapeType type, RiVec3 at)
{
    const float grey[3] = {0.4f, 0.3f, 0.2f};
    RiRayShape shape = {.type = type, .pose = ri_pose_identity(), .size = {0.4, 0.5, 0.6}};
    RiPose pose = {ri_mat3_identity(), at};
    int body;
    CHECK(ri_ray_scene_add_surface(s->scene, material, grey, &shape.surface) == RI_OK);
    CHECK(ri_ray_scene_add_body(s->scene, material, 0, RI_RAY_PHYSICAL, &body) == RI_OK);
    CHECK(ri_ray_scene_add_shape(s->scene, body, &shape) == RI_OK);
    ri_ray_scene_set_pose(s->scene, body, &pose);
}

static bool open_stage(Stage *s, RiCamera camera)
{
    RiHeightsDef def = ri_heights_def_default();
    RiLightDef light = {.sky = RI_SKY_MARS, .tau = 0.5, .ground_albedo = 0.2, .disc_count = 1};
    *s = (Stage){.camera = camera};
    if (ri_ray_scene_create(ctx, &s->scene) == RI_ERR_UNSUPPORTED)
        return false;
    light.discs[0] = ri_disc_sun(ri_vec3(0.48, 0.64, 0.6), 1.52);
    CHECK(ri_raster_create(ctx, CELLS + 1, CELLS + 1, 0.1, 0.1, &s->raster) == RI_OK);
    s->raster->x0 = s->raster->y0 = -0.05 * CELLS;
    for (int i = 0; i < (CELLS + 1) * (CELLS + 1); i++)
        s->raster->values[i] = (float)(0.2 * sin(0.05 * (i % (CELLS + 1))) * cos(0.08 * (i / (CELLS + 1))));
    def.raster = s->raster, def.edge = RI_EDGE_STOP;
    CHECK(ri_terrain_create_heights(ctx, &def, &s->terrain) == RI_OK);
    CHECK(ri_ray_scene_set_ground(s->scene, &(RiRayGroundDef){.terrain = s->terrain, .reach = 30.0}) == RI_OK);
    add_body(s, "plain", RI_RAY_SPHERE, ri_vec3(4.0, 0.5, 0.4));
    add_body(s, "mirror", RI_RAY_BOX, ri_vec3(5.0, -1.0, 0.5));
    add_body(s, "steel", RI_RAY_BOX, ri_vec3(5.0, 2.0, 0.5));
    CHECK(ri_ray_scene_update(s->scene) == RI_OK);
    int count;
    CHECK(ri_camera_check(ctx, "camera", &s->camera) == RI_OK);
    CHECK(ri_light_create(ctx, &light, &s->light) == RI_OK);
    CHECK(ri_surfaces_of_scene(ctx, s->scene, NULL, &s->surfaces, &count) == RI_OK);
    s->job = (RiTraceJob){.world = ri_ray_world(s->scene),
                          .surfaces = s->surfaces,
                          .surface_count = count,
                          .light = s->light,
                          .ray = lens,
                          .plain = true,
                          .camera = s,
                          .width = WIDE,
                          .height = HIGH};
    return true;
}

static void close_stage(Stage *s)
{
    ri_light_destroy(s->light);
    ri_release(ctx, s->surfaces);
    ri_ray_scene_destroy(s->scene);
    ri_terrain_destroy(s->terrain);
    ri_raster_destroy(s->raster);
}

static void take(const Stage *s, int samples, int threads, bool light_only, float *out)
{
    RiTraceOptions o = ri_trace_options_default();
    RiFrame *f = NULL;
    o.tracer = RI_TRACER_WHITTED, o.samples = samples, o.threads = threads, o.light_only = light_only;
    REQUIRE_OK(ctx, ri_frame_create(ctx, WIDE, HIGH, &f));
    REQUIRE_OK(ctx, ri_trace(ctx, &s->job, &o, f));
    ri_frame_radiance(f, out);
    ri_frame_destroy(f);
}

/// Part of the pixels that differ by more than one in a hundred, and rms of the others over the
/// mean of the picture.
static double differing(const float *a, const float *b, double *out_rms)
{
    double sum = 0.0, square = 0.0;
    int many = 0;
    for (int i = 0; i < 3 * WIDE * HIGH; i++) {
        const double d = fabs((double)a[i] - (double)b[i]);
        sum += (double)b[i];
        if (d > 0.01 * (double)b[i])
            many++;
        else
            square += d * d;
    }
    const double n = 3.0 * WIDE * HIGH;
    *out_rms = sqrt(square / n) / (sum / n);
    return many / n;
}

static void compare(RiCamera camera, int samples)
{
    static float quick[3 * WIDE * HIGH], slow[3 * WIDE * HIGH], again[3 * WIDE * HIGH];
    Stage s;
    double rms;
    if (!open_stage(&s, camera)) {
        printf("     this build has no Embree\n");
        return;
    }
    take(&s, samples, 1, true, quick);
    take(&s, samples, 3, true, again);
    take(&s, samples, 1, false, slow);
    CHECK(memcmp(quick, again, sizeof quick) == 0);
    CHECK(memcmp(quick, slow, sizeof quick) != 0); // it did go the quick way
    const double part = differing(quick, slow, &rms);
    printf("     %d samples: %.2f %% of the values differ by more than 1 %%, rms of the others %.1e\n", samples,
           100.0 * part, rms);
    CHECK(part < 0.01); // edges and shadows' edges; normals where the ground bends
    CHECK(rms < 1e-3);
    close_stage(&s);
}

TEST(a_quick_picture_shows_what_paths_show)
{
    compare(ri_camera_pinhole(WIDE, HIGH, 0.8), 1);
    compare(ri_camera_pinhole(WIDE, HIGH, 0.8), 8);
    compare(ri_camera_pinhole(WIDE, HIGH, 0.8), 64);
}

TEST(a_fisheye_is_quick_too)
{
    RiCamera fisheye = ri_camera_pinhole(WIDE, HIGH, 0.8);
    fisheye.model = RI_CAMERA_EQUIDISTANT;
    fisheye.fx = fisheye.fy = WIDE;
    compare(fisheye, 2);
}

/// A tile of surfaces seen and lit from everywhere.
static void fill_tile(RiQuickTile *t)
{
    RiRng rng = ri_rng_stream(7, "quick");
    memset(t, 0, sizeof *t);
    for (int i = 0; i < RI_QUICK; i++) {
        for (int k = 0; k < 3; k++) {
            t->origin[k][i] = (float)(10.0 * ri_rng_uniform(&rng));
            t->normal[k][i] = (float)ri_rng_normal(&rng);
            t->smooth[k][i] = t->normal[k][i] + 0.2f * (float)ri_rng_normal(&rng);
        }
        t->range[i] = (float)(0.1 + 50.0 * ri_rng_uniform(&rng));
        t->surface[i] = i % 7 == 0 ? RI_QUICK_NOTHING : 0;
    }
}

static void run_kernels(const RiQuickKernels *k, bool h2002, RiQuickTile *t)
{
    RiQuickNodes nodes;
    const float sky[3] = {1.0f, 0.8f, 0.6f};
    const RiQuickSurface s = {.albedo = {0.5f, 0.4f, 0.3f},
                              .hapke = true,
                              .h2002 = h2002,
                              .b = 0.25f,
                              .back = 0.6f,
                              .surge = 1.5f,
                              .width = 0.06f,
                              .fill = 1.2f,
                              .tan_slope = 0.4f,
                              .cot_slope = 2.5f,
                              .chi = 0.8f,
                              .common = 0.1f,
                              .single = 1.3f,
                              .x0 = 0.7f,
                              .x = 0.8f,
                              .log_x0 = 0.9f,
                              .log_x = 0.8f,
                              .amplitude = 0.2f,
                              .octaves = 5,
                              .seed = 3,
                              .coarse = 0.12,
                              .origin = {1000.3, -2000.7, 5.0}};
    const RiQuickDisc d = {
        .R = {1, 0, 0, 0, 0.8f, 0.6f, 0, -0.6f, 0.8f}, .width = 0.01f, .outer = 0.2f, .limb = 0.6f, .light = {1, 1, 1}};
    for (int j = 0; j < RI_QUICK_NODES; j++)
        for (int i = 0; i < RI_QUICK_NODES; i++)
            for (int c = 0; c < 3; c++) {
                nodes.origin[c][j][i] = 0.1f * (float)(i + j + c);
                nodes.direction[c][j][i] = c == 0 ? 1.0f : 0.1f * (float)(c == 1 ? i : j);
            }
    fill_tile(t);
    k->seeds(11, 77, 640, t);
    k->rays(&nodes, t);
    k->begin(&s, 0, sky, t);
    k->toward(&d, 3, 3, t);
    k->receive(&s, 0, &d, t);
}

TEST(all_instruction_sets_give_the_same_bits)
{
    static const char *const names[] = {"generic", "avx2", "avx512"};
    for (int h = 0; h < 2; h++) {
        RiQuickTile want, got;
        run_kernels(ri_quick_kernels(RI_ISA_GENERIC), h == 1, &want);
        double light = 0.0;
        for (int i = 0; i < RI_QUICK; i++)
            light += (double)want.sharp[0][i] + (double)want.soft[0][i];
        CHECK(isfinite(light) && light > 1.0);
        for (int i = 1; i < 3; i++) {
            RiIsa isa;
            if (!ri_isa_find(names[i], &isa))
                continue;
            run_kernels(ri_quick_kernels(isa), h == 1, &got);
            CHECK(memcmp(want.sharp, got.sharp, sizeof want.sharp) == 0);
            CHECK(memcmp(want.soft, got.soft, sizeof want.soft) == 0);
            CHECK(memcmp(want.start, got.start, sizeof want.start) == 0);
            CHECK(memcmp(want.open, got.open, sizeof want.open) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(a_quick_picture_shows_what_paths_show), CASE(a_fisheye_is_quick_too),
                               CASE(all_instruction_sets_give_the_same_bits)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
