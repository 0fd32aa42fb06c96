// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems in files: what is read, what is refused, what comes back, and the shared
/// problems with their reference velocities.
#include "check.h"

#include <unistd.h>

#include <rille/cone_file.h>

#include "io/faults.h"

#define SEEDS RILLE_SOURCE_DIR "/fuzz/corpus/cone/"

static RiContext *context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

static RiStatus parse(RiContext *ctx, const char *text, RiConeFile **out)
{
    return ri_cone_file_parse(ctx, "t.dat", text, strlen(text), out);
}

// --- text ----------------------------------------------------------------------------------------

TEST(a_dense_problem_is_read_row_by_row)
{
    RiContext *ctx = context();
    RiConeFile *f;
    REQUIRE_OK(ctx, parse(ctx, "3 1 0 3 3\n3 3\n1 2 3\n4 5 6\n7 8 9\n-1 0.5 0.25\n0.7\n1\n", &f));
    const RiConeProblem *p = ri_cone_file_problem(f);
    CHECK(p->n == 1 && p->W[1] == 2.0 && p->W[3] == 4.0 && p->q[2] == 0.25 && p->mu[0] == 0.7);
    ri_cone_file_destroy(f);
    REQUIRE_OK(ctx, parse(ctx, "3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 0.5 0.25 0.7", &f)); // no flag, one line
    ri_cone_file_destroy(f);
    ri_context_destroy(ctx);
}

TEST(blocks_of_a_plane_problem_are_read_column_by_column)
{
    RiContext *ctx = context();
    RiConeFile *f;
    REQUIRE_OK(
        ctx,
        parse(ctx, "2 2 1 4 4 2 2 2  2 4  2 4  3 2  0 1 2  0 1  0 1 2 3 4  1 5 6 7 8  -1 .5 -2 .25  .3 .4  0", &f));
    const RiConeProblem *p = ri_cone_file_problem(f);
    CHECK_INT(ri_cone_file_dimension(f), 2);
    CHECK(p->W[0] == 1.0 && p->W[6] == 2.0 && p->W[1] == 3.0 && p->W[7] == 4.0); // contact 0
    CHECK(p->W[3 * 6 + 4] == 7.0 && p->W[4 * 6 + 3] == 6.0);                     // contact 1
    CHECK(p->W[2 * 6 + 2] == 4.0 && p->W[2] == 0.0);                             // second tangents stand alone
    CHECK(p->q[3] == -2.0 && p->q[4] == 0.25 && p->q[5] == 0.0 && p->mu[1] == 0.4);
    ri_cone_file_destroy(f);
    ri_context_destroy(ctx);
}

TEST(malformed_text_is_refused_with_line_and_field)
{
    RiContext *ctx = context();
    RiConeFile *f;
    CHECK_ERROR(ctx, parse(ctx, "", &f), RI_ERR_FORMAT, "t.dat: the file is empty");
    CHECK_ERROR(ctx, parse(ctx, "\n\n", &f), RI_ERR_FORMAT, "t.dat:2: the file ends where the dimension should be");
    CHECK_ERROR(ctx, parse(ctx, "4", &f), RI_ERR_FORMAT, "t.dat:1: the dimension is 4; allowed is 2 to 3");
    CHECK_ERROR(ctx, parse(ctx, "3\nx", &f), RI_ERR_FORMAT, "t.dat:2: the number of contacts is 'x'");
    CHECK_ERROR(ctx, parse(ctx, "3 0", &f), RI_ERR_FORMAT, "number of contacts is 0");
    CHECK_ERROR(ctx, parse(ctx, "5 1 2", &f), RI_ERR_FORMAT, "the dimension is 5; allowed is 2 to 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 3 3 3 3", &f), RI_ERR_FORMAT, "the storage of the matrix");
    CHECK_ERROR(ctx, parse(ctx, "3 4000 0 ", &f), RI_ERR_FORMAT, "more numbers than the file has bytes");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 4 3 3 3 1 0 0 0 1 0 0 0 1", &f), RI_ERR_FORMAT, "number of columns of M is 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 2 2 2 2 1 0 0 1 -1 0 0 0.5", &f), RI_ERR_FORMAT,
                "the matrix is 2 x 2; W of 1 contacts in 3 dimensions is 3 x 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 3 3 3 3\n1 0 0\n0 nan 0 0 0 1", &f), RI_ERR_FORMAT, "t.dat:3: W[4] is 'nan'");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0", &f), RI_ERR_FORMAT, "ends where q[2]");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 -0.1", &f), RI_ERR_FORMAT, "mu[0] is -0.1");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 0.1 1 what", &f), RI_ERR_FORMAT, "'what'");
    CHECK_ERROR(ctx, parse(ctx, "3 1 1 3 3 1 1 1 3 3 2 1 0 1 5", &f), RI_ERR_FORMAT, "column of a block is 5");
    CHECK_ERROR(ctx, parse(ctx, "3 1 1 3 3 1 1 1 2", &f), RI_ERR_FORMAT, "end of a block row is 2; it must be 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 1 3 3 999999999 1 1 3 3 2 1 0 1 0", &f), RI_ERR_FORMAT, "number of blocks");
    CHECK_ERROR(ctx, parse(ctx, "3 1 1 3 3 2 1 1 3 3 2 2 0 1 0 0", &f), RI_ERR_FORMAT, "there are 2 blocks");
    ri_context_destroy(ctx);
}

