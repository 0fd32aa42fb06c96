// SPDX-License-Identifier: Apache-2.0
/// \file
/// A link of ROS over a transport of the test's own: what goes out is what the simulation has, what
/// comes in is carried out or refused, lock-step has equal bits. The real transports have tests of
/// their own: tests/ros.
#include "check.h"

#include <rille/rille.h>

#include "link/ros/graph.h"
#include "link/ros/work.h"
#include "needs.h"

// --- a transport that keeps the last message of every topic --------------------------------------

enum { MOST = 128 };
typedef struct Fake {
    RiRosSetup setup;
    pthread_mutex_t lock;
    RiRosMessage *last[MOST];
    int count[MOST];
} Fake;
static Fake *fake; // of the link that is open

static RiStatus fake_open(const RiRosSetup *setup, void **out_self)
{
    fake = calloc(1, sizeof *fake);
    if (!fake || setup->count > MOST)
        return ri_error(setup->ctx, RI_ERR_MEMORY, "out of memory");
    fake->setup = *setup;
    pthread_mutex_init(&fake->lock, NULL);
    *out_self = fake;
    return RI_OK;
}

static bool fake_publish(void *self, RiRosMessage *m)
{
    Fake *f = self;
    pthread_mutex_lock(&f->lock);
    ri_ros_message_unref(f->last[m->endpoint]);
    f->last[m->endpoint] = ri_ros_message_ref(m);
    f->count[m->endpoint]++;
    pthread_mutex_unlock(&f->lock);
    return true;
}

static int fake_peers(void *self, int endpoint)
{
    const RiRosKind kind = ((Fake *)self)->setup.endpoints[endpoint].kind;
    return kind != RI_ROS_IMAGE && kind != RI_ROS_COMPRESSED; // pictures cost time
}

static void fake_close(void *self)
{
    Fake *f = self;
    for (int i = 0; i < MOST; i++)
        ri_ros_message_unref(f->last[i]);
    pthread_mutex_destroy(&f->lock);
    free(f);
    fake = NULL;
}

static const RiRosTransport fake_cdr = {.name = "test",
                                        .format = RI_ROS_CDR,
                                        .open = fake_open,
                                        .publish = fake_publish,
                                        .peers = fake_peers,
                                        .close = fake_close};

static RiContext *ctx;
static RiScene *scene;
static RiSim *sim;
static RiRos *ros;

/// Opens a scene of the tree with a pace and other options.
static bool open_with(const char *name, const RiSetting *settings, int count, RiRosOptions *options)
{
    char path[600];
    RiSceneOptions o = ri_scene_options_default();
    o.settings = settings;
    o.setting_count = count;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, name);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return false;
    if (ri_scene_load(ctx, path, &o, &scene) != RI_OK || ri_scene_build(scene) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(ctx));
        return false;
    }
    sim = ri_scene_sim(scene);
    RiRosOptions chosen = *ri_scene_ros(scene);
    if (options) {
        chosen.pace = options->pace;
        chosen.timeout = options->timeout;
        chosen.hold = options->hold;
        chosen.answers = options->answers;
        chosen.cycle = options->cycle;
        chosen.command_time = options->command_time;
    } else {
        chosen.pace = RI_ROS_FREE;
    }
    if (ri_ros_create_on(ctx, scene, &chosen, &fake_cdr, &ros) == RI_OK)
        return true;
    CHECK_FAIL("%s", ri_context_message(ctx));
    return false;
}

static bool open(const char *name)
{
    return open_with(name, NULL, 0, NULL);
}

static void close_all(void)
{
    ri_ros_destroy(ros);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    ros = NULL;
    scene = NULL;
}

static int topic_of(RiRosKind kind)
{
    for (int i = 0; i < ri_ros_topic_count(ros); i++)
        if (ri_ros_topic(ros, i).kind == kind)
            return i;
    return -1;
}

static void begin(RiRosWriter *w, RiRosKind kind)
{
    ri_ros_write_begin(w, RI_ROS_CDR, topic_of(kind), 0, 64);
}

static void push(RiRosWriter *w)
{
    RiRosMessage *m = ri_ros_write_end(w);
    if (!m || m->endpoint < 0 || !ri_ros_queue_put(fake->setup.inbox, m, false))
        CHECK_FAIL("a message could not be put in");
}

/// Steps as `rille run` does.
static void step(int ticks)
{
    for (int i = 0; i < ticks; i++) {
        RiRosTurn turn = ri_ros_wait(ros, 0.0);
        if (turn != RI_ROS_TURN_STEP)
            continue;
        if (ri_sim_step(sim) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(ctx));
            return;
        }
        ri_ros_stepped(ros);
    }
}

/// The last message of a topic, once the publishing thread has been through; the caller gives it
/// back.
static RiRosMessage *last_of(RiRosKind kind)
{
    const int i = topic_of(kind);
    for (int wait = 0; i >= 0 && wait < 2000; wait++) {
        pthread_mutex_lock(&fake->lock);
        const bool there = fake->count[i] >= ri_ros_topic(ros, i).count && fake->last[i];
        RiRosMessage *m = there ? ri_ros_message_ref(fake->last[i]) : NULL;
        pthread_mutex_unlock(&fake->lock);
        if (m)
            return m;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK_FAIL("no message of kind %d", kind);
    return NULL;
}

static double value(const char *name)
{
    const int i = ri_values_find(ri_sim_values(sim), name);
    if (i < 0)
        CHECK_FAIL("no value %s", name);
    return i < 0 ? NAN : ri_values_read(ri_sim_values(sim), i);
}

/// Whether one of the notes so far contains a text; takes them all.
static bool told(const char *part)
{
    bool found = false;
    for (const char *n = ri_ros_note(ros); n; n = ri_ros_note(ros))
        found |= strstr(n, part) != NULL;
    return found;
}

// --- out -----------------------------------------------------------------------------------------

TEST(topics_are_those_of_robot_devices_and_sensors)
{
    static const char *const want[] = {"/clock",
                                       "/mer/joint_states",
                                       "/tf",
                                       "/tf_static",
                                       "/mer/robot_description",
                                       "/mer/imu/imu",
                                       "/mer/wrench/wrist",
                                       "/mer/odom",
                                       "/mer/ground_truth",
                                       "/mer/camera/front/image_raw",
                                       "/mer/camera/front/image_raw/compressed",
                                       "/mer/camera/front/camera_info",
                                       "/mer/lidar/mast/points",
                                       "/mer/lidar/mast/points_slices",
                                       "/diagnostics",
                                       "/mer/joint_commands",
                                       "/mer/cmd_vel",
                                       "/mer/goal_pose",
                                       "/mer/enable_gravity",
                                       "/mer/set_value"};
    NEEDS("embree");
    REQUIRE(open("mer_around_rock"));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        int found = 0;
        for (int i = 0; i < ri_ros_topic_count(ros); i++)
            found += strcmp(ri_ros_topic(ros, i).name, want[k]) == 0;
        if (found != 1)
            CHECK_FAIL("%s: %d times", want[k], found);
    }
    CHECK(strcmp(ri_ros_node_name(ros), "/mer/rille") == 0);
    close_all();
}

