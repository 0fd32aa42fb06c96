// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bullet as a contact model of `rille study contact-models`: `contact_bullet FILE [ITERATIONS]`,
/// protocol in contact_scene.h.
///
/// btMultiBody in double precision with btMultiBodyConstraintSolver (sequential impulses, 50
/// iterations unless given), cylinders on a plane and a box, joint motors as velocity constraints.
/// Bullet multiplies the friction of two bodies, so the ground has 1.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <vector>

#include "contact_scene.h"

namespace
{
/// Everything lives until the program ends.
struct World {
    ContactScene scene;
    btMultiBodyDynamicsWorld *world;
    btMultiBody *rover;
    std::vector<btMultiBodyJointMotor *> motors;
    std::vector<int> driven;
};

btVector3 vec(const double *x)
{
    return btVector3(x[0], x[1], x[2]);
}

void add_ground(World &w, btCollisionShape *shape, const btVector3 &at)
{
    btCollisionObject *object = new btCollisionObject();
    btTransform pose;
    pose.setIdentity();
    pose.setOrigin(at);
    object->setCollisionShape(shape);
    object->setWorldTransform(pose);
    object->setFriction(1.0);
    w.world->addCollisionObject(object, 1, 2);
}

void make_world(World &w, int iterations)
{
    btDefaultCollisionConfiguration *configuration = new btDefaultCollisionConfiguration();
    w.world = new btMultiBodyDynamicsWorld(new btCollisionDispatcher(configuration), new btDbvtBroadphase(),
                                           new btMultiBodyConstraintSolver(), configuration);
    w.world->getSolverInfo().m_numIterations = iterations;
    add_ground(w, new btStaticPlaneShape(btVector3(0, 0, 1), 0), btVector3(0, 0, 0));
    btBoxShape *step = new btBoxShape(btVector3(2, 5, 0.5 * w.scene.height));
    step->setMargin(1e-3);
    add_ground(w, step, btVector3(w.scene.distance + 2.0, 0, 0.5 * w.scene.height));
}

/// Frames of Bullet's links sit at their centres of mass; principal axes must be those of the
/// frame.
bool has_plain_inertia(const ContactBody &b)
{
    const double off = fabs(b.inertia[3]) + fabs(b.inertia[4]) + fabs(b.inertia[5]);
    return off < 1e-9 * (b.inertia[0] + b.inertia[1] + b.inertia[2]);
}

bool add_link(World &w, int i)
{
    const ContactBody &b = w.scene.bodies[i], &up = w.scene.bodies[b.parent];
    const btQuaternion turn(b.q[1], b.q[2], b.q[3], b.q[0]);
    const btVector3 pivot = vec(b.p) - vec(up.com), inertia = vec(b.inertia);
    if (!has_plain_inertia(b)) {
        fprintf(stderr, "contact_bullet: body '%s' has products of inertia\n", b.name);
        return false;
    }
    const int link = i - 1, parent = b.parent - 1; // the root is Bullet's link -1
    if (b.hinge)
        w.rover->setupRevolute(link, b.mass, inertia, parent, turn.inverse(), vec(b.axis), pivot, vec(b.com), true);
    else
        w.rover->setupFixed(link, b.mass, inertia, parent, turn.inverse(), pivot, vec(b.com));
    return true;
}

void add_wheel(World &w, int i)
{
    const ContactBody &b = w.scene.bodies[i];
    btMultiBodyLinkCollider *collider = new btMultiBodyLinkCollider(w.rover, i - 1);
    btCylinderShape *shape = new btCylinderShape(btVector3(b.radius, 0.5 * b.width, b.radius));
    shape->setMargin(1e-3);
    collider->setCollisionShape(shape);
    collider->setFriction(w.scene.friction);
    collider->setRestitution(0.0);
    w.rover->getLink(i - 1).m_collider = collider;
    w.world->addCollisionObject(collider, 2, 1);
}

void add_constraints(World &w, int i)
{
    const ContactBody &b = w.scene.bodies[i];
    if (b.hinge && b.lower < b.upper) {
        btMultiBodyConstraint *limit = new btMultiBodyJointLimitConstraint(w.rover, i - 1, b.lower, b.upper);
        w.world->addMultiBodyConstraint(limit);
        limit->finalizeMultiDof();
    }
    if (b.driven) {
        btMultiBodyJointMotor *motor = new btMultiBodyJointMotor(w.rover, i - 1, 0.0, 1e6);
        w.world->addMultiBodyConstraint(motor);
        motor->finalizeMultiDof();
        w.motors.push_back(motor);
        w.driven.push_back(i - 1);
    }
}

bool make_rover(World &w)
{
    const ContactBody &root = w.scene.bodies[0];
    w.rover = new btMultiBody(w.scene.body_count - 1, root.mass, vec(root.inertia), false, false);
    w.rover->setLinearDamping(0);
    w.rover->setAngularDamping(0);
    w.rover->setUseGyroTerm(true);
    w.rover->setMaxCoordinateVelocity(1e9);
    w.rover->setMaxAppliedImpulse(1e9);
    for (int i = 1; i < w.scene.body_count; i++)
        if (!add_link(w, i))
            return false;
    w.rover->finalizeMultiDof();
    w.rover->setBasePos(vec(root.p) + vec(root.com));
    w.rover->setWorldToBaseRot(btQuaternion(0, 0, 0, 1));
    w.world->addMultiBody(w.rover);
    for (int i = 1; i < w.scene.body_count; i++) {
        if (w.scene.bodies[i].radius > 0.0)
            add_wheel(w, i);
        add_constraints(w, i);
    }
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    w.rover->forwardKinematics(turns, places);
    w.rover->updateCollisionObjectWorldTransforms(turns, places);
    return true;
}

bool put_sample(const World &w, double t)
{
    const btMatrix3x3 R(w.rover->getWorldToBaseRot().inverse());
    const btVector3 p = w.rover->getBasePos() - R * vec(w.scene.bodies[0].com);
    double place[3] = {p[0], p[1], p[2]}, rows[9], turned = 0.0;
    for (int i = 0; i < 9; i++)
        rows[i] = R[i / 3][i % 3];
    for (int link : w.driven)
        turned += w.rover->getJointPos(link) / static_cast<double>(w.driven.size());
    return contact_put(&w.scene, t, place, rows, turned);
}

void run(World &w)
{
    const ContactScene &s = w.scene;
    long steps = 0;
    for (int k = 0; s.period * k <= s.duration; k++) {
        while (s.tick * static_cast<double>(steps) < s.period * k - 0.5 * s.tick) {
            const double t = s.tick * static_cast<double>(steps++);
            double g[3];
            contact_gravity(&s, t, g);
            w.world->setGravity(vec(g));
            for (btMultiBodyJointMotor *motor : w.motors)
                motor->setVelocityTarget(contact_line_at(&s.drive, t));
            w.world->stepSimulation(s.tick, 0);
        }
        if (!put_sample(w, s.period * k))
            return;
    }
}
} // namespace

int main(int argc, char **argv)
{
    static World w;
    if (argc < 2 || !contact_read(argv[1], &w.scene))
        return 2;
    make_world(w, argc > 2 ? static_cast<int>(strtol(argv[2], nullptr, 10)) : 50);
    if (!make_rover(w))
        return 1;
    printf("hello bullet %d.%02d\n", btGetVersion() / 100, btGetVersion() % 100);
    const clock_t begin = clock();
    run(w);
    printf("end %.6g\n", static_cast<double>(clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}
