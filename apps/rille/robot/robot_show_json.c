// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot show --json`: the same as the text, for programs.
#include "robot/robot_show.h"

static void write_pose(Json *j, const char *key, const RiPose *pose)
{
    const RiQuat q = ri_quat_from_mat3(&pose->R);
    json_open(j, key, '{');
    json_vec3(j, "position", pose->p);
    json_numbers(j, "quaternion", (const double[]){q.w, q.x, q.y, q.z}, 4);
    json_close(j, '}');
}

static void write_names(Json *j, const char *key, const RiModel *m, int count,
                        const char *(*name)(const RiModel *, int))
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++)
        json_string(j, NULL, name(m, i));
    json_close(j, ']');
}

static void write_links(Json *j, const Robot *r)
{
    json_open(j, "links", '[');
    for (int i = 0; i < ri_model_link_count(r->model); i++) {
        const RiLinkInfo x = ri_model_link(r->model, i);
        json_open(j, NULL, '{');
        json_string(j, "name", x.name);
        json_number(j, "mass", x.mass);
        json_string(j, "joint", ri_model_joint(r->model, x.joint).name);
        json_int(j, "body", x.body);
        json_bool(j, "estimated", r->spec->links[i].estimated);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_joint(Json *j, const Robot *r, int index)
{
    const RiJointInfo x = ri_model_joint(r->model, index);
    const RiJointSpec *own = index < r->spec->joint_count ? &r->spec->joints[index] : x.spec;
    json_open(j, NULL, '{');
    json_string(j, "name", x.name);
    json_string(j, "type", ri_joint_type_name(own->type));
    json_string(j, "parent", x.parent_link < 0 ? NULL : ri_model_link(r->model, x.parent_link).name);
    json_string(j, "child", ri_model_link(r->model, x.child_link).name);
    json_vec3(j, "axis", own->axis);
    write_pose(j, "origin", &own->origin);
    json_bool(j, "merged", x.merged);
    json_int(j, "cluster", x.cluster);
    json_int(j, "q_index", x.q_index);
    json_int(j, "v_index", x.v_index);
    if (own->has_limits)
        json_numbers(j, "limits", (const double[]){own->lower, own->upper}, 2);
    json_number(j, "effort", own->effort);
    json_number(j, "velocity", own->velocity);
    json_number(j, "damping", own->damping);
    json_number(j, "friction", own->friction);
    json_number(j, "stiffness", own->stiffness);
    json_number(j, "armature", own->armature);
    json_close(j, '}');
}

static void write_ties(Json *j, const Robot *r)
{
    const RiSpec *s = r->spec;
    json_open(j, "couplings", '[');
    for (int i = 0; i < s->coupling_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "name", s->couplings[i].name);
        json_open(j, "terms", '{');
        for (int k = 0; k < s->couplings[i].term_count; k++)
            json_number(j, s->couplings[i].terms[k].joint, s->couplings[i].terms[k].factor);
        json_close(j, '}');
        json_number(j, "offset", s->couplings[i].offset);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "loops", '[');
    for (int i = 0; i < s->loop_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "name", s->loops[i].name);
        json_string(j, "type", ri_loop_type_name(s->loops[i].type));
        json_string(j, "link_a", s->loops[i].link_a);
        json_string(j, "link_b", s->loops[i].link_b);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "clusters", '[');
    for (int i = 0; i < ri_model_cluster_count(r->model); i++) {
        const RiClusterInfo c = ri_model_cluster(r->model, i);
        json_open(j, NULL, '{');
        json_int(j, "nv", c.nv);
        json_int(j, "spanning_nv", c.spanning_nv);
        json_bool(j, "has_loops", c.has_loops);
        json_open(j, "bodies", '[');
        for (int b = c.body; b < c.body + c.body_count; b++)
            json_string(j, NULL, ri_model_body(r->model, b).name);
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_mounts(Json *j, const RiSpec *s)
{
    json_open(j, "frames", '[');
    for (int i = 0; i < s->frame_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "name", s->frames[i].name);
        json_string(j, "link", s->frames[i].link);
        write_pose(j, "pose", &s->frames[i].pose);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "sensors", '[');
    for (int i = 0; i < s->sensor_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "name", s->sensors[i].name);
        json_string(j, "kind", s->sensors[i].kind);
        json_string(j, "link", s->sensors[i].link);
        json_string(j, "joint", s->sensors[i].joint);
        write_pose(j, "pose", &s->sensors[i].pose);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_contacts(Json *j, const RiSpec *s)
{
    json_open(j, "screws", '[');
    for (int i = 0; i < s->screw_count; i++) {
        const RiScrewSpec *x = &s->screws[i];
        json_open(j, NULL, '{');
        json_string(j, "name", x->name);
        json_string(j, "link", x->link);
        json_string(j, "hand", x->hand > 0 ? "right" : "left");
        json_int(j, "starts", x->starts);
        json_number(j, "lead", x->lead);
        json_number(j, "radius", x->radius);
        json_number(j, "core_radius", x->core_radius);
        json_number(j, "length", x->length);
        json_bool(j, "estimated", x->estimated);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "wheels", '[');
    for (int i = 0; i < s->wheel_count; i++) {
        const RiWheelSpec *x = &s->wheels[i];
        json_open(j, NULL, '{');
        json_string(j, "name", x->name);
        json_string(j, "link", x->link);
        json_number(j, "radius", x->radius);
        json_number(j, "width", x->width);
        json_int(j, "grouser_count", x->grouser_count);
        json_bool(j, "estimated", x->estimated);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "contact_points", '[');
    for (int i = 0; i < s->contact_point_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "name", s->contact_points[i].name);
        json_string(j, "link", s->contact_points[i].link);
        json_vec3(j, "point", s->contact_points[i].point);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void robot_show_json(const Robot *r)
{
    const RiModel *m = r->model;
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "robot", r->spec->name);
    json_string(&j, "file", r->path);
    json_string(&j, "base", ri_model_is_floating(m) ? "floating" : "fixed");
    json_number(&j, "mass", ri_model_mass(m));
    json_int(&j, "bodies", ri_model_body_count(m));
    json_int(&j, "nq", ri_model_nq(m));
    json_int(&j, "nv", ri_model_nv(m));
    json_int(&j, "spanning_nv", ri_model_spanning_nv(m));
    write_names(&j, "q_names", m, ri_model_nq(m), ri_model_q_name);
    write_names(&j, "v_names", m, ri_model_nv(m), ri_model_v_name);
    write_links(&j, r);
    json_open(&j, "joints", '[');
    for (int i = 0; i < ri_model_joint_count(m); i++)
        write_joint(&j, r, i);
    json_close(&j, ']');
    write_ties(&j, r);
    write_mounts(&j, r->spec);
    write_contacts(&j, r->spec);
    json_close(&j, '}');
}
