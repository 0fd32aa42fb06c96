// SPDX-License-Identifier: Apache-2.0
/// \file
/// PLY (Stanford polygon file), text and binary of both byte orders.
///
///     ply
///     format ascii 1.0 | binary_little_endian 1.0 | binary_big_endian 1.0
///     element vertex 8        followed by its properties:  property float x
///     element face 6          property list uchar int vertex_indices
///     end_header              then the records, one element after the other in this order
///
/// A record is read value by value in the same way for text and binary; only next_value knows the
/// difference. x, y, z and the index list are used, everything else is read past. Text records
/// are one to a line. Polygons become fans.
#include <string.h>

#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_text.h"

enum { MAX_ELEMENTS = 32, MAX_PROPERTIES = 256 };

typedef enum PlyFormat { FORMAT_NONE, FORMAT_TEXT, FORMAT_LITTLE, FORMAT_BIG } PlyFormat;
typedef enum PlyType {
    TYPE_NONE,
    TYPE_I8,
    TYPE_U8,
    TYPE_I16,
    TYPE_U16,
    TYPE_I32,
    TYPE_U32,
    TYPE_F32,
    TYPE_F64
} PlyType;
typedef enum PlyRole { ROLE_X, ROLE_Y, ROLE_Z, ROLE_INDICES, ROLE_SKIPPED } PlyRole;
typedef enum PlyKind { KIND_VERTEX, KIND_FACE, KIND_OTHER } PlyKind;

static const size_t type_size[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

typedef struct PlyProperty {
    PlyType list; ///< type of the list's length, or TYPE_NONE for a single value
    PlyType type;
    PlyRole role;
} PlyProperty;

typedef struct PlyElement {
    PlyKind kind;
    RiShown name;
    size_t count;
    unsigned roles; ///< bit set of the roles its properties have
    int first_property, property_count;
} PlyElement;

typedef struct Ply {
    RiMeshBuild *build;
    RiMeshText text;    ///< the header, and the records of a text file
    const char *data;   ///< start of the file
    const char *cursor; ///< next binary record
    PlyFormat format;
    PlyElement elements[MAX_ELEMENTS];
    PlyProperty properties[MAX_PROPERTIES];
    int element_count, property_count;
    size_t vertex_count; ///< of the header: what indices may refer to
} Ply;

// ---- Header

static PlyType type_of(RiWord word)
{
    static const struct {
        const char *name;
        PlyType type;
    } names[] = {{"char", TYPE_I8},   {"int8", TYPE_I8},     {"uchar", TYPE_U8},   {"uint8", TYPE_U8},
                 {"short", TYPE_I16}, {"int16", TYPE_I16},   {"ushort", TYPE_U16}, {"uint16", TYPE_U16},
                 {"int", TYPE_I32},   {"int32", TYPE_I32},   {"uint", TYPE_U32},   {"uint32", TYPE_U32},
                 {"float", TYPE_F32}, {"float32", TYPE_F32}, {"double", TYPE_F64}, {"float64", TYPE_F64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ri_word_is(word, names[i].name))
            return names[i].type;
    return TYPE_NONE;
}

static RiStatus read_format(Ply *ply)
{
    const RiWord word = ri_mesh_text_word(&ply->text);
    if (ply->format != FORMAT_NONE)
        return ri_mesh_text_error(&ply->text, "second 'format' line");
    if (ri_word_is(word, "ascii"))
        ply->format = FORMAT_TEXT;
    else if (ri_word_is(word, "binary_little_endian"))
        ply->format = FORMAT_LITTLE;
    else if (ri_word_is(word, "binary_big_endian"))
        ply->format = FORMAT_BIG;
    else
        return ri_mesh_text_error(&ply->text,
                                  "format '%s', allowed are ascii, binary_little_endian and binary_big_endian",
                                  ri_word_shown(word).text);
    const RiWord version = ri_mesh_text_word(&ply->text);
    if (!ri_word_is(version, "1.0"))
        return ri_mesh_text_error(&ply->text, "format version '%s', allowed is 1.0", ri_word_shown(version).text);
    return RI_OK;
}

static int has_element(const Ply *ply, PlyKind kind)
{
    for (int i = 0; i < ply->element_count; i++)
        if (ply->elements[i].kind == kind)
            return 1;
    return 0;
}

static RiStatus read_element(Ply *ply)
{
    const RiWord name = ri_mesh_text_word(&ply->text), word = ri_mesh_text_word(&ply->text);
    const PlyKind kind = ri_word_is(name, "vertex") ? KIND_VERTEX : ri_word_is(name, "face") ? KIND_FACE : KIND_OTHER;
    long long count;
    if (!ri_word_integer(word, &count) || count < 0)
        return ri_mesh_text_error(&ply->text, "element '%s' has the count '%s', an integer from 0 is needed",
                                  ri_word_shown(name).text, ri_word_shown(word).text);
    if (ply->element_count == MAX_ELEMENTS)
        return ri_mesh_text_error(&ply->text, "more than %d elements", MAX_ELEMENTS);
    if (kind != KIND_OTHER && has_element(ply, kind))
        return ri_mesh_text_error(&ply->text, "second element '%s'", ri_word_shown(name).text);
    ply->elements[ply->element_count++] = (PlyElement){
        .kind = kind, .name = ri_word_shown(name), .count = (size_t)count, .first_property = ply->property_count};
    if (kind == KIND_VERTEX)
        ply->vertex_count = (size_t)count;
    return RI_OK;
}

/// What a property of this name means for the shape.
static PlyRole role_of(PlyKind kind, RiWord name)
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int i = 0; kind == KIND_VERTEX && i < 3; i++)
        if (ri_word_is(name, axes[i]))
            return (PlyRole)i;
    if (kind == KIND_FACE && (ri_word_is(name, "vertex_indices") || ri_word_is(name, "vertex_index")))
        return ROLE_INDICES;
    return ROLE_SKIPPED;
}

