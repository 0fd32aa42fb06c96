// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subsystems solved together: books that close, limits, shedding, death and dawn, thermostats,
/// shadows, radios; and what is refused.
#include "device/network/assembly.h"

#include "check.h"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct Rig {
    RiContext *ctx;
    RiArena arena;
    RiAssembly a;
    RiSunDef place;
    RiNetworkWorld w;
    int site, bus, array, battery, load, box, heater;
} Rig;

static Rig *begin(RiWorld world)
{
    Rig *r = calloc(1, sizeof *r);
    if (!r || ri_context_create(NULL, &r->ctx) != RI_OK)
        exit(1);
    ri_arena_init(&r->arena, r->ctx);
    ri_assembly_init(&r->a);
    r->place = (RiSunDef){
        .world = world, .moves = world != RI_WORLD_UNKNOWN, .latitude = -2.28 * degree, .longitude = -5.5 * degree};
    if (r->place.moves)
        CHECK_OK(r->ctx, ri_sun_date(r->ctx, "2018-05-29T09:00:00", r->place.utc));
    r->w = (RiNetworkWorld){.place = &r->place};
    return r;
}

static void end(Rig *r)
{
    ri_arena_free(&r->arena);
    ri_context_destroy(r->ctx);
    free(r);
}

static double *ports(Rig *r, int member)
{
    return r->a.x[member];
}

/// A rover of a few parts: site, bus, array, battery, a load, a box with a heater.
static Rig *rover(void)
{
    Rig *r = begin(RI_WORLD_MARS);
    r->site = ri_assembly_add(&r->a, &ri_device_site, -1, -1, -1);
    r->bus = ri_assembly_add(&r->a, &ri_device_bus, -1, -1, -1);
    r->box = ri_assembly_add(&r->a, &ri_device_thermal_node, -1, -1, -1);
    r->array = ri_assembly_add(&r->a, &ri_device_solar_array, r->bus, -1, -1);
    r->battery = ri_assembly_add(&r->a, &ri_device_battery, r->bus, r->box, -1);
    r->load = ri_assembly_add(&r->a, &ri_device_load, r->bus, r->box, -1);
    r->heater = ri_assembly_add(&r->a, &ri_device_heater, r->bus, r->box, -1);
    double *node = ports(r, r->box);
    node[NODE_CAPACITY] = 40000.0;
    node[NODE_AREA] = 0.4;
    ports(r, r->load)[LOAD_POWER] = 15.0;
    ports(r, r->load)[LOAD_ASLEEP] = 1.0;
    return r;
}

static void run(Rig *r, double seconds, double dt)
{
    ri_assembly_run(&r->a, &r->w, seconds, dt);
}

TEST(the_ledger_of_a_sol_closes_and_so_does_the_heat_balance)
{
    Rig *r = rover();
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    ports(r, r->bus)[BUS_EFFICIENCY] = 0.9;
    ports(r, r->battery)[BATTERY_AGEING] = 0.01;
    run(r, 88775.0, 25.0);
    const double *bus = ports(r, r->bus), *battery = ports(r, r->battery);
    CHECK(bus[BUS_GENERATED] > 5e5 && bus[BUS_USED] > 5e5 && battery[BATTERY_LOSS] > 0.0);
    CHECK_CLOSE(bus[BUS_RESIDUAL], 0.0, 1e-9);
    CHECK_CLOSE(ports(r, r->box)[NODE_RESIDUAL], 0.0, 1e-9);
    const double turned = bus[BUS_GENERATED];
    CHECK_CLOSE(bus[BUS_GENERATED] - bus[BUS_USED] - bus[BUS_LOST] - battery[BATTERY_STORED] - battery[BATTERY_LOSS],
                0.0, 1e-6 * turned);
    CHECK_CLOSE(bus[BUS_USED], ports(r, r->load)[LOAD_USED] + ports(r, r->heater)[HEATER_USED], 1e-9 * turned);
    CHECK_CLOSE(bus[BUS_GENERATED], ports(r, r->array)[ARRAY_ENERGY], 1e-9 * turned);
    CHECK(battery[BATTERY_AGED] < 1.0);
    end(r);
}

TEST(stored_energy_is_that_of_the_charge)
{
    Rig *r = rover();
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    run(r, 50000.0, 50.0);
    const double k = (32.8 - 24.0) / 36000.0, q0 = 36000.0, q1 = ports(r, r->battery)[BATTERY_CHARGE];
    const double E0 = 24.0 * q0 + 0.5 * k * q0 * q0, E1 = 24.0 * q1 + 0.5 * k * q1 * q1;
    CHECK_CLOSE((ports(r, r->battery)[BATTERY_STORED] - (E1 - E0)) / E0, 0.0, 1e-10);
    end(r);
}