static void check_problem(RiContext *ctx, const char *text, int n, const double *W, const double *q)
{
    RiConeFile *f;
    REQUIRE_OK(ctx, parse(ctx, text, &f));
    const RiConeProblem *p = ri_cone_file_problem(f);
    REQUIRE(p->n == n);
    for (int k = 0; k < 9 * n * n; k++)
        CHECK_CLOSE(p->W[k], W[k], 1e-14);
    for (int k = 0; k < 3 * n; k++)
        CHECK_CLOSE(p->q[k], q[k], 1e-14);
    ri_cone_file_destroy(f);
}

#define TRIPLETS_OF_W                                                                                                  \
    "3 1 2 3 3 1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"                  \
    "triplet: 3-by-3, nzmax: 8 nnz: 5\n 0 0 : 1\n 1 1 : 2\n 2 2 : 3\n 0 2 : 0.25\n 0 2 : 0.25\n"

/// As Siconos 4.4.0 writes matrices of its sparse storage; entries given twice add up.
TEST(sparse_matrices_are_read_as_triplets_and_by_columns)
{
    static const double W[9] = {1, 0, .5, 0, 2, 0, 0, 0, 3}, q[3] = {-1, .5, .25};
    RiContext *ctx = context();
    check_problem(ctx, TRIPLETS_OF_W "-1 .5 .25\n.7\n", 1, W, q);
    check_problem(ctx,
                  "3 1 2 3 3 2\nCSparse Version 3.2.0\n3-by-3, nzmax: 4 nnz: 4, 1-norm: 3.5\n"
                  "    col 0 : locations 0 to 0\n      0 : 1\n    col 1 : locations 1 to 1\n      1 : 2\n"
                  "    col 2 : locations 2 to 3\n      0 : 0.5\n      2 : 3\n-1 .5 .25\n.7\n0\n",
                  1, W, q);
    ri_context_destroy(ctx);
}

TEST(malformed_sparse_matrices_are_refused_with_line_and_field)
{
#define HEAD "3 1 2 3 3 2\nby us\n3-by-3, nnz: 2\n"
    RiContext *ctx = context();
    RiConeFile *f;
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 7\nby us\n", &f), RI_ERR_FORMAT, "kind of sparse matrix");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us", &f), RI_ERR_FORMAT, "the file ends where the line");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\n3-by-3 and no more\n", &f), RI_ERR_FORMAT, "t.dat:3: the line of");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\nnnz: 99999999999\n", &f), RI_ERR_FORMAT, "number of entries");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\nnnz: -1\n 0 0 : 1", &f), RI_ERR_FORMAT, "number of entries is -1");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\nnnz: 1\n3 0 : 1", &f), RI_ERR_FORMAT,
                "t.dat:4: row of an entry is 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\nnnz: 1\n0 -1 : 1", &f), RI_ERR_FORMAT, "column of an entry is -1");
    CHECK_ERROR(ctx, parse(ctx, "3 1 2 3 3 1\nby us\nnnz: 1\n0 0 1 1 1", &f), RI_ERR_FORMAT,
                "found '1' instead of ':'");
    CHECK_ERROR(ctx, parse(ctx, HEAD "col 1 : locations 0 to 1", &f), RI_ERR_FORMAT, "number of a column is 1");
    CHECK_ERROR(ctx, parse(ctx, HEAD "col 0 : locations 1 to 1", &f), RI_ERR_FORMAT, "first location of a column");
    CHECK_ERROR(ctx, parse(ctx, HEAD "col 0 : locations 0 to 5", &f), RI_ERR_FORMAT, "last location of a column");
    CHECK_ERROR(ctx, parse(ctx, HEAD "col 0 : locations 0 to 1\n0 : nan", &f), RI_ERR_FORMAT, "t.dat:5: W[0] is 'nan'");