TEST(joint_states_clock_and_truth_are_the_simulations)
{
    REQUIRE(open("mer_around_rock"));
    step(100);
    RiRosReader r;
    char name[160];
    RiRosMessage *m = last_of(RI_ROS_JOINT_STATES);
    REQUIRE(m);
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    CHECK_CLOSE(ri_ros_get_header(&r, NULL, 0), 0.5, 1e-9);
    const uint32_t n = ri_ros_get_u32(&r);
    CHECK_INT(n, ri_ros_joint_count(ros));
    for (uint32_t i = 0; i < n; i++) {
        ri_ros_get_string(&r, name, sizeof name);
        CHECK(strcmp(name, ri_ros_joint(ros, (int)i).name) == 0);
    }
    for (int k = 0; k < 3; k++) {
        static const char *const what[] = {"position", "velocity", "effort"};
        CHECK_INT(ri_ros_get_u32(&r), n);
        for (uint32_t i = 0; i < n; i++) {
            char full[200];
            snprintf(full, sizeof full, "%s.%s", ri_ros_joint(ros, (int)i).name, what[k]);
            CHECK_CLOSE(ri_ros_get_f64(&r), value(full), 0.0);
        }
    }
    CHECK(ri_ros_read_end(&r));
    ri_ros_message_unref(m);
    m = last_of(RI_ROS_GROUND_TRUTH);
    REQUIRE(m);
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    ri_ros_get_header(&r, name, sizeof name);
    CHECK(strcmp(name, "world") == 0);
    ri_ros_get_string(&r, name, sizeof name);
    CHECK_CLOSE(ri_ros_get_f64(&r), value("base.x"), 1e-12);
    ri_ros_message_unref(m);
    close_all();
}

/// tf is a tree: every child has one parent, and the poses along it multiply to those of the links.
TEST(tf_is_a_tree_that_leads_to_every_link)
{
    enum { LINKS = 200 };
    static char parents[LINKS][160], children[LINKS][160];
    static RiPose poses[LINKS];
    NEEDS("embree");
    REQUIRE(open("mer_around_rock"));
    step(20);
    int count = 0;
    static const RiRosKind kinds[] = {RI_ROS_TF, RI_ROS_TF_STATIC};
    for (int k = 0; k < 2; k++) {
        RiRosMessage *m = last_of(kinds[k]);
        REQUIRE(m);
        RiRosReader r;
        ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
        const uint32_t n = ri_ros_get_u32(&r);
        for (uint32_t i = 0; i < n && count < LINKS; i++, count++) {
            ri_ros_get_header(&r, parents[count], 160);
            ri_ros_get_string(&r, children[count], 160);
            poses[count].p = ri_ros_get_vec3(&r);
            const RiQuat q = ri_ros_get_quat(&r);
            poses[count].R = ri_quat_to_mat3(q);
        }
        CHECK(ri_ros_read_end(&r));
        ri_ros_message_unref(m);
    }
    const RiModel *model = ri_sim_model(sim);
    for (int link = 0; link < ri_model_link_count(model); link++) {
        char at[160];
        RiPose pose = ri_pose_identity();
        snprintf(at, sizeof at, "%s", ri_model_link(model, link).name);
        for (int hops = 0; strcmp(at, "world") != 0 && hops < LINKS; hops++) {
            int found = -1, times = 0;
            for (int i = 0; i < count; i++)
                if (strcmp(children[i], at) == 0) {
                    found = i;
                    times++;
                }
            if (times != 1) {
                CHECK_FAIL("%s has %d parents", at, times);
                break;
            }
            pose = ri_pose_mul(&poses[found], &pose);
            snprintf(at, sizeof at, "%s", parents[found]);
        }
        const RiPose truth = ri_dyn_frame_pose(ri_sim_dyn(sim), link);
        CHECK_CLOSE(ri_norm(ri_sub(pose.p, truth.p)), 0.0, 1e-12);
    }
    close_all();
}

static void put_pair(RiRosKind kind, const char *key, const char *text)
{
    RiRosWriter w;
    begin(&w, kind);
    ri_ros_put_string(&w, key);
    ri_ros_put_string(&w, text);
    push(&w);
}

/// Reads a transform of a topic by its child; false: it is not there.
static bool find_transform(RiRosKind kind, const char *child, char parent[160], RiPose *out_pose)
{
    RiRosMessage *m = last_of(kind);
    bool found = false;
    if (!m)
        return false;
    RiRosReader r;
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    const uint32_t n = ri_ros_get_u32(&r);
    for (uint32_t i = 0; i < n && !found; i++) {
        char name[160];
        ri_ros_get_header(&r, parent, 160);
        ri_ros_get_string(&r, name, sizeof name);
        out_pose->p = ri_ros_get_vec3(&r);
        out_pose->R = ri_quat_to_mat3(ri_ros_get_quat(&r));
        found = strcmp(name, child) == 0;
    }
    ri_ros_message_unref(m);
    return found;
}

/// REP 105: world -> map -> odom -> base_link -> the root link. Odometry is wrong by slip, and
/// map -> odom makes up for that. At the start both agree: the axle of odometry is not the origin
/// of the root link.
TEST(map_odom_and_base_link_are_a_chain_whose_product_is_the_truth)
{
    NEEDS("embree");
    REQUIRE(open("mer_around_rock"));
    for (int pass = 0; pass < 2; pass++) {
        char parent[160];
        RiPose correction, believed, rest;
        REQUIRE(find_transform(RI_ROS_TF, "odom", parent, &correction));
        CHECK(strcmp(parent, "map") == 0);
        REQUIRE(find_transform(RI_ROS_TF, "base_link", parent, &believed));
        CHECK(strcmp(parent, "odom") == 0);
        const RiPose truth = ri_dyn_frame_pose(ri_sim_dyn(sim), 0);
        const RiPose both = ri_pose_mul(&correction, &believed);
        CHECK_CLOSE(ri_norm(ri_sub(both.p, truth.p)), 0.0, 1e-12);
        CHECK_CLOSE(ri_norm(ri_sub(ri_vec3(correction.p.x, correction.p.y, 0.0), ri_vec3(0.0, 0.0, 0.0))), 0.0,
                    pass ? 0.5 : 1e-2);
        CHECK_CLOSE(believed.p.z, 0.0, 0.0);
        REQUIRE(find_transform(RI_ROS_TF_STATIC, "map", parent, &rest));
        CHECK(strcmp(parent, "world") == 0);
        REQUIRE(find_transform(RI_ROS_TF_STATIC, ri_model_link(ri_sim_model(sim), 0).name, parent, &rest));
        CHECK(strcmp(parent, "base_link") == 0);
        CHECK_CLOSE(ri_norm(rest.p), 0.0, 0.0);
        if (pass == 0)
            step(40);
    }
    RiRosMessage *m = last_of(RI_ROS_ODOM);
    REQUIRE(m);
    RiRosReader r;
    char name[160];
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    ri_ros_get_header(&r, name, sizeof name);
    CHECK(strcmp(name, "odom") == 0);
    ri_ros_get_string(&r, name, sizeof name);
    CHECK(strcmp(name, "base_link") == 0);
    const RiVec3 at = ri_ros_get_vec3(&r);
    const double axle = value("rover.axle"), heading = value("rover.odometry_heading");
    CHECK_CLOSE(at.x, value("rover.odometry_x") - axle * cos(heading), 1e-12);
    ri_ros_get_quat(&r);
    CHECK_CLOSE(ri_ros_get_f64(&r), -1.0, 0.0); // slip is not known
    ri_ros_message_unref(m);
    close_all();
}

