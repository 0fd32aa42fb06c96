// SPDX-License-Identifier: Apache-2.0
/// \file
/// Types and bytes of ROS: digests by the standards' vectors, hashes that ROS itself publishes,
/// messages byte by byte, readers of broken ones.
#include "check.h"

#include "link/ros/queue.h"
#include "link/ros/type.h"

TEST(digests_are_those_of_the_standards)
{
    char sha[RI_SHA256_HEX], md5[RI_MD5_HEX];
    static char million[1000000];
    ri_sha256_hex("abc", 3, sha); // FIPS 180-4
    CHECK(strcmp(sha, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
    ri_sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, sha);
    CHECK(strcmp(sha, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1") == 0);
    memset(million, 'a', sizeof million);
    ri_sha256_hex(million, sizeof million, sha);
    CHECK(strcmp(sha, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0);
    ri_md5_hex("", 0, md5); // RFC 1321
    CHECK(strcmp(md5, "d41d8cd98f00b204e9800998ecf8427e") == 0);
    ri_md5_hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890", 80, md5);
    CHECK(strcmp(md5, "57edf4a22be3c955ac49da2e2107b67a") == 0);
}

/// As `ros2 topic info -v` of Jazzy and `rosmsg md5` of Noetic print them.
TEST(hashes_of_types_are_those_that_ros_publishes)
{
    static const struct {
        const char *type, *hash, *md5;
    } known[] = {
        {"std_msgs/Bool", "feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9",
         "8b94c1b53db61fb6aed406028ad6332a"},
        {"std_msgs/String", "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
         "992ce8a1687cec8c8bd883ec73ca41d1"},
        {"std_msgs/Empty", "20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312",
         "d41d8cd98f00b204e9800998ecf8427e"},
        {"rosgraph_msgs/Clock", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
         "a9c97c1d230cfc112e270351a944ee47"},
        {"geometry_msgs/Twist", "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
         "9f195f881246fdfa2798d1d3eebca84a"},
        {"sensor_msgs/CameraInfo", "b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275",
         "c9a58c1b0b154e0e6da7578cb991d214"},
        {"sensor_msgs/BatteryState", "4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741",
         "4ddae7f048e32fda22cac764685e3974"},
        {"sensor_msgs/JointState", "a13ee3a3", "3066dcd76a6cfaef579bd0f34173e9fd"},
        {"sensor_msgs/Imu", "7d9a00ff", "6a62c6daae103f4ff57a132d6f95cec2"},
        {"sensor_msgs/PointCloud2", "9198cabf", "1158d486dd51d683ce2f1be655c3c181"},
        {"sensor_msgs/Image", "d31d41a9", "060021388200f6f0f447d0fcd9c64743"},
        {"geometry_msgs/WrenchStamped", "8dc3deaf", "d78d3cb249ce23087ade7e7d0c40cfa7"},
        {"tf2_msgs/TFMessage", "e369d0f0", "94810edda583a504dfda3829e70d7eec"},
        {"nav_msgs/Odometry", "", "cd5e73d190d741a2f92e81eda573aca7"},
        {"trajectory_msgs/JointTrajectory", "", "65b4f94a94d1ed67169da35a02f33d3f"},
        {"diagnostic_msgs/DiagnosticArray", "", "60810da900de1dd6ddd437c3503511da"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const RiRosType *t = ri_ros_type_find(known[i].type);
        char hash[RI_ROS_HASH], md5[RI_MD5_HEX];
        REQUIRE(t && ri_ros_type_hash(t, hash) && ri_ros_type_md5(t, md5));
        if (strncmp(hash, "RIHS01_", 7) != 0 || strncmp(hash + 7, known[i].hash, strlen(known[i].hash)) != 0)
            CHECK_FAIL("%s: %s", known[i].type, hash);
        if (strcmp(md5, known[i].md5) != 0)
            CHECK_FAIL("%s: %s", known[i].type, md5);
    }
    char name[RI_ROS_TYPE_NAME];
    ri_ros_type_dds_name(ri_ros_type_find("sensor_msgs/JointState"), name);
    CHECK(strcmp(name, "sensor_msgs::msg::dds_::JointState_") == 0);
}

/// "time 1.5, frame "ab", numbers" by hand, in both formats.
TEST(bytes_are_those_of_the_formats)
{
    static const uint8_t cdr[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0x65, 0xcd, 0x1d, 3, 0, 0, 0, 'a',  'b', 0,
                                  7, 2, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0,    0, 0, 0, 0, 0xf0, 0x3f};
    static const uint8_t packed[] = {9,   0,   0, 0, 1, 0, 0, 0, 0, 0x65, 0xcd, 0x1d, 2, 0,    0,   0,
                                     'a', 'b', 7, 2, 0, 0, 0, 0, 0, 0,    0,    0,    0, 0xf0, 0x3f};
    const uint8_t *want[] = {cdr, packed};
    for (int format = RI_ROS_CDR; format <= RI_ROS_1; format++) {
        RiRosWriter w;
        ri_ros_write_begin(&w, (RiRosFormat)format, 0, 9, 4);
        ri_ros_put_header(&w, 1.5, "ab");
        ri_ros_put_u8(&w, 7);
        ri_ros_put_u32(&w, 2);
        ri_ros_put_f64(&w, 1.0);
        RiRosMessage *m = ri_ros_write_end(&w);
        REQUIRE(m);
        const size_t size = format == RI_ROS_CDR ? 4 + 32 : sizeof packed;
        CHECK_INT(m->size, size);
        if (format == RI_ROS_1)
            CHECK(memcmp(m->bytes, want[format], size) == 0);
        else // header, 'ab', 0, 7, 2, padding to 8, 1.0
            CHECK(memcmp(m->bytes, cdr, 20) == 0 && m->bytes[20] == 2 && m->bytes[34] == 0xf0 && m->bytes[35] == 0x3f);
        RiRosReader r;
        char frame[8];
        ri_ros_read_begin(&r, (RiRosFormat)format, m->bytes, m->size);
        CHECK_CLOSE(ri_ros_get_header(&r, frame, sizeof frame), 1.5, 0.0);
        CHECK(strcmp(frame, "ab") == 0);
        CHECK_INT(ri_ros_get_u8(&r), 7);
        CHECK_INT(ri_ros_get_u32(&r), 2);
        CHECK_CLOSE(ri_ros_get_f64(&r), 1.0, 0.0);
        CHECK(ri_ros_read_end(&r));
        ri_ros_message_unref(m);
    }
}

TEST(stamps_are_exact_to_the_nanosecond)
{
    static const double times[] = {0.0, 0.1, 0.999999999, 0.9999999999, 1.0, 12345.005, 84.48, 1e9 + 0.25};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        RiRosWriter w;
        RiRosReader r;
        ri_ros_write_begin(&w, RI_ROS_CDR, 0, 0, 16);
        ri_ros_put_time(&w, times[i]);
        RiRosMessage *m = ri_ros_write_end(&w);
        REQUIRE(m);
        ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
        CHECK_CLOSE(ri_ros_get_time(&r), times[i], 0.6e-9);
        ri_ros_message_unref(m);
    }
}

TEST(a_reader_fails_on_what_is_too_short_too_long_or_not_a_string)
{
    static const uint8_t bytes[] = {0, 1, 0, 0, 200, 0, 0, 0, 'a', 'b', 'c', 0};
    static const uint8_t no_end[] = {0, 1, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    static const uint8_t inner[] = {0, 1, 0, 0, 4, 0, 0, 0, 'a', 0, 'c', 0};
    static const uint8_t parameters[] = {0, 3, 0, 0, 1, 0, 0, 0};
    char text[16];
    RiRosReader r;
    ri_ros_read_begin(&r, RI_ROS_CDR, bytes, sizeof bytes);
    ri_ros_get_string(&r, text, sizeof text);
    CHECK(r.failed && !text[0] && ri_ros_get_f64(&r) == 0.0 && !ri_ros_read_end(&r));
    ri_ros_read_begin(&r, RI_ROS_CDR, no_end, sizeof no_end);
    ri_ros_get_string(&r, text, sizeof text);
    CHECK(r.failed);
    ri_ros_read_begin(&r, RI_ROS_CDR, inner, sizeof inner);
    ri_ros_get_string(&r, text, sizeof text);
    CHECK(r.failed);
    ri_ros_read_begin(&r, RI_ROS_CDR, parameters, sizeof parameters); // a parameter list is not plain CDR
    CHECK(r.failed);
    ri_ros_read_begin(&r, RI_ROS_CDR, bytes, 3);
    CHECK(r.failed);
    ri_ros_read_begin(&r, RI_ROS_1, bytes, sizeof bytes);
    ri_ros_get_u32(&r);
    CHECK(!ri_ros_read_end(&r)); // bytes are left
    ri_ros_read_begin(&r, RI_ROS_1, (const uint8_t[]){255, 255, 255, 255, 0}, 5);
    CHECK_INT(ri_ros_get_count(&r, 8), 0);
    CHECK(r.failed);
}

/// Big-endian peers are read too.
TEST(the_other_byte_order_is_read)
{
    static const uint8_t big[] = {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0};
    RiRosReader r;
    ri_ros_read_begin(&r, RI_ROS_CDR, big, sizeof big);
    CHECK_INT(ri_ros_get_u32(&r), 5);
    CHECK_CLOSE(ri_ros_get_f64(&r), 1.5, 0.0);
    CHECK(ri_ros_read_end(&r));
}

TEST(a_queue_is_bounded_and_counts_what_it_drops)
{
    RiRosQueue q;
    REQUIRE(ri_ros_queue_init(&q, 3, 100));
    for (int i = 0; i < 5; i++) {
        RiRosMessage *m = ri_ros_message_new(i, 60);
        REQUIRE(m);
        m->size = i == 0 ? 200 : 20; // the first is larger than all that is allowed: it goes alone
        CHECK(ri_ros_queue_put(&q, m, false) == (i == 0));
        if (i == 2) {
            RiRosMessage *out = ri_ros_queue_take(&q, 0.0);
            REQUIRE(out);
            CHECK_INT(out->endpoint, 0);
            ri_ros_message_unref(out);
            break;
        }
    }
    for (int i = 0; i < 4; i++) {
        RiRosMessage *m = ri_ros_message_new(i, 8);
        REQUIRE(m);
        CHECK(ri_ros_queue_put(&q, m, false) == (i < 3));
    }
    CHECK_INT(ri_ros_queue_dropped(&q), 3);
    ri_ros_queue_close(&q);
    for (int i = 0; i < 3; i++)
        ri_ros_message_unref(ri_ros_queue_take(&q, 1.0));
    CHECK(ri_ros_queue_is_done(&q) && !ri_ros_queue_take(&q, 1.0));
    ri_ros_queue_free(&q);
}

TEST(a_nap_ends_when_the_queue_is_half_full_or_closed)
{
    RiRosQueue q;
    REQUIRE(ri_ros_queue_init(&q, 4, 1000));
    ri_ros_queue_nap(&q, 1e-3); // over after a millisecond: nothing has come
    for (int i = 0; i < 3; i++)
        CHECK(ri_ros_queue_put(&q, ri_ros_message_new(i, 8), false));
    ri_ros_queue_nap(&q, 1e6);
    for (int i = 0; i < 3; i++)
        ri_ros_message_unref(ri_ros_queue_take(&q, 0.0));
    ri_ros_queue_close(&q);
    ri_ros_queue_nap(&q, 1e6);
    ri_ros_queue_free(&q);
}

TEST_MAIN(CASE(digests_are_those_of_the_standards), CASE(hashes_of_types_are_those_that_ros_publishes),
          CASE(bytes_are_those_of_the_formats), CASE(stamps_are_exact_to_the_nanosecond),
          CASE(a_reader_fails_on_what_is_too_short_too_long_or_not_a_string), CASE(the_other_byte_order_is_read),
          CASE(a_queue_is_bounded_and_counts_what_it_drops), CASE(a_nap_ends_when_the_queue_is_half_full_or_closed))
