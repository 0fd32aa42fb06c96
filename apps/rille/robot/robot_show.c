// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot show`: what a robot is made of, as text.
#include <stdlib.h>
#include <string.h>

#include "robot/robot_show.h"

// --- the tree ------------------------------------------------------------------------------------
//
// Robots are long and thin: a snake has a spine of dozens of joints. So the drawing does not indent
// with depth. At each link the largest branch goes on straight below, the others are beside it:
//
//     o base                  a link hangs on the 'o' above it in its column;
//     +-o left_screw          side branches come first,
//     | o left_tip
//     o bend                  the spine goes on below them
//
// A side branch holds at most half of what hangs on its link, so n links nest at most log2(n) deep.

enum { PREFIX = 80 }; // two characters a level, and room to spare

typedef struct Row {
    char prefix[PREFIX];
    int link;
} Row;

typedef struct Tree {
    const RiModel *m;
    int *size;       ///< links hanging on each link, itself included
    int *main_child; ///< the largest branch, -1 at the ends and where there are only ends side by side
    int *first;      ///< first child, -1
    int *next;       ///< next child of the same parent, -1
    Row *rows;
    int row_count;
} Tree;

static int parent_of(const RiModel *m, int link)
{
    return ri_model_joint(m, ri_model_link(m, link).joint).parent_link;
}

static void measure(Tree *t)
{
    const RiModel *m = t->m;
    const int n = ri_model_link_count(m);
    for (int i = 0; i < n; i++) {
        t->size[i] = 1;
        t->main_child[i] = t->first[i] = t->next[i] = -1;
    }
    for (int i = n - 1; i >= 0; i--) { // from the ends to the root; children end up in file order
        const int link = ri_model_link_in_order(m, i), parent = parent_of(m, link);
        if (parent < 0)
            continue;
        t->size[parent] += t->size[link];
        t->next[link] = t->first[parent];
        t->first[parent] = link;
        if (t->main_child[parent] < 0 || t->size[link] >= t->size[t->main_child[parent]])
            t->main_child[parent] = link;
    }
    for (int i = 0; i < n; i++)
        if (t->main_child[i] >= 0 && t->size[t->main_child[i]] == 1 && t->next[t->first[i]] >= 0)
            t->main_child[i] = -1;
}

static void draw(Tree *t, int link, const char *prefix, bool branch)
{
    char inner[PREFIX];
    snprintf(inner, sizeof inner, "%.70s%s", prefix, branch ? "| " : "");
    for (bool is_first = true; link >= 0; link = t->main_child[link], is_first = false) {
        Row *row = &t->rows[t->row_count++];
        row->link = link;
        snprintf(row->prefix, sizeof row->prefix, "%.70s%so ", is_first ? prefix : inner,
                 is_first && branch ? "+-" : "");
        for (int child = t->first[link]; child >= 0; child = t->next[child])
            if (child != t->main_child[link])
                draw(t, child, inner, true);
    }
}

static void format_axis(const RiJointSpec *joint, char *out, size_t size)
{
    static const char *const names[] = {"x", "y", "z"};
    const double a[] = {joint->axis.x, joint->axis.y, joint->axis.z};
    *out = '\0';
    if (joint->type == RI_JOINT_FIXED || joint->type == RI_JOINT_BALL || joint->type == RI_JOINT_FREE)
        return;
    for (int k = 0; k < 3; k++)
        if (fabs(a[k]) > 1.0 - 1e-12) {
            snprintf(out, size, "%s%s", a[k] < 0.0 ? "-" : "", names[k]);
            return;
        }
    snprintf(out, size, "(%.3g %.3g %.3g)", a[0], a[1], a[2]);
}

