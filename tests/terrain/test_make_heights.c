// SPDX-License-Identifier: Apache-2.0
/// \file
/// Heights from laws: the laws' parameters are found again in what was made.
#include "making.h"

// --- fractal ground ------------------------------------------------------------------------------

/// Power of rows (or columns) at frequency `f` cycles per length, with a Hann window, averaged.
static double line_power(const RiRaster *r, int f, int columns)
{
    const int n = columns ? r->ny : r->nx, lines = columns ? r->nx : r->ny;
    double *re = calloc((size_t)n, sizeof *re), *im = calloc((size_t)n, sizeof *im), sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double window = 0.5 - 0.5 * cos(2.0 * M_PI * (i + 0.5) / n);
        re[i] = window * cos(2.0 * M_PI * f * i / n);
        im[i] = window * sin(2.0 * M_PI * f * i / n);
    }
    for (int l = 0; l < lines; l += 2) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < n; i++) {
            const double z = columns ? height(r, l, i) : height(r, i, l);
            a += re[i] * z;
            b += im[i] * z;
        }
        sum += a * a + b * b;
    }
    free(re);
    free(im);
    return sum;
}

TEST(fractal_spectrum_has_the_asked_exponent)
{
    static const double hursts[] = {0.3, 0.6, 0.9};
    enum { FREQUENCIES = 14, SEEDS = 8 };
    for (int h = 0; h < 3; h++) {
        double x[FREQUENCIES], y[FREQUENCIES] = {0};
        for (int s = 0; s < SEEDS; s++) {
            RiMade *m =
                MAKE("fractal", (unsigned long long)s + 1, {"hurst", hursts[h]}, {"size_x", 38.3}, {"size_y", 38.3});
            REQUIRE(m);
            for (int k = 0; k < FREQUENCIES; k++) {
                const int f = (int)(6.0 * pow(1.15, k) + 0.5);
                x[k] = log(f);
                y[k] += line_power(m->raster, f, 0) + line_power(m->raster, f, 1);
            }
            ri_made_destroy(m);
        }
        for (int k = 0; k < FREQUENCIES; k++)
            y[k] = log(y[k]);
        // A cut through a surface of spectrum k^-(2 + 2 H) has k^-(1 + 2 H).
        const double exponent = -fit_slope(FREQUENCIES, x, y), want = 1.0 + 2.0 * hursts[h];
        printf("     H = %.1f: exponent %.3f, law %.3f\n", hursts[h], exponent, want);
        CHECK_CLOSE(exponent / want, 1.0, 0.05);
    }
}

/// RMS difference of heights (di, dj) apart.
static double rms_step(const RiRaster *r, int di, int dj)
{
    double sum = 0.0, n = 0.0;
    for (int j = dj < 0 ? -dj : 0; j < r->ny - (dj > 0 ? dj : 0); j++)
        for (int i = 0; i + di < r->nx; i++) {
            const double d = height(r, i + di, j + dj) - height(r, i, j);
            sum += d * d;
            n += 1.0;
        }
    return sqrt(sum / n);
}

TEST(fractal_ground_is_alike_in_all_directions)
{
    // Steps of length 10 (6, 8), (8, 6), (10, 0), (0, 10) and mirrored: the squares' mean over
    // seeds.
    static const int steps[][2] = {{10, 0}, {8, 6}, {6, 8}, {0, 10}, {6, -8}, {8, -6}};
    double power[6] = {0}, mean = 0.0;
    for (int s = 1; s <= 8; s++) {
        RiMade *m = MAKE("fractal", (unsigned long long)s, {"size_x", 25.5}, {"size_y", 25.5});
        REQUIRE(m);
        for (int k = 0; k < 6; k++) {
            const double step = rms_step(m->raster, steps[k][0], steps[k][1]);
            power[k] += step * step;
            mean += step * step / 6.0;
        }
        ri_made_destroy(m);
    }
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(sqrt(power[k] / mean), 1.0, 0.05);
}

