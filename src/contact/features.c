// SPDX-License-Identifier: Apache-2.0
/// \file
/// Features of a robot: what of its screws, wheels, contact points and collision shapes may touch
/// the ground, and the law of each pair of materials.
#include <stdio.h>
#include <string.h>

#include <rille/ground.h>

#include "base/functions.h"
#include "base/names.h"
#include "base/rng.h"
#include "contact/contacts.h"
#include "contact/options.h"
#include "terrain/terrain.h"

/// Rounding of circles that may meet edges, part of their radius.
static const double TUBE = 0.15;
/// Largest distance of a shape's points from each other on ground that is not flat, part of its
/// longest side.
static const double SPACING = 0.25;

static RiStatus add(RiContacts *c, RiFeature feature)
{
    RI_TRY(ri_grow(c->ctx, &c->features, c->feature_count, &c->feature_room, 64, sizeof *c->features));
    if (feature.touches < 1)
        feature.touches = 1;
    if (feature.kind == RI_FEATURE_CIRCLE && feature.touches > 1)
        feature.tube = TUBE * feature.radius;
    feature.name = ri_arena_string(&c->arena, feature.name ? feature.name : "");
    feature.material = ri_arena_string(&c->arena, feature.material ? feature.material : "");
    if (!feature.name || !feature.material)
        return ri_error_memory(c->ctx);
    c->features[c->feature_count++] = feature;
    return RI_OK;
}

/// Position of station i of n along a length, ends included.
static double station(int i, int n, double length)
{
    return n > 1 ? length * ((double)i / (n - 1) - 0.5) : 0.0;
}

static RiStatus check_screw(const RiContacts *c, const RiScrewSpec *x)
{
    const char *field = !(x->radius > 0.0)    ? "radius"
                        : !(x->length >= 0.0) ? "length"
                        : !(x->lead > 0.0)    ? "lead"
                        : x->starts < 1       ? "starts"
                                              : NULL;
    if (!field)
        return RI_OK;
    return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: screw '%s' has no positive %s: its thread has no direction",
                    x->source.file ? x->source.file : "robot", x->source.line, x->name, field);
}

/// Points on the edges of the thread, from end to end.
static RiStatus add_thread(RiContacts *c, const RiContactOptions *o, const RiScrewSpec *x, RiFeature f)
{
    const double turns = x->length / x->lead, two_pi = 6.283185307179586;
    const int n = (int)ceil(turns * o->thread_points) + 1;
    f.kind = RI_FEATURE_POINT;
    f.edges = turns / n;
    f.hub = x->pose.p;
    for (int start = 0; start < x->starts; start++)
        for (int i = 0; i < n; i++) {
            const double z = station(i, n, x->length);
            const double angle = x->hand * two_pi * z / x->lead + two_pi * start / x->starts;
            f.centre = ri_pose_point(&x->pose, ri_vec3(x->radius * ri_cos(angle), x->radius * ri_sin(angle), z));
            RI_TRY(add(c, f));
        }
    return RI_OK;
}

static RiStatus add_screw(RiContacts *c, const RiContactOptions *o, const RiScrewSpec *x, int link)
{
    RI_TRY(check_screw(c, x));
    RiFeature f = {.kind = RI_FEATURE_CIRCLE,
                   .link = link,
                   .axis = ri_rotate(&x->pose.R, ri_vec3(0.0, 0.0, 1.0)),
                   .radius = x->radius,
                   .touches = o->screw_touches,
                   .lead_tan = x->hand * x->lead / (6.283185307179586 * x->radius),
                   .height = x->core_radius > 0.0 && x->core_radius < x->radius ? x->radius - x->core_radius : 0.0,
                   .name = x->name,
                   .material = "screw"};
    if (o->screw_points == RI_SCREW_THREAD) {
        f.radius = 0.0;
        f.touches = 1;
        return add_thread(c, o, x, f);
    }
    const int n = o->screw_stations ? o->screw_stations : 2 + (int)(0.5 * x->length / x->radius);
    f.span = x->length / n;
    f.edges = x->starts * f.span / x->lead;
    for (int i = 0; i < n; i++) {
        f.centre = ri_pose_point(&x->pose, ri_vec3(0.0, 0.0, station(i, n, x->length)));
        RI_TRY(add(c, f));
    }
    return RI_OK;
}

