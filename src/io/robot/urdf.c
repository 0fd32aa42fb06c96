// SPDX-License-Identifier: Apache-2.0
/// \file
/// URDF -> spec. The file is read into a tree, then in the order in which things depend on each
/// other: materials, links, joints (with what <rille> adds to them), the rest of <rille>, and
/// <mimic> when all joints are known.
///
/// Cycles, several roots and non-physical inertia are for ri_model_create and ri_spec_check, which
/// see specs from every source. Tests: tests/io/test_urdf.c; fuzz target: fuzz/fuzz_urdf.c.
#include "io/robot/urdf.h"

#include <stdio.h>
#include <string.h>

#include "io/file/file.h"
#include "io/robot/xacro.h"

typedef RiStatus (*Reader)(RiUrdf *, const RiXmlNode *);

/// Reads every child of <robot> of a name.
static RiStatus read_each(RiUrdf *u, const char *name, Reader read)
{
    for (const RiXmlNode *child = u->xml.root->first_child; child; child = child->next)
        if (strcmp(child->name, name) == 0)
            RI_TRY(read(u, child));
    return RI_OK;
}

static RiStatus check_root(const RiUrdf *u, const RiXmlNode *robot)
{
    if (strcmp(robot->name, "robot") != 0)
        return ri_urdf_error(u, robot, RI_ERR_FORMAT, "the outermost element is <%.80s>, expected <robot>",
                             robot->name);
    const char *version = ri_xml_attribute(robot, "version");
    if (version && strcmp(version, "1.0") != 0 && strcmp(version, "1") != 0)
        return ri_urdf_error(u, robot, RI_ERR_FORMAT, "<robot> attribute version=\"%.80s\": expected 1.0", version);
    if (!ri_xml_child(robot, "link"))
        return ri_urdf_error(u, robot, RI_ERR_FORMAT, "<robot> has no <link>");
    return ri_urdf_expect(u, robot, RI_LIST("name", "version"), RI_NONE, RI_LIST("link", "joint", "material", "rille"));
}

/// The <rille> element, or NULL. There is one place for what it says, so a second one is an error.
static RiStatus find_rille(const RiUrdf *u, const RiXmlNode **out_rille)
{
    *out_rille = ri_xml_child(u->xml.root, "rille");
    for (const RiXmlNode *child = *out_rille ? (*out_rille)->next : NULL; child; child = child->next)
        if (strcmp(child->name, "rille") == 0)
            return ri_urdf_error(u, child, RI_ERR_FORMAT, "a second <rille>; the first is at line %d",
                                 (*out_rille)->line);
    return RI_OK;
}

/// Room for one parent joint per link.
static RiStatus make_parents(RiUrdf *u)
{
    u->parent_joint = ri_arena_alloc(&u->arena, (size_t)u->spec->link_count, sizeof *u->parent_joint);
    if (!u->parent_joint)
        return ri_error_memory(u->ctx);
    for (int i = 0; i < u->spec->link_count; i++)
        u->parent_joint[i] = -1;
    return RI_OK;
}

static RiStatus read_robot(RiUrdf *u)
{
    const RiXmlNode *rille;
    RI_TRY(find_rille(u, &rille));
    RI_TRY(read_each(u, "material", ri_urdf_read_material));
    RI_TRY(read_each(u, "link", ri_urdf_read_link));
    RI_TRY(make_parents(u));
    u->strict = true;
    if (rille)
        RI_TRY(ri_urdf_collect_refinements(u, rille));
    u->strict = false;
    RI_TRY(read_each(u, "joint", ri_urdf_read_joint));
    RI_TRY(read_each(u, "joint", ri_urdf_read_mimic));
    u->strict = true;
    if (rille)
        RI_TRY(ri_urdf_read_rille(u, rille));
    u->strict = false;
    ri_urdf_check_materials(u);
    RI_TRY(ri_urdf_derive_wheels(u));
    return rille ? ri_urdf_read_flexible(u, rille) : RI_OK;
}

// --- the summary ---

/// Appends "N what" (with a plural s) to a list in words; nothing if n is 0.
static void append_count(char *text, size_t size, int n, const char *what)
{
    const size_t used = strlen(text);
    if (n)
        snprintf(text + used, size - used, "%s%d %s%s", used ? ", " : "", n, what, n == 1 ? "" : "s");
}