#undef HEAD
    ri_context_destroy(ctx);
}

/// A block of 2 kg that slides, with an own mass for each direction, as W, and as M with H of
/// either storage; with as many unknowns as rows of contacts, and with more.
TEST(a_global_problem_is_condensed)
{
    static const double W[9] = {.5, 0, 0, 0, .25, 0, 0, 0, .5}, q[3] = {-1, 3, 4};
    static const double plane_W[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5}, plane_q[3] = {-1, 3, 0};
    RiContext *ctx = context();
    RiConeFile *f;
    check_problem(ctx, "3 1 0 3 3 3 3 2 0 0 0 4 0 0 0 2  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -4 4 0  1 2 4  .5", 1, W, q);
    check_problem(ctx, "3 1 0 3 3 3 3 2 0 0 0 4 0 0 0 2  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -4 4 0  1 2 4  .5 1", 1, W, q);
    check_problem(ctx,
                  "3 1 1 4 4 2 2 2  3 4  3 4  3 2  0 1 2  0 1  0 2 0 0 0 4 0 0 0 2  1 7\n"
                  "1 4 3 1 2 1  3 4  3  2 1  0 1  0  0 1 0 0 0 1 0 0 0 1  -4 4 0 9  1 2 4  .5",
                  1, W, q);
    check_problem(ctx,
                  "2 1 2 2 2 1\nby us\nnnz: 2\n0 0 : 2\n1 1 : 2\n2 2 2 1\nby us\nnnz: 2\n0 0 : 1\n1 1 : 1\n"
                  "-4 2  1 2  .5",
                  1, plane_W, plane_q);
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 3 3 3 3 2 0 0 0 0 0 0 0 2  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -4 4 0  1 2 4 .5", &f),
                RI_ERR_FORMAT, "M is singular");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 2 2 2 2 1 0 0 1  0 2 4 2 4", &f), RI_ERR_FORMAT, "a matrix H of 2 x 3");
    CHECK_ERROR(ctx, parse(ctx, "3 1 0 1 1 1 1 1  0 1 3 1 3 1 0 0  1  1 2", &f), RI_ERR_FORMAT, "ends where b[2]");
    ri_context_destroy(ctx);
}

TEST(a_saved_problem_comes_back_bit_for_bit)
{
    RiContext *ctx = context();
    RiConeFile *f;
    char path[] = "/tmp/rille-cone-XXXXXX";
    const int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    close(fd);
    double W[36], q[6], mu[2] = {1.0 / 3.0, 1e-300};
    for (int k = 0; k < 36; k++)
        W[k] = sin(k + 1.0) * pow(10.0, k % 7 - 3);
    for (int k = 0; k < 6; k++)
        q[k] = -cos(k) / 7.0;
    REQUIRE_OK(ctx, ri_cone_file_save(ctx, path, &(RiConeProblem){.n = 2, .W = W, .q = q, .mu = mu}));
    REQUIRE_OK(ctx, ri_cone_file_load(ctx, path, &f));
    const RiConeProblem *p = ri_cone_file_problem(f);
    CHECK(memcmp(p->W, W, sizeof W) == 0 && memcmp(p->q, q, sizeof q) == 0 && memcmp(p->mu, mu, sizeof mu) == 0);
    ri_cone_file_destroy(f);
    unlink(path);
    CHECK_ERROR(ctx, ri_cone_file_save(ctx, "/nowhere/x.dat", &(RiConeProblem){.n = 2, .W = W, .q = q, .mu = mu}),
                RI_ERR_IO, "/nowhere/x.dat");
    CHECK_ERROR(ctx, ri_cone_file_load(ctx, "/nowhere/x.dat", &f), RI_ERR_NOT_FOUND, "/nowhere/x.dat");
    ri_context_destroy(ctx);
}

