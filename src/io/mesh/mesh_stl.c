// SPDX-License-Identifier: Apache-2.0
/// \file
/// STL, binary and text.
///
///     binary: 80 bytes header, uint32 n, n times { float normal[3], corner[3][3]; uint16 attribute }, little endian
///     text:   solid name { facet normal x y z outer loop { vertex x y z } three times endloop endfacet } endsolid name
///
/// Binary headers may begin with "solid" too, so the file's size decides: 84 + 50 n bytes are
/// binary. STL repeats each corner in every facet; corners with equal coordinates become one point.
/// Normals are not used: the order of the corners says which side is outside.
#include <string.h>

#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_text.h"

enum { HEADER = 84, FACET = 50 };

static uint32_t little_u32(const char *at)
{
    unsigned char b[4];
    memcpy(b, at, 4);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const char *at)
{
    const uint32_t bits = little_u32(at);
    float value;
    memcpy(&value, &bits, 4);
    return (double)value;
}

static RiStatus read_facet(RiMeshBuild *build, const char *data, size_t at)
{
    uint32_t index[3];
    for (size_t k = 0; k < 3; k++) {
        const char *corner = data + at + 12 + 12 * k;
        const RiVec3 p = {little_float(corner), little_float(corner + 4), little_float(corner + 8)};
        if (!ri_mesh_is_finite(p))
            return ri_error(build->ctx, RI_ERR_FORMAT, "%s: byte %zu: corner (%g, %g, %g) of facet %zu is not finite",
                            build->file, at + 12 + 12 * k, p.x, p.y, p.z, (at - HEADER) / FACET);
        RI_TRY(ri_mesh_build_merge(build, p, &index[k]));
    }
    return ri_mesh_build_triangle(build, index[0], index[1], index[2]);
}

static RiStatus read_binary(RiMeshBuild *build, const char *data, size_t size)
{
    if (size < HEADER)
        return ri_error(build->ctx, RI_ERR_FORMAT, "%s: byte %zu: the file ends in the binary STL header of %d bytes",
                        build->file, size, HEADER);
    const uint64_t count = little_u32(data + 80);
    const uint64_t needed = HEADER + FACET * count;
    if (needed != size)
        return ri_error(build->ctx, RI_ERR_FORMAT,
                        "%s: byte 80: %llu facets need %llu bytes, but the file has %zu (room for %zu facets)",
                        build->file, (unsigned long long)count, (unsigned long long)needed, size,
                        (size - HEADER) / FACET);
    // A closed mesh has half as many points as triangles (Euler).
    RI_TRY(ri_mesh_build_reserve(build, (size_t)count / 2 + 64, (size_t)count));
    for (size_t at = HEADER; at < size; at += FACET)
        RI_TRY(read_facet(build, data, at));
    return RI_OK;
}

/// Takes the next word, which must be `wanted`.
static RiStatus expect(RiMeshText *text, const char *wanted)
{
    const RiWord word = ri_mesh_text_word_anywhere(text);
    if (word.size == 0)
        return ri_mesh_text_error(text, "the file ends where '%s' is needed", wanted);
    if (!ri_word_is(word, wanted))
        return ri_mesh_text_error(text, "'%s' found where '%s' is needed", ri_word_shown(word).text, wanted);
    return RI_OK;
}

/// The rest of a facet after the word "facet".
static RiStatus read_text_facet(RiMeshBuild *build, RiMeshText *text)
{
    uint32_t index[3];
    RI_TRY(expect(text, "normal"));
    for (int k = 0; k < 3; k++)
        (void)ri_mesh_text_word(text); // the normal may be anything: some writers put nan for slivers
    RI_TRY(expect(text, "outer"));
    RI_TRY(expect(text, "loop"));
    for (int k = 0; k < 3; k++) {
        double xyz[3];
        RI_TRY(expect(text, "vertex"));
        RI_TRY(ri_mesh_text_point(text, "vertex", xyz));
        RI_TRY(ri_mesh_build_merge(build, ri_vec3(xyz[0], xyz[1], xyz[2]), &index[k]));
    }
    RI_TRY(expect(text, "endloop"));
    RI_TRY(expect(text, "endfacet"));
    return ri_mesh_build_triangle(build, index[0], index[1], index[2]);
}

/// The rest of a solid after the word "solid".
static RiStatus read_solid(RiMeshBuild *build, RiMeshText *text)
{
    text->next = text->stop; // the name, up to the end of the line
    for (;;) {
        const RiWord word = ri_mesh_text_word_anywhere(text);
        if (word.size == 0)
            return ri_mesh_text_error(text, "the file ends where 'facet' or 'endsolid' is needed");
        if (ri_word_is(word, "endsolid"))
            break;
        if (!ri_word_is(word, "facet"))
            return ri_mesh_text_error(text, "'%s' found where 'facet' or 'endsolid' is needed",
                                      ri_word_shown(word).text);
        RI_TRY(read_text_facet(build, text));
    }
    text->next = text->stop;
    return RI_OK;
}

static RiStatus read_text(RiMeshBuild *build, const char *data, size_t size)
{
    RiMeshText text;
    ri_mesh_text_init(&text, build->ctx, build->file, data, size);
    for (;;) {
        const RiWord word = ri_mesh_text_word_anywhere(&text);
        if (word.size == 0)
            return RI_OK;
        if (!ri_word_is(word, "solid"))
            return ri_mesh_text_error(&text, "'%s' found where 'solid' is needed", ri_word_shown(word).text);
        RI_TRY(read_solid(build, &text));
    }
}

/// Text begins with "solid" and has no NUL in what would be the binary header: there the top byte
/// of the count is 0 for every file below the size limit.
static int is_text(RiMeshBuild *build, const char *data, size_t size)
{
    RiMeshText text;
    ri_mesh_text_init(&text, build->ctx, build->file, data, size);
    if (!ri_word_is(ri_mesh_text_word_anywhere(&text), "solid"))
        return 0;
    return memchr(data, '\0', size < HEADER ? size : HEADER) == NULL;
}

RiStatus ri_mesh_read_stl(RiMeshBuild *build, const char *data, size_t size)
{
    const int has_binary_size = size >= HEADER && HEADER + FACET * (uint64_t)little_u32(data + 80) == size;
    if (!has_binary_size && is_text(build, data, size))
        return read_text(build, data, size);
    return read_binary(build, data, size);
}
