// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fingerprint of a simulation: whatever changes its physics changes it, so that a checkpoint
/// of other physics is refused. Every change below is also tried: a checkpoint of the unchanged rig
/// must not be taken, as by `rille run --resume`.
#include "check.h"

#include <rille/checkpoint.h>
#include <rille/scene.h>
#include <rille/sim.h>

#include "base/option.h"
#include "contact/contacts.h"
#include "sim/options.h"

/// What a rig is made of; every number in it is an option that a test changes.
typedef struct Parts {
    RiLinkSpec arm;
    RiJointSpec joint, second;
    RiCouplingTerm terms[2];
    double offset; ///< of the coupling
    RiSpringDef spring;
    RiPairDef pair;
    RiSimOptions options;
} Parts;

static Parts parts_default(void)
{
    Parts p = {.arm = ri_link_default(),
               .joint = ri_joint_default(),
               .second = ri_joint_default(),
               .terms = {{"second", 1.0}, {"first", -2.0}},
               .offset = 0.1,
               .pair = ri_pair_default(),
               .options = ri_sim_options_default()};
    p.arm.name = "arm", p.arm.mass = 1.0, p.arm.com = ri_vec3(0.1, 0.0, 0.0);
    p.arm.inertia = ri_inertia_box(1.0, ri_vec3(0.2, 0.1, 0.1));
    p.joint.name = "first", p.joint.parent = "base", p.joint.child = "arm", p.joint.type = RI_JOINT_REVOLUTE;
    p.joint.axis = ri_vec3(0.0, 1.0, 0.0);
    p.joint.has_limits = true, p.joint.lower = -1.0, p.joint.upper = 1.0;
    p.joint.effort = 10.0, p.joint.velocity = 5.0;
    p.joint.damping = 0.1, p.joint.friction = 0.05, p.joint.stiffness = 1.0, p.joint.rest = 0.1,
    p.joint.armature = 0.01;
    p.joint.stop_stiffness = 100.0, p.joint.stop_damping = 0.1, p.joint.stop_exponent = 1.5;
    p.joint.stop_restitution = 0.2;
    p.second = p.joint;
    p.second.name = "second", p.second.parent = "arm", p.second.child = "hand";
    p.spring = (RiSpringDef){.name = "rope",
                             .link = "arm",
                             .point = {0.1, 0.0, 0.0},
                             .anchor = {0.0, 0.0, 1.0},
                             .stiffness = 10.0,
                             .damping = 1.0,
                             .length = 0.5};
    return p;
}

static RiStatus fill(RiSpec *spec, const Parts *p)
{
    RiLinkSpec base = ri_link_default(), hand = p->arm;
    RiShapeSpec ball = ri_shape_default();
    base.name = "base", base.mass = 1.0, base.inertia = ri_inertia_box(1.0, ri_vec3(0.1, 0.1, 0.1));
    hand.name = "hand";
    ball.link = "base", ball.use = RI_SHAPE_COLLISION, ball.type = RI_SHAPE_SPHERE, ball.size[0] = 0.1;
    RI_TRY(ri_spec_add_link(spec, &base));
    RI_TRY(ri_spec_add_link(spec, &p->arm));
    RI_TRY(ri_spec_add_link(spec, &hand));
    RI_TRY(ri_spec_add_joint(spec, &p->joint));
    RI_TRY(ri_spec_add_joint(spec, &p->second));
    RI_TRY(ri_spec_add_shape(spec, &ball));
    RiCouplingSpec coupling = {
        .name = "gear", .terms = (RiCouplingTerm *)p->terms, .term_count = 2, .offset = p->offset};
    return ri_spec_add_coupling(spec, &coupling);
}

typedef struct Checkpoint {
    unsigned char *data; ///< NULL: none
    size_t size;
} Checkpoint;

static void save(const RiSim *s, Checkpoint *out)
{
    out->size = ri_checkpoint_size(s);
    out->data = malloc(out->size);
    if (!out->data)
        abort();
    ri_checkpoint_compose(s, out->data);
}

