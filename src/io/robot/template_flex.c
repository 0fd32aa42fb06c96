// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `flexible` of a template's link.
#include <rille/flex.h>

#include "io/robot/template.h"

static RiTemplateValue inside(RiTemplateValue map, const char *key)
{
    return (RiTemplateValue){ri_yaml_get(map.node, key), map.scope};
}

static RiStatus number(RiTemplate *t, RiTemplateValue map, const char *key, const char *unit, double *out)
{
    const RiTemplateValue v = inside(map, key);
    return v.node ? ri_template_number(t, v, unit, out) : RI_OK;
}

RiStatus ri_template_flex(RiTemplate *t, RiTemplateValue map, const char *link, RiSource source, RiSpec *spec)
{
    static const char *const keys[] = {"axis", "length", "bending", "torsion", "damping", "segments", "modes"};
    static const char *const axes[] = {"x", "y", "z"};
    RiFlexDef def = ri_flex_default();
    double segments = def.segments, modes = 0.0;
    int count = 0;
    RI_TRY(ri_yaml_expect(map.node, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(map.node, keys, sizeof keys / sizeof *keys));
    if (inside(map, "axis").node)
        RI_TRY(ri_template_choice(t, inside(map, "axis"), axes, 3, &def.axis));
    if (!inside(map, "length").node)
        return ri_yaml_error(map.node, RI_ERR_FORMAT,
                             "key 'length' is missing: how far the link extends along its axis");
    RI_TRY(number(t, map, "length", "m", &def.length));
    const RiTemplateValue bending = inside(map, "bending");
    if (bending.node && bending.node->kind == RI_YAML_SCALAR)
        RI_TRY(ri_template_number(t, bending, "N*m^2", &def.bending[count++]));
    else if (bending.node)
        RI_TRY(ri_template_numbers(t, bending, "N*m^2", 1, 2, def.bending, &count));
    if (count == 1)
        def.bending[1] = def.bending[0];
    RI_TRY(number(t, map, "torsion", "N*m^2", &def.torsion));
    RI_TRY(number(t, map, "damping", "s", &def.damping));
    RI_TRY(number(t, map, "segments", "", &segments));
    if (!(segments >= 1.0 && segments <= RI_FLEX_SEGMENTS) || segments != (int)segments)
        return ri_yaml_error(inside(map, "segments").node, RI_ERR_FORMAT, "%g segments; a whole number from 1 to %d",
                             segments, RI_FLEX_SEGMENTS);
    RI_TRY(number(t, map, "modes", "", &modes));
    if (!(modes >= 0.0 && modes <= RI_FLEX_MODES) || modes != (int)modes)
        return ri_yaml_error(inside(map, "modes").node, RI_ERR_FORMAT, "%g modes; a whole number from 0 to %d", modes,
                             RI_FLEX_MODES);
    def.segments = (int)segments;
    def.modes = (int)modes;
    def.link = link;
    def.source = source;
    const RiStatus status = ri_spec_flex(spec, &def);
    return status == RI_OK || status == RI_ERR_MEMORY
               ? status
               : ri_yaml_error(map.node, status, "%s", ri_context_message(t->ctx));
}