/// Variances of an IMU are those of its noise: N^2 / dt + K^2 t; without noise they are 0.
TEST(covariances_are_those_of_the_devices_noise)
{
    REQUIRE(open("mer_around_rock"));
    put_pair(RI_ROS_SET_VALUE, "imu.gyro_noise", "0.002");
    put_pair(RI_ROS_SET_VALUE, "imu.gyro_walk", "0.003");
    step(40);
    RiRosMessage *m = last_of(RI_ROS_IMU);
    REQUIRE(m);
    RiRosReader r;
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    ri_ros_get_header(&r, NULL, 0);
    ri_ros_get_quat(&r);
    for (int triad = 0; triad < 3; triad++) {
        const double want[3] = {-1.0, 4e-6 * 100.0 + 9e-6 * ri_sim_time(sim), 0.0};
        if (triad > 0)
            ri_ros_get_vec3(&r);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(ri_ros_get_f64(&r), i == 0 || (triad > 0 && i % 4 == 0) ? want[triad] : 0.0, 1e-15);
    }
    CHECK(ri_ros_read_end(&r));
    ri_ros_message_unref(m);
    m = last_of(RI_ROS_GROUND_TRUTH);
    REQUIRE(m);
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    ri_ros_get_header(&r, NULL, 0);
    char child[160];
    ri_ros_get_string(&r, child, sizeof child);
    ri_ros_get_vec3(&r);
    ri_ros_get_quat(&r);
    for (int i = 0; i < 36; i++)
        CHECK_CLOSE(ri_ros_get_f64(&r), 0.0, 0.0);
    ri_ros_message_unref(m);
    close_all();
}

enum { POINT = 24 };

/// The fields of a cloud, and where they are.
static void get_fields(RiRosReader *r)
{
    static const struct {
        const char *name;
        int at, type;
    } fields[] = {{"x", 0, 7}, {"y", 4, 7}, {"z", 8, 7}, {"intensity", 12, 7}, {"time", 16, 7}, {"ring", 20, 4}};
    char text[64];
    CHECK_INT(ri_ros_get_u32(r), 6);
    for (int f = 0; f < 6; f++) {
        ri_ros_get_string(r, text, sizeof text);
        CHECK(strcmp(text, fields[f].name) == 0);
        CHECK_INT(ri_ros_get_u32(r), fields[f].at);
        CHECK_INT(ri_ros_get_u8(r), fields[f].type);
        CHECK_INT(ri_ros_get_u32(r), 1);
    }
}

/// A lidar of 10 scans a second that rises from 1 m above the plane by 2 m/s.
static bool rise(RiRosClouds clouds)
{
    static const char text[] =
        "scene: rise\n"
        "robot: {template: {robot: lift, base: fixed, links: [{name: foot, mass: 1 kg}, {name: head, mass: 1 kg, "
        "solid: sphere, size: [0.05]}], joints: [{name: rise, type: prismatic, parent: foot, child: head, axis: [0, "
        "0, 1], origin: {xyz: [0, 0, 1.2]}}]}}\n"
        "terrain: {kind: plane, material: rock}\ncontact: none\ngravity: [0, 0, 0]\nduration: 1 s\ntick: 5 ms\n"
        "initial: {velocities: {rise: 2 m/s}}\n"
        "lidars:\n  top: {frame: head, position: [0, 0, -0.2 m], channels: 8, low: -60 deg, high: -20 deg, columns: "
        "90, "
        "rate: 10 Hz}\n";
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return false;
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/rise.yaml", text, strlen(text), NULL, &scene) != RI_OK ||
        ri_scene_build(scene) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(ctx));
        return false;
    }
    sim = ri_scene_sim(scene);
    RiRosOptions chosen = *ri_scene_ros(scene);
    chosen.pace = RI_ROS_FREE;
    chosen.clouds = clouds;
    return ri_ros_create_on(ctx, scene, &chosen, &fake_cdr, &ros) == RI_OK;
}

/// Each point of a lidar that moves is where it was measured, and says when: the plane stays flat.
TEST(points_of_a_moving_lidar_are_where_they_were_measured)
{
    NEEDS("embree");
    static const RiRosClouds kinds[] = {RI_ROS_CLOUDS_LIDAR, RI_ROS_CLOUDS_WORLD};
    for (int k = 0; k < 2; k++) {
        REQUIRE(rise(kinds[k]));
        for (int scan = 0; scan < 3; scan++) {
            if (scan > 0)
                step(20);
            RiRosMessage *m = last_of(RI_ROS_POINTS);
            REQUIRE(m);
            RiRosReader r;
            char text[64];
            ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
            const double stamp = ri_ros_get_header(&r, text, sizeof text);
            CHECK_CLOSE(stamp, 0.1 * scan, 1e-9);
            CHECK(strcmp(text, k ? "world" : "top") == 0);
            ri_ros_get_u32(&r);
            const uint32_t points = ri_ros_get_u32(&r);
            CHECK_INT(points, 8 * 90);
            get_fields(&r);
            ri_ros_get_bool(&r);
            for (int i = 0; i < 3; i++)
                ri_ros_get_u32(&r);
            double first = INFINITY, last = -INFINITY;
            int rings = 0;
            for (uint32_t i = 0; i < points; i++) {
                float p[5];
                uint16_t ring;
                memcpy(p, r.bytes + r.at + POINT * i, sizeof p);
                memcpy(&ring, r.bytes + r.at + POINT * i + 20, sizeof ring);
                const double height = 1.0 + 2.0 * (stamp + (double)p[4]); // of the lidar then
                CHECK_CLOSE((double)p[2], k ? 0.0 : -height, 2e-5);
                first = fmin(first, (double)p[4]);
                last = fmax(last, (double)p[4]);
                rings |= 1 << ring;
            }
            CHECK_INT(rings, 255);
            CHECK(scan == 0 ? first == 0.0 && last == 0.0 : first < -0.098 && first >= -0.1001 && last <= 0.0);
            ri_ros_message_unref(m);
        }
        close_all();
    }
}

/// A cloud whole and in slices holds the same points; the rock is in it.
TEST(clouds_whole_and_sliced_hold_the_points_of_the_scan)
{
    NEEDS("embree");
    REQUIRE(open("mer_around_rock"));
    step(40);
    static const RiRosKind kinds[] = {RI_ROS_POINTS, RI_ROS_SLICES};
    for (int k = 0; k < 2; k++) {
        RiRosMessage *m = last_of(kinds[k]);
        REQUIRE(m);
        RiRosReader r;
        char text[64];
        ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
        CHECK_CLOSE(ri_ros_get_header(&r, text, sizeof text), 0.2, 1e-9);
        CHECK(strcmp(text, "mast") == 0);
        CHECK_INT(ri_ros_get_u32(&r), 1);
        const uint32_t points = ri_ros_get_u32(&r);
        CHECK(points > 500 && points <= 1440);
        get_fields(&r);
        CHECK(!ri_ros_get_bool(&r));
        CHECK_INT(ri_ros_get_u32(&r), POINT);
        CHECK_INT(ri_ros_get_u32(&r), POINT * points);
        CHECK_INT(ri_ros_get_u32(&r), POINT * points);
        int rock = 0;
        for (uint32_t i = 0; i < points; i++) {
            float p[4];
            memcpy(p, r.bytes + r.at + POINT * i, sizeof p);
            rock += p[0] > 1.5F && p[0] < 3.0F && fabsf(p[1]) < 0.7F && p[2] > -1.2F;
        }
        CHECK(rock > 10);
        ri_ros_message_unref(m);
    }
    close_all();
}

