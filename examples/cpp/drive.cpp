// SPDX-License-Identifier: Apache-2.0
/// \file
/// A rover driven from C++, with a device of its own: outside the source tree, against an installed
/// Rille.
///
///     c++ -std=c++17 drive.cpp -o drive $(pkg-config --cflags --libs rille)
#include <cmath>
#include <cstdio>

#include <rille/rille.hpp>

/// Ends the program with the sentence of an error.
static int fail(const rille::Error &error)
{
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
}

/// A spring to a target angle, with a damper, inside the tick.
static rille::Device make_pull()
{
    RiPort target{}, torque{};
    target.name = "target";
    target.unit = "rad";
    target.doc = "angle that it pulls to";
    target.kind = RI_VALUE_INPUT;
    target.low = -10.0;
    target.high = 10.0;
    torque.name = "torque";
    torque.unit = "N*m";
    torque.doc = "on the joint";
    torque.kind = RI_VALUE_OUTPUT;
    torque.action = RI_PORT_EFFORT;
    return rille::Device("pull", "A spring with a damper.", RI_ATTACH_JOINT, {target, torque}, [](RiDeviceCall &call) {
        call.x[1] = 5.0 * (call.x[0] - call.joint_position) - 0.5 * call.joint_velocity;
    });
}

/// A rover on sand for two seconds, by named values.
static int drive()
{
    auto sim = rille::Sim::load("mer_sand", {{{"speed", "3 cm/s"}}, "", {}, ""});
    if (!sim)
        return fail(sim.error());
    const rille::Values slip = sim->select("soil.*.slip");
    auto done = sim->run(1.0);
    const auto kept = sim->snapshot();
    if (done)
        done = sim->run(1.0);
    if (!done)
        return fail(done.error());
    const auto end = sim->hash();
    double mean = 0.0;
    for (const double x : slip.read())
        mean += x / static_cast<double>(slip.size());
    std::printf("%s: x = %.4f m after %.0f s, mean slip %.3f of %zu wheels\n", std::string(sim->name()).c_str(),
                sim->get("base.x").value_or(NAN), sim->time(), mean, slip.size());
    auto again = sim->restore(kept);
    if (again)
        again = sim->run(1.0);
    if (!again)
        return fail(again.error());
    if (sim->hash() != end) {
        std::fprintf(stderr, "the restored run has other bits\n");
        return 1;
    }
    const auto wrong = sim->get("base.xx");
    std::printf("a wrong name: %s\n", wrong.error().message.c_str());
    return 0;
}

int main()
{
    const rille::Device pull = make_pull();
    auto sim = rille::Sim::parse("scene: pull\nrobot: {file: pendulum, set: {rods: 1}}\ngravity: [0, 0, 0]\n"
                                 "devices: [{name: pull, type: pull, joint: hinge_1}]\n",
                                 {{}, "", {&pull}, ""});
    if (!sim)
        return fail(sim.error());
    if (auto set = sim->set("pull.target", "30 deg"); !set)
        return fail(set.error());
    if (auto done = sim->run(20.0); !done)
        return fail(done.error());
    const double angle = sim->get("hinge_1.position").value_or(NAN);
    std::printf("the joint is at %.3f rad, wanted %.3f rad\n", angle, 3.14159265358979 / 6.0);
    if (!(std::fabs(angle - 3.14159265358979 / 6.0) < 1e-3))
        return 1;
    return drive();
}
