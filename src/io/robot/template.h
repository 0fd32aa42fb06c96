// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robot templates, inside: what the parts of the loader share.
///
///     documents (file, what it extends, ...)          template.c
///       -> parameters, evaluated when asked for       template_value.c
///       -> items: blocks repeated, overrides merged   template_expand.c
///       -> RiSpec: fields read with units             template_build.c
///
/// An item keeps its fields as nodes, each with the names that were in scope where it is; they
/// are evaluated only after all overrides are known. So a field that a derived robot replaces need
/// not even be valid for it.
#ifndef RI_IO_TEMPLATE_H
#define RI_IO_TEMPLATE_H

#include <rille/robot.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/file/yaml.h"

enum {
    RI_TEMPLATE_EXTENDS = 8,    // files in a chain of extends, beyond the first
    RI_TEMPLATE_CHAIN = 32,     // parameters that depend on each other in a row
    RI_TEMPLATE_ITEMS = 200000, // items and repetitions
    RI_TEMPLATE_WORK = 5000000, // values evaluated, weighted by length
    RI_TEMPLATE_NAME = 63,      // longest name of a parameter or a local value [bytes]
    RI_TEMPLATE_TEXT = 4096,    // longest text after interpolation [bytes]
};

/// A name bound by `as` or `let`. A scope is its innermost name; NULL is the scope of the
/// parameters alone.
typedef struct RiLocal {
    const char *name;
    const char *word; ///< what texts show in place of the value; NULL: the value
    RiQuantity value;
    int line;
    const struct RiLocal *outer;
} RiLocal;

/// A node and the names it may use.
typedef struct RiTemplateValue {
    const RiYamlNode *node;
    const RiLocal *scope;
} RiTemplateValue;

typedef enum RiItemKind {
    RI_ITEM_LINK,
    RI_ITEM_JOINT,
    RI_ITEM_COUPLING,
    RI_ITEM_GEAR,
    RI_ITEM_DIFFERENTIAL,
    RI_ITEM_LOOP,
    RI_ITEM_FRAME,
    RI_ITEM_SENSOR,
    RI_ITEM_SCREW,
    RI_ITEM_WHEEL,
    RI_ITEM_CONTACT_POINT,
    RI_ITEM_SHAPE,
    RI_ITEM_MATERIAL,
    RI_ITEM_KIND_COUNT,
    RI_ITEM_INLINE_SHAPE = RI_ITEM_KIND_COUNT, ///< `visual:` and `collision:` of a link; has no list of its own
    RI_ITEM_TABLE_COUNT
} RiItemKind;

/// An item of the expanded robot.
typedef struct RiItem {
    RiItemKind kind;
    const char *name; ///< NULL for a shape without one
    const RiYamlNode *node;
    RiTemplateValue *fields;
    int field_count;
    int level; ///< index of the document that gave or last changed it
    bool removed;
} RiItem;

typedef struct RiParameter {
    const char *name;
    const RiYamlNode *node;                ///< where it was declared first
    const RiYamlNode *value;               ///< scalar
    const RiYamlNode *unit, *least, *most; ///< NULL if not given
    const RiSetting *setting;              ///< replaces value; NULL if there is none
    bool estimated, used;
    enum { RI_PARAMETER_NEW, RI_PARAMETER_BUSY, RI_PARAMETER_DONE } state;
    RiQuantity result;
    double low, high;  ///< values of `least` and `most` in SI; -INFINITY and INFINITY if not given
    const char *shown; ///< unit in which it is shown: its own, else that of its number, else SI; "" for plain numbers
    double factor;     ///< of that unit
} RiParameter;

typedef struct RiTemplate {
    RiContext *ctx;
    RiLoadOptions options;
    RiArena arena;

    RiYaml *documents[RI_TEMPLATE_EXTENDS + 1]; ///< [0] is the file asked for, the last the base of all
    const char *paths[RI_TEMPLATE_EXTENDS + 1]; ///< NULL for a text without a path
    int document_count;

    RiParameter *parameters;
    int parameter_count, parameter_capacity;
    RiNames parameter_names;
    int chain[RI_TEMPLATE_CHAIN]; ///< parameters being evaluated
    int chain_count;

    RiItem *items;
    int item_count, item_capacity;
    RiNames item_names[RI_ITEM_KIND_COUNT];
    int level; ///< document being expanded
    long expanded, work;
} RiTemplate;

