// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything: include this one, or the header of the noun you need.
#ifndef RILLE_RILLE_H
#define RILLE_RILLE_H

#include <rille/checkpoint.h>
#include <rille/cone.h>
#include <rille/cone_file.h>
#include <rille/contact.h>
#include <rille/context.h>
#include <rille/device.h>
#include <rille/dynamics.h>
#include <rille/ground.h>
#include <rille/math.h>
#include <rille/melt.h>
#include <rille/mesh.h>
#include <rille/model.h>
#include <rille/place.h>
#include <rille/record.h>
#include <rille/report.h>
#include <rille/robot.h>
#include <rille/scene.h>
#include <rille/sim.h>
#include <rille/spec.h>
#include <rille/stance.h>
#include <rille/status.h>
#include <rille/synthesis.h>
#include <rille/terrain.h>
#include <rille/terrain_file.h>
#include <rille/values.h>
#include <rille/version.h>
#include <rille/view.h>

#endif
