// SPDX-License-Identifier: Apache-2.0
/// \file
/// A node of ROS 2 in plain C that drives a rover around a rock by lidar. It knows nothing of
/// Rille: on the real rover it would run as it is.
///
///     /mer/lidar/mast/points, /mer/ground_truth  -->  rock_node  -->  /mer/cmd_vel_stamped
///
///     rille run mer_around_rock --ros2 &
///     CYCLONEDDS_URI=... build/tests/ros_rock_node     (docs/ros.md has the settings of the loopback)
///
/// Each cycle: points above the ground go into a map of obstacles; of a fan of arcs the one is
/// taken that keeps clear of them and ends nearest to the goal. The command carries the stamp of
/// the scan that it answers, so the simulator can wait for it (lock-step).
///
/// Messages of two topics come in any order. The node therefore joins them by their stamps: a scan
/// is used with the pose of its own time, whichever of the two came first. So the commands depend
/// on the messages' contents alone, and lock-step has equal bits on a machine of any speed.
#include <dds/dds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros2.h"

typedef nav_msgs_msg_dds__Odometry_ Odometry;
typedef sensor_msgs_msg_dds__PointCloud2_ Cloud;
typedef geometry_msgs_msg_dds__TwistStamped_ Twist;
typedef builtin_interfaces_msg_dds__Time_ Time;

enum { OBSTACLES = 4096, ARCS = 41, PLACES = 64, POINTS = 8192 };
static const double goal_x = 5.5, goal_y = 0.0, done_x = 4.9; // [m]
static const double speed = 0.04;                             // [m/s]
static const double half_width = 0.95;                        // of the rover with a margin [m]
static const double steepest = 0.55;                          // curvature [1/m]
static const double lidar_height = 1.45;                      // above the ground [m]
static const double lidar_ahead = 0.35;                       // of the rover's middle [m]

typedef struct Point {
    double x, y;
} Point;

typedef struct Map {
    Point at[OBSTACLES];
    int count;
} Map;

/// Where the rover is.
typedef struct Place {
    double x, y, heading;
} Place;

static Place place_of(const Odometry *o)
{
    const geometry_msgs_msg_dds__Quaternion_ q = o->pose.pose.orientation;
    return (Place){o->pose.pose.position.x, o->pose.pose.position.y,
                   atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))};
}

/// Remembers a point of the world, one in each cell of 10 cm.
static void remember(Map *map, double x, double y)
{
    for (int i = 0; i < map->count; i++)
        if (fabs(map->at[i].x - x) < 0.1 && fabs(map->at[i].y - y) < 0.1)
            return;
    if (map->count < OBSTACLES)
        map->at[map->count++] = (Point){x, y};
}

/// The part of a scan that matters, in the rover's frame, until its pose is there.
typedef struct Scan {
    Point at[POINTS];
    int count;
    Time stamp;
    bool waits; ///< for its pose, and for an answer
} Scan;

/// Takes over the points that are above the ground, not of the rover itself, and near.
static void keep(Scan *scan, const Cloud *cloud)
{
    const size_t points = (size_t)cloud->width * cloud->height;
    scan->count = 0;
    scan->stamp = cloud->header.stamp;
    scan->waits = true;
    for (size_t i = 0; i < points && (i + 1) * cloud->point_step <= cloud->data._length; i++) {
        float f[3];
        if (cloud->point_step < sizeof f || scan->count == POINTS)
            return;
        memcpy(f, cloud->data._buffer + i * cloud->point_step, sizeof f);
        const double range = hypot(f[0], f[1]);
        if (range > 1.3 && range < 6.0 && f[2] > 0.2 - lidar_height)
            scan->at[scan->count++] = (Point){lidar_ahead + f[0], f[1]};
    }
}

/// Puts a scan that was made at a place into the map.
static void see(Map *map, const Scan *scan, Place p)
{
    const double c = cos(p.heading), s = sin(p.heading);
    for (int i = 0; i < scan->count; i++) {
        const Point a = scan->at[i];
        remember(map, p.x + a.x * c - a.y * s, p.y + a.x * s + a.y * c);
    }
}

static Place drive(Place p, double curvature, double way)
{
    const double step = 0.1;
    for (double s = 0.0; s < way; s += step) {
        p.x += step * cos(p.heading);
        p.y += step * sin(p.heading);
        p.heading += step * curvature;
    }
    return p;
}

/// Distance that an arc keeps from the nearest obstacle [m].
static double clearance(const Map *map, Place p, double curvature, double way)
{
    double least = INFINITY;
    for (double s = 0.0; s <= way; s += 0.2) {
        const Place q = drive(p, curvature, s);
        for (int i = 0; i < map->count; i++)
            least = fmin(least, hypot(map->at[i].x - q.x, map->at[i].y - q.y));
    }
    return least;
}

/// The arc that ends nearest to the goal among those that keep clear; the clearest one if none
/// does.
static double choose(const Map *map, Place p)
{
    double best = INFINITY, best_curvature = 0.0;
    for (int k = 0; k < ARCS; k++) {
        const double curvature = steepest * (2.0 * k / (ARCS - 1) - 1.0), way = 2.4;
        const double clear = clearance(map, p, curvature, way);
        const Place end = drive(p, curvature, way);
        double cost = hypot(goal_x - end.x, goal_y - end.y) + 0.2 * fabs(curvature);
        if (clear < half_width)
            cost += 100.0 * (half_width - clear);
        if (cost < best) {
            best = cost;
            best_curvature = curvature;
        }
    }
    return best_curvature;
}

static bool same_time(Time a, Time b)
{
    return a.sec == b.sec && a.nanosec == b.nanosec;
}

