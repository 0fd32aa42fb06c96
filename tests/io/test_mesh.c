// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meshes: every format gives the same box, hostile files give messages, and the solid's properties
/// follow closed forms. Files are made in a folder of the build tree and removed at the end.
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rille/mesh.h>

#include "base/memory.h"
#include "base/rng.h"
#include "io/mesh/mesh_guard.h"
#include "io/mesh/mesh_text.h"

// ---- Bytes, files, contexts

typedef struct Bytes {
    char *data;
    size_t size;
} Bytes;

static void put(Bytes *b, const void *data, size_t size)
{
    b->data = realloc(b->data, b->size + size + 1);
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
    b->data[b->size] = '\0';
}

__attribute__((format(printf, 2, 3))) static void print(Bytes *b, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put(b, text, (size_t)n);
}

static void drop(Bytes *b)
{
    free(b->data);
    *b = (Bytes){0};
}

static char folder[512];

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, const void *data, size_t size)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size)
        CHECK_FAIL("cannot write %s", path);
    if (f)
        fclose(f);
    return path;
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            remove(path_of(e->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static RiContext *new_context(void)
{
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

/// Parses a copy that ends exactly where its allocation ends, so that reading past it is seen by
/// the sanitizer.
static RiStatus parse(RiContext *ctx, const char *kind, const void *data, size_t size, RiMesh **out_mesh)
{
    char *copy = malloc(size ? size : 1);
    if (size)
        memcpy(copy, data, size);
    const RiStatus status = ri_mesh_parse(ctx, "part.mesh", kind, copy, size, out_mesh);
    free(copy);
    return status;
}

static RiStatus parse_text(RiContext *ctx, const char *kind, const char *text, RiMesh **out_mesh)
{
    return parse(ctx, kind, text, strlen(text), out_mesh);
}

// ---- The box in every format: sides 0.3, 0.2, 0.1 m, low corner at (1, -2, 0.5)

static const double box_side[3] = {0.3, 0.2, 0.1}, box_low[3] = {1.0, -2.0, 0.5};
static const int box_quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

/// Corner i has bit k set where it is at the high end of axis k.
static double box_corner(int i, int k)
{
    return box_low[k] + (i >> k & 1 ? box_side[k] : 0.0);
}

/// Corner k of triangle t.
static int box_triangle(int t, int k)
{
    return box_quad[t / 2][k == 0 ? 0 : k + t % 2];
}

static void put_float(Bytes *b, double value)
{
    const float f = (float)value;
    put(b, &f, 4);
}

static void box_stl_binary(Bytes *b)
{
    char header[80] = "solid by name only";
    const uint32_t count = 12;
    put(b, header, 80);
    put(b, &count, 4);
    for (int t = 0; t < 12; t++) {
        const float normal[3] = {0.0f, 0.0f, 0.0f};
        put(b, normal, 12);
        for (int k = 0; k < 9; k++)
            put_float(b, box_corner(box_triangle(t, k / 3), k % 3));
        put(b, "\0\0", 2);
    }
}

static void box_stl_text(Bytes *b)
{
    print(b, "solid a box\n");
    for (int t = 0; t < 12; t++) {
        print(b, "  facet normal 0 0 nan\n    outer loop\n");
        for (int k = 0; k < 3; k++) {
            const int i = box_triangle(t, k);
            print(b, "      vertex %.17g %.9e %.17g\r\n", box_corner(i, 0), box_corner(i, 1), box_corner(i, 2));
        }
        print(b, "    endloop\n  endfacet\n");
    }
    print(b, "endsolid a box\n");
}

static void box_obj(Bytes *b)
{
    print(b, "# a box of quads\nmtllib none.mtl\no box\n");
    for (int i = 0; i < 8; i++)
        print(b, "v %.17g %.17g %.17g\n", box_corner(i, 0), box_corner(i, 1), box_corner(i, 2));
    print(b, "vn 0 0 1\nvt 0 0\ns off\n");
    for (int q = 0; q < 6; q++) {
        const int *c = box_quad[q];
        if (q % 3 == 0)
            print(b, "f %d/1/1 %d//1 %d/1 %d # plain\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
        else if (q % 3 == 1)
            print(b, "f %d %d %d %d\n", c[0] - 8, c[1] - 8, c[2] - 8, c[3] - 8);
        else
            print(b, "f %d %d \\\n  %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
    }
}

static void box_ply_text(Bytes *b)
{
    print(b, "ply\r\nformat ascii 1.0\ncomment faces stand first\nobj_info nothing\nelement note 2\n");
    print(b, "property list uchar float numbers\nelement face 6\nproperty uchar red\n");
    print(b, "property list uchar int vertex_index\nelement vertex 8\nproperty float nx\n");
    print(b, "property double x\nproperty double y\nproperty list int int tags\nproperty double z\nend_header\n");
    print(b, "3 0.5 1 2\n0\n");
    for (int q = 0; q < 6; q++)
        print(b, "255 4 %d %d %d %d\n", box_quad[q][0], box_quad[q][1], box_quad[q][2], box_quad[q][3]);
    for (int i = 0; i < 8; i++)
        print(b, "0 %.17g %.17g 2 7 8 %.17g\n", box_corner(i, 0), box_corner(i, 1), box_corner(i, 2));
}

/// Appends an integer or a double's bits in the given byte order.
static void put_number(Bytes *b, uint64_t bits, int n, int big)
{
    for (int i = 0; i < n; i++)
        put(b, &(char){(char)(bits >> 8 * (big ? n - 1 - i : i))}, 1);
}

static void put_double(Bytes *b, double value, int big)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_number(b, bits, 8, big);
}

static void box_ply_binary(Bytes *b, int big)
{
    print(b, "ply\nformat binary_%s_endian 1.0\nelement vertex 8\nproperty double x\n", big ? "big" : "little");
    print(b, "property double y\nproperty short weight\nproperty double z\nelement face 6\n");
    print(b, "property list ushort char edges\nproperty list uchar uint vertex_indices\nend_header\n");
    for (int i = 0; i < 8; i++) {
        put_double(b, box_corner(i, 0), big);
        put_double(b, box_corner(i, 1), big);
        put_number(b, 0xfffe, 2, big);
        put_double(b, box_corner(i, 2), big);
    }
    for (int q = 0; q < 6; q++) {
        put_number(b, 3, 2, big);
        put(b, "\1\2\3", 3);
        put_number(b, 4, 1, big);
        for (int k = 0; k < 4; k++)
            put_number(b, (uint64_t)box_quad[q][k], 4, big);
    }
}

static void box_ply_little(Bytes *b)
{
    box_ply_binary(b, 0);
}

static void box_ply_big(Bytes *b)
{
    box_ply_binary(b, 1);
}

typedef struct Format {
    const char *file, *kind;
    void (*make)(Bytes *b);
    double tolerance;
    int is_binary;
} Format;

static const Format formats[] = {
    {"binary.stl", "stl", box_stl_binary, 1e-6, 1},  {"text.STL", "stl", box_stl_text, 1e-12, 0},
    {"box.obj", "obj", box_obj, 1e-12, 0},           {"text.ply", "ply", box_ply_text, 1e-12, 0},
    {"little.ply", "ply", box_ply_little, 1e-12, 1}, {"big.ply", "ply", box_ply_big, 1e-12, 1}};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static void check_valid(const RiMesh *mesh)
{
    CHECK(mesh->triangle_count > 0);
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            CHECK(mesh->triangles[t][k] < (uint32_t)mesh->point_count);
    for (int i = 0; i < mesh->point_count; i++)
        CHECK(isfinite(mesh->points[i].x) && isfinite(mesh->points[i].y) && isfinite(mesh->points[i].z));
}

/// The closed form of a box with these sides and middle, axes along the world's.
static void check_is_box(const RiMesh *mesh, const double side[3], const double middle[3], double tolerance)
{
    double volume;
    RiVec3 centre, low, high;
    RiMat3 J;
    int open;
    check_valid(mesh);
    ri_mesh_mass_properties(mesh, &volume, &centre, &J);
    const double v = side[0] * side[1] * side[2];
    CHECK_CLOSE(volume, v, tolerance);
    CHECK_CLOSE(centre.x, middle[0], tolerance);
    CHECK_CLOSE(centre.y, middle[1], tolerance);
    CHECK_CLOSE(centre.z, middle[2], tolerance);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double a = side[(i + 1) % 3], b = side[(i + 2) % 3];
            CHECK_CLOSE(J.m[i][k], i == k ? v / 12.0 * (a * a + b * b) : 0.0, tolerance);
        }
    ri_mesh_bounds(mesh, &low, &high);
    CHECK_CLOSE(high.x - low.x, side[0], tolerance);
    CHECK_CLOSE(high.y - low.y, side[1], tolerance);
    CHECK_CLOSE(high.z - low.z, side[2], tolerance);
    CHECK_CLOSE(low.x, middle[0] - 0.5 * side[0], tolerance);
    CHECK_OK(mesh->ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 0);
    CHECK_INT(mesh->point_count, 8);
    CHECK_INT(mesh->triangle_count, 12);
}

TEST(every_own_format_gives_the_same_box)
{
    RiContext *ctx = new_context();
    const double middle[3] = {1.15, -1.9, 0.55};
    for (int i = 0; i < FORMAT_COUNT; i++) {
        Bytes b = {0};
        RiMesh *mesh;
        formats[i].make(&b);
        CHECK_OK(ctx, ri_mesh_load(ctx, write_file(formats[i].file, b.data, b.size), &mesh));
        if (mesh)
            check_is_box(mesh, box_side, middle, formats[i].tolerance);
        ri_mesh_destroy(mesh);
        drop(&b);
    }
    ri_context_destroy(ctx);
}

TEST(truncated_files_give_an_error_or_a_valid_mesh)
{
    RiContext *ctx = new_context();
    for (int i = 0; i < FORMAT_COUNT; i++) {
        Bytes b = {0};
        formats[i].make(&b);
        for (size_t n = 0; n < b.size; n++) {
            RiMesh *mesh;
            const RiStatus status = parse(ctx, formats[i].kind, b.data, n, &mesh);
            if (status == RI_OK)
                check_valid(mesh);
            else
                CHECK(mesh == NULL && strncmp(ri_context_message(ctx), "part.mesh:", 10) == 0);
            CHECK(status == RI_OK || status == RI_ERR_FORMAT);
            CHECK(!(formats[i].is_binary && status == RI_OK));
            ri_mesh_destroy(mesh);
        }
        drop(&b);
    }
    ri_context_destroy(ctx);
}

TEST(changed_and_random_bytes_never_crash)
{
    RiContext *ctx = new_context();
    RiRng rng = ri_rng_stream(7, "test.mesh.garbage");
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
        const Format *f = &formats[round % FORMAT_COUNT];
        Bytes b = {0};
        RiMesh *mesh;
        f->make(&b);
        const int all = round % 5 == 0;
        const int changes = all ? (int)b.size : 1 + ri_rng_below(&rng, 8);
        for (int k = 0; k < changes; k++)
            b.data[all ? k : ri_rng_below(&rng, (int)b.size)] = (char)ri_rng_below(&rng, 256);
        if (parse(ctx, f->kind, b.data, b.size, &mesh) == RI_OK)
            check_valid(mesh);
        else
            refused++;
        ri_mesh_destroy(mesh);
        drop(&b);
    }
    CHECK(refused > 600);
    ri_context_destroy(ctx);
}

// ---- Fault injection

typedef struct Faults {
    int calls, fail_at, live;
} Faults;

static void *faulty_resize(void *user, void *block, size_t size)
{
    Faults *f = user;
    if (f->calls++ == f->fail_at)
        return NULL;
    f->live += block == NULL;
    return realloc(block, size);
}

static void faulty_release(void *user, void *block)
{
    Faults *f = user;
    f->live -= block != NULL;
    free(block);
}

/// Loads a file and counts its open edges with the k-th allocation failing, for all k until none
/// fails; returns how many there were.
static int fail_each_allocation(const char *path)
{
    for (int k = 1; k < 1000; k++) { // allocation 0 is the context
        Faults faults = {.fail_at = k};
        const RiAllocator allocator = {faulty_resize, faulty_release, &faults};
        RiContext *ctx;
        RiMesh *mesh;
        int open;
        if (ri_context_create(&allocator, &ctx) != RI_OK)
            abort();
        RiStatus status = ri_mesh_load(ctx, path, &mesh);
        if (status == RI_OK)
            status = ri_mesh_open_edges(mesh, &open);
        if (faults.calls > k)
            CHECK_INT(status, RI_ERR_MEMORY);
        else
            CHECK_INT(status, RI_OK);
        ri_mesh_destroy(mesh);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
        if (faults.calls <= k)
            return k;
    }
    return 0;
}

TEST(every_failed_allocation_is_told_and_leaks_nothing)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        Bytes b = {0};
        formats[i].make(&b);
        CHECK(fail_each_allocation(write_file(formats[i].file, b.data, b.size)) >= 7);
        drop(&b);
    }
}

