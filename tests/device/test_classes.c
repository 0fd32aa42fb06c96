// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every built-in class is well formed, starts with its defaults and is documented port by port;
/// malformed classes are refused with a reason.
#include "drive.h"

TEST(built_in_classes_are_well_formed_and_found_by_name)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiDeviceClass *c;
    int count = 0;
    for (; (c = ri_device_class(count)); count++) {
        CHECK_OK(ctx, ri_device_check(ctx, c));
        CHECK(ri_device_find(c->name) == c);
    }
    CHECK_INT(count, 42);
    CHECK(ri_device_class(-1) == NULL && ri_device_find("flux_capacitor") == NULL);
    ri_context_destroy(ctx);
}

TEST(defaults_start_and_update_to_finite_values)
{
    const RiDeviceClass *c;
    for (int i = 0; (c = ri_device_class(i)); i++) {
        Drive d;
        drive_init(&d, c->name, 0.01);
        d.call.ground_ray = drive_ray;
        if (strcmp(c->name, "pose_estimator") == 0) // it asks for odometry
            memset(d.connected, true, sizeof d.connected);
        const char *why = drive_start(&d);
        if (why)
            CHECK_FAIL("%s: %s", c->name, why);
        for (int k = 0; k < 10; k++)
            drive_update(&d);
        for (int k = 0; k < c->port_count; k++)
            if (!isfinite(d.x[k]))
                CHECK_FAIL("%s.%s = %g", c->name, c->ports[k].name, d.x[k]);
        for (int k = c->port_count; k < DRIVE_PORTS; k++)
            CHECK(d.x[k] == 0.0); // writes only what is its own
    }
}

static void nothing(RiDeviceCall *call)
{
    (void)call;
}

/// A good class of one port, to be spoilt.
typedef struct Sample {
    RiPort port[2];
    RiDeviceClass device;
} Sample;

static Sample *sample(Sample *s)
{
    s->port[0] = (RiPort){"gain", "N*m", "A gain.", RI_VALUE_PARAMETER, 1.0, 0.0, 2.0, RI_PORT_NONE};
    s->port[1] = (RiPort){"out", "N*m", "An output.", RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY, RI_PORT_EFFORT};
    s->device = (RiDeviceClass){.abi = RI_DEVICE_ABI,
                                .name = "sample",
                                .doc = "A class.",
                                .attach = RI_ATTACH_JOINT,
                                .ports = s->port,
                                .port_count = 2,
                                .update = nothing};
    return s;
}

TEST(malformed_classes_are_refused_with_class_port_and_reason)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    Sample s;
    CHECK_OK(ctx, ri_device_check(ctx, &sample(&s)->device));
#define REFUSED(change, part)                                                                                          \
    do {                                                                                                               \
        sample(&s);                                                                                                    \
        change;                                                                                                        \
        CHECK_ERROR(ctx, ri_device_check(ctx, &s.device), RI_ERR_ARGUMENT, part);                                      \
    } while (0)
    REFUSED(s.device.name = NULL, "the name must be a word");
    REFUSED(s.device.name = "two words", "the name must be a word");
    REFUSED(s.device.doc = "", "'sample' has no doc");
    REFUSED(s.device.attach = (RiAttach)9, "attach 9");
    REFUSED(s.device.update = NULL, "no update");
    REFUSED(s.device.port_count = -1, "port_count -1");
    REFUSED(s.device.port_count = 1 << 20, "port_count 1048576");
    REFUSED(s.device.ports = NULL, "ports NULL");
    REFUSED(s.port[1].name = "gain", "ports 0 and 1 are both 'gain'");
    REFUSED(s.port[1].name = "a.b", "port 1: the name");
    REFUSED(s.port[0].doc = NULL, "port 'gain' has no doc");
    REFUSED(s.port[0].unit = NULL, "port 'gain': the unit is NULL");
    REFUSED(s.port[0].unit = "parsec", "port 'gain': unit 'parsec', column 1");
    REFUSED(s.port[0].unit = "deg", "unit 'deg' is not SI");
    REFUSED(s.port[0].kind = (RiValueKind)8, "kind 8");
    REFUSED(s.port[0].initial = 3.0, "initial value 3");
    REFUSED(s.port[1].initial = NAN, "initial value nan");
    REFUSED(s.port[0].low = NAN, "limits");
    REFUSED(s.port[1].action = (RiPortAction)99, "action 99");
    REFUSED(s.port[0].action = RI_PORT_EFFORT, "only an output");
    REFUSED(s.device.attach = RI_ATTACH_FRAME, "only an output of a device on a joint");
    REFUSED((s.device.abi = 1, s.device.attach = RI_ATTACH_JOINTS), "attach 4");
    sample(&s)->device.abi = 1; // classes of the first version are still good
    CHECK_OK(ctx, ri_device_check(ctx, &s.device));
    sample(&s)->device.abi = 0;
    CHECK_ERROR(ctx, ri_device_check(ctx, &s.device), RI_ERR_UNSUPPORTED, "its abi is 0");
    ri_context_destroy(ctx);
}

// ------------------------------------------------------------------------------------------ manual

static const char *action_text(RiPortAction action)
{
    static const char *const texts[] = {
        "",
        " *Acts: joint effort.*",
        " *Acts: servo gain.*",
        " *Acts: servo damping.*",
        " *Acts: servo reference.*",
        " *Acts: servo rate.*",
        " *Acts: servo limit.*",
    };
    return texts[action];
}

/// "any", ">= 0", "0 to 1".
static void limits_text(const RiPort *p, char *out, size_t size)
{
    if (isinf(p->low) && isinf(p->high))
        snprintf(out, size, "any");
    else if (isinf(p->high))
        snprintf(out, size, ">= %g", p->low);
    else
        snprintf(out, size, "%g to %g", p->low, p->high);
}

/// The row of a port in docs/devices.md.
static void manual_row(const RiPort *p, char *out, size_t size)
{
    char limits[64] = "", initial[32] = "";
    if (p->kind == RI_VALUE_PARAMETER) {
        limits_text(p, limits, sizeof limits);
        snprintf(initial, sizeof initial, "%g", p->initial);
    }
    snprintf(out, size, "| `%s` | %s | %s | %s | %s | %s%s |", p->name, ri_value_kind_name(p->kind), p->unit, initial,
             limits, p->doc, action_text(p->action));
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = calloc(1, 1 << 20);
    if (text && fread(text, 1, (1 << 20) - 1, f) == 0)
        text[0] = '\0';
    fclose(f);
    return text;
}

TEST(the_manual_lists_every_port)
{
    char *text = read_text(RILLE_SOURCE_DIR "/docs/devices.md");
    REQUIRE(text != NULL);
    const RiDeviceClass *c;
    for (int i = 0; (c = ri_device_class(i)); i++) {
        char head[80], row[512];
        snprintf(head, sizeof head, "\n## %s\n", c->name);
        char *section = strstr(text, head);
        if (!section) {
            CHECK_FAIL("docs/devices.md has no section '%s'", c->name);
            continue;
        }
        char *end = strstr(section + 3, "\n## ");
        for (int k = 0; k < c->port_count; k++) {
            manual_row(&c->ports[k], row, sizeof row);
            const char *found = strstr(section, row);
            if (!found || (end && found > end))
                CHECK_FAIL("docs/devices.md, section %s, lacks the row\n%s", c->name, row);
        }
    }
    free(text);
}

TEST_MAIN(CASE(built_in_classes_are_well_formed_and_found_by_name), CASE(defaults_start_and_update_to_finite_values),
          CASE(malformed_classes_are_refused_with_class_port_and_reason), CASE(the_manual_lists_every_port))
