// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hulls of a robot: what of its screws, wheels and collision shapes other links meet, which pairs
/// may touch, and by which law.
///
/// A link's screws and wheels stand for it; without them its collision shapes do. Long screws are
/// capsules as wide as their thread, so that they roll smoothly; short ones, wheels and cylinders
/// are prisms. Links fixed to the world have hulls too: they are obstacles.
///
/// Pairs that do not touch: two hulls of one body; bodies joined by a joint or a loop closure;
/// bodies of one mechanism (no free joint between them) whose hulls overlap in the initial
/// configuration; what `ignore` names. `collide` takes pairs back in.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "contact/contacts.h"

/// Default tolerance of a decomposition, part of the diagonal of the mesh's box.
static const double TOLERANCE = 0.03;
enum { MOST_SOLIDS = 4096 };

static RiStatus add_solid(RiContacts *c, const RiHull *hull, const RiModel *m, int link, int shape, const char *name,
                          const char *material)
{
    if (c->solid_count == MOST_SOLIDS)
        return ri_error(c->ctx, RI_ERR_LIMIT, "contact: more than %d hulls; fewer per mesh with 'hulls'", MOST_SOLIDS);
    RI_TRY(ri_grow(c->ctx, &c->solids, c->solid_count, &c->solid_room, 32, sizeof *c->solids));
    RiSolid x = {.hull = *hull, .link = link, .body = ri_model_link(m, link).body, .shape = shape};
    x.name = ri_arena_string(&c->arena, name ? name : "");
    x.material = ri_arena_string(&c->arena, material ? material : "");
    if (!x.name || !x.material)
        return ri_error_memory(c->ctx);
    x.first_point = c->point_total;
    c->point_total += hull->point_count;
    c->solids[c->solid_count++] = x;
    return RI_OK;
}

static RiStatus add_screw(RiContacts *c, const RiModel *m, const RiContactOptions *o, const RiScrewSpec *x)
{
    RiHull hull;
    const double straight = x->length - 2.0 * x->radius;
    RI_TRY(straight > 0.0 ? ri_hull_capsule(&c->arena, &x->pose, x->radius, straight, &hull)
                          : ri_hull_cylinder(&c->arena, &x->pose, x->radius, x->length, o->hull_sides, &hull));
    return add_solid(c, &hull, m, ri_model_find_link(m, x->link), -1, x->name, "screw");
}

static RiStatus add_wheel(RiContacts *c, const RiModel *m, const RiContactOptions *o, const RiWheelSpec *x)
{
    RiHull hull;
    RiPose pose = x->pose; // z along the spin axis, which is y
    pose.R = ri_mat3_from_cols(ri_mat3_col(&x->pose.R, 2), ri_mat3_col(&x->pose.R, 0), ri_mat3_col(&x->pose.R, 1));
    RI_TRY(ri_hull_cylinder(&c->arena, &pose, x->radius + x->grouser_height, x->width, o->hull_sides, &hull));
    return add_solid(c, &hull, m, ri_model_find_link(m, x->link), -1, x->name, "wheel");
}

// --- meshes --------------------------------------------------------------------------------------

/// Puts the shape in front of what a geometry says about it.
static RiStatus blame(const RiContacts *c, const RiShapeSpec *x, RiStatus status)
{
    char message[512];
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s", ri_context_message(c->ctx));
    return ri_error(c->ctx, status, "%s:%d: collision %s '%s' of link '%s' %s",
                    x->source.file ? x->source.file : "robot", x->source.line,
                    x->type == RI_SHAPE_MESH ? "mesh" : "shape",
                    x->path   ? x->path
                    : x->uri  ? x->uri
                    : x->name ? x->name
                              : "",
                    x->link, message);
}

