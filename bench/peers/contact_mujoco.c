// SPDX-License-Identifier: Apache-2.0
/// \file
/// MuJoCo as a contact model of `rille study contact-models`: `contact_mujoco FILE [IMPRATIO]`,
/// protocol in contact_scene.h.
///
/// Elliptic cones, Newton's method, MuJoCo's own softness of contacts (solref, solimp as they are
/// by default); implicit integration for the servos. IMPRATIO is MuJoCo's ratio of frictional to
/// normal impedance (1): with more of it contacts creep less.
#include <mujoco/mujoco.h>

#include "contact_scene.h"

static void put_joint(FILE *f, const ContactScene *s, int i)
{
    const ContactBody *b = &s->bodies[i];
    if (b->parent < 0)
        fprintf(f, "<freejoint/>");
    else if (b->hinge)
        fprintf(f,
                "<joint name='j%d' type='hinge' axis='%.17g %.17g %.17g' limited='%s' range='%.17g %.17g' "
                "armature='%.17g'/>",
                i, b->axis[0], b->axis[1], b->axis[2], b->lower < b->upper ? "true" : "false", b->lower, b->upper,
                b->armature);
}

static void put_body(FILE *f, const ContactScene *s, int i)
{
    const ContactBody *b = &s->bodies[i];
    const double *I = b->inertia;
    fprintf(f, "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", i, b->p[0], b->p[1], b->p[2],
            b->q[0], b->q[1], b->q[2], b->q[3]);
    put_joint(f, s, i);
    fprintf(f, "<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n",
            b->com[0], b->com[1], b->com[2], b->mass, I[0], I[1], I[2], I[3], I[4], I[5]);
    if (b->radius > 0.0)
        fprintf(f, "<geom type='cylinder' fromto='0 %.17g 0 0 %.17g 0' size='%.17g' mass='0'/>\n", -0.5 * b->width,
                0.5 * b->width, b->radius);
    for (int k = i + 1; k < s->body_count; k++)
        if (s->bodies[k].parent == i)
            put_body(f, s, k);
    fprintf(f, "</body>\n");
}

static void put_scene(FILE *f, const ContactScene *s, double ratio)
{
    fprintf(f,
            "<mujoco><compiler angle='radian'/><option timestep='%.17g' integrator='implicit' solver='Newton' "
            "cone='elliptic' impratio='%.17g'/><size nconmax='500' njmax='2000'/>\n"
            "<default><geom contype='2' conaffinity='1' condim='3' friction='%.17g 0 0'/></default>\n<worldbody>\n",
            s->tick, ratio, s->friction);
    fprintf(f, "<geom type='plane' size='100 100 1' contype='1' conaffinity='2'/>\n");
    // deep into the ground: the centre of a flat box misleads MuJoCo's search for the penetration,
    // and wheels are thrown back from its edge
    fprintf(f, "<geom type='box' size='2 2 2' pos='%.17g 0 %.17g' contype='1' conaffinity='2'/>\n", s->distance + 2.0,
            s->height - 2.0);
    put_body(f, s, 0);
    fprintf(f, "</worldbody>\n<actuator>\n");
    for (int i = 0; i < s->body_count; i++)
        if (s->bodies[i].driven)
            fprintf(f, "<velocity joint='j%d' kv='%.17g'/>\n", i, s->servo);
    for (int i = 0; s->brake > 0.0 && i < s->body_count; i++)
        if (s->bodies[i].driven)
            fprintf(f, "<position joint='j%d' kp='%.17g'/>\n", i, s->brake);
    fprintf(f, "</actuator></mujoco>\n");
}

static mjModel *compile(const ContactScene *s, double ratio)
{
    char *text = NULL, message[500] = "";
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    mjVFS *files = malloc(sizeof *files);
    if (!f || !files)
        return NULL;
    put_scene(f, s, ratio);
    fclose(f);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "model.xml", (int)size);
    memcpy(files->filedata[mj_findFileVFS(files, "model.xml")], text, size);
    mjModel *m = mj_loadXML("model.xml", files, message, sizeof message);
    if (!m)
        fprintf(stderr, "contact_mujoco: %s\n", message);
    mj_deleteVFS(files);
    free(files);
    free(text);
    return m;
}

/// Mean angle of the driven joints.
static double mean_turn(const mjModel *m, const mjData *d)
{
    double sum = 0.0;
    for (int i = 0; i < m->nu; i++)
        sum += d->qpos[m->jnt_qposadr[m->actuator_trnid[2 * i]]];
    return m->nu ? sum / m->nu : 0.0;
}

static void run(const ContactScene *s, mjModel *m, mjData *d)
{
    for (int k = 0; s->period * k <= s->duration; k++) {
        while (d->time < s->period * k - 0.5 * s->tick) {
            contact_gravity(s, d->time, m->opt.gravity);
            for (int i = 0; i < m->nu; i++)
                d->ctrl[i] = contact_line_at(&s->drive, d->time); // brakes go with no speed: they hold angle 0
            mj_step(m, d);
        }
        double R[9];
        mju_quat2Mat(R, d->qpos + 3);
        if (!contact_put(s, s->period * k, d->qpos, R, mean_turn(m, d)))
            return;
    }
}

int main(int argc, char **argv)
{
    static ContactScene scene;
    if (argc < 2 || !contact_read(argv[1], &scene))
        return 2;
    mjModel *m = compile(&scene, argc > 2 ? strtod(argv[2], NULL) : 1.0);
    mjData *d = m ? mj_makeData(m) : NULL;
    if (!d)
        return 1;
    printf("hello mujoco %s\n", mj_versionString());
    const clock_t begin = clock();
    run(&scene, m, d);
    printf("end %.6g\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