static RiStatus add_wheel(RiContacts *c, const RiContactOptions *o, const RiWheelSpec *x, int link)
{
    RiFeature f = {.kind = RI_FEATURE_CIRCLE,
                   .link = link,
                   .axis = ri_rotate(&x->pose.R, ri_vec3(0.0, 1.0, 0.0)),
                   .touches = o->wheel_touches,
                   .radius = x->radius + x->grouser_height,
                   .crown = x->crown,
                   .name = x->name,
                   .material = "wheel"};
    const int stations = x->crown > 0.0 ? 1 : o->wheel_stations; // a crown rolls on one place of it at a time
    f.width = x->width / stations;
    f.high = x->crown > 0.0 ? 0.5 * x->width : 0.0;
    f.low = -f.high;
    for (int i = 0; i < stations; i++) {
        const double y = station(i, stations, x->width);
        f.centre = ri_pose_point(&x->pose, ri_vec3(0.0, y, 0.0));
        RI_TRY(add(c, f));
    }
    return RI_OK;
}

/// Points of a shape along a side, ends included. A plane touches a convex shape at its corners
/// only; other ground may come up between them.
static int points_along(const RiContacts *c, const RiContactOptions *o, double side, double usual, int least)
{
    enum { MOST = 1000 };
    const double spacing = o->shape_spacing > 0.0 ? o->shape_spacing : usual;
    const double wanted = c->flat ? 0.0 : ceil(side / spacing - 1e-9) + 1.0;
    return wanted < least ? least : wanted > MOST ? MOST : (int)wanted;
}

/// Points on the surface of a box: its corners and, between them, a lattice on its edges and faces.
static RiStatus add_box(RiContacts *c, const RiContactOptions *o, const RiShapeSpec *x, RiFeature f)
{
    const double longest = fmax(x->size[0], fmax(x->size[1], x->size[2]));
    int n[3];
    f.kind = RI_FEATURE_POINT;
    for (int k = 0; k < 3; k++)
        n[k] = points_along(c, o, x->size[k], SPACING * longest, 2);
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        const int a = i % n[0], b = i / n[0] % n[1], d = i / (n[0] * n[1]);
        if (a > 0 && a < n[0] - 1 && b > 0 && b < n[1] - 1 && d > 0 && d < n[2] - 1)
            continue;
        f.centre = ri_pose_point(&x->pose, ri_vec3(station(a, n[0], x->size[0]), station(b, n[1], x->size[1]),
                                                   station(d, n[2], x->size[2])));
        RI_TRY(add(c, f));
    }
    return RI_OK;
}

/// Points of a mesh.
static RiStatus add_mesh(RiContacts *c, const RiContactOptions *o, const RiSpec *spec, int shape, RiFeature f)
{
    int count;
    RI_TRY(ri_contacts_mesh_nodes(c, o, spec, shape, &count));
    f.kind = RI_FEATURE_POINT;
    f.radius = 0.0;
    for (int i = 0; i < count; i++) {
        f.centre = c->mesh_nodes[i];
        RI_TRY(add(c, f));
    }
    return RI_OK;
}