TEST(fractal_rms_slope_and_rms_height_are_exact)
{
    RiMade *m = MAKE("fractal", 5, {"rms_slope", 8.0 * DEG}, {"slope_scale", 1.0}, {"size_x", 20.0}, {"size_y", 20.0});
    REQUIRE(m);
    const double x = rms_step(m->raster, 10, 0), y = rms_step(m->raster, 0, 10);
    CHECK_CLOSE(sqrt(0.5 * (x * x + y * y)), tan(8.0 * DEG), 1e-6);
    ri_made_destroy(m);
    m = MAKE("fractal", 5, {"rms_height", 0.7}, {"size_x", 20.0}, {"size_y", 35.0});
    REQUIRE(m);
    double sum = 0.0, mean = 0.0;
    const int n = m->raster->nx * m->raster->ny;
    for (int k = 0; k < n; k++) {
        mean += (double)m->raster->values[k] / n;
        sum += (double)m->raster->values[k] * (double)m->raster->values[k] / n;
    }
    CHECK_CLOSE(mean, 0.0, 1e-6);
    CHECK_CLOSE(sqrt(sum), 0.7, 1e-6);
    ri_made_destroy(m);
}

TEST(fractal_ground_does_not_repeat_at_its_borders)
{
    RiMade *m = MAKE("fractal", 6, {"size_x", 25.5}, {"size_y", 25.5});
    REQUIRE(m);
    double across = 0.0;
    for (int j = 0; j < m->raster->ny; j++) {
        const double d = height(m->raster, m->raster->nx - 1, j) - height(m->raster, 0, j);
        across += d * d / m->raster->ny;
    }
    CHECK(sqrt(across) > 3.0 * rms_step(m->raster, 1, 0));
    ri_made_destroy(m);
}

// --- craters -------------------------------------------------------------------------------------

/// Exponent of a power law cut at both ends, by greatest likelihood: the mean of ln(D/low) decides.
static double fit_power(const RiMade *m, double low, double high)
{
    double mean = 0.0;
    for (int i = 0; i < m->feature_count; i++)
        mean += log(m->features[i].size / low) / m->feature_count;
    double a = 0.05, c = 12.0;
    for (int k = 0; k < 60; k++) {
        const double b = 0.5 * (a + c), span = log(high / low), e = exp(-b * span);
        const double expected = 1.0 / b - span * e / (1.0 - e);
        if (expected > mean)
            a = b;
        else
            c = b;
    }
    return 0.5 * (a + c);
}

TEST(crater_numbers_follow_their_laws)
{
    RiMade *m = MAKE("craters", 3, {"law", 2.0}, {"size_x", 4000.0}, {"size_y", 4000.0}, {"cell", 50.0}, {"low", 10.0},
                     {"high", 300.0}, {"rms_slope", 0.0});
    REQUIRE(m);
    const double expected = 0.0794328 * (1.0 / 100.0 - 1.0 / 90000.0) * 1.6e7;
    printf("     equilibrium: %d craters, law %.0f; exponent %.3f, law 2\n", m->feature_count, expected,
           fit_power(m, 10.0, 300.0));
    CHECK_CLOSE(m->feature_count / expected, 1.0, 0.05);
    CHECK_CLOSE(fit_power(m, 10.0, 300.0) / 2.0, 1.0, 0.05);
    ri_made_destroy(m);
    m = MAKE("craters", 4, {"law", 1.0}, {"size_x", 4000.0}, {"size_y", 4000.0}, {"cell", 50.0}, {"low", 10.0},
             {"high", 100.0}, {"rms_slope", 0.0}, {"age", 1.0});
    REQUIRE(m);
    // N(100 m) of a surface of 1 Gyr: 10^3.54 * 8.38e-4 per km^2, then D^-2.8.
    const double production =
        pow(10.0, 3.54) * (8.38e-4 + 5.44e-14 * (exp(6.93) - 1.0)) * 16.0 * (pow(10.0, 2.8) - 1.0);
    printf("     production: %d craters, law %.0f; exponent %.3f, law 2.8\n", m->feature_count, production,
           fit_power(m, 10.0, 100.0));
    CHECK_CLOSE(m->feature_count / production, 1.0, 0.05);
    CHECK_CLOSE(fit_power(m, 10.0, 100.0) / 2.8, 1.0, 0.05);
    ri_made_destroy(m);
}