/// A closed fan around an axis: many points, so that every array and table has to grow.
static void fan_obj(Bytes *b, int n)
{
    print(b, "v 0 0 -1\nv 0 0 1\n");
    for (int i = 0; i < n; i++)
        print(b, "v %.17g %.17g 0\n", cos(2.0 * M_PI * i / n), sin(2.0 * M_PI * i / n));
    for (int i = 0; i < n; i++) {
        const int a = 3 + i, c = 3 + (i + 1) % n;
        print(b, "f %d %d 2\nf %d %d 1\n", a, c, c, a);
    }
}

TEST(growing_tables_survive_failed_allocations)
{
    Bytes b = {0};
    fan_obj(&b, 500);
    CHECK(fail_each_allocation(write_file("fan.obj", b.data, b.size)) >= 12);
    drop(&b);
}

// ---- STL

TEST(stl_count_that_lies_is_told_with_both_numbers)
{
    RiContext *ctx = new_context();
    Bytes b = {0};
    RiMesh *mesh;
    box_stl_binary(&b);
    const uint32_t lie = 4000000000u;
    memcpy(b.data + 80, &lie, 4);
    CHECK_ERROR(ctx, parse(ctx, "stl", b.data, b.size, &mesh), RI_ERR_FORMAT,
                "part.mesh: byte 80: 4000000000 facets need 200000000084 bytes, but the file has 684");
    b.data[80] = 13, b.data[81] = b.data[82] = b.data[83] = 0;
    CHECK_ERROR(ctx, parse(ctx, "stl", b.data, b.size, &mesh), RI_ERR_FORMAT, "13 facets need 734 bytes");
    CHECK(ri_context_allocation_count(ctx) == 0); // told before any memory is taken
    drop(&b);
    ri_context_destroy(ctx);
}