/// The text is URDF that gives the robot back.
TEST(robot_description_loads_again)
{
    static const char *const scenes[] = {"mer_around_rock", "snake_servo", "pendulum"};
    for (int i = 0; i < 3; i++) {
        REQUIRE(open(scenes[i]));
        char *text;
        const bool fixed = !ri_model_is_floating(ri_sim_model(sim));
        RiSpec *spec = NULL;
        RiModel *model = NULL;
        REQUIRE_OK(ctx, ri_ros_urdf(ctx, ri_scene_spec(scene), fixed, &text));
        REQUIRE_OK(ctx, ri_urdf_parse(ctx, "description.urdf", text, strlen(text), NULL, &spec));
        REQUIRE_OK(ctx, ri_model_create(ctx, spec, NULL, &model));
        const RiModel *own = ri_sim_model(sim);
        CHECK_CLOSE(ri_model_mass(model), ri_model_mass(own), 1e-9 * ri_model_mass(own));
        CHECK_INT(ri_model_link_count(model), ri_model_link_count(own) + fixed);
        CHECK_INT(ri_model_nv(model), ri_model_nv(own));
        const RiSpec *given = ri_scene_spec(scene);
        int visuals = given->wheel_count + given->screw_count; // drawn as cylinders
        for (int k = 0; k < given->shape_count; k++)
            visuals += (given->shapes[k].use & RI_SHAPE_VISUAL) != 0;
        for (int k = 0; k < spec->shape_count; k++)
            visuals -= (spec->shapes[k].use & RI_SHAPE_VISUAL) != 0;
        CHECK_INT(visuals, 0);
        for (const char *at = text; (at = strstr(at, "<mesh filename=\"")); at++) // RViz reads addresses, not paths
            CHECK(strncmp(at + 16, "file:///", 8) == 0);
        ri_model_destroy(model);
        ri_spec_destroy(spec);
        ri_ros_text_free(text);
        close_all();
    }
}

// --- in ------------------------------------------------------------------------------------------

static void put_set_point(const char *joint, double position)
{
    RiRosWriter w;
    begin(&w, RI_ROS_JOINT_COMMANDS);
    ri_ros_put_header(&w, 0.0, "");
    ri_ros_put_u32(&w, 1);
    ri_ros_put_string(&w, joint);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_f64(&w, position);
    ri_ros_put_u32(&w, 0);
    ri_ros_put_u32(&w, 0);
    push(&w);
}

/// A joint that positions reach, by its place in the link's list.
static int servo_joint(void)
{
    for (int i = 0; i < ri_ros_joint_count(ros); i++)
        if (ri_ros_joint(ros, i).position)
            return i;
    return -1;
}

TEST(a_set_point_that_is_no_number_is_refused_and_the_last_one_holds)
{
    REQUIRE(open("figure9_snake_sensors"));
    const int j = servo_joint();
    REQUIRE(j >= 0);
    const RiRosJointInfo info = ri_ros_joint(ros, j);
    put_set_point(info.name, 0.25);
    step(1);
    CHECK_CLOSE(value(info.position), 0.25, 0.0);
    put_set_point(info.name, NAN);
    put_set_point(info.name, INFINITY);
    step(1);
    CHECK_CLOSE(value(info.position), 0.25, 0.0);
    CHECK_INT(ri_ros_stats(ros).refused, 2);
    CHECK(told("not a finite number"));
    put_set_point("no such joint", 0.1);
    step(1);
    CHECK(told("there is no joint 'no such joint'"));
    CHECK_CLOSE(value(info.position), 0.25, 0.0);
    close_all();
}

TEST(messages_of_the_wrong_length_or_type_change_nothing)
{
    REQUIRE(open("snake_servo"));
    const uint64_t before = ri_sim_hash(sim);
    for (int kind = RI_ROS_JOINT_COMMANDS; kind < RI_ROS_KIND_COUNT; kind++) {
        if (topic_of((RiRosKind)kind) < 0)
            continue;
        for (int size = 0; size < 40; size += 3) { // bytes of 255: lengths that cannot be, bools that are none
            RiRosWriter w;
            begin(&w, (RiRosKind)kind);
            for (int i = 0; i < size; i++)
                ri_ros_put_u8(&w, 255);
            push(&w);
        }
    }
    while (ri_ros_stats(ros).received < 8 && ri_ros_wait(ros, 0.0) == RI_ROS_TURN_WAIT) {
    }
    ri_ros_wait(ros, 0.0);
    const RiRosStats s = ri_ros_stats(ros);
    CHECK(s.received > 100);
    CHECK(s.refused > s.received - 4); // an empty `reset` may be a whole message
    CHECK(ri_sim_hash(sim) == before);
    close_all();
}

TEST(a_flood_is_bounded_and_the_simulation_goes_on)
{
    REQUIRE(open("pendulum"));
    for (int i = 0; i < 20000; i++) {
        RiRosMessage *m = ri_ros_message_new(topic_of(RI_ROS_SET_VALUE), 8);
        REQUIRE(m);
        m->size = 8;
        memset(m->bytes, 0, 8);
        ri_ros_queue_put(fake->setup.inbox, m, false);
    }
    step(100);
    CHECK_INT(ri_sim_tick(sim), 100);
    CHECK(ri_ros_stats(ros).dropped >= 20000 - 4096);
    CHECK(told("refused")); // once, not twenty thousand times
    CHECK(!told("refused"));
    close_all();
}

static void put_twist(RiRosKind kind, double stamp, double v, double w_z)
{
    RiRosWriter w;
    begin(&w, kind);
    if (kind == RI_ROS_CMD_VEL_STAMPED)
        ri_ros_put_header(&w, stamp, "");
    ri_ros_put_vec3(&w, ri_vec3(v, 0.0, 0.0));
    ri_ros_put_vec3(&w, ri_vec3(0.0, 0.0, w_z));
    push(&w);
}

/// The body moves as it is told: 3 cm/s and 1 deg/s, within the slip of hard ground.
TEST(cmd_vel_is_the_motion_of_the_body)
{
    const double v = 0.03, w = 0.0175;
    REQUIRE(open("mer_around_rock"));
    put_twist(RI_ROS_CMD_VEL, 0.0, v, w);
    step(4000);
    const double x0 = value("base.x"), y0 = value("base.y"), yaw0 = value("base.yaw");
    step(2000); // 10 s
    const double way = hypot(value("base.x") - x0, value("base.y") - y0), turn = value("base.yaw") - yaw0;
    CHECK_CLOSE(turn, 10.0 * w, 0.1 * 10.0 * w);
    CHECK_CLOSE(way, 10.0 * v, 0.1 * 10.0 * v);
    put_twist(RI_ROS_CMD_VEL, 0.0, 0.0, 0.0);
    step(1000);
    const double x1 = value("base.x");
    step(200);
    CHECK_CLOSE(value("base.x"), x1, 1e-4);
    close_all();
}

TEST(a_cmd_vel_without_a_successor_stops_the_robot)
{
    RiRosOptions o = {.pace = RI_ROS_FREE, .command_time = 1.0, .answers = "", .cycle = 10.0};
    REQUIRE(open_with("mer_around_rock", NULL, 0, &o));
    put_twist(RI_ROS_CMD_VEL, 0.0, 0.03, 0.0);
    step(100);
    CHECK(value("rover.busy") == 1.0);
    step(200);
    CHECK(told("stopped"));
    step(10);
    CHECK(value("rover.busy") == 0.0);
    close_all();
}

