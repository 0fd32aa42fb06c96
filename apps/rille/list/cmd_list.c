// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille list scenes|robots|soils|terrains`: what comes with the program, scenes in groups with
/// what they need.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"

typedef enum Group { ROVER_SOIL, ROVER_ROCK, SOLS, SNAKE_ICE, EXACT, BENCH, OTHER, GROUPS } Group;

static const char *const titles[GROUPS] = {[ROVER_SOIL] = "Rovers on soil",
                                           [ROVER_ROCK] = "Rovers on rock and hard ground",
                                           [SOLS] = "Sols: power, heat, radio",
                                           [SNAKE_ICE] = "Snakes on ice",
                                           [EXACT] = "Exact contact",
                                           [BENCH] = "Test benches",
                                           [OTHER] = "Others"};

/// A scene's group, and what it needs beyond the core ("": nothing). A scene without a row is among
/// the others.
static const struct {
    const char *name;
    Group group;
    const char *needs;
} rows[] = {
    {"curiosity_autonav_dingo_gap", ROVER_ROCK, "data in RILLE_DATA"},
    {"curiosity_dingo_gap", ROVER_ROCK, "data in RILLE_DATA"},
    {"curiosity_dingo_gap_soil", ROVER_SOIL, "data in RILLE_DATA"},
    {"dead_wheel", ROVER_SOIL, ""},
    {"drive_arc", ROVER_SOIL, ""},
    {"fido_mosaic", ROVER_SOIL, ""},
    {"fido_tilt_table", ROVER_SOIL, ""},
    {"mer_gestalt_sand", ROVER_SOIL, ""},
    {"mer_sand", ROVER_SOIL, ""},
    {"mer_slip_stop", ROVER_SOIL, ""},
    {"rock_and_sand", ROVER_SOIL, ""},
    {"rover_park", ROVER_SOIL, ""},
    {"crater_rim_map", ROVER_SOIL, "GDAL"},
    {"rover_ripple", ROVER_SOIL, "GDAL"},
    {"rover_ripple_stuck", ROVER_SOIL, "GDAL"},
    {"santa_maria", ROVER_SOIL, ""},
    {"spirit_four_wheels", ROVER_SOIL, ""},
    {"spirit_four_wheels_rough", ROVER_ROCK, ""},
    {"spirit_high_centred", ROVER_SOIL, ""},
    {"spirit_stick_slip", ROVER_SOIL, ""},
    {"spirit_troy", ROVER_SOIL, ""},
    {"exomars_slope", ROVER_ROCK, ""},
    {"mer_cul_de_sac", ROVER_ROCK, ""},
    {"mer_drive", ROVER_ROCK, ""},
    {"mer_gestalt", ROVER_ROCK, ""},
    {"mer_rocks", ROVER_ROCK, ""},
    {"nav_blocked", ROVER_ROCK, ""},
    {"place_instrument", ROVER_ROCK, ""},
    {"rover_drop", ROVER_ROCK, ""},
    {"rover_step", ROVER_ROCK, ""},
    {"rover_suspension", ROVER_ROCK, ""},
    {"rover_tip_over", ROVER_ROCK, ""},
    {"mer_mast_shake", ROVER_ROCK, ""},
    {"sojourner_garden", ROVER_ROCK, ""},
    {"sojourner_ramp", ROVER_ROCK, ""},
    {"mer_sol", SOLS, ""},
    {"mer_dead_bus", SOLS, ""},
    {"climb_walls", SNAKE_ICE, ""},
    {"climb_walls_enceladus", SNAKE_ICE, ""},
    {"coil", SNAKE_ICE, ""},
    {"crescent", SNAKE_ICE, ""},
    {"crescent_enceladus", SNAKE_ICE, ""},
    {"dangle_tube", SNAKE_ICE, ""},
    {"descend_moulin", SNAKE_ICE, "Embree"},
    {"eels_head_on", SNAKE_ICE, ""},
    {"eels_scanned_channel", SNAKE_ICE, ""},
    {"eels_u_channel", SNAKE_ICE, ""},
    {"embed", SNAKE_ICE, ""},
    {"follow_the_leader", SNAKE_ICE, ""},
    {"pipe", SNAKE_ICE, ""},
    {"roll", SNAKE_ICE, ""},
    {"place_tube", SNAKE_ICE, ""},
    {"snake_channel", SNAKE_ICE, ""},
    {"snake_ice", SNAKE_ICE, ""},
    {"place_walls", SNAKE_ICE, ""},
    {"sidewind", SNAKE_ICE, ""},
    {"snake_sand", SNAKE_ICE, ""},
    {"undulate", SNAKE_ICE, ""},
    {"bouncing_ball", EXACT, ""},
    {"box_stack", EXACT, ""},
    {"contact_models", EXACT, ""},
    {"euler_disk", EXACT, ""},
    {"exomars_rough", EXACT, ""},
    {"exomars_step", EXACT, ""},
    {"exomars_traction", EXACT, ""},
    {"glued_box", EXACT, ""},
    {"newton_cradle", EXACT, ""},
    {"painleve_rod", EXACT, ""},
    {"pile", EXACT, ""},
    {"rocking_block", EXACT, ""},
    {"slider_crank", EXACT, ""},
    {"woodpecker", EXACT, ""},
    {"arm_hold", BENCH, ""},
    {"cantilever", BENCH, ""},
    {"ball_over_dunes", BENCH, ""},
    {"imu_rest", BENCH, ""},
    {"pendulum", BENCH, ""},
    {"screw_testbed", BENCH, ""},
    {"snake_free", BENCH, ""},
    {"snake_servo", BENCH, ""},
    {"stiff_spring", BENCH, ""},
    {"wheel_crust", BENCH, ""},
    {"wheel_cmu", BENCH, ""},
    {"wheel_testbed", BENCH, ""},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int find_row(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

typedef struct Printing {
    Group group;
    bool any;
} Printing;

static void print_scene(void *user, const char *name, const char *about)
{
    Printing *p = user;
    const int row = find_row(name);
    if ((row < 0 ? OTHER : rows[row].group) != p->group)
        return;
    if (!p->any)
        printf("%s%s\n", p->group == ROVER_SOIL ? "" : "\n", titles[p->group]);
    p->any = true;
    if (strlen(name) < 26)
        printf("  %-26s", name);
    else
        printf("  %s\n%28s", name, "");
    cli_print_wrapped(about, 28);
    if (row >= 0 && *rows[row].needs)
        printf("%28sNeeds %s.\n", "", rows[row].needs);
}

static CliExit list_scenes(void)
{
    CliExit code = CLI_DONE;
    for (Group g = 0; g < GROUPS && code == CLI_DONE; g++) {
        Printing p = {.group = g};
        code = cli_each_scene(print_scene, &p);
    }
    return code;
}

static CliExit list_robots(void)
{
    CliRobot *robots = NULL;
    int count = 0;
    char folder[PATH_MAX];
    if (!cli_list_robots(&robots, &count)) {
        free(robots);
        return cli_no_memory();
    }
    cli_robots_folder(folder);
    if (count)
        printf("Robots (in %s):\n", folder);
    else
        printf("No robots were found; set RILLE_ROBOTS to the folder that holds them.\n");
    for (int i = 0; i < count; i++)
        printf("  %-16s %s\n", robots[i].name, robots[i].about);
    free(robots);
    return CLI_DONE;
}

/// `rille terrain WORD`, which has these lists.
static int terrain_command(const char *word)
{
    char program[] = "rille terrain", copy[16];
    snprintf(copy, sizeof copy, "%s", word);
    char *argv[] = {program, copy, NULL};
    return cmd_terrain(2, argv);
}

int cmd_list(int argc, char **argv)
{
    static const char *const kinds[] = {"scenes", "robots", "soils", "terrains"};
    const char *word = argc == 2 ? argv[1] : "";
    if (strcmp(word, "scenes") == 0)
        return list_scenes();
    if (strcmp(word, "robots") == 0)
        return list_robots();
    if (strcmp(word, "soils") == 0)
        return terrain_command("soils");
    if (strcmp(word, "terrains") == 0)
        return terrain_command("info");
    if (cli_wants_description(argc, argv)) {
        printf("U\tscenes|robots|soils|terrains\nD\tLists what comes with the program.\n");
        return CLI_DONE;
    }
    const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0;
    if (help) {
        printf("Usage: rille list scenes|robots|soils|terrains\nLists what comes with the program.\n");
        return CLI_DONE;
    }
    const char *near = *word ? ri_nearest_name(word, kinds, 4) : NULL;
    cli_error("rille list expects one of scenes, robots, soils, terrains%s%s%s", *word ? ", not '" : "", word,
              *word ? "'" : "");
    if (near)
        cli_error("did you mean '%s'?", near);
    return CLI_BAD_INPUT;
}