/// A text STL of one facet, with a number of its line 5 and its line 7 given.
static RiStatus parse_facet(RiContext *ctx, const char *number, const char *line, RiMesh **out_mesh)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 %s\nvertex 0 1 0\n%s\nendfacet\nendsolid\n",
        number, line);
    return parse_text(ctx, "stl", text, out_mesh);
}

TEST(stl_errors_name_the_line_or_the_byte)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    CHECK_ERROR(ctx, parse_facet(ctx, "inf", "endloop", &mesh), RI_ERR_FORMAT, "part.mesh:5: vertex: 'inf'");
    CHECK_ERROR(ctx, parse_facet(ctx, "1e999", "endloop", &mesh), RI_ERR_FORMAT, "part.mesh:5: vertex: '1e999'");
    CHECK_ERROR(ctx, parse_facet(ctx, "", "endloop", &mesh), RI_ERR_FORMAT, "part.mesh:5: vertex has 2 numbers");
    CHECK_ERROR(ctx, parse_facet(ctx, "0", "vertex 3 3 3", &mesh), RI_ERR_FORMAT,
                "part.mesh:7: 'vertex' found where 'endloop'");
    CHECK_OK(ctx, parse_facet(ctx, "0", "endloop", &mesh));
    ri_mesh_destroy(mesh);
    CHECK_ERROR(ctx, parse_text(ctx, "stl", "solid x\nendsolid\n", &mesh), RI_ERR_FORMAT, "no triangles");
    CHECK_ERROR(ctx, parse_text(ctx, "stl", "hello", &mesh), RI_ERR_FORMAT, "part.mesh: byte 5: the file ends");
    Bytes b = {0};
    box_stl_binary(&b);
    memcpy(b.data + 84 + 50 + 24, &(float){(float)NAN}, 4);
    CHECK_ERROR(ctx, parse(ctx, "stl", b.data, b.size, &mesh), RI_ERR_FORMAT, "part.mesh: byte 158: corner (");
    drop(&b);
    ri_context_destroy(ctx);
}

TEST(stl_zeros_of_both_signs_are_one_point)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    const char *text =
        "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop endfacet\n"
        "facet normal 0 0 1 outer loop vertex -0 0 -0\nvertex 0 1 0\nvertex 0 0 1\nendloop endfacet\n"
        "endsolid\nsolid two\nendsolid";
    CHECK_OK(ctx, parse_text(ctx, "stl", text, &mesh));
    REQUIRE(mesh);
    CHECK_INT(mesh->point_count, 4);
    CHECK_INT(mesh->triangle_count, 2);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
}

// ---- OBJ