/// What a bag holds does what the same messages do that come over the network: equal bits.
TEST(commands_of_a_bag_do_what_live_ones_do)
{
    uint64_t hash[2];
    for (int live = 0; live < 2; live++) {
        REQUIRE(open("mer_around_rock"));
        for (int n = 0; n < 60; n++) {
            RiRosWriter w;
            RiRosKind kind = RI_ROS_CMD_VEL;
            begin(&w, kind);
            ri_ros_put_vec3(&w, ri_vec3(n < 30 ? 0.03 : 0.02, 0.0, 0.0));
            ri_ros_put_vec3(&w, ri_vec3(0.0, 0.0, n < 30 ? 0.0 : 0.02));
            if (n == 45) { // a set-point that is no number: the last one holds
                ri_ros_message_unref(ri_ros_write_end(&w));
                begin(&w, kind);
                ri_ros_put_vec3(&w, ri_vec3(NAN, 0.0, 0.0));
                ri_ros_put_vec3(&w, ri_vec3(0.0, 0.0, 0.0));
            }
            if (live) {
                push(&w);
                step(1);
                continue;
            }
            RiRosMessage *m = ri_ros_write_end(&w);
            REQUIRE(m);
            const int topic = ri_ros_find_command(ros, n % 2 ? "/mer/cmd_vel" : "/elsewhere/mer/cmd_vel",
                                                  n % 2 ? "geometry_msgs/msg/Twist" : "geometry_msgs/Twist");
            CHECK_INT(topic, topic_of(RI_ROS_CMD_VEL));
            CHECK(ri_ros_command(ros, topic, m->bytes, m->size) == (n != 45));
            ri_ros_message_unref(m);
            ri_ros_keep(ros);
            REQUIRE_OK(ctx, ri_sim_step(sim));
        }
        CHECK_INT(ri_ros_stats(ros).refused, 1);
        CHECK_INT(ri_ros_find_command(ros, "/mer/cmd_vel", "geometry_msgs/TwistStamped"), -1);
        CHECK_INT(ri_ros_find_command(ros, "/mer/pause", "std_msgs/Bool"), -1);
        CHECK_INT(ri_ros_find_command(ros, "/mer/joint_states", "sensor_msgs/JointState"), -1);
        hash[live] = ri_sim_hash(sim);
        close_all();
    }
    CHECK(hash[0] == hash[1]);
}

/// Cubic between points with rates: the middle of 0 -> 0.4 in 2 s with rates 0 is 0.2, at 0.5 s it
/// is 0.4 (3/16 - 2/64).
TEST(a_trajectory_is_followed_by_cubics)
{
    REQUIRE(open("figure9_snake_sensors"));
    const int j = servo_joint();
    REQUIRE(j >= 0);
    const RiRosJointInfo info = ri_ros_joint(ros, j);
    RiRosWriter w;
    begin(&w, RI_ROS_JOINT_TRAJECTORY);
    ri_ros_put_header(&w, 0.0, "");
    ri_ros_put_u32(&w, 1);
    ri_ros_put_string(&w, info.name);
    ri_ros_put_u32(&w, 2);
    for (int i = 0; i < 2; i++) {
        ri_ros_put_u32(&w, 1);
        ri_ros_put_f64(&w, 0.4 * i);
        ri_ros_put_u32(&w, 1);
        ri_ros_put_f64(&w, 0.0);
        ri_ros_put_u32(&w, 0);
        ri_ros_put_u32(&w, 0);
        ri_ros_put_time(&w, 2.0 * i);
    }
    push(&w);
    const double tick = ri_sim_options(sim)->tick, t0 = ri_sim_time(sim);
    const int quarter = (int)round(0.5 / tick);
    step(quarter + 1); // the set-point is of the last tick's beginning
    double s = (ri_sim_time(sim) - tick - t0) / 2.0;
    CHECK_CLOSE(value(info.position), 0.4 * (3.0 - 2.0 * s) * s * s, 1e-9);
    CHECK_CLOSE(s, 0.25, 1e-6);
    step(4 * quarter);
    CHECK_CLOSE(value(info.position), 0.4, 1e-12);
    close_all();
}

/// One point at 2 s: the joint goes there on a straight line from where it is, not at once.
TEST(a_trajectory_starts_from_where_the_joint_is)
{
    REQUIRE(open("figure9_snake_sensors"));
    const int j = servo_joint();
    REQUIRE(j >= 0);
    const RiRosJointInfo info = ri_ros_joint(ros, j);
    char own[200];
    RiRosWriter w;
    begin(&w, RI_ROS_JOINT_TRAJECTORY);
    ri_ros_put_header(&w, 0.0, "");
    ri_ros_put_u32(&w, 1);
    ri_ros_put_string(&w, info.name);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_f64(&w, 0.4);
    for (int i = 0; i < 3; i++)
        ri_ros_put_u32(&w, 0);
    ri_ros_put_time(&w, 2.0);
    push(&w);
    snprintf(own, sizeof own, "%.150s.position", info.name);
    const double tick = ri_sim_options(sim)->tick, t0 = ri_sim_time(sim), p0 = value(own);
    step((int)round(0.5 / tick) + 1);
    const double s = (ri_sim_time(sim) - tick - t0) / 2.0;
    CHECK_CLOSE(s, 0.25, 1e-6);
    CHECK_CLOSE(value(info.position), p0 + s * (0.4 - p0), 1e-9);
    step((int)round(2.0 / tick));
    CHECK_CLOSE(value(info.position), 0.4, 1e-12);
    close_all();
}

static void put_flag(RiRosKind kind, bool on)
{
    RiRosWriter w;
    begin(&w, kind);
    ri_ros_put_u8(&w, on);
    push(&w);
}

static void put_pose_at(RiRosKind kind, RiVec3 p)
{
    RiRosWriter w;
    begin(&w, kind);
    ri_ros_put_header(&w, 0.0, "world");
    ri_ros_put_vec3(&w, p);
    ri_ros_put_quat(&w, (RiQuat){.w = 1.0});
    push(&w);
}

/// The device drives by odometry, so a goal of the map is moved by what odometry is wrong by.
TEST(a_goal_of_the_map_is_driven_to_where_odometry_has_it)
{
    REQUIRE(open("mer_around_rock"));
    put_pose_at(RI_ROS_MOVE_ROBOT, ri_vec3(-1.0, 2.0, value("base.z"))); // odometry does not know of this
    step(1);
    const RiPose truth = ri_dyn_frame_pose(ri_sim_dyn(sim), 0);
    const double axle = value("rover.axle"), heading = value("rover.odometry_heading");
    const double turn = heading - atan2(truth.R.m[1][0], truth.R.m[0][0]);
    const double x = 1.0 - truth.p.x, y = 0.5 - truth.p.y;
    const double bx = value("rover.odometry_x") - axle * cos(heading);
    const double by = value("rover.odometry_y") - axle * sin(heading);
    put_pose_at(RI_ROS_GOAL_POSE, ri_vec3(1.0, 0.5, 0.0));
    step(1);
    CHECK_CLOSE(value("rover.x1"), bx + x * cos(turn) - y * sin(turn), 1e-9);
    CHECK_CLOSE(value("rover.y1"), by + x * sin(turn) + y * cos(turn), 1e-9);
    CHECK(fabs(value("rover.x1") - 1.0) > 0.5);
    close_all();
}

/// Whether the last message of a topic holds a text.
static bool says(RiRosKind kind, const char *text)
{
    RiRosMessage *m = last_of(kind);
    const bool found = m && memmem(m->bytes, m->size, text, strlen(text)) != NULL;
    ri_ros_message_unref(m);
    return found;
}

/// A rover with a device `navigation` drives itself; cmd_vel takes over its locomotion and a goal gives
/// the rover back to navigation, at the speed of the scene.
TEST(topics_take_over_the_levels_of_navigation)
{
    REQUIRE(open("mer_cul_de_sac"));
    step(20); // 2 s: it thinks about the scene's own goal
    CHECK(value("nav.busy") == 1.0 && value("nav.level") == 3.0);
    put_twist(RI_ROS_CMD_VEL, 0.0, -0.03, 0.0);
    step(20);
    CHECK(value("nav.level") == 1.0 && value("nav.reason") == 17.0);
    const double x = value("base.x");
    step(100);
    CHECK_CLOSE(value("base.x"), x - 10.0 * 0.03, 0.01);
    put_pose_at(RI_ROS_GOAL_POSE, ri_vec3(-9.0, 1.5, 0.0));
    step(30);
    CHECK(value("nav.level") == 3.0 && value("nav.busy") == 1.0 && value("rover.busy") == 0.0); // it stands and thinks
    CHECK_CLOSE(value("rover.speed"), 0.04, 1e-12);
    for (int k = 0; k < 12000 && value("nav.reason") == 0.0; k++)
        step(1);
    CHECK(value("nav.reason") == 1.0);
    CHECK(hypot(value("base.x") + 9.0, value("base.y") - 1.5) < 0.72);
    step(20); // diagnostics come once a second
    CHECK(says(RI_ROS_DIAGNOSTICS, "navigation: nav") && says(RI_ROS_DIAGNOSTICS, "arrived"));
    close_all();
}