/// What to say of a joint beyond its type: merged, tied, limits.
static void format_note(const RiJointInfo *info, const RiSpec *spec, int joint, char *out, size_t size)
{
    const RiJointSpec *js = info->spec;
    *out = '\0';
    if (info->merged && joint < spec->joint_count && spec->joints[joint].type != RI_JOINT_FIXED)
        snprintf(out, size, spec->joints[joint].locked ? "locked, merged" : "moves no mass, merged");
    else if (info->merged)
        snprintf(out, size, joint < spec->joint_count ? "merged" : "held by the world");
    else if (info->nv > 0 && info->v_index < 0)
        snprintf(out, size, "dependent");
    const size_t used = strlen(out);
    if (!info->merged && js->has_limits)
        snprintf(out + used, size - used, "%s%g to %g", used ? ", " : "", js->lower, js->upper);
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static void print_row(const Tree *t, const RiSpec *spec, const Row *row, int joint_width, int link_width)
{
    const RiLinkInfo link = ri_model_link(t->m, row->link);
    const RiJointInfo joint = ri_model_joint(t->m, link.joint);
    const bool own = link.joint < spec->joint_count; // else the base joint
    const RiJointType type = own ? spec->joints[link.joint].type : joint.type;
    char axis[64], note[96];
    format_axis(own ? &spec->joints[link.joint] : joint.spec, axis, sizeof axis);
    format_note(&joint, spec, link.joint, note, sizeof note);
    const int rest = at_least(joint_width - (int)strlen(row->prefix), 1);
    printf("  %s%-*s %-10s %-5s %-*s %9.4g kg%s%s\n", row->prefix, rest, joint.name, ri_joint_type_name(type), axis,
           link_width, link.name, link.mass, *note ? "  " : "", note);
}

static void print_rows(const Tree *t, const RobotArgs *args, const RiSpec *spec)
{
    int joint_width = 8, link_width = 4;
    for (int i = 0; i < t->row_count; i++) {
        const RiLinkInfo link = ri_model_link(t->m, t->rows[i].link);
        const char *joint = ri_model_joint(t->m, link.joint).name;
        joint_width = at_least(joint_width, (int)(strlen(t->rows[i].prefix) + strlen(joint)));
        link_width = at_least(link_width, (int)strlen(link.name));
    }
    joint_width = joint_width > 48 ? 48 : joint_width;
    link_width = link_width > 32 ? 32 : link_width;
    printf("\n  %-*s %-10s %-5s %-*s %12s\n", joint_width, "joint", "type", "axis", link_width, "link", "mass");
    for (int i = 0; i < t->row_count; i++)
        if (robot_shows(args, i, t->row_count))
            print_row(t, spec, &t->rows[i], joint_width, link_width);
}

static bool print_tree(const RobotArgs *args, const Robot *r)
{
    const size_t n = (size_t)ri_model_link_count(r->model);
    int *numbers = malloc(4 * n * sizeof *numbers);
    Row *rows = malloc(n * sizeof *rows);
    const bool ok = numbers && rows;
    if (ok) {
        Tree t = {.m = r->model,
                  .size = numbers,
                  .main_child = numbers + n,
                  .first = numbers + 2 * n,
                  .next = numbers + 3 * n,
                  .rows = rows};
        measure(&t);
        draw(&t, ri_model_link_in_order(r->model, 0), "", false);
        print_rows(&t, args, r->spec);
    }
    free(numbers);
    free(rows);
    return ok;
}

// --- the rest, as lists --------------------------------------------------------------------------

static void print_summary(const Robot *r)
{
    const RiModel *m = r->model;
    const RiSpec *s = r->spec;
    int estimated = 0, merged = 0;
    for (int i = 0; i < s->link_count; i++)
        estimated += s->links[i].estimated;
    for (int i = 0; i < s->joint_count; i++)
        merged += ri_model_joint(m, i).merged;
    printf("%s (%s)\n", s->name, r->path);
    printf("  base         %s\n", ri_model_is_floating(m) ? "floating" : "fixed");
    printf("  mass         %.6g kg that move", ri_model_mass(m));
    if (estimated)
        printf("; %d of %d links are estimates", estimated, s->link_count);
    printf("\n  links        %d -> %d bodies", s->link_count, ri_model_body_count(m));
    if (merged)
        printf(" (%d merged; 'rille robot reduce' says why)", merged);
    printf("\n  coordinates  %d positions, %d velocities (degrees of freedom)", ri_model_nq(m), ri_model_nv(m));
    if (ri_model_spanning_nv(m) != ri_model_nv(m))
        printf("; all joints have %d", ri_model_spanning_nv(m));
    printf("\n");
}

static void print_coupling(const RiCouplingSpec *x)
{
    printf("  %-26s ", x->name ? x->name : "");
    for (int k = 0; k < x->term_count; k++) {
        const double f = x->terms[k].factor;
        printf("%s", k ? (f < 0.0 ? " - " : " + ") : f < 0.0 ? "-" : "");
        if (fabs(f) != 1.0)
            printf("%g ", fabs(f));
        printf("%s", x->terms[k].joint);
    }
    printf(" = %g\n", x->offset);
}

static void print_ties(const RobotArgs *args, const Robot *r)
{
    const RiSpec *s = r->spec;
    const RiModel *m = r->model;
    if (s->coupling_count)
        printf("\ncouplings\n");
    for (int i = 0; i < s->coupling_count; i++)
        if (robot_shows(args, i, s->coupling_count))
            print_coupling(&s->couplings[i]);
    if (s->loop_count)
        printf("\nloops\n");
    for (int i = 0; i < s->loop_count; i++)
        if (robot_shows(args, i, s->loop_count))
            printf("  %-20s %s, %s to %s\n", s->loops[i].name ? s->loops[i].name : "",
                   ri_loop_type_name(s->loops[i].type), s->loops[i].link_a, s->loops[i].link_b);
    int tied = 0, shown = 0;
    for (int i = 0; i < ri_model_cluster_count(m); i++)
        tied += ri_model_cluster(m, i).body_count > 1;
    if (tied)
        printf("\nclusters (bodies computed together because they are tied)\n");
    for (int i = 0; i < ri_model_cluster_count(m); i++) {
        const RiClusterInfo c = ri_model_cluster(m, i);
        if (c.body_count < 2 || !robot_shows(args, shown++, tied))
            continue;
        printf("  %d of %d coordinates free%s:", c.nv, c.spanning_nv, c.has_loops ? ", with loops" : "");
        for (int b = c.body; b < c.body + c.body_count; b++)
            printf(" %s", ri_model_body(m, b).name);
        printf("\n");
    }
}

static void print_mounts(const RobotArgs *args, const RiSpec *s)
{
    if (s->frame_count)
        printf("\nframes\n");
    for (int i = 0; i < s->frame_count; i++) {
        const RiFrameSpec *x = &s->frames[i];
        if (robot_shows(args, i, s->frame_count))
            printf("  %-20s on %s at (%g, %g, %g)\n", x->name, x->link, x->pose.p.x, x->pose.p.y, x->pose.p.z);
    }
    if (s->sensor_count)
        printf("\nsensors\n");
    for (int i = 0; i < s->sensor_count; i++) {
        const RiSensorSpec *x = &s->sensors[i];
        if (robot_shows(args, i, s->sensor_count))
            printf("  %-20s %s %s %s\n", x->name, x->kind, x->link ? "on link" : "at joint",
                   x->link ? x->link : x->joint);
    }
    if (s->screw_count)
        printf("\nscrews\n");
    for (int i = 0; i < s->screw_count; i++) {
        const RiScrewSpec *x = &s->screws[i];
        if (robot_shows(args, i, s->screw_count))
            printf("  %-20s on %s: %s-handed, %d start%s, lead %g m, radius %g m, length %g m\n", x->name, x->link,
                   x->hand > 0 ? "right" : "left", x->starts, plural(x->starts), x->lead, x->radius, x->length);
    }
    if (s->wheel_count)
        printf("\nwheels\n");
    for (int i = 0; i < s->wheel_count; i++) {
        const RiWheelSpec *x = &s->wheels[i];
        if (robot_shows(args, i, s->wheel_count))
            printf("  %-20s on %s: radius %g m, width %g m, %d grouser%s\n", x->name, x->link, x->radius, x->width,
                   x->grouser_count, plural(x->grouser_count));
    }
    if (s->contact_point_count)
        printf("\ncontact points\n");
    for (int i = 0; i < s->contact_point_count; i++) {
        const RiContactPointSpec *x = &s->contact_points[i];
        if (robot_shows(args, i, s->contact_point_count))
            printf("  %-20s on %s at (%g, %g, %g)\n", x->name ? x->name : "", x->link, x->point.x, x->point.y,
                   x->point.z);
    }
}

static CliExit show(const RobotArgs *args, const Robot *r)
{
    if (args->json) {
        robot_show_json(r);
        return CLI_DONE;
    }
    print_summary(r);
    if (!print_tree(args, r))
        return cli_no_memory();
    print_ties(args, r);
    print_mounts(args, r->spec);
    return CLI_DONE;
}

int robot_show(int argc, char **argv)
{
    static const struct argp_option options[] = {ROBOT_OPTIONS_LOAD, ROBOT_OPTION_NO_REDUCE, ROBOT_OPTION_BASE,
                                                 ROBOT_OPTION_JSON,  ROBOT_OPTION_ALL,       {0}};
    static const char doc[] = "Shows what a robot is made of: tree of joints and links, masses, coordinates, "
                              "couplings, loops, frames, sensors, "
                              "screws and wheels.\vIn the tree, each joint hangs on the 'o' above it in its column.";
    RobotArgs args;
    if (!robot_parse(options, "ROBOT", doc, 1, argc, argv, &args))
        return cli_no_memory();
    Robot r;
    CliExit code = robot_open(&args, &r);
    if (code == CLI_DONE)
        code = show(&args, &r);
    robot_close(&r);
    robot_args_free(&args);
    return code;
}
