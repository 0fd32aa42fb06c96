// SPDX-License-Identifier: Apache-2.0
/// \file
/// rille.hpp held to its word: values move, errors have sentences, exceptions come only where asked
/// for.
#define RILLE_EXCEPTIONS
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <rille/rille.hpp>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                               \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static_assert(!std::is_copy_constructible_v<rille::Sim> && std::is_nothrow_move_constructible_v<rille::Sim>);
static_assert(!std::is_copy_constructible_v<rille::Batch> && std::is_nothrow_move_assignable_v<rille::Batch>);
static_assert(rille::Vec3(1, 2, 3) + rille::Vec3(1, 1, 1) == rille::Vec3(2, 3, 4));

static int results()
{
    const auto missing = rille::Sim::load("mer_sandd");
    EXPECT(!missing && missing.error().status == RI_ERR_NOT_FOUND);
    EXPECT(missing.error().message.find("did you mean 'mer_sand'") != std::string::npos);
    const auto bad = rille::Sim::parse("scene: a\nrobot: pendulum\ndurration: 3\n");
    EXPECT(!bad && bad.error().message.find("text.yaml:3") == 0);
    try {
        rille::Sim::load("mer_sandd").or_throw();
        EXPECT(!"thrown");
    } catch (const rille::Exception &e) {
        EXPECT(e.status == RI_ERR_NOT_FOUND && std::strstr(e.what(), "did you mean"));
    }
    return 0;
}

static int simulations()
{
    rille::Sim a = rille::Sim::load("pendulum").or_throw(), b = rille::Sim::load("pendulum").or_throw();
    a.step(100).or_throw();
    b = std::move(a); // frees b's own, in order
    EXPECT(b.tick() == 100 && b.name() == "pendulum");
    EXPECT(b.select("hinge_*.position").size() == 2 && b.select("nothing*").size() == 0);
    EXPECT(!b.set("hinge_1.position", NAN) && !b.set("no.such", 1.0) && !b.get("no.such") && !b.pose("no such link"));
    EXPECT(std::fabs(b.eval("2 * time").or_throw() - 2.0 * b.time()) < 1e-15);
    EXPECT(!b.restore({}) && !b.restore({1e300}) && !b.restore(std::vector<double>(50, 3.0)));
    const auto kept = b.snapshot();
    b.step(10).or_throw();
    const auto hash = b.hash();
    rille::Sim c = rille::Sim::load("pendulum").or_throw();
    c.restore(kept).or_throw();
    c.step(10).or_throw();
    EXPECT(c.hash() == hash);
    EXPECT(b.pose("rod_1") ? b.pose("rod_1")->origin().norm() >= 0.0 : true);
    return 0;
}

static int devices_and_batches()
{
    RiPort port{};
    port.name = "x";
    port.unit = "";
    port.doc = "a number";
    port.high = 1.0;
    const rille::Device thrower("thrower", "Throws.", RI_ATTACH_NONE, {port}, [](RiDeviceCall &) { throw 1; });
    rille::Options options;
    options.devices = {&thrower};
    auto sim =
        rille::Sim::parse("scene: t\nrobot: pendulum\ndevices: [{name: t, type: thrower}]\n", options).or_throw();
    const auto stepped = sim.step();
    EXPECT(!stepped && stepped.error().status == RI_ERR_DEVICE && sim.tick() == 0);
    EXPECT(stepped.error().message.find("threw an exception") != std::string::npos);
    auto batch = rille::Batch::load("pendulum", 3).or_throw();
    batch.step(50, 2).or_throw();
    auto alone = rille::Sim::load("pendulum").or_throw();
    alone.step(50).or_throw();
    EXPECT(batch.size() == 3 && ri_sim_hash(batch.sim(2)) == alone.hash());
    EXPECT(!rille::Log::open("no_such_log.mcap"));
    return 0;
}

int main()
{
    const int bad = results() + simulations() + devices_and_batches();
    std::printf("%s\n", bad ? "failed" : "all checks passed");
    return bad;
}
