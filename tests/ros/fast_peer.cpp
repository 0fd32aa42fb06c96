// SPDX-License-Identifier: Apache-2.0
// `rille run --ros2` seen by Fast DDS, the other maker's DDS and Humble's default: its own discovery, its own CDR. The types are spelled here by hand
// with Fast CDR. Joint states and slices of clouds come in (with the system's usual socket buffers), gravity is switched off.
#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "run_rille.h"

using namespace eprosima::fastdds::dds;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

struct Header {
    int32_t sec = 0;
    uint32_t nanosec = 0;
    std::string frame;
};
struct JointState {
    Header header;
    std::vector<std::string> name;
    std::vector<double> position, velocity, effort;
};
struct Cloud {
    Header header;
    uint32_t height = 0, width = 0, point_step = 0, row_step = 0;
    std::vector<std::string> fields;
    std::vector<uint8_t> data;
    bool big = false, dense = false;
};
struct Odometry {
    Header header;
    std::string child;
    double x = 0, y = 0, z = 0;
};
struct Flag {
    bool data = false;
};

static void read(Cdr &c, Header &h)
{
    c >> h.sec >> h.nanosec >> h.frame;
}
static void read(Cdr &c, JointState &m)
{
    read(c, m.header);
    c >> m.name >> m.position >> m.velocity >> m.effort;
}
static void read(Cdr &c, Cloud &m)
{
    uint32_t count;
    read(c, m.header);
    c >> m.height >> m.width >> count;
    m.fields.resize(count);
    for (auto &f : m.fields) {
        uint32_t offset, n;
        uint8_t type;
        c >> f >> offset >> type >> n;
    }
    c >> m.big >> m.point_step >> m.row_step >> m.data >> m.dense;
}
static void read(Cdr &c, Odometry &m)
{
    read(c, m.header);
    c >> m.child >> m.x >> m.y >> m.z;
}
static void read(Cdr &c, Flag &m)
{
    c >> m.data;
}

template <class T> struct Type : TopicDataType {
    explicit Type(const char *name)
    {
        setName(name);
        m_typeSize = 1 << 20;
        m_isGetKeyDefined = false;
    }
    bool serialize(void *data, SerializedPayload_t *p) override
    {
        FastBuffer buffer(reinterpret_cast<char *>(p->data), p->max_size);
        Cdr c(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        p->encapsulation = CDR_LE;
        c.serialize_encapsulation();
        c << static_cast<Flag *>(data)->data; // the only one that is written
        p->length = static_cast<uint32_t>(c.getSerializedDataLength());
        return true;
    }
    bool deserialize(SerializedPayload_t *p, void *data) override
    {
        FastBuffer buffer(reinterpret_cast<char *>(p->data), p->length);
        Cdr c(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        try {
            c.read_encapsulation();
            read(c, *static_cast<T *>(data));
        } catch (...) {
            return false;
        }
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *) override
    {
        return [] { return 64u; };
    }
    void *createData() override
    {
        return new T;
    }
    void deleteData(void *data) override
    {
        delete static_cast<T *>(data);
    }
    bool getKey(void *, InstanceHandle_t *, bool) override
    {
        return false;
    }
};

static int failures;
static void check(bool good, const char *claim)
{
    std::printf("%s %s\n", good ? "ok  " : "FAIL", claim);
    failures += !good;
}

template <class T> static bool take(DataReader *r, T &m, double seconds)
{
    SampleInfo info;
    for (int i = 0; i < seconds * 500; i++) {
        if (r->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK && info.valid_data)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

template <class T>
static Topic *topic(DomainParticipant *p, const char *name, const char *type)
{
    TypeSupport support(new Type<T>(type));
    support.register_type(p);
    return p->create_topic(name, type, TOPIC_QOS_DEFAULT);
}

int main()
{
    const char *words[] = {"--ros2", "-q", "--set", "ros.pace=real_time", "--duration", "60"};
    const pid_t pid = start_rille("mer_around_rock", words, 6);
    DomainParticipantQos pq;
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.push_back("127.0.0.1");
    pq.transport().user_transports.push_back(udp);
    pq.transport().use_builtin_transports = false;
    eprosima::fastrtps::rtps::Locator_t peer;
    eprosima::fastrtps::rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
    pq.wire_protocol().builtin.initialPeersList.push_back(peer);
    auto *node = DomainParticipantFactory::get_instance()->create_participant(static_cast<uint32_t>(own_domain()), pq);
    if (!node)
        return std::puts("Fast DDS: no participant"), 1;
    auto *subscriber = node->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    auto *publisher = node->create_publisher(PUBLISHER_QOS_DEFAULT);
    DataReaderQos rq = DATAREADER_QOS_DEFAULT;
    rq.reliability().kind = RELIABLE_RELIABILITY_QOS;
    rq.history().depth = 200;
    rq.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    auto *joints = subscriber->create_datareader(
        topic<JointState>(node, "rt/mer/joint_states", "sensor_msgs::msg::dds_::JointState_"), rq);
    auto *slices = subscriber->create_datareader(
        topic<Cloud>(node, "rt/mer/lidar/mast/points_slices", "sensor_msgs::msg::dds_::PointCloud2_"), rq);
    auto *truth = subscriber->create_datareader(
        topic<Odometry>(node, "rt/mer/ground_truth", "nav_msgs::msg::dds_::Odometry_"), rq);
    auto *gravity = publisher->create_datawriter(topic<Flag>(node, "rt/mer/enable_gravity", "std_msgs::msg::dds_::Bool_"),
                                                 DATAWRITER_QOS_DEFAULT);
    JointState j;
    check(take(joints, j, 20), "joint states arrive in Fast DDS");
    check(j.name.size() >= 14 && j.position.size() == j.name.size() && j.effort.size() == j.name.size(),
          "names and numbers agree");
    Cloud c;
    check(take(slices, c, 10), "slices of clouds arrive with the usual socket buffers");
    check(c.width > 500 && c.data.size() == 24 * c.width && c.fields.size() == 6 && c.fields[3] == "intensity" && c.dense,
          "a slice is what its head says");
    int in_order = 0, count = 0;
    double last = -1;
    for (; count < 200 && take(joints, j, 2); count++) {
        const double t = j.header.sec + 1e-9 * j.header.nanosec;
        in_order += t > last;
        last = t;
    }
    check(count == 200 && in_order >= 199, "none of 200 is lost or out of order");
    // Without weight the contacts push the rover off the ground: ground_truth rises.
    Odometry o;
    check(take(truth, o, 5), "the true pose arrives");
    const double standing = o.z;
    Flag off;
    check(gravity->write(&off), "a command can be written");
    for (int i = 0; i < 100 && o.z < standing + 1e-4 && take(truth, o, 2); i++)
        ;
    check(o.z > standing + 1e-4, "gravity goes off when Fast DDS says so");
    const int code = end_rille(pid, SIGINT);
    check(code == 1, "the simulator ended when it was asked to");
    node->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(node);
    return failures ? 1 : 0;
}
