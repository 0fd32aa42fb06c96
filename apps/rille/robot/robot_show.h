// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot show` in two parts: text (robot_show.c) and JSON (robot_show_json.c).
#ifndef RILLE_APP_ROBOT_SHOW_H
#define RILLE_APP_ROBOT_SHOW_H

#include "robot/robot.h"

void robot_show_json(const Robot *r);

#endif
