// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the variable server: any bytes, in any pieces, from a client that is let in.
/// Every request is answered, and ticks that are asked for are made; nothing is written to files.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/scene.h>

#include "link/serve_work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "scene: s\nrobot:\n  template:\n    robot: p\n    base: fixed\n    links:\n      - {name: base}\n"
    "      - {name: rod, mass: 1, com: [0, 0, -1], solid: sphere, size: [0.1]}\n    joints:\n"
    "      - {name: hinge, type: continuous, parent: base, child: rod, axis: y}\nduration: 10\noutside: 2\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static RiContext *ctx;
    static RiScene *scene;
    static RiServe s;
    if (!ctx) {
        if (ri_context_create(NULL, &ctx) != RI_OK ||
            ri_scene_parse(ctx, NULL, scene_text, sizeof scene_text - 1, NULL, &scene) != RI_OK ||
            ri_scene_build(scene) != RI_OK)
            abort();
    }
    const RiAllocator memory = ri_plain_memory();
    s = (RiServe){.ctx = ctx, .memory = memory, .sim = ri_scene_sim(scene), .local = -1, .tcp = -1};
    memcpy(s.token, "0123456789abcdef", 17);
    for (int i = 0; i < SERVE_CLIENTS; i++)
        s.clients[i].fd = -1;
    ServeClient *c = &s.clients[0];
    c->fd = 1000; // never touched here
    if (!ri_session_open(&s, c, size == 0 || data[0] != 'x'))
        abort();
    const size_t piece = size > 1 ? 1 + data[1] % 64 : 1;
    for (size_t at = 0; at < size && !c->closing;) {
        const size_t n = size - at < piece ? size - at : piece;
        (void)ri_session_feed(&s, c, data + at, n);
        at += n;
        for (int k = 0; s.ticks_wanted > 0; k++) {
            if (ri_sim_step(s.sim) != RI_OK) {
                ri_session_stepped(&s, ri_context_message(ctx));
                break;
            }
            ri_session_sample(&s);
            if (--s.ticks_wanted == 0 || k == 20)
                ri_session_stepped(&s, NULL);
        }
        while (ri_session_feed(&s, c, NULL, 0) && s.stepper != c && !c->closing)
            ;
        c->out.size = 0;
        s.running = false;
    }
    ri_session_close(&s, c);
    return 0;
}
