// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wavefront OBJ: the lines that make a surface.
///
///     v x y z [...]                  a point; further numbers (weight, colour) are not used
///     f v1[/vt[/vn]] v2 v3 ...       a polygon, cut into a fan of triangles from its first corner
///
/// Indices count from 1, or back from the newest point if negative. All other lines (normals,
/// texture, materials, groups) say nothing about the shape and are passed over. Two passes: the
/// first counts the points, so that the second can check an index where it is, also one that
/// refers to a later point.
#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_text.h"

static void open_text(RiMeshText *text, RiMeshBuild *build, const char *data, size_t size)
{
    ri_mesh_text_init(text, build->ctx, build->file, data, size);
    text->continues = 1;
}

static size_t count_points(RiMeshBuild *build, const char *data, size_t size)
{
    RiMeshText text;
    open_text(&text, build, data, size);
    size_t count = 0;
    while (ri_mesh_text_line(&text))
        count += (size_t)ri_word_is(ri_mesh_text_word(&text), "v");
    return count;
}

static RiStatus read_point(RiMeshBuild *build, RiMeshText *text)
{
    double xyz[3];
    RI_TRY(ri_mesh_text_point(text, "point 'v'", xyz));
    return ri_mesh_build_add(build, ri_vec3(xyz[0], xyz[1], xyz[2]));
}

/// The point index of a corner such as 7, 7/1, 7//3 or -1/4/2; `total` points in the whole file.
static RiStatus read_corner(RiMeshBuild *build, RiMeshText *text, RiWord word, size_t total, uint32_t *out_index)
{
    size_t n = 0;
    while (n < word.size && word.text[n] != '/')
        n++;
    long long index;
    if (!ri_word_integer((RiWord){word.text, n}, &index))
        return ri_mesh_text_error(text, "corner '%s' of face 'f' does not begin with an integer",
                                  ri_word_shown(word).text);
    const long long at = index < 0 ? (long long)build->point_count + index : index - 1;
    if (at < 0 || at >= (long long)total)
        return ri_mesh_text_error(text, "corner %lld of face 'f' is out of range, allowed are 1 to %zu or -1 to -%zu",
                                  index, total, build->point_count);
    *out_index = (uint32_t)at;
    return RI_OK;
}

static RiStatus read_face(RiMeshBuild *build, RiMeshText *text, size_t total)
{
    uint32_t first = 0, previous = 0, index = 0;
    int corners = 0;
    for (RiWord word = ri_mesh_text_word(text); word.size && word.text[0] != '#'; word = ri_mesh_text_word(text)) {
        RI_TRY(read_corner(build, text, word, total, &index));
        if (corners == 0)
            first = index;
        if (corners >= 2)
            RI_TRY(ri_mesh_build_triangle(build, first, previous, index));
        previous = index;
        corners++;
    }
    if (corners < 3)
        return ri_mesh_text_error(text, "face 'f' has %d corners, at least 3 are needed", corners);
    return RI_OK;
}

RiStatus ri_mesh_read_obj(RiMeshBuild *build, const char *data, size_t size)
{
    const size_t total = count_points(build, data, size);
    if (total > RI_MESH_MAX_POINTS)
        return ri_error(build->ctx, RI_ERR_LIMIT, "%s: %zu points, at most %zu are allowed", build->file, total,
                        RI_MESH_MAX_POINTS);
    RI_TRY(ri_mesh_build_reserve(build, total, total));
    RiMeshText text;
    open_text(&text, build, data, size);
    while (ri_mesh_text_line(&text)) {
        const RiWord word = ri_mesh_text_word(&text);
        if (ri_word_is(word, "v"))
            RI_TRY(read_point(build, &text));
        else if (ri_word_is(word, "f"))
            RI_TRY(read_face(build, &text, total));
    }
    return RI_OK;
}