static RiStatus add_shape(RiContacts *c, const RiContactOptions *o, const RiSpec *spec, int shape, int link)
{
    const RiShapeSpec *x = &spec->shapes[shape];
    RiFeature f = {.link = link,
                   .radius = x->size[0],
                   .axis = ri_rotate(&x->pose.R, ri_vec3(0.0, 0.0, 1.0)),
                   .name = x->name,
                   .material = x->material};
    switch (x->type) {
    case RI_SHAPE_BOX:
        f.radius = 0.0;
        return add_box(c, o, x, f);
    case RI_SHAPE_MESH:
        return add_mesh(c, o, spec, shape, f);
    case RI_SHAPE_CYLINDER:
        f.kind = RI_FEATURE_CIRCLE;
        f.touches = o->wheel_touches;
        break;
    case RI_SHAPE_SPHERE:
    case RI_SHAPE_CAPSULE:
        f.kind = RI_FEATURE_SPHERE;
        f.touches = 1;
        break;
    }
    const double usual = fmax(SPACING * x->size[1], 2.0 * x->size[0]); // little fits between balls side by side
    const int n = x->type == RI_SHAPE_SPHERE ? 1 : points_along(c, o, x->size[1], usual, o->shape_stations);
    for (int i = 0; i < n; i++) {
        const double z = x->type == RI_SHAPE_SPHERE ? 0.0 : station(i, n, x->size[1]);
        f.centre = ri_pose_point(&x->pose, ri_vec3(0.0, 0.0, z));
        RI_TRY(add(c, f));
    }
    return RI_OK;
}

static bool link_has_features(const RiContacts *c, int link)
{
    for (int i = 0; i < c->feature_count; i++)
        if (c->features[i].link == link)
            return true;
    return false;
}

static RiStatus add_all(RiContacts *c, const RiSpec *spec, const RiModel *m, const RiContactOptions *o)
{
    for (int i = 0; i < spec->screw_count; i++)
        RI_TRY(add_screw(c, o, &spec->screws[i], ri_model_find_link(m, spec->screws[i].link)));
    for (int i = 0; i < spec->wheel_count; i++)
        RI_TRY(add_wheel(c, o, &spec->wheels[i], ri_model_find_link(m, spec->wheels[i].link)));
    for (int i = 0; i < spec->contact_point_count; i++) {
        const RiContactPointSpec *x = &spec->contact_points[i];
        const RiFeature f = {.kind = RI_FEATURE_POINT,
                             .link = ri_model_find_link(m, x->link),
                             .centre = x->point,
                             .name = x->name,
                             .material = x->material ? x->material : "point"};
        RI_TRY(add(c, f));
    }
    const int given = c->feature_count;
    for (int i = 0; i < spec->shape_count && o->shapes; i++) {
        const RiShapeSpec *x = &spec->shapes[i];
        const int link = ri_model_find_link(m, x->link), now = c->feature_count;
        c->feature_count = given; // only what was given by name keeps a link's shapes out
        const bool named = link_has_features(c, link);
        c->feature_count = now;
        if ((x->use & (RI_SHAPE_COLLISION | RI_SHAPE_GROUND)) && !named && ri_model_link(m, link).body >= 0)
            RI_TRY(add_shape(c, o, spec, i, link));
    }
    for (int i = given; i < c->feature_count; i++)
        c->features[i].shape = true;
    return RI_OK;
}

/// Whether the ground is a half-space.
static bool is_flat(const RiTerrain *t)
{
    const RiTerrain *const *parts;
    const int count = ri_terrain_parts(t, &parts);
    return count == 1 ? is_flat(parts[0]) : count == 0 && strcmp(t->kind->kind, "plane") == 0;
}

/// A ball around the features of a link that has nothing but shapes, in the body's frame.
static void bound(const RiContacts *c, RiContactLink *x)
{
    RiVec3 sum = {0.0, 0.0, 0.0};
    for (int i = x->first; i < x->first + x->count; i++)
        sum = ri_add(sum, c->places[i].centre);
    x->centre = ri_scale(1.0 / x->count, sum);
    for (int i = x->first; i < x->first + x->count; i++)
        x->radius = fmax(x->radius, ri_norm(ri_sub(c->places[i].centre, x->centre)) + fmax(0.0, c->features[i].radius));
}

/// Whether a feature comes after another one: those of shapes last, then in order of links.
static bool comes_after(const RiFeature *a, const RiFeature *b)
{
    return a->shape != b->shape ? a->shape : a->link > b->link;
}