static RiStatus check_mesh(const RiContacts *c, const RiTriangleSet *mesh)
{
    for (int i = 0; i < mesh->point_count; i++)
        if (!isfinite(mesh->points[i].x) || !isfinite(mesh->points[i].y) || !isfinite(mesh->points[i].z))
            return ri_error(c->ctx, RI_ERR_ARGUMENT, "has a point that is not finite");
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[t][k] >= (uint32_t)mesh->point_count)
                return ri_error(c->ctx, RI_ERR_ARGUMENT, "has a triangle whose corner %u does not exist",
                                mesh->triangles[t][k]);
    return RI_OK;
}

/// The mesh of a shape with its points in the link frame, in an arena.
static RiStatus load_mesh(const RiContacts *c, const RiContactOptions *o, const RiShapeSpec *x, RiArena *arena,
                          RiTriangleSet *out)
{
    const RiContactMesh *mesh = NULL;
    for (int i = 0; i < o->mesh_count && !mesh; i++)
        if (x->path && strcmp(o->meshes[i].path, x->path) == 0)
            mesh = &o->meshes[i];
    if (!mesh && !x->path)
        return ri_error(c->ctx, RI_ERR_ARGUMENT,
                        "was not found: contact needs it, or another shape, or 'shapes: false'");
    if (!mesh)
        return ri_error(c->ctx, RI_ERR_ARGUMENT, "is not among the meshes that were loaded for contact");
    RiVec3 *points = ri_arena_alloc(arena, (size_t)mesh->point_count + 1, sizeof *points);
    if (!points)
        return ri_error_memory(c->ctx);
    for (int i = 0; i < mesh->point_count; i++) {
        const RiVec3 p = mesh->points[i];
        points[i] = ri_pose_point(&x->pose, ri_vec3(p.x * x->size[0], p.y * x->size[1], p.z * x->size[2]));
    }
    *out = (RiTriangleSet){points, mesh->triangles, mesh->point_count, mesh->triangle_count};
    return check_mesh(c, out);
}

static double diagonal(const RiTriangleSet *mesh)
{
    RiVec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < mesh->point_count; i++) {
        const RiVec3 p = mesh->points[i];
        low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return mesh->point_count ? ri_norm(ri_sub(high, low)) : 0.0;
}

static RiStatus add_mesh_parts(RiContacts *c, const RiModel *m, const RiContactOptions *o, const RiShapeSpec *x,
                               int shape, RiArena *scratch)
{
    RiTriangleSet mesh;
    RiHull *hulls;
    int count;
    RI_TRY(load_mesh(c, o, x, scratch, &mesh));
    const double tolerance = o->hull_tolerance > 0.0 ? o->hull_tolerance : TOLERANCE * diagonal(&mesh);
    const RiDecomposition how = {tolerance, o->hulls, o->hull_corners};
    RI_TRY(ri_hull_decompose(&c->arena, &mesh, &how, &hulls, &count));
    for (int i = 0; i < count; i++)
        RI_TRY(add_solid(c, &hulls[i], m, ri_model_find_link(m, x->link), shape, x->name, x->material));
    return RI_OK;
}

static RiStatus add_mesh(RiContacts *c, const RiModel *m, const RiContactOptions *o, const RiShapeSpec *x, int shape)
{
    RiArena scratch;
    ri_arena_init(&scratch, c->ctx);
    const RiStatus status = add_mesh_parts(c, m, o, x, shape, &scratch);
    ri_arena_free(&scratch);
    return status;
}

static RiStatus add_shape(RiContacts *c, const RiModel *m, const RiContactOptions *o, const RiShapeSpec *x, int shape)
{
    RiHull hull;
    const int link = ri_model_find_link(m, x->link);
    switch (x->type) {
    case RI_SHAPE_MESH:
        return add_mesh(c, m, o, x, shape);
    case RI_SHAPE_BOX:
        RI_TRY(ri_hull_box(&c->arena, &x->pose, ri_vec3(x->size[0], x->size[1], x->size[2]), &hull));
        break;
    case RI_SHAPE_CYLINDER:
        RI_TRY(ri_hull_cylinder(&c->arena, &x->pose, x->size[0], x->size[1], o->hull_sides, &hull));
        break;
    case RI_SHAPE_CAPSULE:
        RI_TRY(ri_hull_capsule(&c->arena, &x->pose, x->size[0], x->size[1], &hull));
        break;
    case RI_SHAPE_SPHERE:
        RI_TRY(ri_hull_capsule(&c->arena, &x->pose, x->size[0], 0.0, &hull));
        break;
    }
    return add_solid(c, &hull, m, link, shape, x->name, x->material);
}

