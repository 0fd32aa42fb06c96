// SPDX-License-Identifier: Apache-2.0
/// \file
/// The image chain: what each filter does to known images.
#include "check.h"

#include <rille/context.h>
#include <rille/filter.h>

enum { W = 64, H = 48 };

static RiContext *ctx;
static float pixels[3 * W * H];
static const RiFilterLens lens = {40.0, 0.5 * (W - 1), 0.5 * (H - 1), 1};

static RiImage flat(double value, int channels)
{
    for (int i = 0; i < channels * W * H; i++)
        pixels[i] = (float)value;
    return (RiImage){W, H, channels, pixels, 0.0};
}

/// Runs filters, separated by ';', on an image.
static RiStatus run(const char *text, unsigned long long frame, RiImage *im)
{
    RiFilterChain *chain = NULL;
    RI_TRY(ri_filter_chain_create(ctx, 7, &chain));
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    RiStatus status = RI_OK;
    for (char *part = strtok(copy, ";"); part && status == RI_OK; part = strtok(NULL, ";"))
        status = ri_filter_chain_add(chain, part);
    if (status == RI_OK)
        status = ri_filter_chain_run(chain, &lens, frame, im);
    ri_filter_chain_destroy(chain);
    return status;
}

static double mean_of(const RiImage *im, double *out_sigma)
{
    const int n = im->width * im->height * im->channels;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)im->data[i];
    for (int i = 0; i < n; i++)
        squares += ((double)im->data[i] - sum / n) * ((double)im->data[i] - sum / n);
    *out_sigma = sqrt(squares / (n - 1));
    return sum / n;
}

TEST(fixed_exposure_counts_electrons)
{
    RiImage im = flat(3.0, 3);
    REQUIRE_OK(ctx, run("exposure mode=fixed gain=1000 full_well=10000", 0, &im));
    CHECK_CLOSE((double)im.data[5], 3000.0, 1e-3);
    CHECK_CLOSE(im.full_scale, 10000.0, 0.0);
    CHECK_ERROR(ctx, run("exposure", 0, &im), RI_ERR_ARGUMENT, "exposed already");
}

TEST(automatic_exposure_reaches_its_target_at_its_speed)
{
    RiFilterChain *chain = NULL;
    REQUIRE_OK(ctx, ri_filter_chain_create(ctx, 7, &chain));
    REQUIRE_OK(ctx, ri_filter_chain_add(chain, "exposure target=0.5 full_well=1000 speed=0.5"));
    RiImage im = flat(2.0, 1);
    REQUIRE_OK(ctx, ri_filter_chain_run(chain, &lens, 0, &im));
    CHECK_CLOSE((double)im.data[0], 500.0, 1e-2); // the first frame at once
    im = flat(8.0, 1);
    REQUIRE_OK(ctx, ri_filter_chain_run(chain, &lens, 1, &im));
    CHECK_CLOSE((double)im.data[0], 1000.0, 1e-2); // half of the two stops
    ri_filter_chain_destroy(chain);
}

TEST(cos4_holds_for_perspective_alone)
{
    RiImage im = flat(1.0, 1);
    REQUIRE_OK(ctx, run("vignetting", 0, &im));
    const double r = hypot(0.5 * (W - 1), 0.5 * (H - 1)) / 40.0, c = 1.0 / sqrt(1.0 + r * r);
    CHECK_CLOSE((double)im.data[0], c * c * c * c, 1e-6);
    im = flat(1.0, 1);
    REQUIRE_OK(ctx, run("vignetting mapping=equisolid", 0, &im));
    CHECK_CLOSE((double)im.data[0], cos(2.0 * asin(0.5 * r)), 1e-6);
    im = flat(1.0, 1);
    REQUIRE_OK(ctx, run("vignetting strength=0 aperture=0.5 softness=0.1", 0, &im));
    CHECK_CLOSE((double)im.data[0], 0.0, 0.0);
    CHECK_CLOSE((double)im.data[H / 2 * W + W / 2], 1.0, 0.0);
}

TEST(shot_noise_has_the_variance_of_its_mean)
{
    const double means[] = {4.0, 25.0, 400.0};
    for (int i = 0; i < 3; i++) {
        RiImage im = flat(means[i], 3);
        double sigma;
        REQUIRE_OK(ctx, run("exposure mode=fixed gain=1; shot_noise", 0, &im));
        const double mean = mean_of(&im, &sigma), n = 3.0 * W * H;
        CHECK_CLOSE(mean, means[i], 4.0 * sqrt(means[i] / n));
        CHECK_CLOSE(sigma * sigma / means[i], 1.0, 0.08);
    }
}