/// Records a property whose types are known: its role must fit and be new.
static RiStatus add_property(Ply *ply, PlyProperty property, RiWord name)
{
    PlyElement *element = &ply->elements[ply->element_count - 1];
    property.role = role_of(element->kind, name);
    const RiShown shown = ri_word_shown(name);
    if (property.role != ROLE_SKIPPED && (element->roles & 1u << property.role))
        return ri_mesh_text_error(&ply->text, "second property '%s'", shown.text);
    if (property.role <= ROLE_Z && property.list)
        return ri_mesh_text_error(&ply->text, "property '%s' is a list, a single number is needed", shown.text);
    if (property.role == ROLE_INDICES && (!property.list || property.type >= TYPE_F32))
        return ri_mesh_text_error(&ply->text, "property '%s' is not a list of integers", shown.text);
    if (ply->property_count == MAX_PROPERTIES)
        return ri_mesh_text_error(&ply->text, "more than %d properties", MAX_PROPERTIES);
    element->roles |= 1u << property.role;
    element->property_count++;
    ply->properties[ply->property_count++] = property;
    return RI_OK;
}

static RiStatus read_property(Ply *ply)
{
    if (ply->element_count == 0)
        return ri_mesh_text_error(&ply->text, "'property' before the first 'element'");
    PlyProperty property = {.list = TYPE_NONE};
    RiWord word = ri_mesh_text_word(&ply->text);
    if (ri_word_is(word, "list")) {
        word = ri_mesh_text_word(&ply->text);
        property.list = type_of(word);
        if (property.list == TYPE_NONE || property.list >= TYPE_F32)
            return ri_mesh_text_error(&ply->text, "list length of type '%s', an integer type is needed",
                                      ri_word_shown(word).text);
        word = ri_mesh_text_word(&ply->text);
    }
    property.type = type_of(word);
    if (property.type == TYPE_NONE)
        return ri_mesh_text_error(&ply->text, "property type '%s' is not known", ri_word_shown(word).text);
    return add_property(ply, property, ri_mesh_text_word(&ply->text));
}

/// Checks what only the whole header can tell.
static RiStatus check_header(const Ply *ply)
{
    if (ply->format == FORMAT_NONE)
        return ri_mesh_text_error(&ply->text, "the header has no 'format' line");
    if (!has_element(ply, KIND_VERTEX) || !has_element(ply, KIND_FACE))
        return ri_mesh_text_error(&ply->text, "the header has no element '%s'",
                                  has_element(ply, KIND_VERTEX) ? "face" : "vertex");
    for (int i = 0; i < ply->element_count; i++) {
        const PlyElement *e = &ply->elements[i];
        if (e->kind == KIND_VERTEX && (e->roles & 7) != 7)
            return ri_mesh_text_error(&ply->text, "element 'vertex' needs the properties x, y and z");
        if (e->kind == KIND_FACE && !(e->roles & 1u << ROLE_INDICES))
            return ri_mesh_text_error(&ply->text, "element 'face' needs a list vertex_indices or vertex_index");
        if (e->count > 0 && e->property_count == 0)
            return ri_mesh_text_error(&ply->text, "element '%s' has no properties", e->name.text);
    }
    return RI_OK;
}