TEST(obj_polygons_become_fans_and_indices_are_checked)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    const char *points = "v 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0.5 2 0\nv 0 1 0\n";
    char text[400];
    snprintf(text, sizeof text, "f -2 1 2\n%sf 1 2 3 4 5\n", points);
    CHECK_ERROR(ctx, parse_text(ctx, "obj", text, &mesh), RI_ERR_FORMAT, "part.mesh:1: corner -2 of face 'f'");
    snprintf(text, sizeof text, "f 1 2 3 4 5\n%s", points); // refers to later points
    CHECK_OK(ctx, parse_text(ctx, "obj", text, &mesh));
    REQUIRE(mesh);
    CHECK_INT(mesh->triangle_count, 3);
    CHECK(mesh->triangles[2][0] == 0 && mesh->triangles[2][1] == 3 && mesh->triangles[2][2] == 4);
    ri_mesh_destroy(mesh);
    snprintf(text, sizeof text, "%sf 1 2 6\n", points);
    CHECK_ERROR(ctx, parse_text(ctx, "obj", text, &mesh), RI_ERR_FORMAT, "part.mesh:6: corner 6 of face 'f' is out of");
    snprintf(text, sizeof text, "%sf 1 2 0\n", points);
    CHECK_ERROR(ctx, parse_text(ctx, "obj", text, &mesh), RI_ERR_FORMAT, "allowed are 1 to 5 or -1 to -5");
    snprintf(text, sizeof text, "%sf 1 2 x\n", points);
    CHECK_ERROR(ctx, parse_text(ctx, "obj", text, &mesh), RI_ERR_FORMAT, "part.mesh:6: corner 'x'");
    snprintf(text, sizeof text, "%s\n\nf 1 2\n", points);
    CHECK_ERROR(ctx, parse_text(ctx, "obj", text, &mesh), RI_ERR_FORMAT, "part.mesh:8: face 'f' has 2 corners");
    CHECK_ERROR(ctx, parse_text(ctx, "obj", "v 0 nan 0\nf 1 1 1\n", &mesh), RI_ERR_FORMAT, "part.mesh:1: point 'v'");
    CHECK_ERROR(ctx, parse_text(ctx, "obj", "v 0 0x1p3 0\nf 1 1 1\n", &mesh), RI_ERR_FORMAT, "'0x1p3'");
    CHECK_ERROR(ctx, parse_text(ctx, "obj", points, &mesh), RI_ERR_FORMAT, "no triangles");
    ri_context_destroy(ctx);
}

// ---- PLY

#define PLY_VERTICES "property float x\nproperty float y\nproperty float z\n"
#define PLY_FACES    "property list uchar int vertex_indices\n"

TEST(ply_headers_are_checked_line_by_line)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    const char *cases[][2] = {
        {"plu\n", "part.mesh:1: the first line is not 'ply'"},
        {"ply\nformat ascii 1.0\nelement vertex 3\n" PLY_VERTICES, "part.mesh:6: the file ends before 'end_header'"},
        {"ply\nformat ascii 2.0\n", "part.mesh:2: format version '2.0'"},
        {"ply\nformat morse 1.0\n", "part.mesh:2: format 'morse'"},
        {"ply\nproperty float x\n", "part.mesh:2: 'property' before"},
        {"ply\nelement vertex -1\n", "part.mesh:2: element 'vertex' has the count '-1'"},
        {"ply\nelement vertex 1\nproperty list uchar float x\n", "part.mesh:3: property 'x' is a list"},
        {"ply\nelement vertex 1\nproperty float x\nproperty float x\n", "part.mesh:4: second property 'x'"},
        {"ply\nelement vertex 1\nelement vertex 1\n", "part.mesh:3: second element 'vertex'"},
        {"ply\nelement face 1\nproperty list float int vertex_index\n", "part.mesh:3: list length of type 'float'"},
        {"ply\nelement face 1\nproperty list uchar float vertex_index\n", "part.mesh:3: property 'vertex_index'"},
        {"ply\nelement face 1\nproperty quark q\n", "part.mesh:3: property type 'quark'"},
        {"ply\nelement vertex 0\n" PLY_VERTICES "element face 0\n" PLY_FACES "end_header\n", "has no 'format' line"},
        {"ply\nformat ascii 1.0\nelement vertex 0\n" PLY_VERTICES "end_header\n", "has no element 'face'"},
        {"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nelement face 0\n" PLY_FACES "end_header\n",
         "needs the properties x, y and z"},
        {"ply\nformat ascii 1.0\nelement vertex 0\n" PLY_VERTICES "element face 0\nend_header\n", "needs a list"},
        {"ply\nformat binary_little_endian 1.0\nelement ghost 9999999999\nelement vertex 0\n" PLY_VERTICES
         "element face 0\n" PLY_FACES "end_header\n",
         "element 'ghost' has no properties"},
        {"ply\nwhatever\n", "part.mesh:2: header line 'whatever'"},
        {"ply\nformat ascii 1.0\nelement vertex 0\n" PLY_VERTICES "element face 0\n" PLY_FACES "end_header\n",
         "no triangles"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_ERROR(ctx, parse_text(ctx, "ply", cases[i][0], &mesh), RI_ERR_FORMAT, cases[i][1]);
    ri_context_destroy(ctx);
}

#define PLY_HEAD(format, n, m)                                                                                         \
    "ply\nformat " format " 1.0\nelement vertex " n "\n" PLY_VERTICES "element face " m "\n" PLY_FACES "end_header\n"

TEST(ply_records_are_checked)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    const char *cases[][2] = {
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "part.mesh:13: vertex index 3 is out of range"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n",
         "part.mesh:13: vertex index -1 is out of range"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 0.5\n", "part.mesh:13: vertex index 0.5"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "part.mesh:11: 'nan' is not a finite"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "part.mesh:11: the line has too few values"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0 9\n0 1 0\n3 0 1 2\n", "part.mesh:11: the line has more values"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n2 0 1 .\n", "part.mesh:13: a face has 2 corners"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "part.mesh:13: a list of length -3"},
        {PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n7\n", "part.mesh:14: '7' after the last record"},
        {PLY_HEAD("ascii", "3", "2") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2          \n", "ends after 1 of 2 records"},
        {PLY_HEAD("ascii", "100000000", "1") "0 0 0\n", "100000000 records of element 'vertex' need at least 6 bytes"},
        {PLY_HEAD("binary_big_endian", "9", "1") "0123", "9 records of element 'vertex' need at least 12 bytes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_ERROR(ctx, parse_text(ctx, "ply", cases[i][0], &mesh), RI_ERR_FORMAT, cases[i][1]);
    CHECK_ERROR(ctx, parse_text(ctx, "ply", PLY_HEAD("ascii", "999999999999", "1"), &mesh), RI_ERR_LIMIT,
                "999999999999 vertices");
    ri_context_destroy(ctx);
}

TEST(ply_binary_errors_name_the_byte)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    Bytes b = {0};
    box_ply_big(&b);
    CHECK_INT((unsigned char)b.data[b.size - 1], 5);
    b.data[b.size - 1] = 8;
    char expected[80];
    snprintf(expected, sizeof expected, "part.mesh: byte %zu: vertex index 8", b.size);
    CHECK_ERROR(ctx, parse(ctx, "ply", b.data, b.size, &mesh), RI_ERR_FORMAT, expected);
    b.data[b.size - 1] = 5;
    put(&b, "\n", 1);
    CHECK_OK(ctx, parse(ctx, "ply", b.data, b.size, &mesh));
    ri_mesh_destroy(mesh);
    put(&b, "x", 1);
    CHECK_ERROR(ctx, parse(ctx, "ply", b.data, b.size, &mesh), RI_ERR_FORMAT, "2 bytes after the last record");
    const char *first = strstr(b.data, "end_header\n") + 11;
    memset(b.data + (first - b.data), 0xff, 8); // a NaN
    CHECK_ERROR(ctx, parse(ctx, "ply", b.data, b.size, &mesh), RI_ERR_FORMAT, "nan");
    drop(&b);
    ri_context_destroy(ctx);
}

// ---- Numbers

TEST(text_numbers_are_correctly_rounded)
{
    RiRng rng = ri_rng_stream(11, "test.mesh.numbers");
    const char *locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (int i = 0; i < 200000; i++) {
        char text[64];
        const int digits = 1 + ri_rng_below(&rng, 19), exponent = ri_rng_below(&rng, 60) - 30;
        const double value = ri_rng_between(&rng, -1.0, 1.0) * pow(10.0, exponent);
        if (i % 2)
            snprintf(text, sizeof text, "%.*g", digits, value);
        else
            snprintf(text, sizeof text, "%.*e", digits, value);
        double got = 0.0;
        CHECK(ri_word_double((RiWord){text, strlen(text)}, &got));
        const double want = strtod(text, NULL);
        if (got != want)
            CHECK_FAIL("%s read as %.17g, strtod says %.17g", text, got, want);
    }
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++)
        if (setlocale(LC_NUMERIC, locales[i]))
            break;
    double got = 0.0;
    CHECK(ri_word_double((RiWord){"0.15000000000000000001", 22}, &got)); // the long way
    CHECK(got == 0.15);
    setlocale(LC_NUMERIC, "C");
    const char *bad[] = {"", "-", ".", "e5", "1e", "1e+", "1,5", "0x10", "nan", "inf", "1.5.2", "--1", "1e400"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!ri_word_double((RiWord){bad[i], strlen(bad[i])}, &got));
}

// ---- Files

TEST(files_that_cannot_be_read_are_named)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    const char *kinds[] = {"gone.stl", "gone.obj", "gone.ply"};
    for (size_t i = 0; i < 3; i++)
        CHECK_ERROR(ctx, ri_mesh_load(ctx, path_of(kinds[i]), &mesh), RI_ERR_NOT_FOUND, kinds[i]);
    CHECK(mkdir(path_of("folder.stl"), 0700) == 0);
    CHECK_ERROR(ctx, ri_mesh_load(ctx, path_of("folder.stl"), &mesh), RI_ERR_IO, "folder.stl");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, write_file("empty.obj", "", 0), &mesh), RI_ERR_FORMAT, "empty");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, "a.folder/part.xyz", &mesh), RI_ERR_UNSUPPORTED, "'xyz', allowed are stl");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, "a.stl/part", &mesh), RI_ERR_UNSUPPORTED, "mesh kind ''");
    CHECK_ERROR(ctx, ri_mesh_parse(ctx, "m.dae", "dae", "x", 1, &mesh), RI_ERR_UNSUPPORTED, "from memory");
    const char *huge = write_file("huge.stl", "", 0);
    CHECK(truncate(huge, (off_t)600 << 20) == 0); // sparse
    CHECK_ERROR(ctx, ri_mesh_load(ctx, huge, &mesh), RI_ERR_LIMIT, "536870912 bytes");
    CHECK(mesh == NULL);
    ri_context_destroy(ctx);
}

