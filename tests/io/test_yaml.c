// SPDX-License-Identifier: Apache-2.0
/// \file
/// YAML documents: the tree and its lines, what is refused, limits, typed values, failing memory.
#include "check.h"

#include "io/faults.h"
#include "io/file/yaml.h"

static RiStatus parse(RiContext *ctx, const char *text, RiYaml **out)
{
    return ri_yaml_parse(ctx, "doc.yaml", text, strlen(text), NULL, out);
}

/// Parses a text that must be refused with a message.
static void refused(const char *text, RiStatus status, const char *part)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    CHECK_ERROR(ctx, parse(ctx, text, &document), status, part);
    CHECK(document == NULL);
    ri_context_destroy(ctx);
}

TEST(a_document_becomes_a_tree_with_lines_and_columns)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    REQUIRE_OK(ctx, parse(ctx, "name: snake\n# comment\nlist:\n  - 1\n  - 'two'\nmap: {a: x, b: [y]}\n", &document));
    const RiYamlNode *root = ri_yaml_root(document);
    CHECK_INT(root->kind, RI_YAML_MAPPING);
    CHECK_INT(root->count, 3);
    const RiYamlNode *list = ri_yaml_get(root, "list");
    REQUIRE(list && list->count == 2);
    CHECK_INT(list->key_line, 3);
    CHECK_INT(list->key_column, 1);
    CHECK_INT(list->line, 4);
    const RiYamlNode *two = ri_yaml_at(list, 1);
    CHECK(two->quoted && strcmp(two->text, "two") == 0 && two->key == NULL);
    CHECK(!ri_yaml_at(list, 0)->quoted);
    CHECK_INT(two->line, 5);
    CHECK_INT(two->column, 5);
    CHECK(ri_yaml_at(list, 2) == NULL);
    const RiYamlNode *y = ri_yaml_at(ri_yaml_get(ri_yaml_get(root, "map"), "b"), 0);
    REQUIRE(y);
    CHECK(strcmp(y->text, "y") == 0);
    CHECK_INT(y->column, 17);
    CHECK(ri_yaml_get(root, "nobody") == NULL);
    CHECK(strcmp(ri_yaml_file(document), "doc.yaml") == 0);
    ri_yaml_destroy(document);
    ri_context_destroy(ctx);
}

TEST(an_empty_text_is_an_empty_scalar)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    REQUIRE_OK(ctx, parse(ctx, "", &document));
    CHECK_INT(ri_yaml_root(document)->kind, RI_YAML_SCALAR);
    CHECK_ERROR(ctx, ri_yaml_expect(ri_yaml_root(document), RI_YAML_MAPPING), RI_ERR_FORMAT,
                "doc.yaml:1:1: expected a mapping, found nothing");
    ri_yaml_destroy(document);
    ri_context_destroy(ctx);
}

TEST(what_hides_meaning_is_refused_with_its_place)
{
    refused("a: &x 1\nb: 2\n", RI_ERR_FORMAT, "doc.yaml:1:4: anchors");
    refused("a: 1\nb: *a\n", RI_ERR_FORMAT, "doc.yaml:2:4: anchors");
    refused("a: !!str 1\n", RI_ERR_FORMAT, "doc.yaml:1:4: tags");
    refused("a: 1\n---\nb: 2\n", RI_ERR_FORMAT, "doc.yaml:2:1: only one document");
    refused("[a]: 1\n", RI_ERR_FORMAT, "doc.yaml:1:1: a key must be a text");
    refused("a: \"x\\0y\"\n", RI_ERR_FORMAT, "doc.yaml:1:4: a control character");
    refused("a: 1\nb: 2\na: 3\n", RI_ERR_FORMAT, "doc.yaml:3:1: key 'a' is given twice, first in line 1");
    refused("a: [1, 2\nb: 3\n", RI_ERR_FORMAT, "doc.yaml:2:");
    refused("a: \xff\n", RI_ERR_FORMAT, "doc.yaml: byte 3");
}

TEST(an_expression_inside_brackets_gets_a_hint_about_quotes)
{
    refused("a: 1\nb: [${x}, 2]\n", RI_ERR_FORMAT, "write an expression in quotes");
}

TEST(a_key_given_twice_is_found_in_large_mappings_too)
{
    char text[4000];
    size_t used = 0;
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "key%d: 1\n", i == 150 ? 20 : i);
    refused(text, RI_ERR_FORMAT, "doc.yaml:151:1: key 'key20' is given twice, first in line 21");
}

TEST(depth_nodes_and_size_are_limited)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    char deep[400];
    memset(deep, '[', 200);
    memset(deep + 200, ']', 200);
    RiYaml *document;
    CHECK_ERROR(ctx, ri_yaml_parse(ctx, "deep", deep, 400, NULL, &document), RI_ERR_LIMIT,
                "deep:1:65: the document is");
    REQUIRE_OK(ctx, ri_yaml_parse(ctx, "deep", deep + 136, 128, NULL, &document));
    ri_yaml_destroy(document);
    const RiYamlLimits few = {.depth = 4, .nodes = 4, .size = 100};
    CHECK_ERROR(ctx, ri_yaml_parse(ctx, "few", "[1, 2, 3, 4]", 12, &few, &document), RI_ERR_LIMIT, "few:1:11");
    REQUIRE_OK(ctx, ri_yaml_parse(ctx, "few", "[1, 2, 3]", 9, &few, &document));
    ri_yaml_destroy(document);
    CHECK_ERROR(ctx, ri_yaml_parse(ctx, "big", deep, 101, &few, &document), RI_ERR_LIMIT, "larger than 100");
    ri_context_destroy(ctx);
}