static RiStatus read_header(Ply *ply)
{
    RiMeshText *text = &ply->text;
    if (!ri_mesh_text_line(text) || !ri_word_is(ri_mesh_text_word(text), "ply"))
        return ri_mesh_text_error(text, "the first line is not 'ply'");
    while (ri_mesh_text_line(text)) {
        const RiWord word = ri_mesh_text_word(text);
        if (ri_word_is(word, "format"))
            RI_TRY(read_format(ply));
        else if (ri_word_is(word, "element"))
            RI_TRY(read_element(ply));
        else if (ri_word_is(word, "property"))
            RI_TRY(read_property(ply));
        else if (ri_word_is(word, "end_header"))
            return check_header(ply);
        else if (word.size && !ri_word_is(word, "comment") && !ri_word_is(word, "obj_info"))
            return ri_mesh_text_error(text, "header line '%s' is not known", ri_word_shown(word).text);
    }
    return ri_mesh_text_error(text, "the file ends before 'end_header'");
}

// ---- Values

static size_t bytes_left(const Ply *ply)
{
    return (size_t)(ply->text.end - (ply->format == FORMAT_TEXT ? ply->text.next : ply->cursor));
}

/// RI_ERR_FORMAT at the place that is being read.
#define PLY_ERROR(ply, format_text, ...)                                                                               \
    ((ply)->format == FORMAT_TEXT ? ri_mesh_text_error(&(ply)->text, format_text, __VA_ARGS__)                         \
                                  : ri_error((ply)->build->ctx, RI_ERR_FORMAT, "%s: byte %zu: " format_text,           \
                                             (ply)->build->file, (size_t)((ply)->cursor - (ply)->data), __VA_ARGS__))

/// `n` bytes as an unsigned integer in the file's byte order.
static uint64_t raw_bits(const Ply *ply, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits = bits << 8 | (unsigned char)ply->cursor[ply->format == FORMAT_BIG ? i : n - 1 - i];
    return bits;
}

/// The binary value at the cursor. All types fit a double exactly.
static double binary_value(const Ply *ply, PlyType type)
{
    const uint64_t bits = raw_bits(ply, type_size[type]);
    const uint32_t half = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case TYPE_I8:
        return (double)(int8_t)bits;
    case TYPE_I16:
        return (double)(int16_t)bits;
    case TYPE_I32:
        return (double)(int32_t)half;
    case TYPE_F32:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case TYPE_F64:
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        return (double)bits;
    }
}

static RiStatus next_value(Ply *ply, PlyType type, double *out_value)
{
    if (ply->format == FORMAT_TEXT) {
        const RiWord word = ri_mesh_text_word(&ply->text);
        if (word.size == 0)
            return ri_mesh_text_error(&ply->text, "the line has too few values");
        if (!ri_word_double(word, out_value))
            return ri_mesh_text_error(&ply->text, "'%s' is not a finite number", ri_word_shown(word).text);
        return RI_OK;
    }
    if (bytes_left(ply) < type_size[type])
        return PLY_ERROR(ply, "the file ends inside a value of %zu bytes", type_size[type]);
    *out_value = binary_value(ply, type);
    ply->cursor += type_size[type];
    return RI_OK;
}

// ---- Records

/// Takes an index of a face and checks it against the header's number of vertices.
static RiStatus next_index(Ply *ply, PlyType type, uint32_t *out_index)
{
    double value;
    RI_TRY(next_value(ply, type, &value));
    if (!(value >= 0.0 && value < (double)ply->vertex_count && value == floor(value)))
        return PLY_ERROR(ply, "vertex index %g is out of range, there are %zu vertices", value, ply->vertex_count);
    *out_index = (uint32_t)value;
    return RI_OK;
}

static RiStatus read_polygon(Ply *ply, PlyType type, size_t corners)
{
    if (corners < 3)
        return PLY_ERROR(ply, "a face has %zu corners, at least 3 are needed", corners);
    uint32_t first, previous, index;
    RI_TRY(next_index(ply, type, &first));
    RI_TRY(next_index(ply, type, &previous));
    for (size_t k = 2; k < corners; k++) {
        RI_TRY(next_index(ply, type, &index));
        RI_TRY(ri_mesh_build_triangle(ply->build, first, previous, index));
        previous = index;
    }
    return RI_OK;
}

static RiStatus read_list(Ply *ply, const PlyProperty *property)
{
    double length, value;
    RI_TRY(next_value(ply, property->list, &length));
    const size_t left = bytes_left(ply);
    const size_t least = ply->format == FORMAT_TEXT ? 2 : type_size[property->type]; // " 1"
    if (!(length >= 0.0 && length == floor(length) && length <= (double)(left / least)))
        return PLY_ERROR(ply, "a list of length %g does not fit the %zu bytes left in the file", length, left);
    if (property->role == ROLE_INDICES)
        return read_polygon(ply, property->type, (size_t)length);
    for (size_t k = 0; k < (size_t)length; k++)
        RI_TRY(next_value(ply, property->type, &value));
    return RI_OK;
}