TEST(aged_craters_are_the_lesser_of_production_and_equilibrium)
{
    RiMade *m = MAKE("craters", 5, {"age", 3.0}, {"size_x", 6000.0}, {"size_y", 6000.0}, {"cell", 60.0}, {"low", 20.0},
                     {"high", 600.0}, {"rms_slope", 0.0});
    REQUIRE(m);
    const double at_100 = pow(10.0, 3.54) * (8.38e-4 * 3.0 + 5.44e-14 * (exp(6.93 * 3.0) - 1.0)) * 36.0;
    double above_50 = 0.0, above_200 = 0.0;
    for (int i = 0; i < m->feature_count; i++) {
        above_50 += m->features[i].size > 50.0;
        above_200 += m->features[i].size > 200.0;
    }
    const double cut = at_100 * pow(6.0, -2.8);
    CHECK_CLOSE(above_50 / (0.0794328 / 2500.0 * 3.6e7 - cut), 1.0, 0.1); // 1100 craters: 3 %
    CHECK_CLOSE(above_200 / (at_100 * pow(2.0, -2.8) - cut), 1.0, 0.4);   // 40 craters: 16 %
    ri_made_destroy(m);
}

/// Height of a fresh crater in units of its radius, from the sources.
static double fresh(double r)
{
    if (r < 1.0)
        return 0.072 - 0.392 + 0.392 * r * r;
    const double t = fmin(fmax((r - 2.0) / 2.0, 0.0), 1.0);
    return r < 4.0 ? 0.072 / (r * r * r) * (1.0 - t * t * (3.0 - 2.0 * t)) : 0.0;
}

/// Height at the centre after diffusion for tau: the heat kernel over the fresh profile.
static double worn_centre(double tau)
{
    double sum = 0.0;
    const double h = 1e-3;
    for (int k = 0; k < 6000; k++) {
        const double r = (k + 0.5) * h;
        sum += fresh(r) * exp(-r * r / (4.0 * tau)) / (2.0 * tau) * r * h;
    }
    return sum;
}

/// Far from the others and from the border.
static int is_alone(const RiMade *m, int index, double reach)
{
    const RiVec3 p = m->features[index].position;
    int alone = fabs(p.x) < 200.0 - 2.0 * reach && fabs(p.y) < 200.0 - 2.0 * reach;
    for (int i = 0; i < m->feature_count; i++)
        alone &= i == index || hypot(m->features[i].position.x - p.x, m->features[i].position.y - p.y) > 2.0 * reach;
    return alone;
}

/// Highest of the heights within r of a point.
static double highest_near(const RiRaster *m, RiVec3 p, double r)
{
    double most = -INFINITY;
    for (int j = 0; j < m->ny; j++)
        for (int i = 0; i < m->nx; i++)
            if (hypot(m->x0 + i * m->dx - p.x, m->y0 + j * m->dy - p.y) < r)
                most = fmax(most, height(m, i, j));
    return most;
}

TEST(fresh_craters_have_the_depth_and_rim_of_simple_craters)
{
    int seen = 0;
    for (unsigned long long seed = 1; seed <= 8; seed++) {
        RiMade *m = MAKE("craters", seed, {"law", 3.0}, {"density", 0.04}, {"exponent", 2.0}, {"low", 20.0},
                         {"high", 22.0}, {"cell", 0.5}, {"faded", 0.0}, {"rms_slope", 0.0});
        REQUIRE(m);
        for (int i = 0; i < m->feature_count; i++) {
            if (!is_alone(m, i, 33.0))
                continue;
            const RiMadeFeature *f = &m->features[i];
            const double rim = highest_near(m->raster, f->position, 0.55 * f->size);
            const double centre = height_at(m->raster, f->position.x, f->position.y);
            CHECK_CLOSE((0.036 * f->size - centre) / f->size, 0.196, 0.002);
            CHECK_CLOSE(rim / f->size, 0.036, 0.001);
            CHECK_CLOSE(height_at(m->raster, f->position.x, f->position.y + 0.9 * f->size) / (0.5 * f->size),
                        fresh(1.8), 0.002);
            seen++;
        }
        ri_made_destroy(m);
    }
    CHECK(seen >= 5);
}