/// Navigation that goes by an estimate gets a goal of the map where it believes that place to be.
TEST(a_goal_of_the_map_is_where_navigation_believes_it)
{
    REQUIRE(open("mer_slip_stop"));
    step(500);                                                          // 2 s: it thinks
    put_pose_at(RI_ROS_MOVE_ROBOT, ri_vec3(0.0, 0.5, value("base.z"))); // the estimate does not know of this
    step(1);
    const double x = value("pose.x") - value("base.x"), y = value("pose.y") - value("base.y");
    put_pose_at(RI_ROS_GOAL_POSE, ri_vec3(3.0, 0.25, 0.0));
    step(1);
    const double axle = value("rover.axle");
    CHECK_CLOSE(value("nav.x1"), 3.0 + x - axle, 1e-6); // it heads along x
    CHECK_CLOSE(value("nav.y1"), 0.25 + y, 1e-6);
    CHECK(fabs(value("nav.x1") - 3.0) > 0.5);
    put_set_point("steer_front_left_joint", 0.1);
    step(100);
    CHECK(value("nav.level") == 0.0 && value("rover.motor_level") == 1.0);
    step(400);
    CHECK_CLOSE(value("steer_front_left_joint.position"), 0.1, 0.02);
    close_all();
}

TEST(gravity_places_values_and_faults_are_set)
{
    REQUIRE(open("mer_around_rock"));
    put_flag(RI_ROS_ENABLE_GRAVITY, false);
    step(1);
    CHECK_CLOSE(value("gravity.z"), 0.0, 0.0);
    put_flag(RI_ROS_ENABLE_GRAVITY, true);
    put_pair(RI_ROS_SET_VALUE, "rover.speed", "2 cm/s");
    put_pair(RI_ROS_DEVICE_FAULT, "motor_drive_front_left_joint", "1");
    step(1);
    CHECK_CLOSE(value("gravity.z"), -3.71, 0.0);
    CHECK_CLOSE(value("rover.speed"), 0.02, 1e-15);
    CHECK_CLOSE(value("motor_drive_front_left_joint.fault"), 1.0, 0.0);
    put_pair(RI_ROS_SET_VALUE, "rover.sped", "1");
    step(1);
    CHECK(told("rover.speed")); // the nearest name is suggested
    put_pose_at(RI_ROS_MOVE_ROBOT, ri_vec3(-1.0, 2.0, value("base.z")));
    step(1);
    CHECK_CLOSE(value("base.x"), -1.0, 1e-3);
    CHECK_CLOSE(value("base.y"), 2.0, 1e-3);
    put_pose_at(RI_ROS_MOVE_ROBOT, ri_vec3(NAN, 2.0, 0.0));
    step(1);
    CHECK_CLOSE(value("base.x"), -1.0, 1e-2);
    CHECK(told("the pose is not finite"));
    close_all();
}

/// A place is one where the robot stands, a move only puts it there.
TEST(a_place_finds_its_hold_and_a_move_does_not)
{
    REQUIRE(open("mer_around_rock"));
    const double z = value("base.z");
    put_pose_at(RI_ROS_PLACE_ROBOT, ri_vec3(-2.0, 1.0, z + 0.5));
    step(1);
    CHECK(told("the robot was placed: it is at"));
    CHECK_CLOSE(value("base.x"), -2.0, 0.02);
    CHECK_CLOSE(value("base.y"), 1.0, 0.02);
    CHECK_CLOSE(value("base.z"), z, 0.02); // it stands on the ground
    put_pose_at(RI_ROS_MOVE_ROBOT, ri_vec3(-2.0, 1.0, z + 0.5));
    step(1);
    CHECK(told("the robot was moved"));
    CHECK_CLOSE(value("base.z"), z + 0.5, 1e-3); // it falls
    RiRosWriter w;
    begin(&w, RI_ROS_PLACE_ROBOT);
    ri_ros_put_header(&w, 0.0, "base_link");
    ri_ros_put_vec3(&w, ri_vec3(0.0, 0.0, 0.0));
    ri_ros_put_quat(&w, (RiQuat){.w = 1.0});
    push(&w);
    step(1);
    CHECK(told("the frame must be 'world'"));
    close_all();
}

static void put_numbers(RiRosKind kind, const double *x, int count)
{
    RiRosWriter w;
    begin(&w, kind);
    ri_ros_put_u32(&w, 0);
    ri_ros_put_u32(&w, 0);
    ri_ros_put_u32(&w, (uint32_t)count);
    for (int i = 0; i < count; i++)
        ri_ros_put_f64(&w, x[i]);
    push(&w);
}

/// Lists in the order of the joints reach all of them; a list of another length changes nothing.
TEST(groups_of_joints_are_commanded_in_their_order)
{
    static const RiRosKind kinds[] = {RI_ROS_POSITION_COMMANDS, RI_ROS_VELOCITY_COMMANDS, RI_ROS_EFFORT_COMMANDS};
    REQUIRE(open("figure9_snake_sensors"));
    for (int k = 0; k < 3; k++) {
        const char *to[64];
        double x[64];
        int count = 0;
        for (int i = 0; i < ri_ros_joint_count(ros) && count < 64; i++) {
            const RiRosJointInfo j = ri_ros_joint(ros, i);
            const char *name = k == 0 ? j.position : k == 1 ? j.velocity : j.effort;
            if (name) {
                x[count] = 0.001 * (count + 1) * (k + 1);
                to[count++] = name;
            }
        }
        CHECK(count > 3);
        put_numbers(kinds[k], x, count);
        step(1);
        for (int i = 0; i < count; i++)
            CHECK_CLOSE(value(to[i]), x[i], 1e-15);
        put_numbers(kinds[k], x, count - 1);
        step(1);
        CHECK(told("numbers for"));
        x[count - 1] = NAN;
        x[0] = 5.0;
        put_numbers(kinds[k], x, count);
        step(1);
        CHECK(told("is not a finite number"));
        CHECK_CLOSE(value(to[0]), 0.001 * (k + 1), 1e-15); // nothing of a bad list acts
    }
    close_all();
}

