// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "io/file/file.h"
#include "io/file/xml.h"

static RiContext *make_context(void)
{
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

static RiStatus parse(RiContext *ctx, const char *text, RiXml *xml)
{
    return ri_xml_parse(ctx, "a.xml", text, strlen(text), xml);
}

/// The text `part`, n times.
static char *repeat(const char *part, size_t n)
{
    const size_t length = strlen(part);
    char *text = malloc(n * length + 1);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * length, part, length);
    text[n * length] = '\0';
    return text;
}

TEST(tree_keeps_order_attributes_text_and_lines)
{
    RiContext *ctx = make_context();
    RiXml xml;
    REQUIRE_OK(ctx, parse(ctx,
                          "<?xml version='1.0'?>\n<!-- head -->\n<a p='1'\n   q='&lt;2&gt;'>  one\n"
                          "<b/> <c r=''>in\nside</c> two <b x='y'/> </a>",
                          &xml));
    const RiXmlNode *a = xml.root, *b = a->first_child, *c = b->next, *b2 = c->next;
    CHECK(strcmp(a->name, "a") == 0);
    CHECK_INT(a->line, 3);
    CHECK_INT(a->attribute_count, 2);
    CHECK(strcmp(ri_xml_attribute(a, "q"), "<2>") == 0);
    CHECK(ri_xml_attribute(a, "r") == NULL);
    CHECK(strncmp(a->text, "one", 3) == 0 && strcmp(a->text + strlen(a->text) - 3, "two") == 0);
    CHECK(strcmp(c->text, "in\nside") == 0);
    CHECK(strcmp(ri_xml_attribute(c, "r"), "") == 0);
    CHECK(b->text == NULL && b->parent == a && b->first_child == NULL);
    CHECK_INT(b->line, 5);
    CHECK_INT(b2->line, 6);
    CHECK(b2->next == NULL && a->last_child == b2);
    CHECK(ri_xml_child(a, "b") == b && ri_xml_child(a, "d") == NULL);
    ri_xml_free(&xml);
    ri_context_destroy(ctx);
}

TEST(broken_documents_are_told_by_line_and_column)
{
    RiContext *ctx = make_context();
    RiXml xml;
    CHECK_ERROR(ctx, parse(ctx, "", &xml), RI_ERR_FORMAT, "a.xml:1:1: ");
    CHECK_ERROR(ctx, parse(ctx, "<a>\n  <b>\n", &xml), RI_ERR_FORMAT, "a.xml:3:1: ");
    CHECK_ERROR(ctx, parse(ctx, "<a>\n  <b></c>\n</a>", &xml), RI_ERR_FORMAT, "a.xml:2:8: mismatched tag");
    CHECK_ERROR(ctx, parse(ctx, "<a x='1' x='2'/>", &xml), RI_ERR_FORMAT, "a.xml:1:10: duplicate attribute");
    CHECK_ERROR(ctx, parse(ctx, "<?xml version='1.0' encoding='klingon'?>\n<a/>", &xml), RI_ERR_FORMAT,
                "a.xml:1:31: unknown encoding");
    CHECK_ERROR(ctx, parse(ctx, "<a>\n\xff\xfe</a>", &xml), RI_ERR_FORMAT, "a.xml:2:1: ");
    CHECK_ERROR(ctx, parse(ctx, "<a/>\n<b/>", &xml), RI_ERR_FORMAT, "a.xml:2:1: ");
    CHECK_ERROR(ctx, ri_xml_parse(ctx, "a.xml", "<a>\0</a>", 8, &xml), RI_ERR_FORMAT, "a.xml:1:4: ");
    ri_xml_free(&xml);
    ri_context_destroy(ctx);
}

TEST(other_encodings_arrive_as_utf8)
{
    RiContext *ctx = make_context();
    RiXml xml;
    REQUIRE_OK(ctx, parse(ctx, "<?xml version='1.0' encoding='ISO-8859-1'?><a n='\xe9'/>", &xml));
    CHECK(strcmp(ri_xml_attribute(xml.root, "n"), "\xc3\xa9") == 0);
    ri_xml_free(&xml);
    ri_context_destroy(ctx);
}