/// Goes to the next record: for text to the next line that is not empty.
static RiStatus begin_record(Ply *ply, const PlyElement *element, size_t index)
{
    if (ply->format != FORMAT_TEXT)
        return RI_OK;
    while (ri_mesh_text_line(&ply->text)) {
        const char *start = ply->text.next;
        if (ri_mesh_text_word(&ply->text).size) {
            ply->text.next = start;
            return RI_OK;
        }
    }
    return ri_mesh_text_error(&ply->text, "the file ends after %zu of %zu records of element '%s'", index,
                              element->count, element->name.text);
}

static RiStatus end_record(Ply *ply)
{
    if (ply->format == FORMAT_TEXT && ri_mesh_text_word(&ply->text).size)
        return ri_mesh_text_error(&ply->text, "the line has more values than its element has properties");
    return RI_OK;
}

static RiStatus read_record(Ply *ply, const PlyElement *element)
{
    double xyz[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < element->property_count; i++) {
        const PlyProperty *property = &ply->properties[element->first_property + i];
        double value = 0.0;
        if (property->list)
            RI_TRY(read_list(ply, property));
        else
            RI_TRY(next_value(ply, property->type, &value));
        if (property->role <= ROLE_Z)
            xyz[property->role] = value;
    }
    RI_TRY(end_record(ply));
    if (element->kind != KIND_VERTEX)
        return RI_OK;
    const RiVec3 p = {xyz[0], xyz[1], xyz[2]};
    if (!ri_mesh_is_finite(p))
        return PLY_ERROR(ply, "vertex (%g, %g, %g) is not finite", p.x, p.y, p.z);
    return ri_mesh_build_add(ply->build, p);
}

/// The fewest bytes one record can take: faces with 3 corners, other lists empty, text values of
/// one digit and a separator.
static size_t least_record(const Ply *ply, const PlyElement *element)
{
    size_t least = 0;
    for (int i = 0; i < element->property_count; i++) {
        const PlyProperty *p = &ply->properties[element->first_property + i];
        least += ply->format == FORMAT_TEXT ? 2 : type_size[p->list ? p->list : p->type];
        if (p->role == ROLE_INDICES)
            least += 3 * (ply->format == FORMAT_TEXT ? 2 : type_size[p->type]);
    }
    return least;
}

static RiStatus read_records(Ply *ply, const PlyElement *element)
{
    // Before memory is taken: can the file hold so many? (The last line of a text may lack its LF.)
    const size_t left = bytes_left(ply), least = least_record(ply, element);
    if (element->count > 0 && element->count > (left + 1) / least)
        return PLY_ERROR(ply, "%zu records of element '%s' need at least %zu bytes each, but the file has %zu left",
                         element->count, element->name.text, least, left);
    if (element->kind == KIND_VERTEX)
        RI_TRY(ri_mesh_build_reserve(ply->build, element->count, 0));
    if (element->kind == KIND_FACE)
        RI_TRY(ri_mesh_build_reserve(ply->build, 0,
                                     element->count < RI_MESH_MAX_TRIANGLES ? element->count : RI_MESH_MAX_TRIANGLES));
    for (size_t i = 0; i < element->count; i++) {
        RI_TRY(begin_record(ply, element, i));
        RI_TRY(read_record(ply, element));
    }
    return RI_OK;
}

/// Nothing but white space may follow the last record.
static RiStatus check_end(Ply *ply)
{
    if (ply->format == FORMAT_TEXT) {
        const RiWord word = ri_mesh_text_word_anywhere(&ply->text);
        return word.size ? ri_mesh_text_error(&ply->text, "'%s' after the last record", ri_word_shown(word).text)
                         : RI_OK;
    }
    const size_t left = bytes_left(ply);
    for (size_t i = 0; i < left; i++)
        if (!strchr(" \t\r\n", ply->cursor[i]) || ply->cursor[i] == '\0')
            return PLY_ERROR(ply, "%zu bytes after the last record", left);
    return RI_OK;
}

RiStatus ri_mesh_read_ply(RiMeshBuild *build, const char *data, size_t size)
{
    Ply ply = {.build = build, .data = data};
    ri_mesh_text_init(&ply.text, build->ctx, build->file, data, size);
    RI_TRY(read_header(&ply));
    if (ply.vertex_count > RI_MESH_MAX_POINTS)
        return ri_error(build->ctx, RI_ERR_LIMIT, "%s: %zu vertices, at most %zu are allowed", build->file,
                        ply.vertex_count, RI_MESH_MAX_POINTS);
    ply.cursor = ply.text.stop < ply.text.end ? ply.text.stop + 1 : ply.text.end;
    for (int i = 0; i < ply.element_count; i++)
        RI_TRY(read_records(&ply, &ply.elements[i]));
    return check_end(&ply);
}