// ---- The solid

/// A mesh of the given arrays.
static RiMesh *make_mesh(RiContext *ctx, const RiVec3 *points, int point_count, const int (*triangles)[3],
                         int triangle_count)
{
    RiMesh *mesh = ri_alloc(ctx, 1, sizeof *mesh);
    *mesh = (RiMesh){.ctx = ctx, .point_count = point_count, .triangle_count = triangle_count};
    mesh->points = ri_alloc(ctx, (size_t)point_count, sizeof *points);
    memcpy(mesh->points, points, (size_t)point_count * sizeof *points);
    mesh->triangles = ri_alloc(ctx, (size_t)triangle_count, sizeof *mesh->triangles);
    for (int t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++)
            mesh->triangles[t][k] = (uint32_t)triangles[t][k];
    return mesh;
}

static const int tetra_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

TEST(tetrahedron_has_its_closed_form)
{
    RiContext *ctx = new_context();
    const double a = 0.7, b = 1.1, c = 0.4;
    const RiVec3 points[5] = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}, {9, 9, 9}}; // the last one is not used
    RiMesh *mesh = make_mesh(ctx, points, 5, tetra_faces, 4);
    double volume;
    RiVec3 centre, low, high;
    RiMat3 J;
    ri_mesh_mass_properties(mesh, &volume, &centre, &J);
    CHECK_CLOSE(volume, a * b * c / 6.0, 1e-15);
    CHECK_CLOSE(centre.x, a / 4.0, 1e-15);
    CHECK_CLOSE(centre.y, b / 4.0, 1e-15);
    CHECK_CLOSE(centre.z, c / 4.0, 1e-15);
    // About the centre: integral of x^2 = 3 V a^2 / 80, of x y = -V a b / 80; the products of
    // inertia have the other sign.
    CHECK_CLOSE(J.m[0][0], 3.0 * volume / 80.0 * (b * b + c * c), 1e-15);
    CHECK_CLOSE(J.m[1][1], 3.0 * volume / 80.0 * (a * a + c * c), 1e-15);
    CHECK_CLOSE(J.m[0][1], volume / 80.0 * a * b, 1e-15);
    CHECK_CLOSE(J.m[2][1], volume / 80.0 * b * c, 1e-15);
    ri_mesh_bounds(mesh, &low, &high);
    CHECK(high.x == a && high.y == b && high.z == c && low.x == 0.0);
    for (int t = 0; t < 4; t++) { // inside out
        const uint32_t swap = mesh->triangles[t][0];
        mesh->triangles[t][0] = mesh->triangles[t][1];
        mesh->triangles[t][1] = swap;
    }
    double negative;
    ri_mesh_mass_properties(mesh, &negative, &centre, &J);
    CHECK_CLOSE(negative, -volume, 1e-15);
    CHECK_CLOSE(centre.x, a / 4.0, 1e-15);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
}

