// SPDX-License-Identifier: Apache-2.0
/// \file
/// User devices: the example loads and works, broken shared objects are refused with a reason,
/// nothing leaks.
#include "drive.h"

#include "../io/faults.h"
#include "device/plugin.h"

#define PLUGIN(name) RILLE_BINARY_DIR "/plugins/" name ".so"

TEST(example_brake_loads_and_brakes)
{
    RiContext *ctx;
    RiPlugin *plugin;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_plugin_load(ctx, PLUGIN("brake"), &plugin));
    CHECK_INT(ri_plugin_count(plugin), 2);
    CHECK(ri_plugin_class(plugin, 2) == NULL && ri_plugin_class(plugin, -1) == NULL);
    CHECK(ri_plugin_find(plugin, "bang_bang") == ri_plugin_class(plugin, 1));
    const RiDeviceClass *brake = ri_plugin_find(plugin, "spring_brake");
    REQUIRE(brake && brake->port_count == 7);
    double x[7]; // torque, slip, delay, power, open, damping, limit
    for (int i = 0; i < 7; i++)
        x[i] = brake->ports[i].initial;
    RiDeviceCall call = {.dt = 0.01, .x = x};
    CHECK(brake->start(&call) == NULL);
    brake->update(&call);
    CHECK_CLOSE(x[6], 1.0, 1e-15);
    CHECK_CLOSE(x[5], 1000.0, 1e-9);
    x[3] = 1.0; // power: open after the delay of five updates
    for (int i = 0; i < 5; i++)
        brake->update(&call);
    CHECK_CLOSE(x[6], 0.0, 1e-12);
    x[0] = -1.0;
    CHECK(strstr(brake->start(&call), "'torque' must be positive"));
    ri_plugin_destroy(plugin);
    ri_context_destroy(ctx);
}

TEST(broken_plugins_are_refused_with_path_and_reason)
{
    RiContext *ctx;
    RiPlugin *plugin;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("nowhere"), &plugin), RI_ERR_IO, "nowhere.so: cannot be read");
    CHECK(plugin == NULL);
    CHECK_ERROR(ctx, ri_plugin_load(ctx, RILLE_SOURCE_DIR "/README.md", &plugin), RI_ERR_FORMAT, "not a shared object");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_1"), &plugin), RI_ERR_FORMAT, "bad_1.so: exports no");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_2"), &plugin), RI_ERR_UNSUPPORTED, "its abi is");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_3"), &plugin), RI_ERR_FORMAT,
                "class 0: device class 'bad', port 'level': unit 'furlong'");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_4"), &plugin), RI_ERR_FORMAT, "there is a device class 'pid'");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_5"), &plugin), RI_ERR_FORMAT, "gives no class");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_6"), &plugin), RI_ERR_FORMAT, "'bad' already");
    CHECK_ERROR(ctx, ri_plugin_load(ctx, PLUGIN("bad_7"), &plugin), RI_ERR_FORMAT, "a_function_of_nobody");
    CHECK(plugin == NULL);
    ri_plugin_destroy(NULL);
    ri_context_destroy(ctx);
}

TEST(loading_leaks_nothing_when_any_allocation_fails)
{
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; status != RI_OK && k < 100; k++) {
        Faults faults = {.fail_at = k};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiPlugin *plugin = NULL;
        status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = ri_plugin_load(ctx, PLUGIN("brake"), &plugin);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        ri_plugin_destroy(plugin);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(k > 2 && status == RI_OK);
}

/// Cut off anywhere, the loader itself would die by a signal at the first page that is not there.
TEST(truncated_plugins_are_refused)
{
    RiContext *ctx;
    RiPlugin *plugin = NULL;
    static char bytes[1 << 20];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    FILE *in = fopen(PLUGIN("brake"), "rb");
    REQUIRE(in != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    for (size_t n = 0; n < size * 9 / 10; n += size / 23 + 1) {
        FILE *out = fopen(PLUGIN("cut"), "wb");
        REQUIRE(out != NULL && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
        const RiStatus status = ri_plugin_load(ctx, PLUGIN("cut"), &plugin);
        if (status != RI_OK && status != RI_ERR_FORMAT)
            CHECK_FAIL("%zu of %zu bytes: %s", n, size, ri_context_message(ctx));
        if (n < size / 2)
            CHECK(status == RI_ERR_FORMAT);
        ri_plugin_destroy(plugin); // what only lacks its section names is whole for the loader
        plugin = NULL;
    }
    CHECK_ERROR(ctx, ri_plugin_load(ctx, "/dev/null", &plugin), RI_ERR_FORMAT, "not a regular file");
    remove(PLUGIN("cut"));
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(truncated_plugins_are_refused), CASE(example_brake_loads_and_brakes),
          CASE(broken_plugins_are_refused_with_path_and_reason), CASE(loading_leaks_nothing_when_any_allocation_fails))
