// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of the URDF loader, shared by its files.
///
///     urdf.c        the order of reading: materials, links, joints, <rille>, mimic; the summary
///     urdf_read.c   attributes and elements: numbers, names, choices, poses; what is unknown
///     urdf_link.c   links, inertia, shapes, materials
///     urdf_joint.c  joints, their limits and couplings, and what <rille><joint> adds to them
///     urdf_path.c   where a mesh or texture lies
///     urdf_rille.c  the <rille> element: what URDF has no words for
///     urdf_wheels.c wheels of robots that declare none
///
/// Rule of the loader: every element and attribute of the file is used, or named in the report, or
/// an error. All names point into the XML tree, which lives until the spec is complete; the spec
/// keeps copies.
#ifndef RI_IO_URDF_H
#define RI_IO_URDF_H

#include <rille/robot.h>

#include "base/names.h"
#include "io/file/xml.h"

/// The names of one kind of item; the value is the item's index in its list of the spec.
typedef enum RiUrdfKind {
    RI_URDF_LINK,
    RI_URDF_JOINT,
    RI_URDF_MATERIAL,
    RI_URDF_COUPLING,
    RI_URDF_LOOP,
    RI_URDF_FRAME,
    RI_URDF_SENSOR,
    RI_URDF_SCREW,
    RI_URDF_WHEEL,
    RI_URDF_CONTACT_POINT,
    RI_URDF_REFINEMENT, ///< <rille><joint>: index into RiUrdf.refinements
    RI_URDF_KIND_COUNT
} RiUrdfKind;

/// A load in progress.
typedef struct RiUrdf {
    RiContext *ctx;
    const char *file; ///< as in messages
    const RiLoadOptions *options;
    RiReport *report;
    RiSpec *spec;
    RiXml xml;
    RiNames names[RI_URDF_KIND_COUNT];
    RiArena arena;                 ///< what dies with the load
    const RiXmlNode **refinements; ///< <rille><joint> elements
    int *parent_joint;             ///< of each link; -1 for none
    int mimic_count;
    int invented_count; ///< names made for materials without one; only grows, so that looking for a free one stays linear
    bool strict;        ///< inside <rille>: unknown elements and attributes are errors
} RiUrdf;

enum { RI_URDF_MAX_ONCE = 16 }; ///< most children of an element that may appear once

/// A list of names, as an argument.
#define RI_LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RI_NONE      ((const char *const[]){NULL})

/// Demands on a number.
enum { RI_ANY = 0, RI_REQUIRED = 1, RI_NOT_NEGATIVE = 2, RI_POSITIVE = 4 };

/// A number attribute: where it goes and what is demanded of it.
typedef struct RiUrdfField {
    const char *attribute;
    int demand;
    double *value; ///< keeps its value if the attribute is absent
} RiUrdfField;

// --- urdf_read.c ---

/// Fails with "file:line: ...", the line of `node`.
RiStatus ri_urdf_error(const RiUrdf *u, const RiXmlNode *node, RiStatus status, const char *format, ...)
    RI_PRINTF(4, 5);
/// Adds a finding at the line of `node`.
void ri_urdf_report(const RiUrdf *u, RiFindingKind kind, const RiXmlNode *node, const char *format, ...)
    RI_PRINTF(4, 5);
/// Reports an element as not used, with the reason.
void ri_urdf_ignore(const RiUrdf *u, const RiXmlNode *node, const char *why);

/// Compares an element with what is known of it: the attributes, the children that may appear once
/// (at most RI_URDF_MAX_ONCE), those that may be repeated. What is unknown or surplus is reported,
/// or an error inside <rille>.
RI_MUST_CHECK RiStatus ri_urdf_expect(const RiUrdf *u, const RiXmlNode *node, const char *const *attributes,
                                      const char *const *once, const char *const *many);

/// A required attribute that is not empty.
RI_MUST_CHECK RiStatus ri_urdf_text(const RiUrdf *u, const RiXmlNode *node, const char *attribute,
                                    const char **out_text);
/// `count` numbers separated by white space; if the attribute is absent, the values stay.
RI_MUST_CHECK RiStatus ri_urdf_numbers(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int count,
                                       double *values);
