// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands of `rille`, one function each. The table in main.c has a row for every one.
#ifndef RILLE_APP_COMMANDS_H
#define RILLE_APP_COMMANDS_H

int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_fmu(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_place(int argc, char **argv);
int cmd_keys(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_manual(int argc, char **argv);
int cmd_ros(int argc, char **argv);
int cmd_robot(int argc, char **argv);
int cmd_terrain(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_camera(int argc, char **argv);
int cmd_lidar(int argc, char **argv);
int cmd_contact(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_campaign(int argc, char **argv);
int cmd_time(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
/// Programs of their own, started in place of this one: rille-validate and rille-bench.
int cmd_validate(int argc, char **argv);
int cmd_bench(int argc, char **argv);

#endif
