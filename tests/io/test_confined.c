// SPDX-License-Identifier: Apache-2.0
/// \file
/// Names inside foreign files lead nowhere but below their folder, and to no network: the children
/// around GDAL and assimp cannot open, run or connect to anything else. Each attack is tried, and
/// beside it the honest file that must still be read.
#include "check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/mesh.h>
#include <rille/terrain_io.h>
#include <rille/version.h>

#include "io/file/confine.h"

#define FOLDER RILLE_BINARY_DIR "/test-confined"
#define INSIDE FOLDER "/inside"

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        exit(EXIT_FAILURE);
}

RI_PRINTF(2, 3) static void write_text(const char *path, const char *format, ...)
{
    char text[4000];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    write_bytes(path, text, (size_t)n);
}

static void prepare(void)
{
    unsigned char heights[16];
    for (int i = 0; i < 16; i++)
        heights[i] = (unsigned char)(10 + i);
    mkdir(FOLDER, 0755);
    mkdir(INSIDE, 0755);
    mkdir(INSIDE "/deeper", 0755);
    write_bytes(INSIDE "/data.img", heights, 16);
    write_bytes(INSIDE "/deeper/data.img", heights, 16);
    write_bytes(FOLDER "/secret.img", heights, 16);
}

// --- the child itself ----------------------------------------------------------------------------

enum { NO_FILES = 1, NO_CALLS = 2 };

/// What the kernel offers; a test of the rest would test the kernel.
static int missing(void)
{
    const char *text = ri_confine_text();
    return (strstr(text, "files") ? 0 : NO_FILES) | (strstr(text, "seccomp)") ? 0 : NO_CALLS);
}

/// Number of the first attempt that succeeds, or fails although it should not; 0.
static int try_all(bool writes)
{
    ri_confine(INSIDE "/data.img", writes);
    const bool files = !(missing() & NO_FILES), calls = !(missing() & NO_CALLS);
    if (open(INSIDE "/data.img", O_RDONLY) < 0 || open(INSIDE "/deeper/data.img", O_RDONLY) < 0)
        return 1;
    if (files && (open(FOLDER "/secret.img", O_RDONLY) >= 0 || open(INSIDE "/../secret.img", O_RDONLY) >= 0))
        return 2;
    if (files && (open("/etc/passwd", O_RDONLY) >= 0 || open("/proc/self/environ", O_RDONLY) >= 0))
        return 3;
    if (files && open(FOLDER "/new", O_WRONLY | O_CREAT, 0600) >= 0)
        return 4;
    if (files && (open(INSIDE "/new", O_WRONLY | O_CREAT, 0600) >= 0) != writes)
        return 5;
    if (calls && (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0))
        return 6;
    char *const words[] = {(char[]){"/bin/true"}, NULL};
    execv(words[0], words);
    return calls && errno != EACCES ? 7 : 0;
}

static int in_child(bool writes)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(try_all(writes));
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

TEST(a_confined_child_reaches_its_folder_and_nothing_else)
{
    CHECK_INT(in_child(false), 0);
    CHECK_INT(in_child(true), 0);
    unlink(INSIDE "/new");
}

// --- labels of rasters ---------------------------------------------------------------------------

static RiStatus load_raster(const char *path, char *message, size_t size)
{
    RiContext *ctx;
    RiRaster *raster = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    RiRasterOptions o = ri_raster_options_default();
    o.seconds = 20.0;
    const RiStatus status = ri_raster_load(ctx, path, &o, &raster);
    snprintf(message, size, "%s", ri_context_message(ctx));
    if (status == RI_OK)
        CHECK(raster->nx == 4 && raster->ny == 4);
    ri_raster_destroy(raster);
    ri_context_destroy(ctx);
    return status;
}

static void write_pds3(const char *name)
{
    write_text(INSIDE "/x.lbl",
               "PDS_VERSION_ID = PDS3\r\nRECORD_TYPE = FIXED_LENGTH\r\nRECORD_BYTES = 4\r\nFILE_RECORDS = 4\r\n"
               "^IMAGE = \"%s\"\r\nOBJECT = IMAGE\r\n LINES = 4\r\n LINE_SAMPLES = 4\r\n"
               " SAMPLE_TYPE = UNSIGNED_INTEGER\r\n SAMPLE_BITS = 8\r\nEND_OBJECT = IMAGE\r\nEND\r\n",
               name);
}

