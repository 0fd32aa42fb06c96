/* Loads the scene, steps it, reads sensors and sets commands: your program in the loop.
 *
 *     make && ./drive
 */
#include <rille/rille.h>

#include <stdio.h>
#include <stdlib.h>

static void must(RiContext *ctx, RiStatus status)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "%s\n", ri_context_message(ctx));
    exit(1);
}

int main(void)
{
    RiContext *ctx;
    RiScene *scene;
    RiPaths paths;
    RiSceneOptions options = ri_scene_options_default();
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    ri_paths_default(NULL, &paths); /* the library of robots, soils and terrains, as the command finds it */
    ri_paths_use(&paths, &options);
    must(ctx, ri_scene_load(ctx, "scene.yaml", &options, &scene));
    must(ctx, ri_scene_build(scene));

    RiSim *sim = ri_scene_sim(scene);
    RiValues *values = ri_sim_values(sim);
    const int x = ri_values_find(values, "base.x"), slip = ri_values_find(values, "soil.front_left.slip");
    while (ri_sim_time(sim) < ri_scene_duration(scene) && !ri_sim_stopped(sim)) {
        must(ctx, ri_sim_step(sim));
        if (ri_sim_tick(sim) % 500 == 0)
            printf("t = %4.1f s   x = %6.3f m   slip %5.2f\n", ri_sim_time(sim), ri_values_read(values, x),
                   ri_values_read(values, slip));
    }
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return 0;
}