TEST(read_noise_changes_with_frames_and_fixed_pattern_does_not)
{
    const char *chains[] = {"exposure mode=fixed gain=1; read_noise sigma=3 offset=10",
                            "exposure mode=fixed gain=1; fixed_pattern gain=0.1 dark=0",
                            "exposure mode=fixed gain=1; dead_pixels dead=0.1"};
    for (int i = 0; i < 3; i++) {
        float first[W * H];
        double sigma;
        RiImage im = flat(100.0, 1);
        REQUIRE_OK(ctx, run(chains[i], 0, &im));
        const double mean = mean_of(&im, &sigma);
        memcpy(first, pixels, sizeof first);
        im = flat(100.0, 1);
        REQUIRE_OK(ctx, run(chains[i], 1, &im));
        CHECK((memcmp(first, pixels, sizeof first) == 0) == (i > 0));
        if (i == 0)
            CHECK(fabs(mean - 110.0) < 0.3 && fabs(sigma - 3.0) < 0.15);
        else if (i == 1)
            CHECK(fabs(mean - 100.0) < 1.0 && fabs(sigma - 10.0) < 0.5);
        else
            CHECK_CLOSE(mean, 90.0, 3.0);
    }
}

TEST(bayer_keeps_one_colour_per_pixel_and_flat_colours_come_back)
{
    RiImage im = flat(0.0, 3);
    for (int i = 0; i < W * H; i++)
        pixels[3 * i] = 1.0f, pixels[3 * i + 1] = 2.0f, pixels[3 * i + 2] = 3.0f;
    REQUIRE_OK(ctx, run("bayer pattern=grbg", 0, &im));
    CHECK_INT(im.channels, 1);
    CHECK(pixels[0] == 2.0f && pixels[1] == 1.0f && pixels[W] == 3.0f && pixels[W + 1] == 2.0f);
    for (int i = 0; i < W * H; i++)
        pixels[3 * i] = 1.0f, pixels[3 * i + 1] = 2.0f, pixels[3 * i + 2] = 3.0f;
    im.channels = 3;
    REQUIRE_OK(ctx, run("bayer output=colour", 0, &im));
    for (int i = 0; i < W * H; i++)
        CHECK(pixels[3 * i] == 1.0f && pixels[3 * i + 1] == 2.0f && pixels[3 * i + 2] == 3.0f);
}

TEST(motion_blur_keeps_light_and_draws_a_line)
{
    RiImage im = flat(0.0, 1);
    pixels[24 * W + 32] = 100.0f;
    REQUIRE_OK(ctx, run("motion_blur x=10", 0, &im));
    double sum = 0.0;
    int lit = 0;
    for (int i = 0; i < W * H; i++)
        sum += (double)pixels[i], lit += pixels[i] > 0.0f;
    CHECK_CLOSE(sum, 100.0, 5.0);
    CHECK(lit >= 10 && lit <= 12 && pixels[23 * W + 32] == 0.0f);
}

TEST(response_and_quantisation_give_known_numbers)
{
    RiImage im = flat(0.25, 1);
    REQUIRE_OK(ctx, run("exposure mode=fixed gain=1 full_well=1; response gamma=2; quantise bits=12", 0, &im));
    CHECK_CLOSE((double)im.data[0], 2048.0, 0.0);
    CHECK_CLOSE(im.full_scale, 4095.0, 0.0);
    im = flat(9.0, 1);
    REQUIRE_OK(ctx, run("exposure mode=fixed gain=1 full_well=1; quantise bits=16", 0, &im));
    CHECK_CLOSE((double)im.data[0], 65535.0, 0.0);
    im = flat(0.18, 1);
    REQUIRE_OK(ctx, run("exposure mode=fixed gain=1 full_well=1; response curve=srgb; quantise", 0, &im));
    CHECK_CLOSE((double)im.data[0], 118.0, 0.0); // 18 % grey of sRGB is 118
}

TEST(colour_balances_and_becomes_grey)
{
    RiImage im = flat(1.0, 3);
    REQUIRE_OK(ctx, run("colour red=2 blue=0.5", 0, &im));
    CHECK(pixels[0] == 2.0f && pixels[1] == 1.0f && pixels[2] == 0.5f);
    REQUIRE_OK(ctx, run("colour output=mono", 0, &im));
    CHECK_CLOSE((double)pixels[7], 0.2126 * 2.0 + 0.7152 + 0.0722 * 0.5, 1e-6);
    CHECK_INT(im.channels, 1);
}

TEST(jpeg_loses_little_at_high_quality_and_more_at_low)
{
    double error[2];
    for (int q = 0; q < 2; q++) {
        RiImage im = flat(0.0, 3);
        for (int i = 0; i < 3 * W * H; i++)
            pixels[i] = (float)(128.0 + 100.0 * sin(0.2 * (i / 3 % W)) * cos(0.3 * (i / 3 / W)));
        float before[3 * W * H];
        memcpy(before, pixels, sizeof before);
        const RiStatus status = run(q ? "exposure mode=fixed gain=1 full_well=255; quantise; jpeg quality=10"
                                      : "exposure mode=fixed gain=1 full_well=255; quantise; jpeg quality=98",
                                    0, &im);
        if (status == RI_ERR_ARGUMENT && strstr(ri_context_message(ctx), "has no JPEG"))
            return;
        REQUIRE_OK(ctx, status);
        error[q] = 0.0;
        for (int i = 0; i < 3 * W * H; i++)
            error[q] += (double)((before[i] - pixels[i]) * (before[i] - pixels[i])) / (3 * W * H);
    }
    CHECK(sqrt(error[0]) < 2.0 && error[1] > error[0]);
}

