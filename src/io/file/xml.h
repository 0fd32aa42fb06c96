// SPDX-License-Identifier: Apache-2.0
/// \file
/// XML as a tree: elements with attributes, text, children and the line they start on.
///
///     text --(expat events)--> RiXml: root -> first_child -> next -> ...
///
/// The reader is meant for files from strangers: document type declarations are refused (no entity
/// bombs, no outside entities), depth, size and number of elements are bounded, and nothing is
/// recursive.
#ifndef RI_IO_XML_H
#define RI_IO_XML_H

#include "base/memory.h"

enum {
    RI_XML_MAX_DEPTH = 256,
    RI_XML_MAX_SIZE = 256 << 20,  ///< [bytes]
    RI_XML_MAX_ELEMENTS = 4 << 20 ///< a tree takes some ten times the memory of the shortest text for it
};

typedef struct RiXmlAttribute {
    const char *name, *value;
} RiXmlAttribute;

typedef struct RiXmlNode {
    const char *name;
    const char *text; ///< character data between the children, without white space at both ends; NULL if none
    const RiXmlAttribute *attributes;
    int attribute_count;
    int line;         ///< where the start tag begins, from 1
    const char *file; ///< which it comes from; NULL: the document's own
    struct RiXmlNode *parent, *first_child, *last_child, *next;
} RiXmlNode;

typedef struct RiXml {
    RiArena arena;
    RiXmlNode *root;
} RiXml;

/// Reads a document. `path` is used in messages only: "path:line:column: what". *out_xml is safe to
/// free on error.
RI_MUST_CHECK RiStatus ri_xml_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiXml *out_xml);
void ri_xml_free(RiXml *xml);

/// Value of an attribute, or NULL.
const char *ri_xml_attribute(const RiXmlNode *node, const char *name);
/// First child element of a name, or NULL.
const RiXmlNode *ri_xml_child(const RiXmlNode *node, const char *name);

#endif
