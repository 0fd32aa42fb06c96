// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands of cameras and lidars: what they write, that their JSON is JSON, and what they
/// refuse.
#define SCRATCH RILLE_BINARY_DIR "/test_cli_optics"
#include "check.h"
#include "cli/run.h"
#include "needs.h"

#define SCENE SCRATCH "/look.yaml"

/// A block that slides over a plane, a camera of the world, a pair and a lidar on its mast.
static const char scene[] =
    "scene: look\n"
    "robot:\n"
    "  template:\n"
    "    robot: block\n"
    "    links: [{name: block, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n"
    "    shapes: [{link: block, type: box, size: [1, 0.5, 0.4]}]\n"
    "    frames: [{name: mast, link: block, origin: {xyz: [0, 0, 1]}}]\n"
    "  base: floating\n"
    "gravity: none\n"
    "tick: 10 ms\n"
    "duration: 1 s\n"
    "initial: {base: {xyz: [0, 0, 1], velocity: [0.5, 0, 0]}}\n"
    "terrain: {template: {kind: plane, material: sand}}\n"
    "contact: none\n"
    "sun: {azimuth: 90 deg, elevation: 40 deg}\n"
    "cameras:\n"
    "  world: {model: pinhole, width: 64, height: 48, field: 60 deg, position: [-5, 0, 1], samples: 1}\n"
    "  left: {model: pinhole, width: 96, height: 72, frame: mast, position: [0, 0.1, 0], rpy: [0, 30 deg, 0], pair: "
    "right}\n"
    "  right: {model: pinhole, width: 96, height: 72, frame: mast, position: [0, -0.1, 0], rpy: [0, 30 deg, 0]}\n"
    "lidars:\n"
    "  spin: {channels: 4, low: -60 deg, high: -20 deg, columns: 90, rate: 10 Hz, frame: mast}\n";

/// Runs a command that must end with `code` and say `word` on standard error.
static void check_says(Run r, int code, const char *word)
{
    CHECK_INT(r.code, code);
    if (!strstr(r.err, word))
        CHECK_FAIL("'%s' does not contain '%s'", r.err, word);
    run_free(&r);
}

static bool starts_with(const char *path, const char *magic, size_t size)
{
    char *text = slurp(path);
    const bool same = memcmp(text, magic, size) == 0;
    free(text);
    return same;
}

TEST(a_shot_writes_picture_and_truth)
{
    NEEDS("embree");
    Run r = RUN("camera", "shot", SCENE, "--camera", "world", "--truth", "-o", SCRATCH "/shot");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "world, pinhole, 64 x 48 at 0 s"));
    run_free(&r);
    CHECK(starts_with(SCRATCH "/shot_world.png", "\x89PNG", 4));
    static const char *const arrays[] = {"depth", "xyz", "normal", "albedo", "link", "soil", "flow", "visible"};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/shot_world_%s.npy", SCRATCH, arrays[i]);
        CHECK(starts_with(path, "\x93NUMPY", 6));
    }
}

/// The picture does not depend on the number of threads, and changes with time.
TEST(a_shot_is_the_same_for_any_number_of_threads)
{
    NEEDS("embree");
    Run one = RUN("camera", "shot", SCENE, "-c", "world", "--threads", "1", "-o", SCRATCH "/one");
    Run two = RUN("camera", "shot", SCENE, "-c", "world", "--threads", "3", "-o", SCRATCH "/two");
    Run later = RUN("camera", "shot", SCENE, "-c", "world", "--at", "0.9", "-o", SCRATCH "/later");
    CHECK(one.code == 0 && two.code == 0 && later.code == 0);
    struct stat a, b;
    CHECK(stat(SCRATCH "/one_world.png", &a) == 0 && stat(SCRATCH "/two_world.png", &b) == 0);
    CHECK(a.st_size == b.st_size && a.st_size > 100);
    char *x = slurp(SCRATCH "/one_world.png"), *y = slurp(SCRATCH "/two_world.png"),
         *z = slurp(SCRATCH "/later_world.png");
    CHECK(memcmp(x, y, (size_t)a.st_size) == 0);
    CHECK(stat(SCRATCH "/later_world.png", &b) == 0 &&
          (a.st_size != b.st_size || memcmp(x, z, (size_t)a.st_size) != 0));
    free(x);
    free(y);
    free(z);
    run_free(&one);
    run_free(&two);
    run_free(&later);
}