TEST(typed_values_are_read_and_checked)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    REQUIRE_OK(ctx, parse(ctx,
                          "length: 5 cm\ncount: 4\nhalf: 0.5\non: true\nword: lef\nlist: [1, 2 m, 3]\nempty:\n"
                          "sum: 1+2\n",
                          &document));
    const RiYamlNode *root = ri_yaml_root(document);
    double value = 7.0, values[3];
    int n = 0, index;
    bool on = false;
    const char *text;
    CHECK_OK(ctx, ri_yaml_get_number(root, "length", "m", &value));
    CHECK_CLOSE(value, 0.05, 1e-17);
    CHECK_OK(ctx, ri_yaml_get_number(root, "absent", "m", &value));
    CHECK_CLOSE(value, 0.05, 1e-17);
    CHECK_OK(ctx, ri_yaml_get_int(root, "count", 0, 10, &n));
    CHECK_INT(n, 4);
    CHECK_OK(ctx, ri_yaml_get_bool(root, "on", &on));
    CHECK(on);
    CHECK_OK(ctx, ri_yaml_numbers(ri_yaml_get(root, "list"), "m", values, 3));
    CHECK_CLOSE(values[1], 2.0, 0.0);
    CHECK_OK(ctx, ri_yaml_get_string(root, "word", &text));
    CHECK(strcmp(text, "lef") == 0);
    CHECK_ERROR(ctx, ri_yaml_get_number(root, "length", "kg", &value), RI_ERR_FORMAT,
                "doc.yaml:1:9: key 'length': '5 cm' has unit m, expected kg");
    CHECK_ERROR(ctx, ri_yaml_get_number(root, "word", "m", &value), RI_ERR_FORMAT, "doc.yaml:5:7: key 'word': 'lef'");
    CHECK_ERROR(ctx, ri_yaml_get_number(root, "sum", "", &value), RI_ERR_FORMAT, "doc.yaml:8:7: key 'sum'");
    CHECK_ERROR(ctx, ri_yaml_get_int(root, "half", 0, 10, &n), RI_ERR_FORMAT, "whole number from 0 to 10");
    CHECK_ERROR(ctx, ri_yaml_get_int(root, "count", 5, 10, &n), RI_ERR_FORMAT, "from 5 to 10");
    CHECK_ERROR(ctx, ri_yaml_get_bool(root, "count", &on), RI_ERR_FORMAT, "one of: false, true");
    CHECK_ERROR(ctx, ri_yaml_get_string(root, "empty", &text), RI_ERR_FORMAT, "found nothing");
    CHECK_ERROR(ctx, ri_yaml_numbers(ri_yaml_get(root, "list"), "m", values, 2), RI_ERR_FORMAT,
                "doc.yaml:6:7: key 'list': expected 2 numbers, found 3");
    static const char *const words[] = {"left", "right"};
    CHECK_ERROR(ctx, ri_yaml_choice(ri_yaml_get(root, "word"), words, 2, &index), RI_ERR_FORMAT, "did you mean 'left'");
    const RiYamlNode *node;
    CHECK_OK(ctx, ri_yaml_require(root, "list", RI_YAML_SEQUENCE, &node));
    CHECK_INT(node->count, 3);
    CHECK_ERROR(ctx, ri_yaml_expect(node, RI_YAML_MAPPING), RI_ERR_FORMAT, "expected a mapping, found a sequence");
    CHECK_ERROR(ctx, ri_yaml_require(root, "mass", RI_YAML_SCALAR, &node), RI_ERR_FORMAT, "key 'mass' is missing");
    ri_yaml_destroy(document);
    ri_context_destroy(ctx);
}

TEST(unknown_keys_are_refused_with_a_suggestion)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    REQUIRE_OK(ctx, parse(ctx, "mass: 1\nintertia: 2\n", &document));
    static const char *const keys[] = {"mass", "inertia", "name"};
    CHECK_ERROR(ctx, ri_yaml_check_keys(ri_yaml_root(document), keys, 3), RI_ERR_FORMAT,
                "doc.yaml:2:1: unknown key 'intertia'; did you mean 'inertia'?");
    static const char *const few[] = {"mass"};
    CHECK_ERROR(ctx, ri_yaml_check_keys(ri_yaml_root(document), few, 1), RI_ERR_FORMAT, "allowed: mass");
    ri_yaml_destroy(document);
    ri_context_destroy(ctx);
}

TEST(a_missing_file_is_named)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiYaml *document;
    CHECK_ERROR(ctx, ri_yaml_load(ctx, "no/such.yaml", NULL, &document), RI_ERR_NOT_FOUND, "no/such.yaml: cannot open");
    CHECK_ERROR(ctx, ri_yaml_load(ctx, RILLE_SOURCE_DIR, NULL, &document), RI_ERR_IO, "cannot read");
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_an_error_without_a_leak)
{
    char text[3000];
    size_t used = 0;
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "k%d: [a]\n", i);
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; k < 1000 && status != RI_OK; k++) {
        Faults faults = {.fail_at = k + 1}; // call 0 makes the context
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        RiYaml *document;
        status = ri_yaml_parse(ctx, "doc", text, used, NULL, &document);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        ri_yaml_destroy(document);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(k > 3);
}

TEST_MAIN(CASE(a_document_becomes_a_tree_with_lines_and_columns), CASE(an_empty_text_is_an_empty_scalar),
          CASE(what_hides_meaning_is_refused_with_its_place),
          CASE(an_expression_inside_brackets_gets_a_hint_about_quotes),
          CASE(a_key_given_twice_is_found_in_large_mappings_too), CASE(depth_nodes_and_size_are_limited),
          CASE(typed_values_are_read_and_checked), CASE(unknown_keys_are_refused_with_a_suggestion),
          CASE(a_missing_file_is_named), CASE(every_failed_allocation_is_an_error_without_a_leak))
