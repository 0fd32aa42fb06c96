// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes the log that check.mjs reads: write_sample FILE SAMPLES LEVEL.
#include <stdio.h>
#include <stdlib.h>

#include <rille/record.h>

static RiStatus write_log(RiRecord *r, int samples)
{
    static const char *const names[] = {"arm.elbow.position", "arm.elbow.velocity"}, *const units[] = {"rad", "rad/s"};
    static const char *const frames[] = {"base", "tool_link"};
    int joints, tf, events;
    RI_TRY(ri_record_add_signals(r, "/robot/joints", 2, names, units, &joints));
    RI_TRY(ri_record_add_frames(r, "/tf", "world", 2, frames, &tf));
    RI_TRY(ri_record_add_events(r, "/events", &events));
    RI_TRY(ri_record_event(r, events, 0.0, "started"));
    for (int k = 0; k < samples; k++) {
        const double x[] = {0.5 * k, -k};
        const RiPose poses[] = {ri_pose_identity(), {ri_mat3_identity(), {k, 0.0, 0.0}}};
        RI_TRY(ri_record_signals(r, joints, k / 1000.0, x));
        RI_TRY(ri_record_frames(r, tf, k / 1000.0, poses));
    }
    RI_TRY(ri_record_attach(r, "config.yaml", "text/yaml", "robot: snake\n", 13));
    return ri_record_close(r);
}

int main(int argc, char **argv)
{
    RiContext *ctx = NULL;
    RiRecord *r = NULL;
    if (argc != 4 || ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    RiRecordOptions options = {.chunk_size = 65536, .level = atoi(argv[3])};
    RiStatus status = ri_record_create(ctx, argv[1], &options, &r);
    if (status == RI_OK)
        status = write_log(r, atoi(argv[2]));
    if (status != RI_OK)
        fprintf(stderr, "write_sample: %s\n", ri_context_message(ctx));
    ri_record_destroy(r);
    ri_context_destroy(ctx);
    return status == RI_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