TEST(an_elliptic_problem_is_saved_in_round_coordinates)
{
    RiContext *ctx = context();
    RiConeFile *f;
    char path[] = "/tmp/rille-cone-XXXXXX";
    const int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    close(fd);
    const double W[9] = {2, .1, .2, .1, 3, .3, .2, .3, 4}, q[3] = {-1, 5, 6}, mu = 0.3, across = 2.5;
    const RiConeProblem p = {.n = 1, .W = W, .q = q, .mu = &mu, .across = &across, .flow = RI_CONE_ASSOCIATED};
    RiConeSolver *solver;
    RiConeResult result;
    const RiConeOptions options = ri_cone_options_default();
    double r[3], u[3], r2[3], u2[3];
    REQUIRE_OK(ctx, ri_cone_solver_create(ctx, 1, 0, &solver));
    REQUIRE_OK(ctx, ri_cone_file_save(ctx, path, &p));
    REQUIRE_OK(ctx, ri_cone_file_load(ctx, path, &f));
    ri_cone_solve(solver, &p, &options, r, u, &result);
    ri_cone_solve(solver, ri_cone_file_problem(f), &options, r2, u2, &result);
    CHECK_CLOSE(r[0], r2[0], 1e-13);
    CHECK_CLOSE(r[1], r2[1], 1e-13);
    CHECK_CLOSE(r[2], r2[2] * across, 1e-13);
    CHECK_CLOSE(u[2] * across, u2[2], 1e-12);
    ri_cone_solver_destroy(solver);
    ri_cone_file_destroy(f);
    unlink(path);
    ri_context_destroy(ctx);
}

// --- FCLIB ---------------------------------------------------------------------------------------

TEST(local_and_global_problems_of_fclib_are_condensed)
{
    static const char *const files[] = {SEEDS "local.hdf5", SEEDS "local_equality.hdf5", SEEDS "global.hdf5"};
    static const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-1, 3, 4};
    RiContext *ctx = context();
    for (int k = 0; k < 3; k++) { // each was made to come out the same: a block of 2 kg that slides
        RiConeFile *f;
        REQUIRE_OK(ctx, ri_cone_file_load(ctx, files[k], &f));
        const RiConeProblem *p = ri_cone_file_problem(f);
        CHECK_INT(p->n, 1);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(p->W[i], W[i], 1e-15);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(p->q[i], q[i], 1e-15);
        CHECK(p->mu[0] == 0.5);
        ri_cone_file_destroy(f);
    }
    ri_context_destroy(ctx);
}

static char *slurp(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *data = malloc(*size);
    if (data && fread(data, 1, *size, in) != *size)
        abort();
    fclose(in);
    return data;
}

