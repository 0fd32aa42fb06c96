// SPDX-License-Identifier: Apache-2.0
/// \file
/// ODE as a contact model of `rille study contact-models`: `contact_ode FILE [ITERATIONS]`,
/// protocol in contact_scene.h.
///
/// Maximal coordinates. dWorldStep (Dantzig's pivoting) unless ITERATIONS is given, which takes
/// dWorldQuickStep (projected sweeps) with as many. Friction is ODE's pyramid, bound to the normal
/// force (dContactApprox1), with one side along x. ERP and CFM are ODE's defaults. Bodies that are
/// fixed to their parents are one body with them. Joint motors are constraints, so rotors have no
/// inertia.
#include <ode/ode.h>

#include "contact_scene.h"

enum { TOUCHES = 8 }; ///< of two shapes

/// Everything lives until the program ends.
typedef struct World {
    ContactScene scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID touches;
    int home[CONTACT_BODIES];      ///< the body that moves it: itself, or what it is fixed to
    double p[CONTACT_BODIES][3];   ///< of the frame at the start
    double R[CONTACT_BODIES][9];   ///< row by row
    double com[CONTACT_BODIES][3]; ///< of a moving body, in the world, at the start
    dBodyID body[CONTACT_BODIES];
    dJointID joint[CONTACT_BODIES];
    double turned[CONTACT_BODIES], last[CONTACT_BODIES];
    int iterations;
} World;