TEST(dust_darkens_spots_only)
{
    RiImage im = flat(1.0, 1);
    REQUIRE_OK(ctx, run("lens_dust spots=3 radius=4 opacity=0.5", 0, &im));
    int dark = 0;
    for (int i = 0; i < W * H; i++) {
        dark += pixels[i] < 1.0f;
        CHECK(pixels[i] >= 0.5f);
    }
    CHECK(dark > 10 && dark < W * H / 4);
}

TEST(wrong_options_are_named)
{
    RiImage im = flat(1.0, 1);
    CHECK_ERROR(ctx, run("blurr", 0, &im), RI_ERR_NOT_FOUND, "no filter 'blurr'; there are: exposure");
    CHECK_ERROR(ctx, run("quantise bits=9", 0, &im), RI_ERR_ARGUMENT, "bits = '9'; allowed: 8|12|16");
    CHECK_ERROR(ctx, run("jpeg quality=nan", 0, &im), RI_ERR_ARGUMENT, "quality = 'nan'; allowed: 1 to 100");
    CHECK_ERROR(ctx, run("jpeg size=3", 0, &im), RI_ERR_ARGUMENT, "no option 'size'");
    CHECK_ERROR(ctx, run("jpeg 90", 0, &im), RI_ERR_ARGUMENT, "is not 'option=value'");
    CHECK_ERROR(ctx, run("shot_noise", 0, &im), RI_ERR_ARGUMENT, "put 'exposure' before it");
    CHECK_ERROR(ctx, run("bayer", 0, &im), RI_ERR_ARGUMENT, "three channels");
}

TEST(every_row_of_the_table_is_complete)
{
    for (int i = 0; ri_filter_class(i); i++) {
        const RiFilterClass *k = ri_filter_class(i);
        CHECK(k->abi == RI_FILTER_ABI && k->doc && *k->doc && k->apply && ri_filter_find(k->name) == k);
        for (int o = 0; o < k->option_count; o++)
            CHECK(k->options[o].initial >= k->options[o].low && k->options[o].initial <= k->options[o].high);
    }
}

TEST(users_filters_are_loaded)
{
    RiFilterChain *chain = NULL;
    REQUIRE_OK(ctx, ri_filter_chain_create(ctx, 7, &chain));
    REQUIRE_OK(ctx, ri_filter_chain_plugin(chain, RILLE_BINARY_DIR "/plugins/haze.so"));
    REQUIRE_OK(ctx, ri_filter_chain_add(chain, "haze amount=1"));
    RiImage im = flat(0.0, 1);
    pixels[3] = (float)(W * H);
    REQUIRE_OK(ctx, ri_filter_chain_run(chain, &lens, 0, &im));
    CHECK_CLOSE((double)pixels[9], 1.0, 1e-5);
    CHECK_ERROR(ctx, ri_filter_chain_plugin(chain, "/nowhere.so"), RI_ERR_IO, "/nowhere.so: cannot be read");
    CHECK_ERROR(ctx, ri_filter_chain_plugin(chain, RILLE_SOURCE_DIR "/README.md"), RI_ERR_FORMAT,
                "not a shared object");
    ri_filter_chain_destroy(chain);
}

/// The loader itself would die by a signal at the first page that is not there.
TEST(truncated_shared_objects_of_filters_are_refused)
{
    static char bytes[1 << 20];
    FILE *in = fopen(RILLE_BINARY_DIR "/plugins/haze.so", "rb");
    REQUIRE(in != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    for (size_t n = 0; n < size / 2; n += size / 13 + 1) {
        RiFilterChain *chain = NULL;
        FILE *out = fopen(RILLE_BINARY_DIR "/plugins/cut_filter.so", "wb");
        REQUIRE(out != NULL && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
        REQUIRE_OK(ctx, ri_filter_chain_create(ctx, 7, &chain));
        CHECK_ERROR(ctx, ri_filter_chain_plugin(chain, RILLE_BINARY_DIR "/plugins/cut_filter.so"), RI_ERR_FORMAT,
                    "not a shared object that can be loaded");
        ri_filter_chain_destroy(chain);
    }
    remove(RILLE_BINARY_DIR "/plugins/cut_filter.so");
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(fixed_exposure_counts_electrons),
                               CASE(automatic_exposure_reaches_its_target_at_its_speed),
                               CASE(cos4_holds_for_perspective_alone),
                               CASE(shot_noise_has_the_variance_of_its_mean),
                               CASE(read_noise_changes_with_frames_and_fixed_pattern_does_not),
                               CASE(bayer_keeps_one_colour_per_pixel_and_flat_colours_come_back),
                               CASE(motion_blur_keeps_light_and_draws_a_line),
                               CASE(response_and_quantisation_give_known_numbers),
                               CASE(colour_balances_and_becomes_grey),
                               CASE(jpeg_loses_little_at_high_quality_and_more_at_low),
                               CASE(dust_darkens_spots_only),
                               CASE(wrong_options_are_named),
                               CASE(every_row_of_the_table_is_complete),
                               CASE(users_filters_are_loaded),
                               CASE(truncated_shared_objects_of_filters_are_refused)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
