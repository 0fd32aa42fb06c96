// SPDX-License-Identifier: Apache-2.0
/// \file
/// The list of built-in classes: what is mounted on a robot, then its own software.
#include <string.h>

#include "device/network/network.h"
#include "onboard/onboard.h"

const RiDeviceClass *ri_device_class(int index)
{
    static const RiDeviceClass *const classes[] = {
        // clang-format off
        &ri_device_pid,
        &ri_device_servo,
        &ri_device_motor,
        &ri_device_profile,
        &ri_device_encoder,
        &ri_device_potentiometer,
        &ri_device_imu,
        &ri_device_inclinometer,
        &ri_device_force_torque,
        &ri_device_clearance,
        &ri_device_bumper,
        &ri_gait_undulate,
        &ri_gait_sidewind,
        &ri_gait_roll,
        &ri_gait_helix,
        &ri_follow_the_leader,
        &ri_screw_allocation,
        &ri_wall_press,
        &ri_trajectory,
        &ri_mission,
        &ri_place_instrument,
        &ri_device_sun_sensor,
        &ri_device_drive_train,
        &ri_locomotion,
        &ri_navigation,
        &ri_pose_estimator,
        &ri_snake_navigation,
        &ri_device_site,
        &ri_device_orbiter,
        &ri_device_earth,
        &ri_device_solar_array,
        &ri_device_rtg,
        &ri_device_battery,
        &ri_device_bus,
        &ri_device_load,
        &ri_device_heater,
        &ri_device_thermal_node,
        &ri_device_conductor,
        &ri_device_radio,
        &ri_device_recorder,
        &ri_device_horizon,
        &ri_device_ground_cover,
        // clang-format on
    };
    return index >= 0 && index < (int)(sizeof classes / sizeof *classes) ? classes[index] : NULL;
}

const RiDeviceClass *ri_device_find(const char *name)
{
    const RiDeviceClass *c;
    for (int i = 0; (c = ri_device_class(i)); i++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