/// Screws and wheels stand for their link.
static bool has_rolling(const RiSpec *spec, const char *link)
{
    for (int i = 0; i < spec->screw_count; i++)
        if (strcmp(spec->screws[i].link, link) == 0)
            return true;
    for (int i = 0; i < spec->wheel_count; i++)
        if (strcmp(spec->wheels[i].link, link) == 0)
            return true;
    return false;
}

RiStatus ri_contacts_add_solids(RiContacts *c, const RiSpec *spec, const RiModel *m, const RiContactOptions *o)
{
    if (o->back_end != RI_BACK_END_HULLS)
        return RI_OK;
    for (int i = 0; i < spec->screw_count; i++)
        RI_TRY(add_screw(c, m, o, &spec->screws[i]));
    for (int i = 0; i < spec->wheel_count; i++)
        RI_TRY(add_wheel(c, m, o, &spec->wheels[i]));
    for (int i = 0; i < spec->shape_count && o->shapes; i++)
        if ((spec->shapes[i].use & RI_SHAPE_COLLISION) && !has_rolling(spec, spec->shapes[i].link))
            RI_TRY(blame(c, &spec->shapes[i], add_shape(c, m, o, &spec->shapes[i], i)));
    return RI_OK;
}

// --- points of meshes for the ground -------------------------------------------------------------

/// How deep a point of one part is in another part of the same mesh to be no point of its surface.
static const double WITHIN = 1e-6;

/// Corners of a mesh's hulls, without those inside of another one.
static RiStatus take_corners(RiContacts *c, int shape, int *out_count)
{
    RiVec3 *nodes = ri_resize(c->ctx, c->mesh_nodes, (size_t)c->point_total + 1, sizeof *nodes);
    if (!nodes)
        return ri_error_memory(c->ctx);
    c->mesh_nodes = nodes;
    *out_count = 0;
    for (int s = 0; s < c->solid_count; s++)
        for (int i = 0; c->solids[s].shape == shape && i < c->solids[s].hull.point_count; i++) {
            const RiVec3 p = c->solids[s].hull.points[i];
            bool within = false;
            for (int k = 0; k < c->solid_count && !within; k++)
                within = k != s && c->solids[k].shape == shape && ri_hull_depth(&c->solids[k].hull, p) > WITHIN;
            for (int k = 0; k < *out_count && !within; k++) // cuts leave corners to both sides
                within = ri_norm(ri_sub(nodes[k], p)) < WITHIN;
            if (!within)
                nodes[(*out_count)++] = p;
        }
    return RI_OK;
}

/// Corners and middles of all triangles.
static int list_surface(const RiTriangleSet *mesh, RiVec3 *out)
{
    int n = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *x = mesh->triangles[t];
        const RiVec3 a = mesh->points[x[0]], b = mesh->points[x[1]], c = mesh->points[x[2]];
        out[n++] = a, out[n++] = b, out[n++] = c;
        out[n++] = ri_scale(1.0 / 3.0, ri_add(a, ri_add(b, c)));
    }
    return n;
}