TEST(wrong_shots_are_refused)
{
    NEEDS("embree");
    check_says(RUN("camera", "shot", SCENE, "--camera", "wrold"), 2, "no camera 'wrold'");
    check_says(RUN("camera", "shot", SCENE, "--at", "-1"), 2, "--at expects a number from 0");
    check_says(RUN("camera", "shot", SCENE, "--format", "gif"), 2, "png, jpg or exr");
    check_says(RUN("camera", "shot", SCENE, "--threads", "0"), 2, "--threads expects a number from 1 to 64");
    check_says(RUN("camera", "shot", SCRATCH "/none.yaml"), 2, "none.yaml");
    check_says(RUN("camera", "shot", SCENE, "-c", "world", "-o", SCRATCH "/no/folder"), 3, "no/folder");
}

TEST(models_have_rays_and_pixels)
{
    Run all = RUN("camera", "models"), ray = RUN("camera", "models", "HAZFLA", "--json", "--pixel", "100,100");
    CHECK(all.code == 0 && strstr(all.out, "HAZFLA"));
    CHECK_INT(ray.code, 0);
    char *second = strchr(ray.out, '\n');
    REQUIRE(second);
    *second++ = '\0';
    CHECK(json_is_valid(ray.out) && json_is_valid(second));
    CHECK_CLOSE(json_get(ray.out, "width"), 5120.0, 0.0);
    const double d[3] = {json_get(second, "direction[0]"), json_get(second, "direction[1]"),
                         json_get(second, "direction[2]")};
    CHECK_CLOSE(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1.0, 1e-12);
    // A point of the ray is seen at the pixel. The published axes O, used as they are, have unit
    // length to 1e-7 only.
    char point[200];
    snprintf(point, sizeof point, "%.15g,%.15g,%.15g", json_get(second, "origin[0]") + 5.0 * d[0],
             json_get(second, "origin[1]") + 5.0 * d[1], json_get(second, "origin[2]") + 5.0 * d[2]);
    Run back = RUN("camera", "models", "HAZFLA", "--json", "--point", point);
    CHECK_INT(back.code, 0);
    char *line = strchr(back.out, '\n');
    REQUIRE(line);
    CHECK_CLOSE(json_get(line + 1, "sample"), 100.0, 1e-3);
    CHECK_CLOSE(json_get(line + 1, "line"), 100.0, 1e-3);
    check_says(RUN("camera", "models", "NONE"), 2, "no camera 'NONE'");
    check_says(RUN("camera", "models", "--pixel", "1,1"), 2, "NAME of a camera");
    check_says(RUN("camera", "models", "HAZFLA", "--pixel", "1"), 2, "--pixel");
    check_says(RUN("camera", "models", "--file", SCRATCH "/none.csv"), 2, "none.csv");
    run_free(&all);
    run_free(&ray);
    run_free(&back);
}

TEST(calibration_finds_the_camera_again)
{
    Run r = RUN("camera", "calibrate", "--seen-by", "HAZFLA", "--json", "-o", SCRATCH "/fit.csv");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    CHECK(json_get(r.out, "rms_px") < 0.01 && json_get(r.out, "used") > 1000.0);
    Run again = RUN("camera", "models", "--file", SCRATCH "/fit.csv");
    CHECK(again.code == 0 && strstr(again.out, "cahvore"));
    run_free(&r);
    run_free(&again);
    const char bad[] = "X,Y,Z,sample,line\n1,2,nan,4,5\n", few[] = "X,Y,Z,sample,line\n1,2,3,4,5\n";
    write_file(SCRATCH "/bad.csv", bad, sizeof bad - 1);
    write_file(SCRATCH "/few.csv", few, sizeof few - 1);
    check_says(RUN("camera", "calibrate", SCRATCH "/bad.csv", "--start", "HAZFLA"), 2, "bad.csv:2: column 'Z'");
    check_says(RUN("camera", "calibrate"), 2, "--seen-by NAME is needed");
    check_says(RUN("camera", "calibrate", "--seen-by", "HAZFLA", "--model", "fish"), 2, "cahv, cahvor, cahvore");
    Run little = RUN("camera", "calibrate", SCRATCH "/few.csv", "--start", "HAZFLA");
    CHECK((little.code == 1 || little.code == 2) && *little.err);
    run_free(&little);
}