static dds_entity_t endpoint(dds_entity_t node, const dds_topic_descriptor_t *type, const char *name, bool out)
{
    dds_qos_t *q = dds_create_qos();
    dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 10);
    const dds_entity_t topic = dds_create_topic(node, type, name, NULL, NULL);
    const dds_entity_t e = out ? dds_create_writer(node, topic, q, NULL) : dds_create_reader(node, topic, q, NULL);
    dds_delete_qos(q);
    if (e < 0) {
        fprintf(stderr, "rock_node: %s: %s\n", name, dds_strretcode(-e));
        exit(1);
    }
    return e;
}

/// Takes the newest sample; false if there is none.
static bool take(dds_entity_t reader, void **sample, dds_sample_info_t *info)
{
    *sample = NULL;
    const int n = dds_take(reader, sample, info, 1, 1);
    if (n > 0 && info->valid_data)
        return true;
    if (n > 0)
        dds_return_loan(reader, sample, n);
    return false;
}

/// What the node works with from cycle to cycle.
typedef struct Node {
    dds_entity_t odometry, cloud, command;
    Map map;
    Scan scan;
    Place places[PLACES]; ///< the last ones, with their times
    Time times[PLACES];
    long long place_count; ///< so far
    Twist twist;           ///< the last answer
    int cycles;
    bool met; ///< the simulator has been there
} Node;

static void listen(Node *n)
{
    void *sample;
    dds_sample_info_t info;
    while (take(n->odometry, &sample, &info)) {
        const Odometry *o = sample;
        const long long slot = n->place_count++ % PLACES;
        n->places[slot] = place_of(o);
        n->times[slot] = o->header.stamp;
        dds_return_loan(n->odometry, &sample, 1);
    }
    while (take(n->cloud, &sample, &info)) {
        keep(&n->scan, sample);
        dds_return_loan(n->cloud, &sample, 1);
    }
}

/// The place at a time; NULL: it has not come yet.
static const Place *place_at(const Node *n, Time time)
{
    const long long last = n->place_count, first = last > PLACES ? last - PLACES : 0;
    for (long long i = last - 1; i >= first; i--)
        if (same_time(n->times[i % PLACES], time))
            return &n->places[i % PLACES];
    return NULL;
}

/// Answers each scan once; with the same command if the simulator sends it again.
static void answer(Node *n)
{
    const Place *place = n->scan.waits ? place_at(n, n->scan.stamp) : NULL;
    if (!place)
        return;
    n->scan.waits = false;
    if (n->cycles == 0 || !same_time(n->scan.stamp, n->twist.header.stamp)) {
        see(&n->map, &n->scan, *place);
        n->twist.header.stamp = n->scan.stamp;
        n->twist.header.frame_id = "base";
        n->twist.twist.linear.x = speed;
        n->twist.twist.angular.z = speed * choose(&n->map, *place);
        n->cycles++;
    }
    dds_write(n->command, &n->twist);
}

/// Whether the simulator was there and has left.
static bool has_left(Node *n)
{
    dds_subscription_matched_status_t s = {0};
    if (dds_get_subscription_matched_status(n->odometry, &s) != 0)
        return false;
    n->met |= s.total_count > 0;
    return n->met && s.current_count == 0;
}

static void open_endpoints(Node *n, dds_entity_t node, const char *space)
{
    char name[200];
    snprintf(name, sizeof name, "rt/%s/ground_truth", space);
    n->odometry = endpoint(node, &nav_msgs_msg_dds__Odometry__desc, name, false);
    snprintf(name, sizeof name, "rt/%s/lidar/mast/points", space);
    n->cloud = endpoint(node, &sensor_msgs_msg_dds__PointCloud2__desc, name, false);
    snprintf(name, sizeof name, "rt/%s/cmd_vel_stamped", space);
    n->command = endpoint(node, &geometry_msgs_msg_dds__TwistStamped__desc, name, true);
}

int main(int argc, char **argv)
{
    const char *space = argc > 1 ? argv[1] : "mer";
    const dds_duration_t patience = DDS_SECS(argc > 2 ? atoi(argv[2]) : 60);
    static Node n;
    const char *id = getenv("ROS_DOMAIN_ID");
    const dds_domainid_t domain = id ? (dds_domainid_t)atoi(id) : 0;
    const dds_entity_t node = dds_create_participant(domain, NULL, NULL);
    if (node < 0) {
        fprintf(stderr, "rock_node: %s\n", dds_strretcode(-node));
        return 1;
    }
    open_endpoints(&n, node, space);
    const dds_entity_t waits = dds_create_waitset(node);
    dds_set_status_mask(n.odometry, DDS_DATA_AVAILABLE_STATUS | DDS_SUBSCRIPTION_MATCHED_STATUS);
    dds_set_status_mask(n.cloud, DDS_DATA_AVAILABLE_STATUS);
    dds_waitset_attach(waits, n.odometry, 0);
    dds_waitset_attach(waits, n.cloud, 1);
    // It ends when the simulator leaves, or says nothing for so long that it must have died.
    for (bool left = false; !left && dds_waitset_wait(waits, NULL, 0, patience) > 0;) {
        left = has_left(&n);
        listen(&n);
        answer(&n);
    }
    const Place last = n.place_count > 0 ? n.places[(n.place_count - 1) % PLACES] : (Place){0};
    printf("rock_node: %d cycles, %d obstacles, last at %.3f %.3f\n", n.cycles, n.map.count, last.x, last.y);
    dds_delete(node);
    return last.x > done_x ? 0 : 1;
}