TEST(long_steps_equal_short_ones_within_a_thousandth)
{
    static const double steps[2] = {30.0, 1.0};
    double soc[2], T[2], used[2], ground[2];
    for (int k = 0; k < 2; k++) {
        Rig *r = rover();
        CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
        run(r, 60000.0, steps[k]);
        soc[k] = ports(r, r->battery)[BATTERY_SOC];
        T[k] = ports(r, r->box)[NODE_TEMPERATURE];
        used[k] = ports(r, r->bus)[BUS_GENERATED];
        ground[k] = ports(r, r->site)[SITE_GROUND];
        end(r);
    }
    CHECK_CLOSE(T[0] / T[1], 1.0, 1e-3);
    CHECK_CLOSE(used[0] / used[1], 1.0, 1e-3);
    CHECK_CLOSE(soc[0], soc[1], 1e-3);
    CHECK_CLOSE(ground[0] / ground[1], 1.0, 1e-3);
}

TEST(loads_are_shed_by_priority_and_the_bus_dies_and_comes_back_at_dawn)
{
    Rig *r = rover();
    const int vital = ri_assembly_add(&r->a, &ri_device_load, r->bus, -1, -1);
    ports(r, vital)[LOAD_POWER] = 8.0;
    ports(r, vital)[LOAD_PRIORITY] = 0.0;
    ports(r, r->load)[LOAD_PRIORITY] = 7.0;
    ports(r, r->load)[LOAD_POWER] = 40.0;
    ports(r, r->heater)[HEATER_ENABLED] = 0.0;
    ports(r, r->battery)[BATTERY_CAPACITY] = 6000.0;
    ports(r, r->battery)[BATTERY_CHARGE_COLD] = 100.0;
    ports(r, r->battery)[BATTERY_COLD_CAPACITY] = 1.0;
    ports(r, r->bus)[BUS_RECOVER_SOC] = 0.05;
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    bool shed_first = false, died = false, back = false;
    for (int i = 0; i < 2 * 88775 / 30; i++) {
        run(r, 30.0, 30.0);
        const double *bus = ports(r, r->bus);
        if (bus[BUS_ALIVE] != 0.0 && ports(r, r->load)[LOAD_SERVED] == 0.0 && ports(r, vital)[LOAD_SERVED] == 1.0)
            shed_first = shed_first || !died;
        if (bus[BUS_ALIVE] == 0.0) {
            died = true;
            CHECK(bus[BUS_LOAD_POWER] == 0.0 && bus[BUS_VOLTAGE] == 0.0);
        }
        back = back || (died && bus[BUS_ALIVE] != 0.0 && bus[BUS_SOURCE_POWER] > 10.0);
    }
    CHECK(shed_first && died && back);
    CHECK(ports(r, r->bus)[BUS_DEATHS] >= 1.0 && ports(r, r->bus)[BUS_DEAD_TIME] > 0.0);
    CHECK_CLOSE(ports(r, r->bus)[BUS_RESIDUAL], 0.0, 1e-9);
    CHECK(ports(r, r->load)[LOAD_UNSERVED] > 0.0);
    CHECK(ports(r, r->battery)[BATTERY_SOC] >= -1e-12);
    end(r);
}

TEST(a_battery_stays_within_its_limits)
{
    Rig *r = rover();
    ports(r, r->battery)[BATTERY_CHARGE_CURRENT] = 1.5;
    ports(r, r->battery)[BATTERY_START] = 0.5;
    ports(r, r->battery)[BATTERY_LEAST] = 0.3;
    ports(r, r->load)[LOAD_POWER] = 30.0;
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    for (int i = 0; i < 88775 / 30; i++) {
        run(r, 30.0, 30.0);
        const double *b = ports(r, r->battery);
        CHECK(b[BATTERY_CURRENT] <= 1.5 + 1e-9 && b[BATTERY_SOC] >= 0.3 - 1e-9 && b[BATTERY_SOC] <= 1.0 + 1e-9);
        if (b[BATTERY_INHIBITED] != 0.0)
            CHECK(b[BATTERY_CURRENT] <= 0.0);
    }
    end(r);
}