static void write_pds4(const char *name)
{
    write_text(INSIDE "/x.xml",
               "<?xml version=\"1.0\"?>\n<Product_Observational xmlns=\"http://pds.nasa.gov/pds4/pds/v1\">"
               "<File_Area_Observational><File><file_name>%s</file_name></File><Array_2D_Image>"
               "<offset unit=\"byte\">0</offset><axes>2</axes><axis_index_order>Last Index Fastest</axis_index_order>"
               "<Element_Array><data_type>UnsignedByte</data_type></Element_Array>"
               "<Axis_Array><axis_name>Line</axis_name><elements>4</elements><sequence_number>1</sequence_number>"
               "</Axis_Array><Axis_Array><axis_name>Sample</axis_name><elements>4</elements><sequence_number>2"
               "</sequence_number></Axis_Array></Array_2D_Image></File_Area_Observational></Product_Observational>",
               name);
}

/// A socket that listens on this machine, with its port.
static int listen_here(int *out_port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0)
        exit(EXIT_FAILURE);
    *out_port = ntohs(at.sin_port);
    return fd;
}

static void try_labels(void (*write)(const char *name), const char *label)
{
    char message[600], url[100];
    int port;
    const int server = listen_here(&port);
    static const char *const honest[] = {"data.img", "deeper/data.img"};
    for (size_t i = 0; i < 2; i++) {
        write(honest[i]);
        if (load_raster(label, message, sizeof message) != RI_OK)
            CHECK_FAIL("%s naming '%s': %s", label, honest[i], message);
    }
    snprintf(url, sizeof url, "/vsicurl/http://127.0.0.1:%d/data.img", port);
    const char *const hostile[] = {FOLDER "/secret.img", "../secret.img", "deeper/../../secret.img", url,
                                   "/vsisubfile/0_16," FOLDER "/secret.img"};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        write(hostile[i]);
        if (load_raster(label, message, sizeof message) == RI_OK)
            CHECK_FAIL("%s reads '%s'", label, hostile[i]);
    }
    struct pollfd wait = {.fd = server, .events = POLLIN};
    CHECK_INT(poll(&wait, 1, 0), 0); // nobody has called
    close(server);
}

static bool has(const char *feature)
{
    if (strstr(ri_version_features(), feature))
        return true;
    printf("     skipped: this build has no %s\n", feature);
    return false;
}

TEST(labels_of_rasters_name_nothing_beyond_their_folder)
{
    if (!has("gdal: yes"))
        return;
    try_labels(write_pds3, INSIDE "/x.lbl");
    try_labels(write_pds4, INSIDE "/x.xml");
}

TEST(a_raster_behind_a_link_is_read)
{
    char message[600];
    if (!has("gdal: yes"))
        return;
    write_pds3("data.img");
    mkdir(FOLDER "/links", 0755);
    unlink(FOLDER "/links/x.asc");
    write_text(INSIDE "/x.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n%s%s", "1 2 3 4\n5 6 7 8\n",
               "1 2 3 4\n5 6 7 8\n");
    CHECK(symlink("../inside/x.asc", FOLDER "/links/x.asc") == 0);
    if (load_raster(FOLDER "/links/x.asc", message, sizeof message) != RI_OK)
        CHECK_FAIL("%s", message);
}

// --- buffers of glTF -----------------------------------------------------------------------------

static RiStatus load_gltf(const char *uri, char *message, size_t size)
{
    RiContext *ctx;
    RiMesh *mesh = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    write_text(INSIDE "/x.gltf",
               "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
               "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
               "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
               "\"min\":[0,0,0],\"max\":[1,1,0]}],"
               "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],"
               "\"buffers\":[{\"uri\":\"%s\",\"byteLength\":36}]}",
               uri);
    const RiStatus status = ri_mesh_load(ctx, INSIDE "/x.gltf", &mesh);
    snprintf(message, size, "%s", ri_context_message(ctx));
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
    return status;
}

TEST(buffers_of_gltf_name_nothing_beyond_their_folder)
{
    static const float points[9] = {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F};
    static const char *const hostile[] = {FOLDER "/secret.bin", "../secret.bin", "deeper/../../secret.bin"};
    char message[600];
    if (!has("assimp: yes") || missing() & NO_FILES)
        return;
    write_bytes(INSIDE "/points.bin", points, sizeof points);
    write_bytes(FOLDER "/secret.bin", points, sizeof points);
    if (load_gltf("points.bin", message, sizeof message) != RI_OK)
        CHECK_FAIL("%s", message);
    for (size_t i = 0; i < 3; i++)
        if (load_gltf(hostile[i], message, sizeof message) == RI_OK)
            CHECK_FAIL("glTF reads '%s'", hostile[i]);
}

int main(int argc, char **argv)
{
    prepare();
    const CheckCase cases[] = {CASE(a_confined_child_reaches_its_folder_and_nothing_else),
                               CASE(labels_of_rasters_name_nothing_beyond_their_folder),
                               CASE(a_raster_behind_a_link_is_read),
                               CASE(buffers_of_gltf_name_nothing_beyond_their_folder)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