/// Stable order by link, so that one pose serves all features of a link.
static RiStatus group_by_link(RiContacts *c, const RiModel *m)
{
    for (int i = 1; i < c->feature_count; i++) {
        const RiFeature x = c->features[i];
        int at = i;
        for (; at > 0 && comes_after(&c->features[at - 1], &x); at--)
            c->features[at] = c->features[at - 1];
        c->features[at] = x;
    }
    c->links = ri_arena_alloc(&c->arena, (size_t)(c->feature_count + c->solid_count) + 1, sizeof *c->links);
    c->places = ri_arena_alloc(&c->arena, (size_t)c->feature_count + 1, sizeof *c->places);
    c->state_first = ri_arena_alloc(&c->arena, (size_t)c->feature_count + 1, sizeof *c->state_first);
    c->feature_of = ri_arena_alloc(&c->arena, RI_RIM_TOUCHES * (size_t)c->feature_count + 1, sizeof *c->feature_of);
    if (!c->links || !c->places || !c->state_first || !c->feature_of)
        return ri_error_memory(c->ctx);
    for (int i = 0; i < c->feature_count; i++) {
        const RiFeature *f = &c->features[i];
        const RiLinkInfo link = ri_model_link(m, f->link);
        if (i == 0 || f->link != c->features[i - 1].link)
            c->links[c->link_count++] = (RiContactLink){.link = f->link, .body = link.body, .first = i};
        c->links[c->link_count - 1].count++;
        for (int k = 0; k < f->touches; k++)
            c->feature_of[c->state_count++] = i;
        c->state_first[i + 1] = c->state_count;
        c->places[i] = (RiFeaturePlace){ri_pose_point(&link.pose, f->centre), ri_rotate(&link.pose.R, f->axis),
                                        ri_pose_point(&link.pose, f->hub)};
    }
    c->slot_count = c->link_count;
    for (int l = 0; l < c->link_count; l++) {
        c->links[l].shaped = c->features[c->links[l].first].shape;
        c->shaped_first += !c->links[l].shaped;
        bound(c, &c->links[l]);
    }
    return RI_OK;
}

// --- pairs ---------------------------------------------------------------------------------------

/// Puts what follows from other fields, then checks.
static RiStatus check_pair(RiContacts *c, RiPairDef *p, const RiLawUse *use)
{
    const char *file = p->source.file ? p->source.file : "contact";
    if (p->law == RI_LAW_PLUGIN && (!use || !use->plugin || !use->numbers))
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: contact pair of '%s': law plugin needs a library and a type",
                        file, p->source.line, p->robot ? p->robot : "*");
    if (p->law == RI_LAW_PLUGIN && ri_contact_plugin_check(c->ctx, use->plugin, use->numbers) != RI_OK) {
        char why[512];
        snprintf(why, sizeof why, "%s", ri_context_message(c->ctx));
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: contact pair of '%s': %s", file, p->source.line,
                        p->robot ? p->robot : "*", why);
    }
    if (isnan(p->stick_stiffness))
        p->stick_stiffness = 0.5 * p->stiffness;
    if (isnan(p->stick_damping))
        p->stick_damping = p->damping;
    if (p->with && p->ground)
        return ri_error(c->ctx, RI_ERR_ARGUMENT,
                        "%s:%d: contact pair of '%s': it is either on 'ground' (%s) or 'with' another link (%s)",
                        p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*",
                        p->ground, p->with);
    RI_TRY(ri_pair_check(c->ctx, p));
    if (p->with && ri_laws[p->law].rolls)
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: contact pair of '%s' with '%s': law %s is for soil",
                        p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*", p->with,
                        ri_law_name(p->law));
    return RI_OK;
}

/// A thread whose height is not known cannot be engaged by depth.
static RiStatus check_engagement(const RiContacts *c, const RiPairDef *p, const RiFeature *f)
{
    if (!ri_laws[p->law].threads || p->engagement <= 0.0 || f->lead_tan == 0.0 || f->height > 0.0)
        return RI_OK;
    return ri_error(
        c->ctx, RI_ERR_ARGUMENT,
        "%s:%d: contact pair of '%s' on '%s': engagement is %g, but screw '%s' has no core_radius below its "
        "radius: its thread has no height",
        p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*",
        p->ground ? p->ground : "*", p->engagement, f->name);
}