TEST(a_thermostat_keeps_its_node_between_its_temperatures)
{
    Rig *r = rover();
    ports(r, r->heater)[HEATER_POWER] = 120.0;
    ports(r, r->battery)[BATTERY_CAPACITY] = 1e7;
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    run(r, 40000.0, 10.0);
    double low = 1e9, high = 0.0;
    for (int i = 0; i < 2000; i++) {
        run(r, 10.0, 10.0);
        low = fmin(low, ports(r, r->box)[NODE_TEMPERATURE]);
        high = fmax(high, ports(r, r->box)[NODE_TEMPERATURE]);
    }
    if (!(low > 252.8 && high < 258.2 && high - low > 4.0))
        CHECK_FAIL("between %g and %g K", low, high);
    end(r);
}

static double wall_to_the_east(const void *user, RiVec3 point, RiVec3 towards)
{
    (void)user;
    (void)point;
    return towards.x > 0.0 ? 0.0 : 1.0;
}

static double half_plane(const void *user, RiVec3 point, RiVec3 towards)
{
    (void)user;
    (void)towards;
    return point.x > 0.0 ? 1.0 : 0.0;
}

TEST(shadows_take_the_beam_string_by_string_and_leave_the_sky)
{
    Rig *r = rover();
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    double most = 0.0;
    for (int i = 0; i < 90; i++) {
        run(r, 1000.0, 1000.0);
        const double free_power = ports(r, r->array)[ARRAY_AVAILABLE];
        RiNetworkWorld w = r->w;
        w.time -= 1000.0;
        w.free_view = half_plane;
        ri_array_step(&r->a.network, &r->a.members[r->array], &w);
        if (ports(r, r->site)[SITE_BEAM] > 50.0) {
            CHECK_CLOSE(ports(r, r->array)[ARRAY_LIT], 0.5, 1e-12); // two of four strings
            CHECK(ports(r, r->array)[ARRAY_AVAILABLE] < free_power);
        }
        w.free_view = wall_to_the_east;
        ri_array_step(&r->a.network, &r->a.members[r->array], &w);
        if (w.towards.x > 0.0 && w.towards.z > 0.1)
            CHECK(ports(r, r->array)[ARRAY_LIT] == 0.0 && ports(r, r->array)[ARRAY_AVAILABLE] > 0.0);
        most = fmax(most, free_power);
    }
    CHECK(most > 50.0 && most < 160.0); // a square metre at 25 %
    end(r);
}

/// Power at a number of cells in series, over that with a tracker.
static double direct_part(Rig *r, double cells)
{
    double *x = ports(r, r->array);
    x[ARRAY_DIRECT] = 0.0;
    ri_array_step(&r->a.network, &r->a.members[r->array], &r->w);
    const double peak = x[ARRAY_AVAILABLE];
    CHECK(x[ARRAY_PEAK] == 0.0);
    x[ARRAY_DIRECT] = 1.0;
    x[ARRAY_CELLS] = cells;
    ri_array_step(&r->a.network, &r->a.members[r->array], &r->w);
    CHECK_CLOSE(x[ARRAY_PEAK], 1.0 - x[ARRAY_AVAILABLE] / peak, 1e-12);
    return x[ARRAY_AVAILABLE] / peak;
}

TEST(without_a_tracker_strings_give_what_the_voltage_of_the_bus_leaves)
{
    Rig *r = rover();
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    for (int i = 0; i < 900 && ports(r, r->array)[ARRAY_AVAILABLE] < 40.0; i++)
        run(r, 100.0, 100.0);
    REQUIRE(ports(r, r->array)[ARRAY_AVAILABLE] > 40.0);
    double best = 0.0, at = 0.0;
    for (double cells = 4.0; cells <= 60.0; cells += 1.0) {
        const double part = direct_part(r, cells);
        CHECK(part >= 0.0 && part <= 1.0);
        if (part > best)
            best = part, at = cells;
    }
    CHECK(best > 0.98 && at > 9.0 && at < 16.0); // some 2.6 V each for a bus of 30 V
    CHECK(direct_part(r, 6.0) == 0.0);           // not even their open voltage reaches the bus
    CHECK_CLOSE(direct_part(r, 2.0 * at) / direct_part(r, 4.0 * at), 2.0,
                0.1); // current of the cells, half the voltage
    end(r);
}