TEST(moving_the_mesh_moves_the_solid)
{
    RiContext *ctx = new_context();
    RiRng rng = ri_rng_stream(3, "test.mesh.motion");
    for (int round = 0; round < 100; round++) {
        RiVec3 points[4];
        for (int i = 0; i < 4; i++)
            points[i] = ri_vec3(ri_rng_normal(&rng), ri_rng_normal(&rng), ri_rng_normal(&rng));
        RiMesh *mesh = make_mesh(ctx, points, 4, tetra_faces, 4);
        double v0, v1;
        RiVec3 c0, c1;
        RiMat3 J0, J1;
        ri_mesh_mass_properties(mesh, &v0, &c0, &J0);
        const RiPose X = {ri_mat3_rpy(ri_rng_normal(&rng), ri_rng_normal(&rng), ri_rng_normal(&rng)),
                          {100.0 * ri_rng_normal(&rng), ri_rng_normal(&rng), ri_rng_normal(&rng)}};
        for (int i = 0; i < 4; i++)
            mesh->points[i] = ri_pose_point(&X, mesh->points[i]);
        ri_mesh_mass_properties(mesh, &v1, &c1, &J1);
        CHECK_CLOSE(v1, v0, 1e-11);
        const double scale = 1e-11 / fmin(1.0, fabs(v0)); // the centre is a quotient by the volume
        CHECK_CLOSE(ri_norm(ri_sub(c1, ri_pose_point(&X, c0))), 0.0, 100.0 * scale);
        const RiMat3 RT = ri_mat3_transpose(&X.R), RJ = ri_mat3_mul(&X.R, &J0), turned = ri_mat3_mul(&RJ, &RT);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(J1.m[i / 3][i % 3], turned.m[i / 3][i % 3], 100.0 * scale);
        ri_mesh_destroy(mesh);
    }
    ri_context_destroy(ctx);
}

/// A unit sphere of n rings and 2 n sectors (the poles are points that repeat in every sector).
static RiMesh *make_sphere(RiContext *ctx, int n)
{
    const int around = 2 * n, count = (n + 1) * around;
    RiVec3 *points = malloc((size_t)count * sizeof *points);
    int(*triangles)[3] = malloc((size_t)(2 * n * around) * sizeof *triangles);
    int used = 0;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < around; k++) {
            const double s = i == 0 || i == n ? 0.0 : sin(M_PI * i / n), z = cos(M_PI * i / n);
            points[i * around + k] = ri_vec3(s * cos(M_PI * k / n), s * sin(M_PI * k / n), z);
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < around; k++) {
            const int a = i * around + k, b = i * around + (k + 1) % around, c = a + around, d = b + around;
            const int quad[2][3] = {{a, c, d}, {a, d, b}};
            memcpy(triangles[used++], quad[0], sizeof quad[0]);
            memcpy(triangles[used++], quad[1], sizeof quad[1]);
        }
    RiMesh *mesh = make_mesh(ctx, points, count, (const int(*)[3])triangles, used);
    free(points);
    free(triangles);
    return mesh;
}

TEST(sphere_converges_with_order_two)
{
    RiContext *ctx = new_context();
    double error[3][2];
    for (int level = 0; level < 3; level++) {
        RiMesh *mesh = make_sphere(ctx, 32 << level);
        double volume;
        RiVec3 centre;
        RiMat3 J;
        int open;
        ri_mesh_mass_properties(mesh, &volume, &centre, &J);
        error[level][0] = 4.0 / 3.0 * M_PI - volume;
        error[level][1] = 8.0 / 15.0 * M_PI - J.m[2][2];
        CHECK_CLOSE(ri_norm(centre), 0.0, 1e-13);
        CHECK_OK(ctx, ri_mesh_open_edges(mesh, &open)); // the slivers at the poles do not count
        CHECK_INT(open, 0);
        ri_mesh_destroy(mesh);
    }
    for (int level = 0; level < 2; level++)
        for (int k = 0; k < 2; k++)
            CHECK_CLOSE(log2(error[level][k] / error[level + 1][k]), 2.0, 0.01);
    ri_context_destroy(ctx);
}

TEST(open_edges_are_counted)
{
    RiContext *ctx = new_context();
    const RiVec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int open;
    RiMesh *mesh = make_mesh(ctx, points, 4, tetra_faces, 3); // one face missing
    CHECK_OK(ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 3);
    ri_mesh_destroy(mesh);
    mesh = make_mesh(ctx, points, 4, tetra_faces, 4);
    CHECK_OK(ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 0);
    const uint32_t swap = mesh->triangles[2][0]; // one face turned round
    mesh->triangles[2][0] = mesh->triangles[2][1];
    mesh->triangles[2][1] = swap;
    CHECK_OK(ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 3);
    ri_mesh_destroy(mesh);
    const int twice[5][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {1, 2, 3}}; // one face there twice
    mesh = make_mesh(ctx, points, 4, twice, 5);
    CHECK_OK(ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 3);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
}

// ---- The guard

static RiContext *guard_ctx;

/// Runs an importer of this test on some file, with a limit in seconds.
static RiStatus guarded(RiMeshImporter *importer, double seconds, RiMesh **out_mesh)
{
    return ri_mesh_guard_run(guard_ctx, write_file("guarded.dae", "x", 1), importer, seconds, out_mesh);
}