/// Every byte wrong once, and cut off everywhere; the copy ends where the file does, so that a
/// sanitizer sees what is read behind it.
TEST(damaged_hdf5_is_refused_or_read_but_never_trusted)
{
    RiContext *ctx = context();
    size_t size;
    char *good = slurp(SEEDS "global.hdf5", &size);
    REQUIRE(good);
    int refused = 0;
    for (size_t k = 0; k<size; k += size> 4000 ? 7 : 1) {
        RiConeFile *f;
        char *bad = malloc(size);
        REQUIRE(bad);
        memcpy(bad, good, size);
        bad[k] = (char)(bad[k] ^ (k % 3 ? 0x80 : 0xff));
        refused += ri_cone_file_parse(ctx, "bad", bad, size, &f) != RI_OK;
        ri_cone_file_destroy(f);
        free(bad);
        bad = malloc(k + 1);
        REQUIRE(bad);
        memcpy(bad, good, k);
        CHECK(ri_cone_file_parse(ctx, "cut", bad, k, &f) != RI_OK);
        free(bad);
    }
    CHECK(refused > 10);
    free(good);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_of_a_reader_is_reported_and_leaks_nothing)
{
    static const char *const files[] = {SEEDS "dense.dat",  SEEDS "blocks.dat",          SEEDS "sparse.dat",
                                        SEEDS "global.dat", SEEDS "local_equality.hdf5", SEEDS "global.hdf5"};
    for (size_t file = 0; file < sizeof files / sizeof *files; file++)
        for (long k = 0;; k++) {
            Faults faults = {.fail_at = -1};
            const RiAllocator allocator = faults_allocator(&faults);
            RiContext *ctx;
            RiConeFile *f;
            REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
            faults.call = 0, faults.fail_at = k;
            const RiStatus status = ri_cone_file_load(ctx, files[file], &f);
            CHECK(status == RI_OK ? f != NULL : f == NULL && status == RI_ERR_MEMORY);
            ri_cone_file_destroy(f);
            const bool done = faults.call <= k;
            ri_context_destroy(ctx);
            CHECK_INT(faults.live, 0);
            if (done)
                break;
        }
}

// --- the shared problems -------------------------------------------------------------------------

static const char *data_folder(void)
{
    return getenv("RILLE_DATA") ? getenv("RILLE_DATA") : RILLE_SOURCE_DIR "/../shared/data";
}

/// Numbers of an array in a JSON text, behind the key that follows `from`.
static int numbers(const char *from, const char *key, double *out, int most)
{
    const char *at = strstr(from, key);
    int count = 0;
    if (!at || !(at = strchr(at, '[')))
        return 0;
    for (at++; count < most; count++) {
        char *end;
        out[count] = strtod(at, &end);
        if (end == at)
            break;
        at = end + strspn(end, ", \n");
    }
    return count;
}

static void check_reference(RiContext *ctx, const char *file, const double *velocity, int count)
{
    char path[1024];
    RiConeFile *f;
    RiConeSolver *solver;
    RiConeResult result;
    double r[300], u[300];
    const RiConeOptions options = ri_cone_options_default();
    snprintf(path, sizeof path, "%s/contact/%s", data_folder(), file);
    REQUIRE_OK(ctx, ri_cone_file_load(ctx, path, &f));
    const RiConeProblem *p = ri_cone_file_problem(f);
    REQUIRE(3 * p->n <= 300);
    REQUIRE_OK(ctx, ri_cone_solver_create(ctx, p->n, 0, &solver));
    ri_cone_solve(solver, p, &options, r, u, &result);
    if (result.end != RI_CONE_SOLVED || !(result.residual <= 1e-10))
        CHECK_FAIL("%s: %s %s", file, ri_cone_end_name(result.end), result.reason);
    for (int i = 0; i < count; i++)
        CHECK_CLOSE(u[i], velocity[i], 1e-9);
    ri_cone_solver_destroy(solver);
    ri_cone_file_destroy(f);
}

TEST(shared_problems_are_solved_with_the_velocities_of_the_reference)
{
    char path[1024], file[64];
    double velocity[300];
    size_t size;
    snprintf(path, sizeof path, "%s/contact/reference_solutions.json", data_folder());
    char *text = slurp(path, &size);
    if (!text) {
        printf("skipped shared_problems: %s is not there\n", path);
        return;
    }
    text[size - 1] = '\0';
    RiContext *ctx = context();
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\"file\"")); at++, count++) {
        REQUIRE(sscanf(at, "\"file\": \"%63[^\"]", file) == 1);
        check_reference(ctx, file, velocity, numbers(at, "\"velocity\"", velocity, 300));
    }
    CHECK(count >= 10);
    check_reference(ctx, "fclib/Box_Stacks-i0122-82-5.hdf5", NULL, 0);
    check_reference(ctx, "fclib/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", NULL, 0);
    check_reference(ctx, "Confeti-ex13-4contact-Fc3D-SBM.dat", NULL, 0);
    check_reference(ctx, "FrictionContactProblem00031.dat", NULL, 0);
    free(text);
    ri_context_destroy(ctx);
}