TEST(worn_craters_are_the_diffused_fresh_ones)
{
    int seen = 0;
    for (unsigned long long seed = 1; seed <= 8; seed++) {
        RiMade *m = MAKE("craters", seed, {"law", 3.0}, {"density", 0.04}, {"exponent", 2.0}, {"low", 20.0},
                         {"high", 22.0}, {"cell", 0.5}, {"faded", 0.3}, {"rms_slope", 0.0}, {"diffusivity", 1e6});
        REQUIRE(m);
        for (int i = 0; i < m->feature_count; i++) {
            const RiMadeFeature *f = &m->features[i];
            if (!is_alone(m, i, 33.0) || f->age < 0.01)
                continue;
            CHECK_CLOSE(height_at(m->raster, f->position.x, f->position.y) / (0.5 * f->size), worn_centre(f->age),
                        0.004);
            seen++;
        }
        ri_made_destroy(m);
    }
    CHECK(seen >= 5);
}

// --- rocks ---------------------------------------------------------------------------------------

/// Fraction of the ground inside of a stone at ground level, by looking at every point of a grid.
static double covered(const RiMade *m, double size, double step)
{
    const int n = (int)(size / step);
    unsigned char *hit = calloc((size_t)n * (size_t)n, 1);
    for (int k = 0; k < m->part_count; k++) {
        const RiGroundPart *p = &m->parts[k];
        const double reach = fmax(p->a, fmax(p->b, p->c));
        const int i0 = (int)fmax((p->pose.p.x - reach + 0.5 * size) / step, 0.0);
        const int i1 = (int)fmin((p->pose.p.x + reach + 0.5 * size) / step, n - 1);
        const int j0 = (int)fmax((p->pose.p.y - reach + 0.5 * size) / step, 0.0);
        const int j1 = (int)fmin((p->pose.p.y + reach + 0.5 * size) / step, n - 1);
        for (int j = j0; j <= j1; j++)
            for (int i = i0; i <= i1; i++) {
                const RiVec3 at = {(i + 0.5) * step - 0.5 * size, (j + 0.5) * step - 0.5 * size, p->pose.p.z};
                const RiVec3 q = ri_rotate_back(&p->pose.R, ri_sub(at, p->pose.p));
                if (q.x * q.x / (p->a * p->a) + q.y * q.y / (p->b * p->b) + q.z * q.z / (p->c * p->c) < 1.0)
                    hit[(size_t)j * (size_t)n + (size_t)i] = 1;
            }
    }
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        sum += hit[k];
    free(hit);
    return sum / ((double)n * n);
}

TEST(rocks_cover_the_ground_by_their_law)
{
    static const double covers[] = {0.069, 0.176};
    for (int c = 0; c < 2; c++) {
        const double k = covers[c], q = 1.79 + 0.152 / k;
        RiMade *m = MAKE("rocks", 11, {"cover", k}, {"size_x", 60.0}, {"size_y", 60.0}, {"cell", 1.0}, {"low", 0.1},
                         {"high", 2.0}, {"overlap", 0.0}, {"as", 1.0}, {"rms_slope", 0.0});
        REQUIRE(m);
        const double want = k * (exp(-q * 0.1) - exp(-q * 2.0)), got = covered(m, 60.0, 0.02);
        printf("     k = %.3f: %d rocks cover %.4f, law %.4f\n", k, m->part_count, got, want);
        CHECK_CLOSE(got / want, 1.0, 0.05);
        ri_made_destroy(m);
    }
}

