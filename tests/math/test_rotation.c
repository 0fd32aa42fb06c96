// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "support/robots.h"

static double matrix_difference(const RiMat3 *a, const RiMat3 *b)
{
    return largest_difference(&a->m[0][0], &b->m[0][0], 9);
}

static void check_rotation(const RiMat3 *R)
{
    const RiMat3 Rt = ri_mat3_transpose(R), I = ri_mat3_mul(R, &Rt), want = ri_mat3_identity();
    CHECK_CLOSE(matrix_difference(&I, &want), 0.0, 1e-14);
    const RiVec3 x = ri_mat3_col(R, 0), y = ri_mat3_col(R, 1), z = ri_mat3_col(R, 2);
    CHECK_CLOSE(ri_dot(ri_cross(x, y), z), 1.0, 1e-14);
}

TEST(axis_angle_keeps_the_axis_and_turns_right_handed)
{
    RiRng rng = ri_rng_stream(1, "axis");
    for (int i = 0; i < 1000; i++) {
        const RiVec3 a = random_unit(&rng);
        const double angle = ri_rng_between(&rng, -7.0, 7.0);
        const RiMat3 R = ri_mat3_axis_angle(a, angle);
        check_rotation(&R);
        CHECK_CLOSE(vec3_difference(ri_rotate(&R, a), a), 0.0, 1e-15 * 4);
    }
    const RiMat3 quarter = ri_mat3_axis_angle(ri_vec3(0.0, 0.0, 1.0), acos(0.0));
    CHECK_CLOSE(vec3_difference(ri_rotate(&quarter, ri_vec3(1.0, 0.0, 0.0)), ri_vec3(0.0, 1.0, 0.0)), 0.0, 1e-15);
}

TEST(quaternion_and_matrix_are_the_same_rotation)
{
    RiRng rng = ri_rng_stream(2, "quat");
    for (int i = 0; i < 1000; i++) {
        const RiMat3 A = random_rotation(&rng), B = random_rotation(&rng), AB = ri_mat3_mul(&A, &B);
        const RiQuat a = ri_quat_from_mat3(&A), b = ri_quat_from_mat3(&B);
        const RiMat3 back = ri_quat_to_mat3(a), product = ri_quat_to_mat3(ri_quat_mul(a, b));
        CHECK_CLOSE(matrix_difference(&back, &A), 0.0, 1e-14);
        CHECK_CLOSE(matrix_difference(&product, &AB), 0.0, 1e-14);
    }
}

/// Half turns are where the formulas for the quaternion of a matrix change branches.
TEST(half_turns_survive_the_round_trip)
{
    RiRng rng = ri_rng_stream(3, "half");
    const RiVec3 axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
    for (int i = 0; i < 500; i++) {
        const RiVec3 a = i < 4 ? axes[i] : random_unit(&rng);
        const double angle = 3.14159265358979323846 - (i % 5) * 1e-9;
        const RiMat3 R = ri_mat3_axis_angle(a, angle);
        const RiMat3 back = ri_quat_to_mat3(ri_quat_from_mat3(&R));
        CHECK_CLOSE(matrix_difference(&R, &back), 0.0, 1e-14);
        const RiVec3 r = ri_quat_log(ri_quat_from_mat3(&R));
        const RiMat3 again = ri_quat_to_mat3(ri_quat_exp(r));
        CHECK_CLOSE(matrix_difference(&R, &again), 0.0, 1e-14);
        CHECK(ri_norm(r) <= 3.14159265358979324 + 1e-12);
    }
}

TEST(exponential_and_logarithm_are_inverse)
{
    RiRng rng = ri_rng_stream(4, "exp");
    for (int i = 0; i < 2000; i++) {
        const double size = pow(10.0, ri_rng_between(&rng, -12.0, 0.49));
        const RiVec3 r = ri_scale(size, random_unit(&rng));
        CHECK_CLOSE(vec3_difference(ri_quat_log(ri_quat_exp(r)), r) / size, 0.0, 1e-13);
        RiQuat q = ri_quat_exp(r);
        q.w = -q.w, q.x = -q.x, q.y = -q.y, q.z = -q.z; // the same rotation
        CHECK_CLOSE(vec3_difference(ri_quat_log(q), r) / size, 0.0, 1e-13);
    }
    CHECK(ri_norm(ri_quat_log((RiQuat){1.0, 0.0, 0.0, 0.0})) == 0.0);
}