/// Numbers that follow in a text, one per line behind a heading.
static void read_section(FILE *in, const char *heading, int count, double *out)
{
    char word[64];
    REQUIRE(fscanf(in, "%63s", word) == 1 && strcmp(word, heading) == 0);
    for (int i = 0; i < count; i++)
        REQUIRE(fscanf(in, "%lf", &out[i]) == 1);
}

/// Solves a problem and compares velocities with those of the reference's reactions, which end the
/// conversion.
static void check_velocities(RiContext *ctx, FILE *in, const RiConeProblem *p)
{
    static double mu[100], r[300], u[300], reference[300], velocity[300];
    RiConeSolver *solver;
    RiConeResult result;
    const RiConeOptions options = ri_cone_options_default();
    REQUIRE(p->n <= 100);
    read_section(in, "mu", p->n, mu);
    read_section(in, "r_ref", 3 * p->n, reference);
    ri_cone_velocity(p, reference, velocity);
    REQUIRE_OK(ctx, ri_cone_solver_create(ctx, p->n, 0, &solver));
    ri_cone_solve(solver, p, &options, r, u, &result);
    CHECK(result.residual <= 1e-10);
    for (int i = 0; i < 3 * p->n; i++)
        CHECK_CLOSE(u[i], velocity[i], 1e-10);
    ri_cone_solver_destroy(solver);
}

/// The text conversions beside the HDF5 files were made by others, with another library.
TEST(fclib_files_agree_with_their_text_conversions_and_solutions)
{
    static const char *const names[] = {"Box_Stacks-i0122-82-5", "LMGC_100_PR_PerioBox-i00361-60-03000"};
    RiContext *ctx = context();
    for (int k = 0; k < 2; k++) {
        char path[1024], line[512], word[64];
        int dimension, n, entries, seen = 0;
        RiConeFile *f;
        snprintf(path, sizeof path, "%s/contact/fclib/%s.txt", data_folder(), names[k]);
        FILE *in = fopen(path, "r");
        if (!in) {
            printf("skipped fclib_files: %s is not there\n", path);
            break;
        }
        snprintf(path, sizeof path, "%s/contact/fclib/%s.hdf5", data_folder(), names[k]);
        REQUIRE_OK(ctx, ri_cone_file_load(ctx, path, &f));
        const RiConeProblem *p = ri_cone_file_problem(f);
        do
            REQUIRE(fgets(line, sizeof line, in));
        while (line[0] == '#');
        REQUIRE(sscanf(line, "%d %d %d", &dimension, &n, &entries) == 3);
        CHECK_INT(p->n, n);
        for (int e = 0, i, j; e < entries; e++, seen++) {
            double value;
            REQUIRE(fscanf(in, "%d %d %lf", &i, &j, &value) == 3);
            CHECK_CLOSE(p->W[(size_t)i * 3 * (size_t)n + (size_t)j], value, 1e-12);
        }
        REQUIRE(fscanf(in, "%63s", word) == 1 && strcmp(word, "q") == 0);
        for (int i = 0; i < 3 * n; i++) {
            double value;
            REQUIRE(fscanf(in, "%lf", &value) == 1);
            CHECK_CLOSE(p->q[i], value, 1e-12);
        }
        CHECK(seen > 1000);
        check_velocities(ctx, in, p);
        ri_cone_file_destroy(f);
        fclose(in);
    }
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_dense_problem_is_read_row_by_row), CASE(blocks_of_a_plane_problem_are_read_column_by_column),
          CASE(malformed_text_is_refused_with_line_and_field),
          CASE(sparse_matrices_are_read_as_triplets_and_by_columns),
          CASE(malformed_sparse_matrices_are_refused_with_line_and_field), CASE(a_global_problem_is_condensed),
          CASE(a_saved_problem_comes_back_bit_for_bit), CASE(an_elliptic_problem_is_saved_in_round_coordinates),
          CASE(local_and_global_problems_of_fclib_are_condensed),
          CASE(damaged_hdf5_is_refused_or_read_but_never_trusted),
          CASE(every_failed_allocation_of_a_reader_is_reported_and_leaks_nothing),
          CASE(shared_problems_are_solved_with_the_velocities_of_the_reference),
          CASE(fclib_files_agree_with_their_text_conversions_and_solutions))
