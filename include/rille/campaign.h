// SPDX-License-Identifier: Apache-2.0
/// \file
/// Many robots of one scene in one process, for fits, gaits and learning: no process per run, no
/// files in between.
///
///     scene, settings --(ri_batch_create)--> RiBatch { K simulations } --(ri_batch_step: threads by robot)--> K states
///
/// All robots share one immutable model and one terrain; each has its own state, devices and ruts.
/// Every robot has the bits that it would have alone, for any number of threads. Neighbours whose
/// scene allows it (implicit method, floating base, no closed loops) step together, their
/// recursions in lanes of vector registers. Values are read
/// and written through each simulation's own table between steps.
///
/// Threads and ownership: a batch belongs to the thread that made it; ri_batch_step starts its own
/// threads and has ended them when it returns. Each robot has a context of its own, since a context
/// belongs to one thread at a time.
#ifndef RILLE_CAMPAIGN_H
#define RILLE_CAMPAIGN_H

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiBatch RiBatch;

/// Builds `count` robots (1 to 100000) from a scene file; `options` may be NULL. Fails with the
/// scene's message.
RI_MUST_CHECK RiStatus ri_batch_create(RiContext *ctx, const char *scene, const RiSceneOptions *options, int count,
                                       RiBatch **out_batch);
/// The same of a scene's text; `path` is used in messages and to find files, as in ri_scene_parse.
RI_MUST_CHECK RiStatus ri_batch_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                      const RiSceneOptions *options, int count, RiBatch **out_batch);
/// Destroys the robots with what they share; NULL does nothing.
void ri_batch_destroy(RiBatch *b);
/// Number of robots.
int ri_batch_count(const RiBatch *b);
/// Robot i; borrowed.
RiSim *ri_batch_sim(const RiBatch *b, int i);

/// Advances every robot by `ticks` control ticks on `threads` threads (at least 1). A robot that
/// stopped or diverged stays where it is; the others go on. The status of the first robot that
/// failed, with its message; ri_batch_status says which.
RI_MUST_CHECK RiStatus ri_batch_step(RiBatch *b, int ticks, int threads);
/// The sentence that belongs to the status of robot i; "" while it is RI_OK.
const char *ri_batch_message(const RiBatch *b, int i);
/// RI_OK, or why robot i does not move any more.
RiStatus ri_batch_status(const RiBatch *b, int i);
/// Puts all robots back to where they started.
RI_MUST_CHECK RiStatus ri_batch_reset(RiBatch *b);

#ifdef __cplusplus
}
#endif
#endif