/// Points far from each other on the mesh or its hull. A flat mesh has no hull and is taken as it
/// is.
static RiStatus spread_over(RiContacts *c, const RiContactOptions *o, const RiShapeSpec *x, RiArena *scratch,
                            int *out_count)
{
    RiTriangleSet mesh;
    RiHull hull;
    RI_TRY(load_mesh(c, o, x, scratch, &mesh));
    const RiStatus status = ri_hull_create(scratch, mesh.point_count, mesh.points, mesh.point_count, &hull);
    const bool flat = status == RI_ERR_ARGUMENT && mesh.triangle_count > 0;
    if (!flat)
        RI_TRY(status);
    const bool surface = flat || o->mesh_placement == RI_MESH_SURFACE;
    const int room = surface ? 4 * mesh.triangle_count : hull.point_count;
    RiVec3 *from = ri_arena_alloc(scratch, (size_t)room + 1, sizeof *from);
    double *distance = ri_arena_alloc(scratch, (size_t)room + 1, sizeof *distance);
    int *chosen = ri_arena_alloc(scratch, (size_t)o->mesh_points + 1, sizeof *chosen);
    RiVec3 *nodes = ri_resize(c->ctx, c->mesh_nodes, (size_t)o->mesh_points + 1, sizeof *nodes);
    if (nodes)
        c->mesh_nodes = nodes;
    if (!from || !distance || !chosen || !nodes)
        return ri_error_memory(c->ctx);
    if (surface)
        list_surface(&mesh, from);
    else
        memcpy(from, hull.points, (size_t)room * sizeof *from);
    *out_count = room < o->mesh_points ? room : o->mesh_points;
    *out_count = ri_spread_points(room, from, *out_count, distance, chosen);
    for (int i = 0; i < *out_count; i++)
        nodes[i] = from[chosen[i]];
    return RI_OK;
}

RiStatus ri_contacts_mesh_nodes(RiContacts *c, const RiContactOptions *o, const RiSpec *spec, int shape, int *out_count)
{
    const RiShapeSpec *x = &spec->shapes[shape];
    *out_count = 0;
    if (o->back_end == RI_BACK_END_HULLS)
        return take_corners(c, shape, out_count);
    RiArena scratch;
    ri_arena_init(&scratch, c->ctx);
    const RiStatus status = blame(c, x, spread_over(c, o, x, &scratch, out_count));
    ri_arena_free(&scratch);
    return status;
}

// --- pairs ---------------------------------------------------------------------------------------