TEST(roll_pitch_yaw_round_trip_poles_included)
{
    RiRng rng = ri_rng_stream(5, "rpy");
    for (int i = 0; i < 2000; i++) {
        const double pole = 1.5707963267948966;
        const double pitch = i % 10 == 0 ? (i % 20 ? pole : -pole) : ri_rng_between(&rng, -1.57, 1.57);
        const RiMat3 R = ri_mat3_rpy(ri_rng_between(&rng, -3.1, 3.1), pitch, ri_rng_between(&rng, -3.1, 3.1));
        const RiVec3 e = ri_mat3_to_rpy(&R);
        const RiMat3 back = ri_mat3_rpy(e.x, e.y, e.z);
        check_rotation(&R);
        CHECK_CLOSE(matrix_difference(&R, &back), 0.0, 1e-7); // at the poles half of the digits are gone
        if (i % 10)
            CHECK_CLOSE(matrix_difference(&R, &back), 0.0, 1e-12);
    }
    const RiMat3 yaw = ri_mat3_rpy(0.0, 0.0, 1.0), want = ri_mat3_axis_angle(ri_vec3(0.0, 0.0, 1.0), 1.0);
    CHECK_CLOSE(matrix_difference(&yaw, &want), 0.0, 1e-15);
}

TEST(frame_from_z_is_a_rotation_with_that_axis)
{
    RiRng rng = ri_rng_stream(6, "z");
    for (int i = 0; i < 1000; i++) {
        RiVec3 z = random_unit(&rng);
        if (i < 6)
            z = ri_vec3(i / 2 == 0 ? 1 - 2 * (i % 2) : 0, i / 2 == 1 ? 1 - 2 * (i % 2) : 0,
                        i / 2 == 2 ? 1 - 2 * (i % 2) : 0);
        const RiMat3 R = ri_mat3_from_z(z);
        check_rotation(&R);
        CHECK_CLOSE(vec3_difference(ri_mat3_col(&R, 2), z), 0.0, 1e-15);
    }
}

TEST(eigenvectors_rebuild_the_matrix)
{
    RiRng rng = ri_rng_stream(7, "eigen");
    for (int i = 0; i < 1000; i++) {
        const RiMat3 R = random_rotation(&rng), Rt = ri_mat3_transpose(&R);
        const double a = ri_rng_uniform(&rng), b = i % 3 ? a + ri_rng_uniform(&rng) : a;
        const RiMat3 D = {{{b, 0.0, 0.0}, {0.0, a, 0.0}, {0.0, 0.0, b + 1.0}}}, RD = ri_mat3_mul(&R, &D);
        RiMat3 A = ri_mat3_mul(&RD, &Rt), axes;
        double e[3];
        ri_mat3_eigen(&A, e, &axes);
        CHECK(e[0] <= e[1] && e[1] <= e[2]);
        CHECK_CLOSE(e[0], a, 1e-13);
        CHECK_CLOSE(e[2], b + 1.0, 1e-13);
        check_rotation(&axes);
        const RiMat3 E = {{{e[0], 0.0, 0.0}, {0.0, e[1], 0.0}, {0.0, 0.0, e[2]}}}, VE = ri_mat3_mul(&axes, &E),
                     Vt = ri_mat3_transpose(&axes), back = ri_mat3_mul(&VE, &Vt);
        CHECK_CLOSE(matrix_difference(&A, &back), 0.0, 1e-13);
    }
}

TEST(pose_times_its_inverse_is_nothing)
{
    RiRng rng = ri_rng_stream(8, "pose");
    for (int i = 0; i < 200; i++) {
        const RiPose X = random_pose(&rng, 10.0), back = ri_pose_inverse(&X), I = ri_pose_mul(&X, &back);
        const RiMat3 want = ri_mat3_identity();
        CHECK_CLOSE(matrix_difference(&I.R, &want) + ri_norm(I.p), 0.0, 1e-13);
    }
}

TEST_MAIN(CASE(axis_angle_keeps_the_axis_and_turns_right_handed), CASE(quaternion_and_matrix_are_the_same_rotation),
          CASE(half_turns_survive_the_round_trip), CASE(exponential_and_logarithm_are_inverse),
          CASE(roll_pitch_yaw_round_trip_poles_included), CASE(frame_from_z_is_a_rotation_with_that_axis),
          CASE(eigenvectors_rebuild_the_matrix), CASE(pose_times_its_inverse_is_nothing))
