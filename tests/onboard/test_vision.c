// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wedge of range points: exact on a plane, with the error that was asked for, and blind behind
/// rocks.
#include "device/drive.h"
#include "onboard/drive/vision.h"

/// Ground at z = 0 and a wall from x = 2 to 2.5 m, 0.4 m high.
static double walled(const RiDeviceCall *call, RiVec3 o, RiVec3 u, double most)
{
    (void)call;
    double r = u.z < 0.0 ? -o.z / u.z : INFINITY;
    const double front = (2.0 - o.x) / u.x;
    if (u.x > 0.0 && o.z + front * u.z < 0.4 && o.z + front * u.z > 0.0)
        r = fmin(r, front);
    const double top = (0.4 - o.z) / u.z;
    if (u.z < 0.0 && o.x + top * u.x >= 2.0 && o.x + top * u.x <= 2.5)
        r = fmin(r, top);
    return r <= most ? r : INFINITY;
}

static RiDeviceCall call_at(double z)
{
    RiDeviceCall call = {.normal = drive_normal, .seed = 3, .ground_ray = walled, .frame_pose = ri_pose_identity()};
    call.frame_pose.p.z = z;
    return call;
}

static const RiWedge hazcam = {.at = {0.3, 0.0, 0.6},
                               .pitch = 0.6,
                               .across = 2.0,
                               .upright = 1.2,
                               .columns = 40,
                               .rows = 40,
                               .least = 0.2,
                               .most = 6.0};

TEST(points_without_error_lie_on_the_ground_in_the_rovers_axes)
{
    static RiVec3 p[4096];
    const RiDeviceCall call = call_at(0.1);
    const int n = ri_vision_wedge(&call, &hazcam, 0, p, 4096);
    CHECK(n > 1000);
    for (int i = 0; i < n; i++) {
        const bool ground = fabs(p[i].z + 0.1) < 1e-12, front = fabs(p[i].x - 2.0) < 1e-12,
                   top = fabs(p[i].z - 0.3) < 1e-12;
        CHECK(ground || front || top);
    }
}

/// The ray over the wall's far upper edge comes down at x = 2.5 + 0.4 * 2.2 / 0.3: nothing nearer
/// behind the wall is seen.
TEST(ground_behind_a_wall_is_hidden)
{
    static RiVec3 p[4096];
    const RiDeviceCall call = call_at(0.1);
    const int n = ri_vision_wedge(&call, &hazcam, 0, p, 4096);
    int behind = 0;
    for (int i = 0; i < n; i++)
        if (p[i].z < -0.09 && p[i].x > 2.5) {
            behind++;
            CHECK(p[i].x > 2.5 + 0.4 * 2.2 / 0.3 - 1e-9);
        }
    CHECK(behind > 0);
}

TEST(range_errors_grow_with_the_square_of_the_range)
{
    static RiVec3 exact[4096], noisy[4096];
    RiDeviceCall call = call_at(0.1);
    RiWedge w = hazcam;
    const int n = ri_vision_wedge(&call, &w, 0, exact, 4096);
    w.error = 0.01;
    CHECK_INT(ri_vision_wedge(&call, &w, 0, noisy, 4096), n);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double r = ri_norm(ri_sub(exact[i], w.at)), off = ri_norm(ri_sub(noisy[i], w.at)) - r;
        sum += off * off / (r * r * r * r);
    }
    CHECK_CLOSE(sqrt(sum / n), 0.01, 0.01 * 4.0 / sqrt(2.0 * n)); // four deviations of a deviation
}

TEST(missing_points_have_their_share_and_equal_seeds_give_equal_points)
{
    static RiVec3 all[4096], a[4096], b[4096];
    RiDeviceCall call = call_at(0.1);
    RiWedge w = hazcam;
    const int n = ri_vision_wedge(&call, &w, 0, all, 4096);
    w.missing = 0.3;
    const int m = ri_vision_wedge(&call, &w, 0, a, 4096);
    CHECK_CLOSE((double)m / n, 0.7, 4.0 * sqrt(0.21 / n));
    CHECK_INT(ri_vision_wedge(&call, &w, 0, b, 4096), m);
    CHECK(memcmp(a, b, (size_t)m * sizeof *a) == 0);
    call.update = 1;
    CHECK(ri_vision_wedge(&call, &w, 0, b, 4096) != m || memcmp(a, b, (size_t)m * sizeof *a) != 0);
}

TEST(a_stripe_measures_heights_and_misses_what_is_too_deep)
{
    RiDeviceCall call = call_at(0.0);
    const RiVec3 eye = ri_vec3(0.3, 0.0, 0.6);
    CHECK_CLOSE(ri_vision_stripe(&call, eye, ri_vec3(1.0, 0.2, 0.0), 0.0, 0.0, 0), 0.0, 1e-12);
    CHECK_CLOSE(ri_vision_stripe(&call, eye, ri_vec3(3.0, 0.0, 0.0), 0.0, 0.0, 0), 0.6 * (1.0 - 1.7 / 2.7),
                1e-12); // the wall
    call.frame_pose.p.z = 5.0;
    CHECK(isnan(ri_vision_stripe(&call, eye, ri_vec3(1.0, 0.0, 0.0), 0.0, 0.0, 0)));
}

TEST_MAIN(CASE(points_without_error_lie_on_the_ground_in_the_rovers_axes), CASE(ground_behind_a_wall_is_hidden),
          CASE(range_errors_grow_with_the_square_of_the_range),
          CASE(missing_points_have_their_share_and_equal_seeds_give_equal_points),
          CASE(a_stripe_measures_heights_and_misses_what_is_too_deep))