static void hang(const char *path, int fd)
{
    (void)path, (void)fd;
    for (;;)
        pause();
}

static void crash(const char *path, int fd)
{
    (void)path, (void)fd;
    fprintf(stderr, "this must not be seen\n");
    abort();
}

static void leave(const char *path, int fd)
{
    (void)path, (void)fd;
    _exit(17);
}

static void refuse(const char *path, int fd)
{
    (void)path;
    ri_guard_refuse(fd, RI_ERR_FORMAT, "no\nlike");
}

static void write_triangles(int fd, uint64_t announced, int written, double z)
{
    const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_RESULT, announced};
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, z};
    ri_guard_write(fd, &header, sizeof header);
    for (int i = 0; i < written; i++)
        ri_guard_write(fd, corners, sizeof corners);
}

static void give_good(const char *path, int fd)
{
    (void)path;
    write_triangles(fd, 3000, 3000, 0.0);
}

static void give_too_few(const char *path, int fd)
{
    (void)path;
    write_triangles(fd, 3000, 2999, 0.0);
}

static void give_too_many(const char *path, int fd)
{
    (void)path;
    write_triangles(fd, UINT64_MAX, 1, 0.0);
}

static void give_nan(const char *path, int fd)
{
    (void)path;
    write_triangles(fd, 2, 2, (double)NAN);
}

static void give_none(const char *path, int fd)
{
    (void)path;
    write_triangles(fd, 0, 0, 0.0);
}

static void give_garbage(const char *path, int fd)
{
    (void)path;
    ri_guard_write(fd, "0123456789abcdef0123456789abcdef", 32);
}

/// Takes 16 GB of address space and says whether that went.
static void devour(const char *path, int fd)
{
    (void)path;
    for (int i = 0; i < 16; i++)
        if (mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
            MAP_FAILED)
            ri_guard_refuse(fd, RI_ERR_FORMAT, "stopped by the limit");
    ri_guard_refuse(fd, RI_ERR_FORMAT, "no limit");
}

