// SPDX-License-Identifier: Apache-2.0
/// \file
/// Option tables (base/option.h) in YAML.
///
///     mapping --(ri_template_check_options: keys)--> --(ri_template_options: values, ranges)--> option struct
#ifndef RI_IO_TEMPLATE_OPTION_H
#define RI_IO_TEMPLATE_OPTION_H

#include "base/option.h"
#include "io/robot/template.h"

/// Refuses a node that is not a mapping and keys that are in none of the tables; suggests the
/// nearest one.
RI_MUST_CHECK RiStatus ri_template_check_options(const RiYamlNode *map, const RiOptionTable *const *tables, int count);
/// Reads every row that `map` has a key for, checks its range, and leaves the others as they are.
/// `map` may be NULL. Errors name file, line, key, value and what is allowed. Texts live as long as
/// the template.
RI_MUST_CHECK RiStatus ri_template_options(RiTemplate *t, const RiYamlNode *map, const RiOptionTable *table,
                                           void *options);
/// Reads one value, of `node`.
RI_MUST_CHECK RiStatus ri_template_option(RiTemplate *t, const RiYamlNode *node, const RiOption *row, void *options);

#endif