TEST(rock_sizes_follow_the_exponential_law)
{
    const double k = 0.07, q = 1.79 + 0.152 / k, low = 0.1, high = 1.5;
    RiMade *m = MAKE("rocks", 12, {"cover", k}, {"size_x", 200.0}, {"size_y", 200.0}, {"cell", 5.0}, {"rms_slope", 0.0},
                     {"as", 1.0});
    REQUIRE(m);
    // Weighted with area, diameters are exponential between the ends: their mean decides q.
    double area = 0.0, mean = 0.0;
    for (int i = 0; i < m->feature_count; i++) {
        const double d = m->features[i].size;
        area += d * d;
        mean += d * d * d;
    }
    mean /= area;
    double a = 0.1, c = 50.0;
    for (int i = 0; i < 60; i++) {
        const double b = 0.5 * (a + c), e = exp(-b * (high - low));
        const double expected = low + 1.0 / b - (high - low) * e / (1.0 - e);
        if (expected > mean)
            a = b;
        else
            c = b;
    }
    printf("     q = %.3f, law %.3f (%d rocks)\n", 0.5 * (a + c), q, m->feature_count);
    CHECK_CLOSE(0.5 * (a + c) / q, 1.0, 0.05);
    ri_made_destroy(m);
}

TEST(rock_sizes_follow_the_power_law)
{
    RiMade *m = MAKE("rocks", 13, {"law", 1.0}, {"count", 0.002}, {"exponent", 2.6}, {"size_x", 200.0},
                     {"size_y", 200.0}, {"cell", 5.0}, {"rms_slope", 0.0});
    REQUIRE(m);
    const double want = 0.002 * 4e4 * (pow(0.1, -2.6) - pow(1.5, -2.6));
    CHECK_CLOSE(m->feature_count / want, 1.0, 0.05);
    CHECK_CLOSE(fit_power(m, 0.1, 1.5) / 2.6, 1.0, 0.05);
    ri_made_destroy(m);
}

TEST(rocks_do_not_overlap_more_than_allowed_and_lie_half_in_the_ground)
{
    RiMade *m = MAKE("rocks", 14, {"cover", 0.15}, {"as", 1.0}, {"overlap", 0.1});
    REQUIRE(m);
    double flat = 0.0;
    for (int i = 0; i < m->part_count; i++) {
        const RiGroundPart *p = &m->parts[i];
        CHECK_CLOSE(height_at(m->raster, p->pose.p.x, p->pose.p.y), p->pose.p.z, 1e-5);
        const RiMat3 *R = &p->pose.R;
        flat += sqrt(pow(p->a * R->m[2][0], 2.0) + pow(p->b * R->m[2][1], 2.0) + pow(p->c * R->m[2][2], 2.0)) /
                m->features[i].size / m->part_count;
        for (int k = 0; k < i; k++) {
            const RiVec3 d = ri_sub(p->pose.p, m->parts[k].pose.p);
            const double least = 0.9 * 0.5 * (m->features[i].size + m->features[k].size);
            CHECK(d.x * d.x + d.y * d.y >= least * least * (1.0 - 1e-12));
        }
    }
    CHECK_CLOSE(flat, 0.45, 0.05); // mean height above ground by diameter
    ri_made_destroy(m);
}

TEST(rocks_as_height_stand_where_the_bodies_stand)
{
    RiMade *bodies = MAKE("rocks", 15, {"as", 1.0}, {"rms_slope", 0.0}),
           *heights = MAKE("rocks", 15, {"rms_slope", 0.0});
    REQUIRE(bodies && heights);
    double highest = 0.0;
    for (int k = 0; k < bodies->part_count; k++) {
        const RiGroundPart *p = &bodies->parts[k];
        const RiMat3 *R = &p->pose.R;
        const double top =
            sqrt(pow(p->a * R->m[2][0], 2.0) + pow(p->b * R->m[2][1], 2.0) + pow(p->c * R->m[2][2], 2.0));
        highest = fmax(highest, top);
        if (fabs(p->pose.p.x) < 14.5 && fabs(p->pose.p.y) < 14.5 && p->a > 0.15)
            CHECK(height_at(heights->raster, p->pose.p.x, p->pose.p.y) > 0.5 * top);
    }
    double seen = 0.0;
    for (int k = 0; k < heights->raster->nx * heights->raster->ny; k++)
        seen = fmax(seen, (double)heights->raster->values[k]);
    CHECK_CLOSE(seen / highest, 1.0, 0.02);
    ri_made_destroy(bodies);
    ri_made_destroy(heights);
}