static int open_files(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

TEST(guard_tells_how_an_importer_failed)
{
    RiContext *ctx = guard_ctx = new_context();
    RiMesh *mesh;
    const int files = open_files();
    CHECK_ERROR(ctx, guarded(crash, 10.0, &mesh), RI_ERR_FORMAT, "guarded.dae: the importer crashed on this file");
    CHECK(strstr(ri_context_message(ctx), "signal 6, ABRT") != NULL);
    CHECK_ERROR(ctx, guarded(leave, 10.0, &mesh), RI_ERR_FORMAT, "ended without a result (exit code 17)");
    CHECK_ERROR(ctx, guarded(refuse, 10.0, &mesh), RI_ERR_FORMAT,
                "guarded.dae: the importer rejected the file: no like");
    CHECK_ERROR(ctx, guarded(give_too_few, 10.0, &mesh), RI_ERR_FORMAT, "ended without a result (exit code 0)");
    CHECK_ERROR(ctx, guarded(give_too_many, 10.0, &mesh), RI_ERR_LIMIT, "18446744073709551615 triangles");
    CHECK_ERROR(ctx, guarded(give_nan, 10.0, &mesh), RI_ERR_FORMAT, "of triangle 0 is not finite");
    CHECK_ERROR(ctx, guarded(give_none, 10.0, &mesh), RI_ERR_FORMAT, "no triangles");
    CHECK_ERROR(ctx, guarded(give_garbage, 10.0, &mesh), RI_ERR_FORMAT, "damaged result");
    CHECK_OK(ctx, guarded(give_good, 10.0, &mesh));
    REQUIRE(mesh);
    CHECK_INT(mesh->triangle_count, 3000);
    CHECK_INT(mesh->point_count, 3);
    ri_mesh_destroy(mesh);
    // No child and no descriptor stays behind.
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    CHECK_INT(open_files(), files);
    ri_context_destroy(ctx);
}

TEST(guard_stops_an_importer_that_hangs)
{
    RiContext *ctx = guard_ctx = new_context();
    RiMesh *mesh;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    CHECK_ERROR(ctx, guarded(hang, 0.25, &mesh), RI_ERR_FORMAT, "guarded.dae: the importer timed out after 0.25 s");
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double took = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    CHECK(took >= 0.25 && took < 5.0);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ri_context_destroy(ctx);
}

TEST(guard_limits_memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)devour; // sanitizers reserve more address space than any limit
#else
    RiContext *ctx = guard_ctx = new_context();
    RiMesh *mesh;
    // The limit is on top of what the parent has: a parent with much address space can still load.
    const size_t much = (size_t)4 << 30;
    void *held = mmap(NULL, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK_ERROR(ctx, guarded(devour, 10.0, &mesh), RI_ERR_FORMAT, "stopped by the limit");
    CHECK_OK(ctx, guarded(give_good, 10.0, &mesh));
    ri_mesh_destroy(mesh);
    if (held != MAP_FAILED)
        munmap(held, much);
    ri_context_destroy(ctx);
#endif
}

// ---- COLLADA and glTF

/// A unit cube from -1/2 to 1/2 in a node that scales it to (4, 6, 8) and moves it to (10, 20, 30)
/// in file units.
static void cube_dae(Bytes *b, const char *unit)
{
    print(
        b,
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n");
    print(b, "<asset><unit name=\"u\" meter=\"%s\"/><up_axis>Z_UP</up_axis></asset>\n<library_geometries>", unit);
    print(b, "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"24\">");
    for (int i = 0; i < 24; i++)
        print(b, "%s ", i / 3 >> i % 3 & 1 ? "0.5" : "-0.5");
    print(b, "</float_array><technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\">");
    print(b, "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>");
    print(b, "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/>");
    print(b, "</vertices><triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>");
    for (int i = 0; i < 36; i++)
        print(b, "%d ", box_triangle(i / 3, i % 3));
    print(b, "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>");
    print(b, "<visual_scene id=\"s\"><node id=\"n\"><translate>10 20 30</translate><scale>4 6 8</scale>");
    print(b, "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\n");
    print(b, "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n");
}

static void put_base64(Bytes *b, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) { // size is a multiple of 3 here
        const unsigned bits = (unsigned)data[i] << 16 | (unsigned)data[i + 1] << 8 | data[i + 2];
        for (int k = 18; k >= 0; k -= 6)
            put(b, &digits[bits >> k & 63], 1);
    }
}

/// The same cube as glTF with an embedded buffer; `scale_x` -4 mirrors it.
static void cube_gltf(Bytes *b, const char *scale_x)
{
    Bytes raw = {0};
    for (int i = 0; i < 24; i++)
        put_float(&raw, i / 3 >> i % 3 & 1 ? 0.5 : -0.5);
    for (int i = 0; i < 36; i++)
        put_number(&raw, (uint64_t)box_triangle(i / 3, i % 3), 2, 0);
    print(b, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
    print(b, "\"nodes\":[{\"translation\":[10,20,30],\"children\":[1]},{\"scale\":[%s,6,8],\"mesh\":0}],", scale_x);
    print(b, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],");
    print(b, "\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", raw.size);
    put_base64(b, (unsigned char *)raw.data, raw.size);
    print(
        b,
        "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],");
    print(b, "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\",");
    print(b, "\"min\":[-0.5,-0.5,-0.5],\"max\":[0.5,0.5,0.5]},");
    print(b, "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}]}\n");
    drop(&raw);
}

/// Loads a cube made above; its units are `unit` metres.
static void check_cube(RiContext *ctx, const char *name, const Bytes *b, double unit)
{
    RiMesh *mesh;
    const RiStatus status = ri_mesh_load(ctx, write_file(name, b->data, b->size), &mesh);
    if (status == RI_ERR_UNSUPPORTED) {
        CHECK(strstr(ri_context_message(ctx), "install libassimp-dev") != NULL);
        return;
    }
    CHECK_OK(ctx, status);
    REQUIRE(mesh);
    const double side[3] = {4.0 * unit, 6.0 * unit, 8.0 * unit}, middle[3] = {10.0 * unit, 20.0 * unit, 30.0 * unit};
    check_is_box(mesh, side, middle, 1e-6 * fmax(1.0, 2e4 * unit));
    ri_mesh_destroy(mesh);
}

TEST(collada_applies_node_transforms_and_units_but_no_up_axis)
{
    RiContext *ctx = new_context();
    const char *units[] = {"1", "0.01"};
    for (int i = 0; i < 2; i++) {
        Bytes b = {0};
        cube_dae(&b, units[i]);
        check_cube(ctx, "cube.dae", &b, strtod(units[i], NULL));
        drop(&b);
    }
    ri_context_destroy(ctx);
}

TEST(gltf_applies_node_transforms_and_mirrors_keep_outside_outside)
{
    RiContext *ctx = new_context();
    const char *scales[] = {"4", "-4"};
    for (int i = 0; i < 2; i++) {
        Bytes b = {0};
        cube_gltf(&b, scales[i]);
        check_cube(ctx, "cube.gltf", &b, 1.0);
        drop(&b);
    }
    ri_context_destroy(ctx);
}

TEST(bad_foreign_files_are_told)
{
    RiContext *ctx = new_context();
    RiMesh *mesh;
    Bytes b = {0};
    cube_dae(&b, "1");
    const RiStatus first = ri_mesh_load(ctx, write_file("half.dae", b.data, b.size / 2), &mesh);
    if (first == RI_ERR_UNSUPPORTED) {
        drop(&b);
        ri_context_destroy(ctx);
        return;
    }
    CHECK_ERROR(ctx, first, RI_ERR_FORMAT, "half.dae: the importer rejected the file: ");
    CHECK(strlen(strstr(ri_context_message(ctx), "file: ")) > 10); // with a reason
    CHECK_ERROR(ctx, ri_mesh_load(ctx, write_file("bad.gltf", "{]", 2), &mesh), RI_ERR_FORMAT,
                "bad.gltf: the importer");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, write_file("bad.glb", "glTF", 4), &mesh), RI_ERR_FORMAT,
                "bad.glb: the importer");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, write_file("none.glb", "", 0), &mesh), RI_ERR_FORMAT, "none.glb: byte 0");
    CHECK_ERROR(ctx, ri_mesh_load(ctx, path_of("gone.dae"), &mesh), RI_ERR_NOT_FOUND, "gone.dae");
    CHECK(fail_each_allocation(write_file("cube.dae", b.data, b.size)) >= 7);
    drop(&b);
    ri_context_destroy(ctx);
}

static const CheckCase cases[] = {CASE(every_own_format_gives_the_same_box),
                                  CASE(truncated_files_give_an_error_or_a_valid_mesh),
                                  CASE(changed_and_random_bytes_never_crash),
                                  CASE(every_failed_allocation_is_told_and_leaks_nothing),
                                  CASE(growing_tables_survive_failed_allocations),
                                  CASE(stl_count_that_lies_is_told_with_both_numbers),
                                  CASE(stl_errors_name_the_line_or_the_byte),
                                  CASE(stl_zeros_of_both_signs_are_one_point),
                                  CASE(obj_polygons_become_fans_and_indices_are_checked),
                                  CASE(ply_headers_are_checked_line_by_line),
                                  CASE(ply_records_are_checked),
                                  CASE(ply_binary_errors_name_the_byte),
                                  CASE(text_numbers_are_correctly_rounded),
                                  CASE(files_that_cannot_be_read_are_named),
                                  CASE(tetrahedron_has_its_closed_form),
                                  CASE(moving_the_mesh_moves_the_solid),
                                  CASE(sphere_converges_with_order_two),
                                  CASE(open_edges_are_counted),
                                  CASE(guard_tells_how_an_importer_failed),
                                  CASE(guard_stops_an_importer_that_hangs),
                                  CASE(guard_limits_memory),
                                  CASE(collada_applies_node_transforms_and_units_but_no_up_axis),
                                  CASE(gltf_applies_node_transforms_and_mirrors_keep_outside_outside),
                                  CASE(bad_foreign_files_are_told)};

int main(int argc, char **argv)
{
    snprintf(folder, sizeof folder, "%s/mesh-test-XXXXXX", RILLE_BINARY_DIR);
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    remove_folder();
    return result;
}