TEST(document_types_are_refused_before_any_entity_counts)
{
    RiContext *ctx = make_context();
    RiXml xml;
    CHECK_ERROR(ctx, parse(ctx, "\n<!DOCTYPE a [<!ENTITY x 'boom'><!ENTITY y '&x;&x;'>]>\n<a>&y;</a>", &xml),
                RI_ERR_FORMAT, "a.xml:2:13: document type declarations");
    CHECK_ERROR(ctx, parse(ctx, "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n<a/>", &xml), RI_ERR_FORMAT, "a.xml:1:");
    CHECK(xml.root == NULL);
    CHECK_ERROR(ctx, parse(ctx, "<a>&unknown;</a>", &xml), RI_ERR_FORMAT, "a.xml:1:4: undefined entity");
    ri_context_destroy(ctx);
}

TEST(depth_is_bounded_and_never_on_the_stack)
{
    RiContext *ctx = make_context();
    RiXml xml;
    char *deep = repeat("<a>", 100000);
    CHECK_ERROR(ctx, parse(ctx, deep, &xml), RI_ERR_LIMIT, "a.xml:1:769: elements are nested more than 256 deep");
    free(deep);
    // Exactly at the limit.
    char *open = repeat("<a>", RI_XML_MAX_DEPTH), *close = repeat("</a>", RI_XML_MAX_DEPTH);
    char *text = malloc(strlen(open) + strlen(close) + 1);
    strcpy(text, open);
    strcat(text, close);
    CHECK_OK(ctx, parse(ctx, text, &xml));
    ri_xml_free(&xml);
    free(open);
    free(close);
    free(text);
    ri_context_destroy(ctx);
}

TEST(size_is_bounded)
{
    RiContext *ctx = make_context();
    RiXml xml;
    CHECK_ERROR(ctx, ri_xml_parse(ctx, "a.xml", "<a/>", (size_t)RI_XML_MAX_SIZE + 1, &xml), RI_ERR_LIMIT, "a.xml: ");
    ri_context_destroy(ctx);
}

TEST(files_are_read_whole_or_refused_with_a_reason)
{
    RiContext *ctx = make_context();
    const char *path = RILLE_BINARY_DIR "/test_xml_file.txt";
    char *text;
    size_t size;
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    char *content = repeat("0123456789", 1000);
    fputs(content, file);
    fclose(file);
    CHECK_OK(ctx, ri_file_read(ctx, path, 10000, &text, &size));
    CHECK_INT(size, 10000);
    CHECK(strcmp(text, content) == 0);
    ri_release(ctx, text);
    CHECK_ERROR(ctx, ri_file_read(ctx, path, 9999, &text, &size), RI_ERR_LIMIT,
                "test_xml_file.txt: the file is larger");
    CHECK(text == NULL && size == 0);
    CHECK_ERROR(ctx, ri_file_read(ctx, RILLE_BINARY_DIR "/no_such_file", 10, &text, &size), RI_ERR_NOT_FOUND,
                "no_such_file: cannot open the file: ");
    CHECK_ERROR(ctx, ri_file_read(ctx, RILLE_BINARY_DIR, 10, &text, &size), RI_ERR_IO, "directory");
    // A device could be read without end.
    CHECK_ERROR(ctx, ri_file_read(ctx, "/dev/zero", 100000, &text, &size), RI_ERR_IO, "/dev/zero: ");
    CHECK_ERROR(ctx, ri_file_read(ctx, "/dev/null", 10, &text, &size), RI_ERR_IO, "neither a regular file");
    CHECK(text == NULL && size == 0);
    free(content);
    remove(path);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(tree_keeps_order_attributes_text_and_lines), CASE(broken_documents_are_told_by_line_and_column),
          CASE(other_encodings_arrive_as_utf8), CASE(document_types_are_refused_before_any_entity_counts),
          CASE(depth_is_bounded_and_never_on_the_stack), CASE(size_is_bounded),
          CASE(files_are_read_whole_or_refused_with_a_reason))