// --- ripples and dunes ---------------------------------------------------------------------------

typedef struct Crests {
    int count;
    double spacing, mean_height, least, greatest, rising;
} Crests;

/// Crests and troughs along the rows: the extremes between crossings of `level`.
static Crests measure_crests(const RiRaster *r, double level)
{
    Crests c = {.least = INFINITY};
    double way = 0.0, rises = 0.0, gaps = 0.0;
    for (int j = 0; j < r->ny; j += 7) {
        int crest = -1, trough = -1, before = -1;
        for (int i = 0; i < r->nx; i++) {
            const double z = height(r, i, j);
            if (z >= level)
                crest = crest < 0 || z > height(r, crest, j) ? i : crest;
            else if (crest >= 0) { // the crest is over
                if (before >= 0 && trough >= 0) {
                    const double rise = height(r, crest, j) - height(r, trough, j);
                    c.mean_height += rise;
                    c.least = fmin(c.least, rise);
                    c.greatest = fmax(c.greatest, rise);
                    way += (crest - before) * r->dx;
                    rises += (crest - trough) * r->dx;
                    gaps += 1.0;
                    c.count++;
                }
                before = crest;
                crest = trough = -1;
            }
            if (crest < 0)
                trough = trough < 0 || z < height(r, trough, j) ? i : trough;
        }
    }
    c.mean_height /= c.count;
    c.spacing = way / gaps;
    c.rising = rises / way;
    return c;
}

TEST(ripples_have_their_wavelength_height_and_asymmetry)
{
    RiMade *m = MAKE("ripples", 21, {"azimuth", 0.0}, {"rms_slope", 0.0}, {"size_x", 120.0}, {"size_y", 60.0},
                     {"cell", 0.1}, {"sharpness", 1.0});
    REQUIRE(m);
    const Crests c = measure_crests(m->raster, 0.03);
    printf("     %d crests: %.3f m apart, %.4f m high (%.3f to %.3f), %.3f of the way rising\n", c.count, c.spacing,
           c.mean_height, c.least, c.greatest, c.rising);
    CHECK_CLOSE(c.spacing / 3.5, 1.0, 0.05);
    CHECK_CLOSE(c.mean_height / 0.2, 1.0, 0.05);
    CHECK(c.greatest <= 0.3 && c.greatest > 0.27);
    CHECK_CLOSE(c.rising, 0.6, 0.03);
    ri_made_destroy(m);
}

TEST(ripple_crests_turn_with_the_wind_and_spread_as_asked)
{
    const double spread = 6.0 * DEG, azimuth = 35.0 * DEG;
    RiMade *m =
        MAKE("ripples", 22, {"azimuth", azimuth}, {"spread", spread}, {"defects", 0.0}, {"rms_slope", 0.0},
             {"low", 0.2}, {"high", 0.2}, {"windward", 0.5}, {"size_x", 200.0}, {"size_y", 200.0}, {"cell", 0.4});
    REQUIRE(m);
    // Structure tensor of each place: its angle is that of the wave vector, weighted by slope.
    double xx = 0.0, xy = 0.0, yy = 0.0, var = 0.0, weight = 0.0;
    const RiRaster *r = m->raster;
    for (int pass = 0; pass < 2; pass++) {
        const double middle = 0.5 * atan2(2.0 * xy, xx - yy);
        for (int j = 1; j + 1 < r->ny; j++)
            for (int i = 1; i + 1 < r->nx; i++) {
                const double zx = height(r, i + 1, j) - height(r, i - 1, j),
                             zy = height(r, i, j + 1) - height(r, i, j - 1);
                const double w = zx * zx + zy * zy;
                if (pass == 0) {
                    xx += zx * zx;
                    xy += zx * zy;
                    yy += zy * zy;
                } else if (w > 0.0) {
                    const double off = remainder(atan2(zy, zx) - middle, M_PI);
                    var += w * off * off;
                    weight += w;
                }
            }
    }
    const double direction = 0.5 * atan2(2.0 * xy, xx - yy), got = sqrt(var / weight);
    printf("     direction %.2f deg (35), spread %.2f deg (6)\n", direction / DEG, got / DEG);
    CHECK_CLOSE(direction, azimuth, 1.5 * DEG);
    CHECK_CLOSE(got / spread, 1.0, 0.15);
    ri_made_destroy(m);
}