// template_value.c

/// Collects the parameters of all documents and the settings, and evaluates them.
RI_MUST_CHECK RiStatus ri_template_parameters(RiTemplate *t);
/// The unit of a number that is written with one ("4 cm/s": "cm/s"), up to the end of its text; NULL
/// for anything else.
const char *ri_template_written_unit(const RiYamlNode *value);
/// A parameter as it is shown. Its strings live as long as the template.
typedef struct RiParameterShown {
    const char *name, *unit, *doc;
    double value, least, most; ///< in `unit`; bounds may be infinite
} RiParameterShown;
/// Shows a parameter by index, after ri_template_parameters.
RiParameterShown ri_template_parameter(const RiTemplate *t, int index);
/// Value of a scalar: a number with an optional unit, or ${...}.
RI_MUST_CHECK RiStatus ri_template_quantity(RiTemplate *t, RiTemplateValue v, RiQuantity *out_value);
/// Value of a scalar that is an expression with or without ${} (`let`).
RI_MUST_CHECK RiStatus ri_template_expression(RiTemplate *t, RiTemplateValue v, RiQuantity *out_value);
/// The same in SI, with its unit checked against `unit` (NULL: any).
RI_MUST_CHECK RiStatus ri_template_number(RiTemplate *t, RiTemplateValue v, const char *unit, double *out_value);
RI_MUST_CHECK RiStatus ri_template_whole(RiTemplate *t, RiTemplateValue v, int least, int most, int *out_value);
/// true, false or ${...} (not zero is true).
RI_MUST_CHECK RiStatus ri_template_truth(RiTemplate *t, RiTemplateValue v, bool *out_value);
/// Text with every ${...} replaced by its value; lives as long as the template.
RI_MUST_CHECK RiStatus ri_template_text(RiTemplate *t, RiTemplateValue v, const char **out_text);
RI_MUST_CHECK RiStatus ri_template_choice(RiTemplate *t, RiTemplateValue v, const char *const *words, int count,
                                          int *out_index);
/// A sequence of `least` to `most` numbers.
RI_MUST_CHECK RiStatus ri_template_numbers(RiTemplate *t, RiTemplateValue v, const char *unit, int least, int most,
                                           double *out_values, int *out_count);
/// Refuses a name that is malformed, reserved or bound already.
RI_MUST_CHECK RiStatus ri_template_check_name(const RiTemplate *t, const RiYamlNode *node, const char *name,
                                              const RiLocal *scope);

// template_expand.c

/// Fills t->items from all documents, base first.
RI_MUST_CHECK RiStatus ri_template_expand(RiTemplate *t);

/// Counts one more item, repetition or shape at `node`; RI_ERR_LIMIT beyond RI_TEMPLATE_ITEMS.
RI_MUST_CHECK RiStatus ri_template_count(RiTemplate *t, const RiYamlNode *node);

// template_build.c

/// The lists by kind: "links", "joints", ...
const char *ri_template_list_name(RiItemKind kind);
/// Keys of an item of a kind, without repeat, as, if and let; at most `most`. Returns their number.
int ri_template_item_keys(RiItemKind kind, const char **out_keys, int most);
/// The key `flexible` of a link that is in the spec: cuts it into segments (rille/flex.h).
RI_MUST_CHECK RiStatus ri_template_flex(RiTemplate *t, RiTemplateValue map, const char *link, RiSource source,
                                        RiSpec *spec);
/// Adds the items to a spec.
RI_MUST_CHECK RiStatus ri_template_build(RiTemplate *t, RiSpec *spec);

// template.c

/// Grows an array of the template by doubling so that one more element fits.
RI_MUST_CHECK RiStatus ri_template_grow(RiTemplate *t, void **items, int count, int *capacity, size_t size);
/// `path` as seen from the folder of the file `from`, without "./" and with "x/.." removed; lives
/// as long as the template.
RI_MUST_CHECK RiStatus ri_template_join(RiTemplate *t, const char *from, const char *path, const char **out_path);

#endif