TEST(a_scan_writes_clouds)
{
    NEEDS("embree");
    Run r = RUN("lidar", "scan", SCENE, "--json", "-o", SCRATCH "/cloud.ply");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    CHECK_CLOSE(json_get(r.out, "shots"), 360.0, 0.0);
    CHECK_CLOSE(json_get(r.out, "returns"), 360.0, 0.0); // a plane, all beams look down
    CHECK(starts_with(SCRATCH "/cloud.ply", "ply\n", 4));
    Run pcd = RUN("lidar", "scan", SCENE, "--lidar", "spin", "--world", "-o", SCRATCH "/cloud.pcd");
    CHECK(pcd.code == 0 && strstr(pcd.out, "360 shots, 360 returns"));
    char *head = slurp(SCRATCH "/cloud.pcd");
    CHECK(strstr(head, "POINTS 360"));
    free(head);
    run_free(&r);
    run_free(&pcd);
    check_says(RUN("lidar", "scan", SCENE, "--lidar", "spni"), 2, "no lidar 'spni'");
    Run wrong = RUN("lidar", "scan", SCENE, "-o", SCRATCH "/cloud.txt");
    CHECK_INT(wrong.code, 2); // refused before anything is scanned
    CHECK(strstr(wrong.err, ".pcd or .ply") && !*wrong.out);
    run_free(&wrong);
}

TEST(view_draws_a_scene_with_rays)
{
    NEEDS("embree");
    Run r = RUN("view", SCENE, "--png", SCRATCH "/view.png", "--renderer", "rays", "--size", "160x90");
    CHECK_INT(r.code, 0);
    CHECK(starts_with(SCRATCH "/view.png", "\x89PNG", 4));
    run_free(&r);
    check_says(RUN("view", SCENE, "--png", SCRATCH "/view.png", "--renderer", "raze"), 2, "page or rays");
    check_says(RUN("view", SCRATCH "/none.yaml", "--png", SCRATCH "/view.png", "--renderer", "rays"), 2, "none.yaml");
}

TEST(a_drive_through_stereo_gives_a_map)
{
    NEEDS("embree");
    Run r = RUN("terrain", "from-stereo", SCENE, "--model", "--json", "--every", "0.5", "-o", SCRATCH "/dem.asc");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    CHECK_CLOSE(json_get(r.out, "pairs"), 3.0, 0.0);
    CHECK(json_get(r.out, "cells_with_height") > 500.0);
    CHECK(fabs(json_get(r.out, "mean_error")) < 0.05 && json_get(r.out, "rms_error") < 0.2);
    CHECK(starts_with(SCRATCH "/dem.asc", "ncols", 5));
    run_free(&r);
    check_says(RUN("terrain", "from-stereo", SCENE, "--camera", "world"), 2, "has no 'pair'");
    check_says(RUN("terrain", "from-stereo", SCENE, "--camera", "wrold"), 2, "wrold");
    check_says(RUN("terrain", "from-stereo", SCENE, "--cell", "0"), 2, "--cell expects a number from 0.001");
    check_says(RUN("terrain", "from-stereo", SCENE, "--model", "-o", SCRATCH "/dem.xyz"), 2, "dem.xyz");
}

/// The ground just before a hazard camera is nearer, along the camera's axis, than what a narrow camera
/// sees; matched with too few disparities it came to lie metres deep.
TEST(wide_cameras_match_the_ground_close_to_them)
{
    NEEDS("embree");
    Run r = RUN("terrain", "from-stereo", "mer_hazcam", "--camera", "hazcam_left", "--to", "0", "--far", "3", "--json",
                "-o", SCRATCH "/close.asc");
    CHECK_INT(r.code, 0);
    CHECK(fabs(json_get(r.out, "mean_error")) < 0.03 && json_get(r.out, "rms_error") < 0.2);
    CHECK(json_get(r.out, "cells_with_height") > 3000.0 && json_get(r.out, "within_1cm") > 0.5);
    run_free(&r);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {
        CASE(a_shot_writes_picture_and_truth),
        CASE(a_shot_is_the_same_for_any_number_of_threads),
        CASE(wrong_shots_are_refused),
        CASE(models_have_rays_and_pixels),
        CASE(calibration_finds_the_camera_again),
        CASE(a_scan_writes_clouds),
        CASE(view_draws_a_scene_with_rays),
        CASE(a_drive_through_stereo_gives_a_map),
        CASE(wide_cameras_match_the_ground_close_to_them),
    };
    run_setup();
    write_file(SCENE, scene, sizeof scene - 1);
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