static bool is_robot_side(const RiPairDef *p, const RiFeature *f, const char *link)
{
    const char *robot = p->robot ? p->robot : "*";
    return ri_glob_match(robot, f->material) || ri_glob_match(robot, f->name) || ri_glob_match(robot, link);
}

/// By the name of the terrain's material or region, or by that of the soil on top of the region.
static bool is_ground_side(const RiContacts *c, const RiPairDef *p, int ground)
{
    const char *glob = p->ground ? p->ground : "*";
    const RiSoil *soil = ri_contacts_ground_soil(c->terrain, ground);
    return ri_glob_match(glob, ri_terrain_material_name(c->terrain, ground)) ||
           (soil && ri_glob_match(glob, soil->name));
}

/// Adds a name to a list of them unless it is in there already.
static void list_name(char *list, size_t size, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ',' || !at[n]))
            return;
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

/// A pair whose globs fit nothing is misspelt.
static RiStatus check_meets(const RiContacts *c, const RiModel *m, const RiPairDef *p)
{
    bool robot = c->feature_count == 0, ground = c->ground_count == 0;
    char names[800] = "";
    const char *at = p->source.file ? p->source.file : "contact";
    if (p->with)
        return RI_OK; // of hulls, if the robot has any
    for (int i = 0; i < c->feature_count && !robot; i++)
        robot = is_robot_side(p, &c->features[i], ri_model_link(m, c->features[i].link).name);
    for (int g = 0; g < c->ground_count && !ground; g++)
        ground = is_ground_side(c, p, g);
    if (!robot) {
        for (int i = 0; i < c->feature_count; i++)
            list_name(names, sizeof names, c->features[i].material);
        for (int i = 0; i < c->feature_count; i++)
            list_name(names, sizeof names, c->features[i].name);
        return ri_error(c->ctx, RI_ERR_ARGUMENT,
                        "%s:%d: contact pair of '%s': nothing of the robot that can touch has that material, name or "
                        "link; there are: %s",
                        at, p->source.line, p->robot, names);
    }
    if (ground)
        return RI_OK;
    for (int g = 0; g < c->ground_count; g++) {
        const RiSoil *soil = ri_contacts_ground_soil(c->terrain, g);
        list_name(names, sizeof names, ri_terrain_material_name(c->terrain, g));
        if (soil)
            list_name(names, sizeof names, soil->name);
    }
    return ri_error(c->ctx, RI_ERR_ARGUMENT,
                    "%s:%d: contact pair of '%s' on '%s': the terrain has no such material; it has: %s", at,
                    p->source.line, p->robot ? p->robot : "*", p->ground, names);
}

/// A number of the pair, or else of the ground's soil.
static RiStatus pick(const RiContacts *c, const RiPairDef *p, int ground, const char *name, double own, double soils,
                     double low, double high, double *out)
{
    const char *at = p->source.file ? p->source.file : "contact";
    const char *robot = p->robot ? p->robot : "*", *material = ri_terrain_material_name(c->terrain, ground);
    *out = isnan(own) ? soils : own;
    if (isnan(*out))
        return ri_error(c->ctx, RI_ERR_ARGUMENT,
                        "%s:%d: contact pair of '%s': law %s needs %s, and the ground '%s' has no soil that says it",
                        at, p->source.line, robot, ri_law_name(p->law), name, material);
    if (!(*out >= low && *out <= high))
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: contact pair of '%s' on '%s': %s is %g, it must be %g to %g",
                        at, p->source.line, robot, material, name, *out, low, high);
    return RI_OK;
}