TEST(barchans_have_slip_faces_at_the_angle_of_repose_and_cover_their_part)
{
    RiMade *m = MAKE("dunes", 23, {"rms_slope", 0.0}, {"size_x", 900.0}, {"size_y", 900.0}, {"cell", 0.75});
    REQUIRE(m);
    const RiRaster *r = m->raster;
    double steepest = 0.0, under = 0.0, slip = 0.0, n = 0.0;
    for (int j = 1; j + 1 < r->ny; j++)
        for (int i = 1; i + 1 < r->nx; i++) {
            const double zx = (height(r, i + 1, j) - height(r, i - 1, j)) / (2.0 * r->dx);
            const double zy = (height(r, i, j + 1) - height(r, i, j - 1)) / (2.0 * r->dy), slope = atan(hypot(zx, zy));
            steepest = fmax(steepest, slope);
            slip += slope > 31.0 * DEG && slope < 35.0 * DEG;
            n += slope > 25.0 * DEG;
            under += height(r, i, j) > 0.0;
        }
    printf("     steepest %.1f deg, %.0f %% of the steep ground within 2 deg of repose, cover %.3f (0.15), %d dunes\n",
           steepest / DEG, 100.0 * slip / n, under / ((double)r->nx * r->ny), m->feature_count);
    CHECK(steepest < 37.0 * DEG);
    CHECK(slip > 0.5 * n);
    CHECK_CLOSE(under / ((double)r->nx * r->ny) / 0.15, 1.0, 0.1);
    double highest = 0.0;
    for (int i = 0; i < m->feature_count; i++)
        highest = fmax(highest, m->features[i].size);
    CHECK(highest <= 3.9);
    ri_made_destroy(m);
}

TEST(transverse_dunes_have_their_wavelength)
{
    RiMade *m = MAKE("dunes", 24, {"form", 0.0}, {"azimuth", 0.0}, {"rms_slope", 0.0}, {"size_x", 2000.0},
                     {"size_y", 1000.0}, {"cell", 2.0});
    REQUIRE(m);
    const Crests c = measure_crests(m->raster, 0.4);
    printf("     %.2f m apart (50), %.3f m high (3)\n", c.spacing, c.mean_height);
    CHECK_CLOSE(c.spacing / 50.0, 1.0, 0.05);
    CHECK_CLOSE(c.mean_height / 3.0, 1.0, 0.05);
    ri_made_destroy(m);
}

TEST_MAIN(CASE(fractal_spectrum_has_the_asked_exponent), CASE(fractal_ground_is_alike_in_all_directions),
          CASE(fractal_rms_slope_and_rms_height_are_exact), CASE(fractal_ground_does_not_repeat_at_its_borders),
          CASE(crater_numbers_follow_their_laws), CASE(aged_craters_are_the_lesser_of_production_and_equilibrium),
          CASE(fresh_craters_have_the_depth_and_rim_of_simple_craters), CASE(worn_craters_are_the_diffused_fresh_ones),
          CASE(rocks_cover_the_ground_by_their_law), CASE(rock_sizes_follow_the_exponential_law),
          CASE(rock_sizes_follow_the_power_law),
          CASE(rocks_do_not_overlap_more_than_allowed_and_lie_half_in_the_ground),
          CASE(rocks_as_height_stand_where_the_bodies_stand), CASE(ripples_have_their_wavelength_height_and_asymmetry),
          CASE(ripple_crests_turn_with_the_wind_and_spread_as_asked),
          CASE(barchans_have_slip_faces_at_the_angle_of_repose_and_cover_their_part),
          CASE(transverse_dunes_have_their_wavelength))