static double get_f32(RiRosReader *r)
{
    const uint32_t bits = ri_ros_get_u32(r);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/// What the battery's board knows, in ROS's units.
TEST(a_battery_tells_its_state)
{
    REQUIRE(open("mer_sol"));
    step((int)ceil(1.0 / ri_sim_options(sim)->tick));
    RiRosMessage *m = last_of(RI_ROS_BATTERY);
    REQUIRE(m);
    RiRosReader r;
    char text[64];
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    CHECK_CLOSE(ri_ros_get_header(&r, text, sizeof text), ri_sim_time(sim), 1e-9);
    CHECK_CLOSE(get_f32(&r), value("battery.voltage"), 1e-5 * value("battery.voltage"));
    CHECK_CLOSE(get_f32(&r), value("battery_box.temperature") - 273.15, 1e-3);
    CHECK_CLOSE(get_f32(&r), value("battery.current"), 1e-5 * fabs(value("battery.current")));
    const double charge = get_f32(&r), capacity = get_f32(&r), design = get_f32(&r), share = get_f32(&r);
    CHECK_CLOSE(charge, value("battery.charge") / 3600.0, 1e-5 * charge);
    CHECK_CLOSE(design, value("battery.capacity") / 3600.0, 1e-5 * design);
    CHECK_CLOSE(capacity, design * value("battery.health"), 1e-5 * design);
    CHECK_CLOSE(share, value("battery.state_of_charge"), 1e-6);
    CHECK(share > 0.0 && share <= 1.0 && design > 1.0);
    CHECK_INT(ri_ros_get_u8(&r), value("battery.current") > 0.0 ? 1 : value("battery.current") < 0.0 ? 2 : 3);
    CHECK_INT(ri_ros_get_u8(&r), 0);
    CHECK_INT(ri_ros_get_u8(&r), 0);
    CHECK(ri_ros_get_bool(&r)); // present
    CHECK_INT(ri_ros_get_u32(&r), 0);
    CHECK_INT(ri_ros_get_u32(&r), 0);
    ri_ros_get_string(&r, text, sizeof text);
    CHECK(strcmp(text, "battery") == 0);
    ri_ros_get_string(&r, text, sizeof text);
    CHECK(ri_ros_read_end(&r));
    ri_ros_message_unref(m);
    close_all();
}

TEST(pause_step_and_reset_rule_the_run)
{
    REQUIRE(open("pendulum"));
    step(10);
    const uint64_t start = ri_sim_hash(sim);
    put_flag(RI_ROS_PAUSE, true);
    for (int i = 0; i < 5; i++)
        ri_ros_wait(ros, 0.0);
    step(5);
    CHECK_INT(ri_sim_tick(sim), 10);
    CHECK(ri_sim_hash(sim) == start);
    RiRosWriter w;
    begin(&w, RI_ROS_STEP);
    ri_ros_put_u32(&w, 3);
    push(&w);
    step(20);
    CHECK_INT(ri_sim_tick(sim), 13);
    begin(&w, RI_ROS_RESET);
    ri_ros_put_u8(&w, 0);
    push(&w);
    step(1);
    CHECK_INT(ri_sim_tick(sim), 0);
    put_flag(RI_ROS_PAUSE, false);
    step(11);
    CHECK(ri_sim_tick(sim) >= 10);
    close_all();
}

// --- lock-step -----------------------------------------------------------------------------------

/// Drives with answers to every cycle; `noise` adds late and doubled ones, which must not matter.
static uint64_t drive_lockstep(bool noise)
{
    RiRosOptions o = {.pace = RI_ROS_LOCKSTEP, .timeout = 5.0, .answers = "cmd_vel_stamped", .cycle = 5.0};
    if (!open_with("mer_around_rock", NULL, 0, &o))
        return 0;
    for (int cycle = 0; cycle < 20; cycle++) {
        const double t = ri_sim_time(sim);
        if (noise && cycle > 0)
            put_twist(RI_ROS_CMD_VEL_STAMPED, t - 0.2, -1.0, 0.5); // of the cycle before
        put_twist(RI_ROS_CMD_VEL_STAMPED, t, 0.03, 0.001 * cycle);
        if (noise)
            put_twist(RI_ROS_CMD_VEL_STAMPED, t, 0.0, 0.0); // the first answer counts
        step(40);
    }
    CHECK_INT(ri_sim_tick(sim), 800);
    CHECK(!noise || ri_ros_stats(ros).late >= 19);
    const uint64_t hash = ri_sim_hash(sim);
    close_all();
    return hash;
}

TEST(lock_step_has_equal_bits_for_equal_commands)
{
    const uint64_t first = drive_lockstep(false);
    CHECK(first != 0 && first == drive_lockstep(false));
    CHECK(first == drive_lockstep(true));
}

TEST(lock_step_without_an_answer_ends_with_a_sentence_or_goes_on)
{
    RiRosOptions o = {.pace = RI_ROS_LOCKSTEP, .timeout = 0.05, .answers = "cmd_vel_stamped", .cycle = 5.0};
    for (int hold = 0; hold < 2; hold++) {
        o.hold = hold == 1;
        REQUIRE(open_with("mer_around_rock", NULL, 0, &o));
        RiRosTurn turn;
        do
            turn = ri_ros_wait(ros, 0.01);
        while (turn == RI_ROS_TURN_WAIT);
        CHECK_INT(turn, hold ? RI_ROS_TURN_STEP : RI_ROS_TURN_END);
        CHECK(told("no command within 0.05 s on /mer/cmd_vel_stamped"));
        close_all();
    }
}

/// A pause does not end the run, and an answer that came before it or during it holds.
TEST(lock_step_can_be_paused_and_reset)
{
    RiRosOptions o = {.pace = RI_ROS_LOCKSTEP, .timeout = 60.0, .answers = "cmd_vel_stamped", .cycle = 5.0};
    REQUIRE(open_with("mer_around_rock", NULL, 0, &o));
    put_flag(RI_ROS_PAUSE, true);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ri_ros_wait(ros, 0.0), RI_ROS_TURN_WAIT);
    put_twist(RI_ROS_CMD_VEL_STAMPED, 0.0, 0.03, 0.0);
    CHECK_INT(ri_ros_wait(ros, 0.0), RI_ROS_TURN_WAIT);
    put_flag(RI_ROS_PAUSE, false);
    CHECK_INT(ri_ros_wait(ros, 0.0), RI_ROS_TURN_WAIT);
    step(40);
    CHECK_INT(ri_sim_tick(sim), 40);
    RiRosWriter w;
    begin(&w, RI_ROS_RESET);
    ri_ros_put_u8(&w, 0);
    push(&w);
    CHECK_INT(ri_ros_wait(ros, 0.0), RI_ROS_TURN_WAIT);
    CHECK_INT(ri_sim_tick(sim), 0);
    CHECK_INT(ri_ros_wait(ros, 0.0), RI_ROS_TURN_WAIT); // the start needs its answer again
    put_twist(RI_ROS_CMD_VEL_STAMPED, 0.0, 0.03, 0.0);
    step(40);
    CHECK_INT(ri_sim_tick(sim), 40);
    close_all();
}

TEST(lock_step_without_a_topic_to_wait_for_is_refused)
{
    RiRos *bad;
    REQUIRE(open("mer_around_rock"));
    RiRosOptions o = *ri_scene_ros(scene);
    o.pace = RI_ROS_LOCKSTEP;
    o.answers = "";
    CHECK_ERROR(ctx, ri_ros_create_on(ctx, scene, &o, &fake_cdr, &bad), RI_ERR_ARGUMENT, "nothing to wait for");
    o.answers = "cmd_vel_stamped";
    o.topics[RI_ROS_CMD_VEL_STAMPED].on = false;
    CHECK_ERROR(ctx, ri_ros_create_on(ctx, scene, &o, &fake_cdr, &bad), RI_ERR_ARGUMENT, "'cmd_vel_stamped' is on");
    close_all();
}