static void summarise_joints(const RiUrdf *u)
{
    const RiSpec *s = u->spec;
    int counts[RI_JOINT_TYPE_COUNT] = {0}, locked = 0;
    for (int i = 0; i < s->joint_count; i++) {
        counts[s->joints[i].type]++;
        locked += s->joints[i].locked;
    }
    char kinds[256] = "";
    for (int i = 0; i < RI_JOINT_TYPE_COUNT; i++) {
        const size_t used = strlen(kinds);
        if (counts[i])
            snprintf(kinds + used, sizeof kinds - used, "%s%d %s", used ? ", " : " (", counts[i],
                     ri_joint_type_name((RiJointType)i));
    }
    const size_t used = strlen(kinds);
    if (locked)
        snprintf(kinds + used, sizeof kinds - used, ", of these %d locked", locked);
    ri_urdf_report(u, RI_FINDING_UNDERSTOOD, u->xml.root, "robot '%s': %d link%s, %d joint%s%s%s", s->name,
                   s->link_count, s->link_count == 1 ? "" : "s", s->joint_count, s->joint_count == 1 ? "" : "s", kinds,
                   s->joint_count ? ")" : "");
}

static void summarise(const RiUrdf *u)
{
    const RiSpec *s = u->spec;
    int visual = 0, meshes = 0;
    for (int i = 0; i < s->shape_count; i++) {
        visual += s->shapes[i].use == RI_SHAPE_VISUAL;
        meshes += s->shapes[i].type == RI_SHAPE_MESH;
    }
    char shapes[256] = "", extras[256] = "";
    append_count(shapes, sizeof shapes, visual, "visual shape");
    append_count(shapes, sizeof shapes, s->shape_count - visual, "collision shape");
    append_count(shapes, sizeof shapes, meshes, "mesh reference");
    append_count(shapes, sizeof shapes, s->material_count, "material");
    append_count(extras, sizeof extras, u->mimic_count, "mimic coupling");
    append_count(extras, sizeof extras, s->coupling_count - u->mimic_count, "other coupling");
    append_count(extras, sizeof extras, s->loop_count, "loop");
    append_count(extras, sizeof extras, s->frame_count, "frame");
    append_count(extras, sizeof extras, s->sensor_count, "sensor");
    append_count(extras, sizeof extras, s->screw_count, "screw");
    append_count(extras, sizeof extras, s->wheel_count, "wheel");
    append_count(extras, sizeof extras, s->contact_point_count, "contact point");
    summarise_joints(u);
    if (*shapes)
        ri_urdf_report(u, RI_FINDING_UNDERSTOOD, u->xml.root, "%s", shapes);
    if (*extras)
        ri_urdf_report(u, RI_FINDING_UNDERSTOOD, u->xml.root, "%s", extras);
}

// --- the public calls ---

/// Text -> tree -> spec, with everything that *u holds still held on error.
static RiStatus load(RiUrdf *u, const char *text, size_t size)
{
    const char *name;
    RI_TRY(ri_xml_parse(u->ctx, u->file, text, size, &u->xml));
    if (ri_xacro_is_used(u->xml.root))
        RI_TRY(ri_xacro_expand(u->ctx, u->file, u->options, &u->xml));
    else if (u->options->setting_count)
        return ri_error(u->ctx, RI_ERR_ARGUMENT, "%s: a URDF file has no parameters; setting '%s' has no use", u->file,
                        u->options->settings[0].name);
    RI_TRY(check_root(u, u->xml.root));
    RI_TRY(ri_urdf_text(u, u->xml.root, "name", &name));
    RI_TRY(ri_spec_create(u->ctx, name, &u->spec));
    RI_TRY(read_robot(u));
    summarise(u);
    return RI_OK;
}

RiStatus ri_urdf_parse(RiContext *ctx, const char *path, const char *text, size_t size, const RiLoadOptions *options,
                       RiSpec **out_spec)
{
    *out_spec = NULL;
    const RiLoadOptions defaults = ri_load_options_default();
    RiUrdf u = {.ctx = ctx, .file = path ? path : "(text)", .options = options ? options : &defaults};
    u.report = u.options->report;
    ri_arena_init(&u.arena, ctx);
    for (int i = 0; i < RI_URDF_KIND_COUNT; i++)
        ri_names_init(&u.names[i], ctx);

    const RiStatus status = load(&u, text, size);

    for (int i = 0; i < RI_URDF_KIND_COUNT; i++)
        ri_names_free(&u.names[i]);
    ri_arena_free(&u.arena);
    ri_xml_free(&u.xml);
    if (status != RI_OK)
        ri_spec_destroy(u.spec);
    else
        *out_spec = u.spec;
    return status;
}

RiStatus ri_urdf_load(RiContext *ctx, const char *path, const RiLoadOptions *options, RiSpec **out_spec)
{
    *out_spec = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, RI_XML_MAX_SIZE, &text, &size));
    const RiStatus status = ri_urdf_parse(ctx, path, text, size, options, out_spec);
    ri_release(ctx, text);
    return status;
}