/// What the law of a wheel on a ground uses of its soil.
static RiStatus resolve_soil(RiContacts *c, int feature, int ground, double gravity)
{
    const RiFeature *f = &c->features[feature];
    const int pair = c->pair_of[feature * c->ground_count + ground];
    const RiPairDef *p = &c->pairs[pair];
    if (!ri_laws[p->law].rolls)
        return RI_OK;
    if (!(f->width > 0.0))
        return ri_error(
            c->ctx, RI_ERR_ARGUMENT,
            "%s:%d: contact pair of '%s': law %s is for wheels, but '%s' is not a wheel: give it another pair",
            p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*", ri_law_name(p->law),
            f->name);
    if (!(p->stick_stiffness > 0.0))
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "%s:%d: contact pair of '%s': law %s needs a positive stick_stiffness",
                        p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*",
                        ri_law_name(p->law));
    const RiSoil *s = ri_contacts_ground_soil(c->terrain, ground);
    double angle, cohesion, density;
    RI_TRY(pick(c, p, ground, "friction_angle", p->friction_angle, s ? s->friction : NAN, 0.0, 1.2, &angle));
    RI_TRY(pick(c, p, ground, "cohesion", p->cohesion, s ? s->cohesion : NAN, 0.0, 1e9, &cohesion));
    RI_TRY(pick(c, p, ground, "density", p->density, s ? s->density : NAN, 1.0, 1e5, &density));
    c->soils[pair * c->ground_count + ground] =
        (RiBearing){cohesion, ri_tan(angle), density * gravity, ri_bearing_factors(angle)};
    return RI_OK;
}

static RiStatus resolve_soils(RiContacts *c, const RiContactOptions *o)
{
    const double g = ri_norm(o->gravity);
    const size_t count = (size_t)c->pair_count * (size_t)c->ground_count;
    c->up = g > 0.0 ? ri_scale(-1.0 / g, o->gravity) : ri_vec3(0.0, 0.0, 0.0);
    c->slip_key = ri_rng_stream(o->seed, "contact.slip").key;
    c->soils = ri_arena_alloc(&c->arena, count + 1, sizeof *c->soils);
    if (!c->soils)
        return ri_error_memory(c->ctx);
    for (int i = 0; i < c->feature_count; i++)
        for (int ground = 0; ground < c->ground_count; ground++)
            RI_TRY(resolve_soil(c, i, ground, g));
    return RI_OK;
}

/// Names of a pair, kept with the contacts.
static void keep_names(RiContacts *c, RiPairDef *p)
{
    p->robot = ri_arena_string(&c->arena, p->robot);
    p->ground = ri_arena_string(&c->arena, p->ground);
    p->with = ri_arena_string(&c->arena, p->with);
    p->name = ri_arena_string(&c->arena, p->name);
    p->source.file = ri_arena_string(&c->arena, p->source.file);
}

/// The law between a feature and a material: the first pair that fits, with its friction.
static RiStatus resolve_pair(RiContacts *c, const RiModel *m, const RiContactOptions *o, int feature, int ground)
{
    const RiFeature *f = &c->features[feature];
    const char *link = ri_model_link(m, f->link).name;
    const int place = feature * c->ground_count + ground;
    const double robot = ri_contacts_robot_friction(c, o, f->material),
                 other = ri_contacts_ground_friction(c, o, ground);
    int at = 0;
    while (at < c->given &&
           (c->pairs[at].with || !is_robot_side(&c->pairs[at], f, link) || !is_ground_side(c, &c->pairs[at], ground)))
        at++;
    if (c->origins[at].open)
        c->from_of[place] = (uint8_t)ri_friction_from(robot, other);
    RI_TRY(ri_contacts_vary(c, at, robot, other, &c->pair_of[place]));
    return check_engagement(c, &c->pairs[at], f);
}