RI_MUST_CHECK RiStatus ri_urdf_number(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int demand,
                                      double *value);
RI_MUST_CHECK RiStatus ri_urdf_fields(const RiUrdf *u, const RiXmlNode *node, const RiUrdfField *fields, int count);
/// An optional whole number of at least `least`.
RI_MUST_CHECK RiStatus ri_urdf_integer(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int least,
                                       int *value);
/// An optional "true" or "false" (or 1, 0).
RI_MUST_CHECK RiStatus ri_urdf_bool(const RiUrdf *u, const RiXmlNode *node, const char *attribute, bool *value);
/// A required attribute that is one of `names`; its index.
RI_MUST_CHECK RiStatus ri_urdf_choice(const RiUrdf *u, const RiXmlNode *node, const char *attribute,
                                      const char *const *names, int *out_index);
/// An optional vector; the value stays if the attribute is absent.
RI_MUST_CHECK RiStatus ri_urdf_vec3(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiVec3 *value);
/// A direction made unit; a zero vector is an error. `v` is left unit.
RI_MUST_CHECK RiStatus ri_urdf_unit(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiVec3 *v);
/// The pose of the child element `name` (xyz, rpy); identity if there is none.
RI_MUST_CHECK RiStatus ri_urdf_origin(const RiUrdf *u, const RiXmlNode *node, const char *name, RiPose *out_pose);

/// Enters a name of a kind; a second one is an error that tells the line of the first.
RI_MUST_CHECK RiStatus ri_urdf_enter(RiUrdf *u, const RiXmlNode *node, RiUrdfKind kind, const char *name, int index);
/// The same with the required attribute "name".
RI_MUST_CHECK RiStatus ri_urdf_name(RiUrdf *u, const RiXmlNode *node, RiUrdfKind kind, int index,
                                    const char **out_name);
/// A required attribute that names an item of a kind; unknown names are an error with the nearest
/// known one.
RI_MUST_CHECK RiStatus ri_urdf_refer(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiUrdfKind kind,
                                     const char **out_name, int *out_index);
RiSource ri_urdf_source(const RiUrdf *u, const RiXmlNode *node);

// --- the others ---

RI_MUST_CHECK RiStatus ri_urdf_read_material(RiUrdf *u, const RiXmlNode *node);
RI_MUST_CHECK RiStatus ri_urdf_read_link(RiUrdf *u, const RiXmlNode *node);
/// Shapes whose material nobody defined lose it, with a warning.
void ri_urdf_check_materials(RiUrdf *u);

/// Makes the table of <rille><joint> elements, which change how joints are read.
RI_MUST_CHECK RiStatus ri_urdf_collect_refinements(RiUrdf *u, const RiXmlNode *rille);
RI_MUST_CHECK RiStatus ri_urdf_read_joint(RiUrdf *u, const RiXmlNode *node);
/// <mimic> of a <joint>, read when all joints are known.
RI_MUST_CHECK RiStatus ri_urdf_read_mimic(RiUrdf *u, const RiXmlNode *joint);
/// A required attribute naming a joint with one coordinate.
RI_MUST_CHECK RiStatus ri_urdf_refer_single(const RiUrdf *u, const RiXmlNode *node, const char *attribute,
                                            const char **out_name);

RI_MUST_CHECK RiStatus ri_urdf_read_rille(RiUrdf *u, const RiXmlNode *rille);
/// The links that bend, once everything else is there.
RI_MUST_CHECK RiStatus ri_urdf_read_flexible(RiUrdf *u, const RiXmlNode *rille);

// --- urdf_wheels.c ---

/// Adds wheels for round shapes on continuous joints if the robot declares none, and reports them.
RI_MUST_CHECK RiStatus ri_urdf_derive_wheels(RiUrdf *u);

/// Finds the file behind a mesh or texture address. *out_path (from the load's arena) is NULL if
/// there is none; then a warning that names the places searched is in the report.
RI_MUST_CHECK RiStatus ri_urdf_locate(RiUrdf *u, const RiXmlNode *node, const char *uri, const char **out_path);

#endif