/// From the link frame to the body frame, and the link's slot.
static RiStatus move_to_bodies(RiContacts *c, const RiModel *m)
{
    for (int i = 0; i < c->solid_count; i++) {
        RiSolid *x = &c->solids[i];
        const RiPose pose = ri_model_link(m, x->link).pose;
        RiVec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
        for (int k = 0; k < x->hull.point_count; k++) {
            const RiVec3 p = x->hull.points[k] = ri_pose_point(&pose, x->hull.points[k]);
            low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
        x->hull.centre = ri_scale(0.5, ri_add(low, high));
        x->hull.half = ri_scale(0.5, ri_sub(high, low));
        for (int f = 0; f < x->hull.face_count; f++) {
            RiHullFace *face = &x->hull.faces[f];
            face->normal = ri_rotate(&pose.R, face->normal);
            face->offset += ri_dot(face->normal, pose.p);
        }
        int slot = 0;
        while (slot < c->slot_count && c->links[slot].link != x->link)
            slot++;
        if (slot == c->slot_count)
            c->links[c->slot_count++] = (RiContactLink){.link = x->link, .body = x->body, .first = c->feature_count};
        x->slot = slot;
    }
    return RI_OK;
}

/// The body that a mechanism hangs on: the first one up from `body` with a free joint, -1: the
/// world.
static int mechanism_of(const RiModel *m, int body)
{
    while (body >= 0 && m->bodies[body].type != RI_JOINT_FREE)
        body = m->bodies[body].parent;
    return body;
}

static bool are_joined(const RiModel *m, const RiSolid *a, const RiSolid *b)
{
    if (a->body == b->body)
        return true;
    const bool a_on_b = a->body >= 0 && m->bodies[a->body].parent == b->body,
               b_on_a = b->body >= 0 && m->bodies[b->body].parent == a->body;
    if ((a_on_b && m->bodies[a->body].type != RI_JOINT_FREE) || (b_on_a && m->bodies[b->body].type != RI_JOINT_FREE))
        return true;
    for (int l = 0; l < m->nloop; l++)
        for (int k = 0; k < m->loops[l].closure_count; k++) {
            const RiClosure *x = &m->loops[l].closures[k];
            if ((x->link_a == a->link && x->link_b == b->link) || (x->link_a == b->link && x->link_b == a->link))
                return true;
        }
    return false;
}

static bool is_listed(const RiModel *m, const RiLinkPair *list, int count, const RiSolid *a, const RiSolid *b)
{
    const char *x = ri_model_link(m, a->link).name, *y = ri_model_link(m, b->link).name;
    for (int i = 0; i < count; i++)
        if ((ri_glob_match(list[i].a, x) && ri_glob_match(list[i].b, y)) ||
            (ri_glob_match(list[i].a, y) && ri_glob_match(list[i].b, x)))
            return true;
    return false;
}

static bool is_side(const char *glob, const RiModel *m, const RiSolid *x)
{
    const char *g = glob ? glob : "*";
    return ri_glob_match(g, x->material) || ri_glob_match(g, x->name) ||
           ri_glob_match(g, ri_model_link(m, x->link).name);
}

/// The first pair with `with` that fits, either way round; the default one else.
static int find_law(const RiContacts *c, const RiModel *m, const RiSolid *a, const RiSolid *b)
{
    for (int i = 0; i < c->given; i++) {
        const RiPairDef *p = &c->pairs[i];
        if (p->with && ((is_side(p->robot, m, a) && is_side(p->with, m, b)) ||
                        (is_side(p->robot, m, b) && is_side(p->with, m, a))))
            return i;
    }
    return c->given;
}

/// Solids in the initial configuration.
typedef struct Initial {
    RiDyn *d;
    RiVec3 *points;
    RiPose *poses; // [solid] of its body
} Initial;

static bool overlap_at_first(const RiContacts *c, const Initial *x, int a, int b)
{
    const RiSolid *s = &c->solids[a], *t = &c->solids[b];
    const RiConvex A = {&s->hull, x->points + s->first_point, x->poses[a]};
    const RiConvex B = {&t->hull, x->points + t->first_point, x->poses[b]};
    RiVec3 axis = {0.0, 0.0, 0.0};
    RiMeet meets[RI_MEETS];
    return ri_convex_meet(&A, &B, 0.0, &axis, meets) > 0;
}

static RiStatus place_initially(const RiContacts *c, const RiModel *m, RiArena *scratch, Initial *x)
{
    double *q = ri_arena_alloc(scratch, (size_t)m->nq + 1, sizeof *q);
    x->points = ri_arena_alloc(scratch, (size_t)c->point_total + 1, sizeof *x->points);
    x->poses = ri_arena_alloc(scratch, (size_t)c->solid_count + 1, sizeof *x->poses);
    if (!q || !x->points || !x->poses)
        return ri_error_memory(c->ctx);
    RI_TRY(ri_dyn_create(c->ctx, m, &x->d));
    ri_model_get_initial_q(m, q);
    RI_TRY(ri_dyn_update_position(x->d, q));
    for (int i = 0; i < c->solid_count; i++) {
        const RiSolid *s = &c->solids[i];
        const RiPose link = ri_dyn_frame_pose(x->d, s->link), in = ri_model_link(m, s->link).pose,
                     out = ri_pose_inverse(&in);
        x->poses[i] = ri_pose_mul(&link, &out);
        for (int k = 0; k < s->hull.point_count; k++)
            x->points[s->first_point + k] = ri_pose_point(&x->poses[i], s->hull.points[k]);
    }
    return RI_OK;
}

/// The law of two hulls that touch, with the friction of their materials.
static RiStatus choose_law(RiContacts *c, const RiModel *m, const RiContactOptions *o, size_t a, size_t b)
{
    const size_t n = (size_t)c->solid_count;
    const RiSolid *s = &c->solids[a], *t = &c->solids[b];
    const double one = ri_contacts_robot_friction(c, o, s->material),
                 other = ri_contacts_robot_friction(c, o, t->material);
    const int given = find_law(c, m, s, t);
    int pair;
    RI_TRY(ri_contacts_vary(c, given, one, other, &pair));
    if (pair > INT16_MAX)
        return ri_error(c->ctx, RI_ERR_LIMIT, "contact: more than %d pairs and variants of them", INT16_MAX);
    c->law_of[a * n + b] = c->law_of[b * n + a] = (int16_t)pair;
    if (c->origins[given].open) {
        c->law_from[a * n + b] = (uint8_t)ri_friction_from(one, other);
        c->law_from[b * n + a] = (uint8_t)ri_friction_from(other, one);
    }
    return RI_OK;
}

static RiStatus fill_laws(RiContacts *c, const RiModel *m, const RiContactOptions *o, const Initial *x)
{
    const size_t n = (size_t)c->solid_count;
    for (size_t a = 0; a < n; a++) {
        c->law_of[a * n + a] = -1;
        for (size_t b = 0; b < a; b++) {
            const RiSolid *s = &c->solids[a], *t = &c->solids[b];
            bool touch = !are_joined(m, s, t);
            if (touch && mechanism_of(m, s->body) == mechanism_of(m, t->body))
                touch = !overlap_at_first(c, x, (int)a, (int)b);
            if (s->body != t->body && is_listed(m, o->collide, o->collide_count, s, t))
                touch = true;
            if (is_listed(m, o->ignore, o->ignore_count, s, t) || (s->body < 0 && t->body < 0))
                touch = false;
            c->law_of[a * n + b] = c->law_of[b * n + a] = -1;
            if (touch)
                RI_TRY(choose_law(c, m, o, a, b));
        }
    }
    return RI_OK;
}

RiStatus ri_contacts_join_solids(RiContacts *c, const RiModel *m, const RiContactOptions *o)
{
    const size_t n = (size_t)c->solid_count;
    c->pair_first = c->state_count;
    if (n == 0 || !o->self)
        return RI_OK;
    RI_TRY(move_to_bodies(c, m));
    c->law_of = ri_arena_alloc(&c->arena, n * n, sizeof *c->law_of);
    c->law_from = ri_arena_alloc(&c->arena, n * n, sizeof *c->law_from);
    if (!c->law_of || !c->law_from)
        return ri_error_memory(c->ctx);
    RiArena scratch;
    Initial x = {0};
    ri_arena_init(&scratch, c->ctx);
    RiStatus status = place_initially(c, m, &scratch, &x);
    if (status == RI_OK)
        status = fill_laws(c, m, o, &x);
    ri_dyn_destroy(x.d);
    ri_arena_free(&scratch);
    RI_TRY(status);
    c->pair_room = o->pair_room ? o->pair_room : c->solid_count < 4 ? 16 : 4 * c->solid_count;
    c->state_count += RI_MEETS * c->pair_room;
    return RI_OK;
}

// --- questions -----------------------------------------------------------------------------------

int ri_contacts_hull_count(const RiContacts *c)
{
    return c->solid_count;
}

RiHullInfo ri_contacts_hull(const RiContacts *c, int hull)
{
    const RiSolid *x = &c->solids[hull];
    return (RiHullInfo){.link = x->link,
                        .name = x->name,
                        .material = x->material,
                        .corner_count = x->hull.point_count,
                        .face_count = x->hull.face_count,
                        .radius = x->hull.radius,
                        .volume = ri_hull_volume(&x->hull)};
}

const RiPairDef *ri_contacts_hull_pair(const RiContacts *c, int a, int b)
{
    const int law = c->law_of ? c->law_of[(size_t)a * (size_t)c->solid_count + (size_t)b] : -1;
    return law < 0 ? NULL : &c->pairs[law];
}

RiFrictionFrom ri_contacts_hull_friction_from(const RiContacts *c, int a, int b)
{
    return c->law_from ? (RiFrictionFrom)c->law_from[(size_t)a * (size_t)c->solid_count + (size_t)b]
                       : RI_FRICTION_FROM_PAIR;
}