/// Starts a simulation and tries to go on from a checkpoint of another one, which it must refuse,
/// or keeps its own.
static RiStatus resume(RiContext *ctx, RiSim *s, Checkpoint *keep, const Checkpoint *other, const char *what)
{
    RI_TRY(ri_sim_start(s));
    if (keep)
        save(s, keep);
    if (!other)
        return RI_OK;
    const RiStatus status = ri_checkpoint_parse(s, "other.state", other->data, other->size);
    if (status == RI_OK)
        CHECK_FAIL("%s: a checkpoint of other physics is taken", what);
    else if (status != RI_ERR_MODEL || !strstr(ri_context_message(ctx), "other.state"))
        CHECK_FAIL("%s: %s", what, ri_context_message(ctx));
    return RI_OK;
}

/// The fingerprint of a simulation that is made of these parts; 0: it cannot be built. `what` of it
/// was changed since `other` was kept.
static uint64_t try_parts(const Parts *p, Checkpoint *keep, const Checkpoint *other, const char *what)
{
    RiContext *ctx = NULL;
    RiSpec *spec = NULL;
    RiModel *m = NULL;
    RiTerrain *t = NULL;
    RiContacts *c = NULL;
    RiSim *s = NULL;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &p->pair, contact.pair_count = 1;
    RiStatus status = ri_context_create(NULL, &ctx);
    status = status == RI_OK ? ri_spec_create(ctx, "rig", &spec) : status;
    status = status == RI_OK ? fill(spec, p) : status;
    status = status == RI_OK ? ri_model_create(ctx, spec, NULL, &m) : status;
    status = status == RI_OK ? ri_terrain_create_plane(ctx, &(RiPlaneDef){.slope = 0.0}, &t) : status;
    status = status == RI_OK ? ri_contacts_create(ctx, spec, m, t, &contact, &c) : status;
    status = status == RI_OK ? ri_sim_create(ctx, m, &p->options, &s) : status;
    status = status == RI_OK && p->options.method != RI_METHOD_RK4 ? ri_sim_set_contacts(s, c) : status;
    status = status == RI_OK ? ri_sim_add_spring(s, &p->spring) : status;
    status = status == RI_OK ? ri_sim_build(s) : status;
    const uint64_t h = status == RI_OK ? ri_sim_fingerprint(s) : 0;
    if (status == RI_OK && (keep || other))
        status = resume(ctx, s, keep, other, what);
    if (status != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    ri_sim_destroy(s);
    ri_contacts_destroy(c);
    ri_terrain_destroy(t);
    ri_model_destroy(m);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return h;
}

static uint64_t fingerprint(const Parts *p)
{
    return try_parts(p, NULL, NULL, "");
}

/// A rig before it is changed.
typedef struct Base {
    uint64_t fingerprint;
    Checkpoint checkpoint;
} Base;

static Base base_of(const Parts *p)
{
    Base b = {0};
    b.fingerprint = try_parts(p, &b.checkpoint, NULL, "");
    return b;
}

/// Changed parts have another fingerprint, and do not take the checkpoint.
static void check_refused(const Parts *p, const Base *base, const char *what)
{
    if (try_parts(p, NULL, &base->checkpoint, what) == base->fingerprint)
        CHECK_FAIL("%s is not part of the fingerprint", what);
}

/// Changes a number, expects a refusal, and puts it back.
static void check_counts(Parts *p, const Base *base, double *x, const char *what)
{
    const double was = *x;
    *x = was * 1.125 + (was == 0.0 ? 0.125 : 0.0);
    check_refused(p, base, what);
    *x = was;
}

TEST(equal_parts_have_equal_fingerprints)
{
    const Parts a = parts_default(), b = parts_default();
    CHECK(fingerprint(&a) == fingerprint(&b));
}

TEST(every_number_of_a_joint_counts)
{
    Parts p = parts_default();
    Base same = base_of(&p);
    RiJointSpec *j = &p.joint;
    const struct {
        const char *name;
        double *x;
    } fields[] = {{"lower", &j->lower},
                  {"upper", &j->upper},
                  {"effort", &j->effort},
                  {"velocity", &j->velocity},
                  {"damping", &j->damping},
                  {"friction", &j->friction},
                  {"stiffness", &j->stiffness},
                  {"rest", &j->rest},
                  {"armature", &j->armature},
                  {"stop_stiffness", &j->stop_stiffness},
                  {"stop_damping", &j->stop_damping},
                  {"stop_exponent", &j->stop_exponent},
                  {"stop_restitution", &j->stop_restitution},
                  {"origin", &j->origin.p.x},
                  {"initial position", &j->position[0]}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        check_counts(&p, &same, fields[i].x, fields[i].name);
    free(same.checkpoint.data);
}

TEST(bodies_couplings_and_springs_count)
{
    Parts p = parts_default();
    Base same = base_of(&p);
    const struct {
        const char *name;
        double *x;
    } fields[] = {{"mass", &p.arm.mass},
                  {"centre of mass", &p.arm.com.x},
                  {"coupling factor", &p.terms[1].factor},
                  {"coupling offset", &p.offset},
                  {"spring point", &p.spring.point.x},
                  {"spring anchor", &p.spring.anchor.z}}; // its other numbers are parameters, saved with the state
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        check_counts(&p, &same, fields[i].x, fields[i].name);
    p.spring.slack = true;
    check_refused(&p, &same, "slack");
    free(same.checkpoint.data);
}

TEST(every_number_of_a_contact_law_counts)
{
    Parts p = parts_default();
    p.options.method = RI_METHOD_MOREAU; // which takes all of them
    Base same = base_of(&p);
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    CHECK(count > 10);
    for (int i = 0; i < count; i++) {
        double *x = ri_pair_number(&p.pair, &fields[i]);
        const double was = *x;
        *x = isnan(was) ? 0.5 * (fields[i].low + fmin(fields[i].high, fields[i].low + 2.0)) : was;
        if (!isnan(was))
            *x = was * 0.875 >= fields[i].low && was != 0.0 ? was * 0.875 : fmin(fields[i].high, was + 0.125);
        check_refused(&p, &same, fields[i].name);
        *x = was;
    }
    free(same.checkpoint.data);
}

/// Changes the options of a table in turn.
static void check_options(const RiOptionTable *table)
{
    Parts p = parts_default();
    p.options.method = RI_METHOD_MOREAU; // which takes all of them
    Base same = base_of(&p);
    for (int i = 0; i < table->count; i++) {
        const RiOption *row = &table->rows[i];
        if (row->flags & RI_OPTION_SILENT)
            continue;
        const RiSimOptions was = p.options;
        const double x = row->kind == RI_OPTION_VECTOR ? 0.0 : ri_option_number(row, &p.options);
        if (row->kind == RI_OPTION_VECTOR)
            ri_option_set_vector(row, &p.options, (double[3]){0.0, 0.0, -1.62});
        else if (row->kind == RI_OPTION_NUMBER)
            ri_option_set_number(row, &p.options, x == 0.0 ? row->low : 1.125 * x);
        else
            ri_option_set_number(row, &p.options, x + 1.0);
        check_refused(&p, &same, row->key);
        p.options = was;
    }
    free(same.checkpoint.data);
}

TEST(every_option_of_a_simulation_counts)
{
    check_options(&ri_sim_option_table);
    check_options(&ri_sim_contact_option_table);
}

TEST(the_method_counts)
{
    uint64_t seen[RI_METHOD_COUNT];
    const char *names[RI_METHOD_COUNT];
    RiMethod methods[RI_METHOD_COUNT];
    const int count = ri_method_integrators(names, methods);
    for (int i = 0; i < count; i++) {
        Parts p = parts_default();
        p.options.method = methods[i];
        seen[i] = ri_method_info(methods[i])->available ? fingerprint(&p) : 0;
        for (int k = 0; k < i; k++)
            CHECK(seen[i] != seen[k]);
    }
}

TEST(every_option_of_soft_soil_counts)
{
    RiSoilOptions a = ri_soil_options_default();
    const uint64_t same = ri_options_fingerprint(&ri_soil_option_table, &a, 0);
    for (int i = 0; i < ri_soil_option_table.count; i++) {
        const RiOption *row = &ri_soil_option_table.rows[i];
        RiSoilOptions b = a;
        const double was = ri_option_number(row, &a);
        ri_option_set_number(row, &b,
                             row->kind == RI_OPTION_CHOICE   ? fmod(was + 1.0, row->word_count)
                             : was == row->high              ? row->low
                             : row->kind == RI_OPTION_NUMBER ? was + 0.001
                                                             : was + 1);
        if (ri_options_fingerprint(&ri_soil_option_table, &b, 0) == same)
            CHECK_FAIL("%s is not part of the fingerprint", row->key);
    }
}

/// A wheel on sand with one option of `soil` given. Keeps its checkpoint, or tries another one's:
/// whether it takes it.
static bool takes(const char *soil, Checkpoint *keep, const Checkpoint *other)
{
    char text[600];
    RiContext *ctx;
    RiScene *scene = NULL;
    snprintf(text, sizeof text,
             "scene: wheel\n"
             "robot: ../robots/single_wheel.yaml\n"
             "terrain: {kind: plane, soil: dry_sand_LLL, ruts: true}\n"
             "soil: {%s}\n",
             soil);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    RiStatus status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene);
    status = status == RI_OK ? ri_scene_build(scene) : status;
    if (status != RI_OK)
        CHECK_FAIL("%s: %s", soil, ri_context_message(ctx));
    if (status == RI_OK && keep)
        save(ri_scene_sim(scene), keep);
    if (status == RI_OK && other) {
        status = ri_checkpoint_parse(ri_scene_sim(scene), "other.state", other->data, other->size);
        if (status != RI_OK && status != RI_ERR_MODEL)
            CHECK_FAIL("%s: %s", soil, ri_context_message(ctx));
    }
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return status == RI_OK;
}

TEST(a_checkpoint_is_taken_by_the_same_scene_and_refused_with_any_other_option_of_soil)
{
    Checkpoint same = {0};
    REQUIRE(takes("slices: 3", &same, NULL)); // the default
    CHECK(takes("slices: 3", NULL, &same));
    for (int i = 0; i < ri_soil_option_table.count; i++) {
        const RiOption *row = &ri_soil_option_table.rows[i];
        RiSoilOptions o = ri_soil_options_default();
        char value[100], text[200];
        const double was = ri_option_number(row, &o);
        const double step = row->kind == RI_OPTION_NUMBER ? fmax(0.001, 0.125 * was) : 2.0;
        ri_option_set_number(row, &o,
                             row->kind == RI_OPTION_BOOL     ? 1.0 - was
                             : row->kind == RI_OPTION_CHOICE ? fmod(was + 1.0, row->word_count)
                             : was + step <= row->high       ? was + step
                                                             : was - step);
        snprintf(text, sizeof text, "%s: %s", row->key, ri_option_print(row, &o, value, sizeof value));
        if (!(row->flags & RI_OPTION_SILENT) && takes(text, NULL, &same))
            CHECK_FAIL("soil: {%s}: a checkpoint of other physics is taken", text);
    }
    free(same.data);
}

TEST(every_method_has_a_name_and_can_be_found_by_it)
{
    const char *names[RI_METHOD_COUNT];
    RiMethod methods[RI_METHOD_COUNT];
    const int count = ri_method_integrators(names, methods);
    CHECK_INT(count, RI_METHOD_COUNT - 1); // all but kinematic
    for (int i = 0; i < count; i++) {
        CHECK(ri_method_info(methods[i])->dynamics);
        CHECK(strcmp(names[i], ri_method_name(methods[i])) == 0);
    }
    CHECK(ri_method_info(RI_METHOD_COUNT) == NULL);
    CHECK(strcmp(ri_method_name(RI_METHOD_COUNT), "unknown") == 0);
}

TEST_MAIN(CASE(equal_parts_have_equal_fingerprints), CASE(every_number_of_a_joint_counts),
          CASE(bodies_couplings_and_springs_count), CASE(every_number_of_a_contact_law_counts),
          CASE(every_option_of_a_simulation_counts), CASE(the_method_counts), CASE(every_option_of_soft_soil_counts),
          CASE(a_checkpoint_is_taken_by_the_same_scene_and_refused_with_any_other_option_of_soil),
          CASE(every_method_has_a_name_and_can_be_found_by_it))