/// Names of other nodes cannot break out of the picture or of Graphviz's text.
TEST(names_in_graphs_are_escaped)
{
    RiRosGraph g = {0};
    char *text;
    REQUIRE(ri_ros_graph_add(&g, "/a<b>&\"\x01", "/t\"; x [y=\\", "p/T", true, 0.0));
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_ros_graph_text(ctx, &g, RI_ROS_GRAPH_SVG, &text));
    CHECK(strstr(text, ">/a&lt;b&gt;&amp;&quot;?<") && !strchr(text, 1));
    ri_ros_text_free(text);
    REQUIRE_OK(ctx, ri_ros_graph_text(ctx, &g, RI_ROS_GRAPH_DOT, &text));
    CHECK(strstr(text, "\"/a<b>&\\\"?\"") && strstr(text, "\"t:/t\\\"; x [y=\\\\\"") && !strchr(text, 1));
    ri_ros_text_free(text);
    REQUIRE_OK(ctx, ri_ros_graph_text(ctx, &g, RI_ROS_GRAPH_LIST, &text));
    CHECK(!strchr(text, 1));
    ri_ros_text_free(text);
    free(g.edges);
    ri_context_destroy(ctx);
}

/// The link only looks: a run has equal bits with and without it.
TEST(a_link_does_not_change_the_motion)
{
    REQUIRE(open("mer_around_rock"));
    step(500);
    const uint64_t with = ri_sim_hash(sim);
    close_all();
    char path[600];
    snprintf(path, sizeof path, "%s/scenes/mer_around_rock.yaml", RILLE_SOURCE_DIR);
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, path, NULL, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    for (int i = 0; i < 500; i++)
        REQUIRE_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
    CHECK(ri_sim_hash(ri_scene_sim(scene)) == with);
    close_all();
}

// --- the scene's key -----------------------------------------------------------------------------

static void refuse_scene(const char *ros_key, const char *part)
{
    char text[2000];
    RiScene *bad;
    snprintf(text, sizeof text,
             "scene: x\nrobot: {template: {robot: x, links: {a: {mass: 1 kg, inertia: [1, 1, 1]}}}}\nros: %s\n",
             ros_key);
    CHECK_ERROR(ctx, ri_scene_parse(ctx, "x.yaml", text, strlen(text), NULL, &bad), RI_ERR_FORMAT, part);
}

TEST(wrong_names_and_settings_are_refused_with_their_place)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    refuse_scene("{namespce: a}", "namespace");
    refuse_scene("{namespace: \"a b;rm -rf\"}", "is no name for ROS");
    refuse_scene("{node: 7up}", "is no name for ROS");
    refuse_scene("{domain: 233}", "x.yaml:3");
    refuse_scene("{pace: warp}", "real_time");
    refuse_scene("{topics: {joint_stats: {}}}", "no kind of topic 'joint_stats'");
    refuse_scene("{topics: {imu: {name: imu}}}", "%s");
    refuse_scene("{topics: {tf: {name: \"/a//b\"}}}", "is no name of a topic");
    refuse_scene("{topics: {tf: {rate: -1 Hz}}}", "x.yaml:3");
    refuse_scene("{topics: {tf: {reliability: maybe}}}", "reliable");
    refuse_scene("{answers: joint_states}", "no key of a topic with commands");
    ri_context_destroy(ctx);
}

/// Names, rates and QoS come from outside as well as from the scene.
TEST(every_setting_of_a_topic_can_be_set_from_outside)
{
    static const char text[] = "scene: x\nrobot: {template: {robot: x, links: {a: {mass: 1 kg, inertia: [1, 1, 1]}}}}\n"
                               "ros: {topics: {joint_states: {rate: 10 Hz, depth: 3}}}\n";
    static const RiSetting good[] = {{"ros.topics.joint_states.rate", "1000 Hz"},
                                     {"ros.topics.joint_states.reliability", "best_effort"},
                                     {"ros.topics.tf.on", "false"},
                                     {"ros.topics.imu.name", "sensors/%s"}};
    static const RiSetting wrong[] = {
        {"ros.topics.joint_stats.rate", "1"}, {"ros.topics.tf.rat", "1"},   {"ros.topics.tf", "1"},
        {"ros.topics.tf.rate.x", "1"},        {"ros.topics.tf.rate", "-1"}, {"ros.topics.tf.name", "a b"},
        {"ros.topics.imu.name", "imu"}};
    RiSceneOptions o = ri_scene_options_default();
    o.settings = good;
    o.setting_count = sizeof good / sizeof *good;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_parse(ctx, "x.yaml", text, strlen(text), &o, &scene));
    const RiRosOptions *ros_options = ri_scene_ros(scene);
    CHECK_CLOSE(ros_options->topics[RI_ROS_JOINT_STATES].rate, 1000.0, 0.0);
    CHECK_INT(ros_options->topics[RI_ROS_JOINT_STATES].depth, 3);
    CHECK_INT(ros_options->topics[RI_ROS_JOINT_STATES].reliability, RI_ROS_BEST_EFFORT);
    CHECK(!ros_options->topics[RI_ROS_TF].on);
    CHECK(strcmp(ros_options->topics[RI_ROS_IMU].name, "sensors/%s") == 0);
    ri_scene_destroy(scene);
    scene = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.settings = &wrong[i];
        o.setting_count = 1;
        CHECK(ri_scene_parse(ctx, "x.yaml", text, strlen(text), &o, &scene) != RI_OK);
        CHECK(strstr(ri_context_message(ctx), wrong[i].name) != NULL);
    }
    ri_context_destroy(ctx);
}

TEST(names_that_ros_does_not_know_become_clean)
{
    char out[32];
    ri_ros_clean_name(out, sizeof out, "left cam.1/../x");
    CHECK(strcmp(out, "left_cam_1____x") == 0);
    ri_ros_clean_name(out, sizeof out, "7th");
    CHECK(strcmp(out, "_7th") == 0);
    ri_ros_clean_name(out, 4, "abcdefg");
    CHECK(strcmp(out, "abc") == 0);
}

TEST_MAIN(CASE(topics_are_those_of_robot_devices_and_sensors), CASE(joint_states_clock_and_truth_are_the_simulations),
          CASE(tf_is_a_tree_that_leads_to_every_link), CASE(a_goal_of_the_map_is_driven_to_where_odometry_has_it),
          CASE(topics_take_over_the_levels_of_navigation), CASE(a_goal_of_the_map_is_where_navigation_believes_it),
          CASE(map_odom_and_base_link_are_a_chain_whose_product_is_the_truth),
          CASE(covariances_are_those_of_the_devices_noise), CASE(clouds_whole_and_sliced_hold_the_points_of_the_scan),
          CASE(points_of_a_moving_lidar_are_where_they_were_measured), CASE(robot_description_loads_again),
          CASE(a_set_point_that_is_no_number_is_refused_and_the_last_one_holds),
          CASE(messages_of_the_wrong_length_or_type_change_nothing),
          CASE(a_flood_is_bounded_and_the_simulation_goes_on), CASE(cmd_vel_is_the_motion_of_the_body),
          CASE(a_cmd_vel_without_a_successor_stops_the_robot), CASE(a_trajectory_is_followed_by_cubics),
          CASE(commands_of_a_bag_do_what_live_ones_do), CASE(a_trajectory_starts_from_where_the_joint_is),
          CASE(gravity_places_values_and_faults_are_set), CASE(a_place_finds_its_hold_and_a_move_does_not),
          CASE(groups_of_joints_are_commanded_in_their_order), CASE(a_battery_tells_its_state),
          CASE(pause_step_and_reset_rule_the_run), CASE(lock_step_has_equal_bits_for_equal_commands),
          CASE(lock_step_without_an_answer_ends_with_a_sentence_or_goes_on), CASE(a_link_does_not_change_the_motion),
          CASE(lock_step_can_be_paused_and_reset), CASE(lock_step_without_a_topic_to_wait_for_is_refused),
          CASE(names_in_graphs_are_escaped), CASE(wrong_names_and_settings_are_refused_with_their_place),
          CASE(every_setting_of_a_topic_can_be_set_from_outside), CASE(names_that_ros_does_not_know_become_clean))