static void turn(const double R[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

/// out = A B^T or A B.
static void multiply(const double A[9], const double B[9], int transposed, double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += A[3 * i + k] * B[transposed ? 3 * j + k : 3 * k + j];
            out[3 * i + j] = sum;
        }
}

static void from_quaternion(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

/// Poses of all frames at the start, and which body each belongs to.
static void place_frames(World *w)
{
    for (int i = 0; i < w->scene.body_count; i++) {
        const ContactBody *b = &w->scene.bodies[i];
        double own[9], at[3] = {0.0, 0.0, 0.0};
        from_quaternion(b->q, own);
        w->home[i] = b->parent < 0 || b->hinge ? i : w->home[b->parent];
        if (b->parent < 0) {
            memcpy(w->R[i], own, sizeof own);
        } else {
            multiply(w->R[b->parent], own, 0, w->R[i]);
            turn(w->R[b->parent], b->p, at);
        }
        for (int k = 0; k < 3; k++)
            w->p[i][k] = b->parent < 0 ? b->p[k] : w->p[b->parent][k] + at[k];
    }
}

static void centre_of(const World *w, int i, double out[3])
{
    turn(w->R[i], w->scene.bodies[i].com, out);
    for (int k = 0; k < 3; k++)
        out[k] += w->p[i][k];
}

/// Mass and inertia of body i and all that is fixed to it; ODE's body is at their centre of mass,
/// with the world's axes.
static void add_body(World *w, int i)
{
    double mass = 0.0, centre[3] = {0.0, 0.0, 0.0}, I[9] = {0.0};
    for (int k = i; k < w->scene.body_count; k++) {
        double c[3];
        if (w->home[k] != i)
            continue;
        centre_of(w, k, c);
        mass += w->scene.bodies[k].mass;
        for (int a = 0; a < 3; a++)
            centre[a] += w->scene.bodies[k].mass * c[a];
    }
    for (int a = 0; a < 3; a++)
        w->com[i][a] = centre[a] /= mass;
    for (int k = i; k < w->scene.body_count; k++) {
        const ContactBody *b = &w->scene.bodies[k];
        const double *J = b->inertia, own[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
        double half[9], turned[9], d[3], square = 0.0;
        if (w->home[k] != i)
            continue;
        multiply(w->R[k], own, 0, half);
        multiply(half, w->R[k], 1, turned);
        centre_of(w, k, d);
        for (int a = 0; a < 3; a++)
            d[a] -= centre[a], square += d[a] * d[a];
        for (int a = 0; a < 9; a++)
            I[a] += turned[a] + b->mass * ((a % 4 == 0 ? square : 0.0) - d[a / 3] * d[a % 3]);
    }
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
    w->body[i] = dBodyCreate(w->world);
    dBodySetMass(w->body[i], &m);
    dBodySetPosition(w->body[i], centre[0], centre[1], centre[2]);
}

static void add_hinge(World *w, int i)
{
    const ContactBody *b = &w->scene.bodies[i];
    double axis[3];
    turn(w->R[i], b->axis, axis);
    const dJointID joint = w->joint[i] = dJointCreateHinge(w->world, 0);
    dJointAttach(joint, w->body[i], w->body[w->home[b->parent]]);
    dJointSetHingeAnchor(joint, w->p[i][0], w->p[i][1], w->p[i][2]);
    dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    if (b->lower < b->upper) {
        dJointSetHingeParam(joint, dParamLoStop, b->lower);
        dJointSetHingeParam(joint, dParamHiStop, b->upper);
    }
    if (b->driven)
        dJointSetHingeParam(joint, dParamFMax, 1e6);
}

/// ODE's cylinders are about z, wheels about y of their frame.
static void add_wheel(World *w, int i)
{
    const ContactBody *b = &w->scene.bodies[i];
    const int home = w->home[i];
    const double y_up[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    double R[9];
    multiply(w->R[i], y_up, 0, R);
    const dMatrix3 rows = {R[0], R[1], R[2], 0, R[3], R[4], R[5], 0, R[6], R[7], R[8], 0};
    const dGeomID geom = dCreateCylinder(w->space, b->radius, b->width);
    dGeomSetBody(geom, w->body[home]);
    dGeomSetOffsetPosition(geom, w->p[i][0] - w->com[home][0], w->p[i][1] - w->com[home][1],
                           w->p[i][2] - w->com[home][2]);
    dGeomSetOffsetRotation(geom, rows);
}

static void make(World *w)
{
    const ContactScene *s = &w->scene;
    w->world = dWorldCreate();
    w->space = dSimpleSpaceCreate(0);
    w->touches = dJointGroupCreate(0);
    if (w->iterations > 0)
        dWorldSetQuickStepNumIterations(w->world, w->iterations);
    dCreatePlane(w->space, 0, 0, 1, 0);
    if (s->height > 0.0)
        dGeomSetPosition(dCreateBox(w->space, 4, 10, s->height), s->distance + 2.0, 0, 0.5 * s->height);
    place_frames(w);
    for (int i = 0; i < s->body_count; i++)
        if (w->home[i] == i)
            add_body(w, i);
    for (int i = 0; i < s->body_count; i++) {
        if (s->bodies[i].hinge)
            add_hinge(w, i);
        if (s->bodies[i].radius > 0.0)
            add_wheel(w, i);
    }
}

/// Wheels touch the ground, and only the ground.
static void touch(void *data, dGeomID a, dGeomID b)
{
    World *w = data;
    dContact c[TOUCHES];
    if ((dGeomGetBody(a) != NULL) == (dGeomGetBody(b) != NULL))
        return;
    const int count = dCollide(a, b, TOUCHES, &c[0].geom, sizeof *c);
    for (int i = 0; i < count; i++) {
        const dReal *n = c[i].geom.normal;
        const double size = hypot(n[0], n[2]);
        c[i].surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactFDir1, .mu = w->scene.friction};
        // along x where the normal leaves it one: across the axle, in the plane of the normal and x
        c[i].fdir1[0] = size > 0.0 ? n[2] / size : 1.0;
        c[i].fdir1[1] = 0.0;
        c[i].fdir1[2] = size > 0.0 ? -n[0] / size : 0.0;
        c[i].fdir1[3] = 0.0;
        dJointAttach(dJointCreateContact(w->world, w->touches, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void step(World *w, double t)
{
    const ContactScene *s = &w->scene;
    double g[3];
    contact_gravity(s, t, g);
    dWorldSetGravity(w->world, g[0], g[1], g[2]);
    for (int i = 0; i < s->body_count; i++)
        if (s->bodies[i].driven)
            dJointSetHingeParam(w->joint[i], dParamVel, contact_line_at(&s->drive, t));
    dSpaceCollide(w->space, w, touch);
    if (w->iterations > 0)
        dWorldQuickStep(w->world, s->tick);
    else
        dWorldStep(w->world, s->tick);
    dJointGroupEmpty(w->touches);
    for (int i = 0; i < s->body_count; i++)
        if (s->bodies[i].driven) {
            const double now = dJointGetHingeAngle(w->joint[i]);
            w->turned[i] += remainder(now - w->last[i], 2.0 * M_PI);
            w->last[i] = now;
        }
}

static int put_sample(const World *w, double t)
{
    const dReal *at = dBodyGetPosition(w->body[0]), *r = dBodyGetRotation(w->body[0]);
    const double R[9] = {r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]};
    double rows[9], offset[3], turned = 0.0;
    int driven = 0;
    multiply(R, w->R[0], 0, rows);
    const double back[3] = {w->p[0][0] - w->com[0][0], w->p[0][1] - w->com[0][1], w->p[0][2] - w->com[0][2]};
    turn(R, back, offset);
    const double p[3] = {at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]};
    for (int i = 0; i < w->scene.body_count; i++)
        if (w->scene.bodies[i].driven)
            turned += w->turned[i], driven++;
    return contact_put(&w->scene, t, p, rows, driven ? turned / driven : 0.0);
}

static void run(World *w)
{
    const ContactScene *s = &w->scene;
    long steps = 0;
    for (int k = 0; s->period * k <= s->duration; k++) {
        while (s->tick * (double)steps < s->period * k - 0.5 * s->tick)
            step(w, s->tick * (double)steps++);
        if (!put_sample(w, s->period * k))
            return;
    }
}

int main(int argc, char **argv)
{
    static World w;
    if (argc < 2 || !contact_read(argv[1], &w.scene))
        return 2;
    w.iterations = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    make(&w);
    printf("hello ode %s\n", CONTACT_ODE_VERSION);
    const clock_t begin = clock();
    run(&w);
    printf("end %.6g\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    dCloseODE();
    return 0;
}