TEST(a_radio_sends_what_is_stored_while_the_relay_is_up_and_no_bit_is_lost_silently)
{
    Rig *r = rover();
    const int orbiter = ri_assembly_add(&r->a, &ri_device_orbiter, -1, -1, -1);
    const int memory = ri_assembly_add(&r->a, &ri_device_recorder, -1, -1, -1);
    const int radio = ri_assembly_add(&r->a, &ri_device_radio, r->bus, orbiter, memory);
    ports(r, orbiter)[ORBITER_INCLINATION] = 0.0;
    ports(r, memory)[RECORDER_RATE] = 2000.0;
    ports(r, memory)[RECORDER_CAPACITY] = 1e7;
    ports(r, r->battery)[BATTERY_CAPACITY] = 1e7;
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    run(r, 40000.0, 10.0);
    const double *m = ports(r, memory), *x = ports(r, radio);
    CHECK(m[RECORDER_SENT] > 1e6 && m[RECORDER_LOST] > 0.0);
    CHECK_CLOSE(m[RECORDER_PRODUCED], m[RECORDER_STORED] + m[RECORDER_SENT] + m[RECORDER_LOST], 1.0);
    CHECK_CLOSE(x[RADIO_SENT], m[RECORDER_SENT], 1.0);
    CHECK(x[RADIO_PASS_TIME] > 1500.0 && x[RADIO_PASS_TIME] < 6000.0); // five passes of some 13 minutes
    CHECK_CLOSE(x[RADIO_USED], 40.0 * x[RADIO_PASS_TIME], 40.0 * 100.0);
    end(r);
}

TEST(what_a_network_cannot_be_is_refused_with_the_reason)
{
    Rig *r = begin(RI_WORLD_MARS);
    ri_assembly_add(&r->a, &ri_device_load, -1, -1, -1);
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT && strstr(r->a.trouble, "has no bus"));
    ri_assembly_init(&r->a);
    const int bus = ri_assembly_add(&r->a, &ri_device_bus, -1, -1, -1);
    const int one = ri_assembly_add(&r->a, &ri_device_thermal_node, -1, -1, -1);
    const int two = ri_assembly_add(&r->a, &ri_device_thermal_node, -1, -1, -1);
    const int first = ri_assembly_add(&r->a, &ri_device_heater, bus, one, two);
    ri_assembly_add(&r->a, &ri_device_heater, bus, two, one);
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT &&
          strstr(r->a.trouble, "ring of thermostats"));
    r->a.trouble = NULL;
    r->a.members[first].ref[REF_THIRD] = one; // alone, and so is the other: it feels what this one heats
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    ri_assembly_add(&r->a, &ri_device_heater, bus, one, two); // closes the ring past the first heater of its node
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT &&
          strstr(r->a.trouble, "ring of thermostats"));
    r->a.trouble = NULL;
    r->a.network.count--;
    r->a.members[first].ref[REF_THIRD] = -1;
    CHECK_OK(r->ctx, ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w));
    r->a.x[first][HEATER_OFF_ABOVE] = 200.0;
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT &&
          strstr(r->a.trouble, "without a gap"));
    ri_assembly_init(&r->a);
    const int low = ri_assembly_add(&r->a, &ri_device_orbiter, -1, -1, -1);
    r->a.x[low][ORBITER_SEMI_MAJOR] = 3000e3;
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT &&
          strstr(r->a.trouble, "inside the body"));
    ri_assembly_init(&r->a);
    const int node = ri_assembly_add(&r->a, &ri_device_thermal_node, -1, -1, -1);
    ri_assembly_add(&r->a, &ri_device_conductor, node, node, -1);
    CHECK(ri_assembly_start(r->ctx, &r->arena, &r->a, &r->w) == RI_ERR_ARGUMENT && strstr(r->a.trouble, "to itself"));
    end(r);
}

TEST_MAIN(CASE(the_ledger_of_a_sol_closes_and_so_does_the_heat_balance), CASE(stored_energy_is_that_of_the_charge),
          CASE(long_steps_equal_short_ones_within_a_thousandth),
          CASE(loads_are_shed_by_priority_and_the_bus_dies_and_comes_back_at_dawn),
          CASE(a_battery_stays_within_its_limits), CASE(a_thermostat_keeps_its_node_between_its_temperatures),
          CASE(shadows_take_the_beam_string_by_string_and_leave_the_sky),
          CASE(without_a_tracker_strings_give_what_the_voltage_of_the_bus_leaves),
          CASE(a_radio_sends_what_is_stored_while_the_relay_is_up_and_no_bit_is_lost_silently),
          CASE(what_a_network_cannot_be_is_refused_with_the_reason))