static RiStatus resolve_pairs(RiContacts *c, const RiModel *m, const RiContactOptions *o)
{
    c->ground_count = c->terrain ? ri_terrain_material_count(c->terrain) : 0;
    const size_t count = (size_t)c->feature_count * (size_t)c->ground_count + 1;
    c->pair_of = ri_arena_alloc(&c->arena, count, sizeof *c->pair_of);
    c->from_of = ri_arena_alloc(&c->arena, count, sizeof *c->from_of);
    if (!c->pair_of || !c->from_of)
        return ri_error_memory(c->ctx);
    RI_TRY(ri_contacts_keep_pairs(c, o->pairs, o->uses, o->pair_count));
    for (int i = 0; i <= c->given; i++) {
        RI_TRY(check_pair(c, &c->pairs[i], c->uses ? &c->uses[i] : NULL));
        if (i < c->given)
            RI_TRY(check_meets(c, m, &c->pairs[i]));
        keep_names(c, &c->pairs[i]);
    }
    for (int i = 0; i < c->feature_count; i++)
        for (int g = 0; g < c->ground_count; g++)
            RI_TRY(resolve_pair(c, m, o, i, g));
    return resolve_soils(c, o);
}

RiStatus ri_contacts_create(RiContext *ctx, const RiSpec *spec, const RiModel *model, const RiTerrain *terrain,
                            const RiContactOptions *options, RiContacts **out_contacts)
{
    const RiContactOptions o = options ? *options : ri_contact_options_default();
    *out_contacts = NULL;
    RI_TRY(ri_options_check(ctx, NULL, &ri_contact_option_table, &o));
    RiContacts *c = ri_alloc_zero(ctx, 1, sizeof *c);
    if (!c)
        return ri_error_memory(ctx);
    c->ctx = ctx;
    c->terrain = terrain;
    if (terrain) {
        const RiTerrainInfo info = ri_terrain_info(terrain);
        c->flat = is_flat(terrain);
        c->lipschitz = info.exact ? 1.0 : 2.0;
        c->cell = info.cell;
        c->by_heights = info.single_valued && info.exact && terrain->kind->near_many && terrain->kind->downhill_many;
    }
    ri_arena_init(&c->arena, ctx);
    RiStatus status = ri_contacts_add_solids(c, spec, model, &o);
    if (status == RI_OK && terrain)
        status = add_all(c, spec, model, &o);
    if (status == RI_OK)
        status = group_by_link(c, model);
    if (status == RI_OK)
        status = resolve_pairs(c, model, &o);
    if (status == RI_OK)
        status = ri_contacts_join_solids(c, model, &o);
    if (status != RI_OK)
        ri_contacts_destroy(c);
    else
        *out_contacts = c;
    return status;
}

void ri_contacts_destroy(RiContacts *c)
{
    if (!c)
        return;
    ri_release(c->ctx, c->features);
    ri_release(c->ctx, c->solids);
    ri_release(c->ctx, c->mesh_nodes);
    ri_arena_free(&c->arena);
    ri_release(c->ctx, c);
}

int ri_contacts_feature_count(const RiContacts *c)
{
    return c->feature_count;
}

const RiFeature *ri_contacts_feature(const RiContacts *c, int feature)
{
    return &c->features[feature];
}

const RiTerrain *ri_contacts_terrain(const RiContacts *c)
{
    return c->terrain;
}

const RiPairDef *ri_contacts_pair(const RiContacts *c, int feature, int ground)
{
    return &c->pairs[c->pair_of[feature * c->ground_count + ground]];
}

int ri_contacts_pair_given(const RiContacts *c, int feature, int ground)
{
    const int given = c->origins[ri_contacts_pair(c, feature, ground) - c->pairs].given;
    return given < c->given ? given : -1;
}

RiFrictionFrom ri_contacts_friction_from(const RiContacts *c, int feature, int ground)
{
    return (RiFrictionFrom)c->from_of[feature * c->ground_count + ground];
}

const RiContactPlugin *ri_contacts_pair_plugin(const RiContacts *c, const RiPairDef *pair)
{
    const RiLawUse *use = ri_contacts_use(c, c->uses, (int)(pair - c->pairs));
    return use && pair->law == RI_LAW_PLUGIN ? use->plugin : NULL;
}

void ri_contacts_pair_name(const RiContacts *c, const RiPairDef *pair, char *out, size_t size)
{
    char name[RI_PAIR_NAME];
    ri_pair_name(c->pairs, (int)(pair - c->pairs), name, sizeof name);
    snprintf(out, size, "%s", name);
}
