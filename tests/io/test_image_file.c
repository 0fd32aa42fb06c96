// SPDX-License-Identifier: Apache-2.0
/// \file
/// Image files: an EXR's bytes as the format says, JPEG that is one.
#include "check.h"

#include <rille/context.h>
#include <rille/image_file.h>

#include "base/memory.h"
#include "io/file/file.h"

static RiContext *ctx;

static unsigned number(const char *bytes, size_t at)
{
    const unsigned char *b = (const unsigned char *)bytes + at;
    return b[0] | (unsigned)b[1] << 8 | (unsigned)b[2] << 16 | (unsigned)b[3] << 24;
}

TEST(exr_rows_are_where_its_table_says)
{
    const float rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}; // 3 x 2
    const RiExrChannel channels[] = {{"R", rgb, 3}, {"G", rgb + 1, 3}, {"B", rgb + 2, 3}};
    const char *path = RILLE_BINARY_DIR "/test.exr";
    REQUIRE_OK(ctx, ri_exr_save(ctx, path, 3, 2, channels, 3));
    char *text;
    size_t size;
    REQUIRE_OK(ctx, ri_file_read(ctx, path, 1 << 20, &text, &size));
    CHECK(number(text, 0) == 20000630u && number(text, 4) == 2u);
    const size_t rows = size - 2 * (8 + 3 * 3 * 4), table = rows - 16;
    CHECK_INT(number(text, table), rows);
    CHECK_INT(number(text, table + 8), rows + 44);
    CHECK_INT(number(text, rows + 44), 1);  // row number
    CHECK_INT(number(text, rows + 48), 36); // bytes of a row
    float blue, red;
    memcpy(&blue, text + rows + 52, 4); // channels by name: B, G, R
    memcpy(&red, text + rows + 52 + 24, 4);
    CHECK(blue == 12.0f && red == 10.0f);
    ri_release(ctx, text);
    const RiExrChannel twice[] = {{"R", rgb, 3}, {"R", rgb, 3}};
    CHECK_ERROR(ctx, ri_exr_save(ctx, path, 3, 2, twice, 2), RI_ERR_ARGUMENT, "'R' is given twice");
    CHECK_ERROR(ctx, ri_exr_save(ctx, "/nowhere/x.exr", 3, 2, channels, 3), RI_ERR_IO, "/nowhere/x.exr");
}

TEST(jpeg_files_begin_and_end_as_such)
{
    unsigned char grey[32 * 16];
    for (int i = 0; i < 32 * 16; i++)
        grey[i] = (unsigned char)(i / 2);
    const char *path = RILLE_BINARY_DIR "/test.jpg";
    const RiStatus status = ri_jpeg_save(ctx, path, grey, 32, 16, 1, 90);
    if (status == RI_ERR_UNSUPPORTED)
        return;
    REQUIRE_OK(ctx, status);
    char *text;
    size_t size;
    REQUIRE_OK(ctx, ri_file_read(ctx, path, 1 << 20, &text, &size));
    CHECK((unsigned char)text[0] == 0xFF && (unsigned char)text[1] == 0xD8 && (unsigned char)text[size - 1] == 0xD9);
    ri_release(ctx, text);
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(exr_rows_are_where_its_table_says), CASE(jpeg_files_begin_and_end_as_such)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
