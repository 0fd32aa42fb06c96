// SPDX-License-Identifier: Apache-2.0
/// The kernels of a screw's nodes: equal bits on all instruction sets, and sums against forces and
/// motions written out node by node.
#include "soil/screw.h"

#include "check.h"

static const char *const names[] = {"generic", "avx2", "avx512"};

/// A number in [0, 1) that depends on i alone.
static double spread(int i)
{
    return fmod((i + 0.5) * 0.6180339887498949, 1.0);
}

/// A row with all that it needs. Rooms begin with the same numbers, so that rows may be compared
/// whole.
typedef struct Bench {
    RiSoilScrew w;
    RiThread t;
    RiScrewSoil soil;
    RiScrewRow row;
    double weight[RI_SCREW_PATCH_MAX], array[11][RI_SCREW_PATCH_MAX];
    double memory[RI_ROW_FIELDS * 7 * RI_SCREW_PATCH_MAX];
    RiScrewSums sums, shown;
} Bench;

static const RiSoilLaw sand = {.n0 = 1.1,
                               .k = 1.5e6,
                               .unit = 1.0,
                               .cohesion = 900.0,
                               .tan_phi = 0.53,
                               .kx = 0.02,
                               .unit_weight = 15000.0,
                               .unload = 2e7,
                               .damping = 3e3,
                               .base_depth = 0.021,
                               .base_stiffness = 1e7,
                               .slip_most = 1.0,
                               .passive = 2.77};

static void point_row(Bench *x)
{
    RiScrewRow *r = &x->row;
    r->weight = x->weight, r->w = &x->w, r->t = &x->t, r->memory = x->memory;
    r->sine = x->array[0], r->cosine = x->array[1], r->pressure = x->array[2], r->elastic = x->array[3];
    r->friction[0] = x->array[4], r->friction[1] = x->array[5];
    r->blade[0] = x->array[6], r->blade[1] = x->array[7];
    r->plug = x->array[8], r->arm = x->array[9], r->most = x->array[10];
}

static void make_bench(Bench *x, int count, double side)
{
    RiContext *ctx = NULL;
    memset(x, 0, sizeof *x);
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE(ri_soil_screw_init(ctx, 0.08, 0.1, 0.3, 0.2, -1, 2, &x->w) == RI_OK);
    ri_context_destroy(ctx);
    x->t = ri_screw_thread(&x->w);
    x->soil = (RiScrewSoil){.law = sand, .edge = sand};
    x->soil.edge.k = 2e6;
    ri_screw_weights(count, x->weight);
    RiScrewRow *r = &x->row;
    r->count = count, r->lanes = ri_screw_lanes(count);
    r->plane = (RiScrewPlane){-0.06, side, 1.0 / sqrt(1.0 + side * side + 0.01)};
    REQUIRE(ri_screw_arc(&x->w, r->plane, &r->arc) == 1);
    r->step = 2.0 * r->arc.half / count;
    r->first = 0.5 * r->step - r->arc.half;
    r->x = 0.07;
    r->area = 1e-3;
    r->h = 2e-3;
    r->vx = 0.03, r->vy = 0.01, r->vz = -0.002, r->wx = -1.3, r->wy = 0.1, r->wz = -0.2;
    r->soil = (RiScrewSource){.first = 2, .weight = {-0.02, 0.7, 0.4, -0.08}, .keep = 0.9};
    r->between = (RiScrewSource){.first = 1, .weight = {-0.03, 0.5, 0.6, -0.07}, .keep = 1.0};
    r->nodes = 7 * r->lanes, r->at = 3 * r->lanes;
    r->incoming = 0.8;
    for (int i = 0; i < RI_ROW_FIELDS * r->nodes; i++) {
        const int field = i / r->nodes;
        x->memory[i] = field == RI_ROW_PRESSED   ? 0.4 + 0.6 * spread(i)
                       : field < RI_ROW_FRICTION ? 1.6 * spread(i) - 0.8
                                                 : 800.0 * spread(i);
    }
    point_row(x);
}

static void run(const RiNodeKernels *k, Bench *x)
{
    ri_screw_load(k, &x->soil, &x->row);
    k->screw_move(&x->row);
    k->screw_sum(&x->row, &x->sums);
    k->screw_show(&x->row, &x->shown);
}

/// Leaves what points into a bench out of it, so that two may be compared.
static void forget_pointers(Bench *x)
{
    RiScrewRow *r = &x->row;
    r->weight = r->memory = NULL, r->w = NULL, r->t = NULL, r->law = NULL;
    r->sine = r->cosine = r->pressure = r->elastic = r->plug = r->arm = r->most = NULL;
    r->rut = r->packed = NULL;
    r->friction[0] = r->friction[1] = r->blade[0] = r->blade[1] = NULL;
}

TEST(rows_have_equal_bits_on_all_instruction_sets)
{
    static Bench first, other;
    int sets = 0;
    for (int count = 4; count <= RI_SCREW_PATCH_MAX; count++) {
        make_bench(&first, count, 0.1);
        run(&ri_node_kernels_generic, &first);
        forget_pointers(&first);
        for (int s = 1; s < 3; s++) {
            const RiNodeKernels *k = ri_node_kernels_find(names[s]);
            if (!k)
                continue;
            make_bench(&other, count, 0.1);
            run(k, &other);
            forget_pointers(&other);
            CHECK(memcmp(&first, &other, sizeof first) == 0);
            sets++;
        }
    }
    printf("     %d rows compared\n", sets);
}

/// What slides along the axis, around it and inwards at a node of radius rho, as parts of (omega,
/// v): A, R and N.
static void motions(const RiScrewRow *x, int i, double rho, double A[6], double R[6], double N[6])
{
    const double s = x->sine[i], c = x->cosine[i];
    const double a[6] = {0.0, -rho * c, -rho * s, 1.0, 0.0, 0.0}, r[6] = {rho, -x->x * s, x->x * c, 0.0, c, s},
                 n[6] = {0.0, x->x * c, x->x * s, 0.0, s, -c};
    memcpy(A, a, sizeof a);
    memcpy(R, r, sizeof r);
    memcpy(N, n, sizeof n);
}

/// Adds force * motion to a wrench (moment, force): the force that does that work.
static void push(double wrench[6], double force, const double motion[6])
{
    for (int i = 0; i < 6; i++)
        wrench[i] += force * motion[i];
}

TEST(forces_do_the_work_of_their_motions_and_slopes_are_sums_of_squares)
{
    static Bench x;
    for (int count = 5; count <= RI_SCREW_PATCH_MAX; count += 6) {
        double wrench[6] = {0.0}, S[6][6] = {{0.0}}, size = 0.0;
        make_bench(&x, count, -0.05);
        run(ri_node_kernels_find(NULL), &x);
        const RiScrewRow *r = &x.row;
        for (int i = 0; i < count; i++) {
            double A[6], R[6], N[6], Ab[6], Rb[6];
            const double c = x.t.cosine, n = x.t.sine, m = r->pressed[i], p = r->pressure[i];
            const bool plastic = r->beyond[i] > 0.0;
            motions(r, i, x.t.radius, Ab, Rb, N);
            motions(r, i, r->arm[i], A, R, N);
            // pressure against N, friction against P u, blades against n
            const double damper = m > 0.0 && r->in[i] > 0.0 ? r->law->damping : 0.0,
                         rise = plastic ? r->rise[i] * r->cosine[i] : 0.0;
            push(wrench, -r->area * (m * p + rise * r->beyond[i] + damper * r->in[i]), N);
            const double un = c * r->u[i] - n * r->c[i], f = r->area * r->rub[i], b = r->area * r->push[i];
            push(wrench, -f * (r->u[i] - r->plug[i] * un * c), A);
            push(wrench, -f * (r->c[i] + r->plug[i] * un * n), R);
            push(wrench, -b * r->b[i] * c, Ab);
            push(wrench, b * r->b[i] * n, Rb);
            const double stiff = r->area * (r->h * (plastic ? rise : m > 0.0 ? p / r->elastic[i] : 0.0) + damper);
            for (int a = 0; a < 6; a++)
                for (int d = 0; d < 6; d++) {
                    const double na = c * A[a] - n * R[a], nd = c * A[d] - n * R[d], q = r->plug[i];
                    const double pa[2] = {A[a] - q * na * c, R[a] + q * na * n},
                                 pd[2] = {A[d] - q * nd * c, R[d] + q * nd * n};
                    S[a][d] += f * r->slope_u[i] * (pa[0] * pd[0] + pa[1] * pd[1]) +
                               b * r->slope_b[i] * (c * Ab[a] - n * Rb[a]) * (c * Ab[d] - n * Rb[d]) +
                               stiff * N[a] * N[d];
                }
            size += r->area * p;
        }
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(ri_screw_total(&x.sums, RI_SCREW_WRENCH + i), wrench[i], 1e-12 * size);
        for (int c = 0, k = RI_SCREW_SLOPE; c < 6; c++)
            for (int d = c; d < 6; d++, k++)
                CHECK_CLOSE(ri_screw_total(&x.sums, k), S[c][d], 1e-12 * sqrt(S[c][c] * S[d][d]));
        CHECK(ri_screw_total(&x.sums, RI_SCREW_STORED) == ri_screw_total(&x.shown, RI_SCREW_STORED));
        CHECK(ri_screw_total(&x.sums, RI_SCREW_THRUST) == ri_screw_total(&x.shown, RI_SCREW_THRUST));
        CHECK(ri_screw_total(&x.sums, RI_SCREW_DRAG) == ri_screw_total(&x.shown, RI_SCREW_DRAG));
    }
}

TEST(shears_follow_their_equation_along_the_resultant_slip)
{
    static Bench x;
    make_bench(&x, 8, 0.0);
    x.row.vy = 0.0; // nothing is carried across
    run(ri_node_kernels_find(NULL), &x);
    const RiScrewRow *r = &x.row;
    for (int i = 0; i < 8; i++) {
        double A[6], R[6], N[6], came[3];
        const double c = x.t.cosine, n = x.t.sine, v[6] = {r->wx, r->wy, r->wz, r->vx, r->vy, r->vz};
        for (int f = 0; f < 3; f++) {
            const RiScrewSource *from = f == 2 ? &r->between : &r->soil;
            came[f] = 0.0;
            for (int k = 0; k < 4; k++)
                came[f] += from->weight[k] * x.memory[(RI_ROW_ALONG + f) * r->nodes + (from->first + k) * 8 + i];
            came[f] = from->keep * fmax(-1.0, fmin(1.0, came[f]));
        }
        // the motion of the station's own point of the axis: without the arm along x
        const double own = r->x;
        x.row.x = 0.0;
        motions(r, i, r->arm[i], A, R, N);
        double along = 0.0, around = 0.0, across = 0.0, Ab[6], Rb[6];
        motions(r, i, x.t.radius, Ab, Rb, N);
        x.row.x = own;
        for (int k = 0; k < 6; k++)
            along += A[k] * v[k], around += R[k] * v[k], across += (c * Ab[k] - n * Rb[k]) * v[k];
        const double vn = r->plug[i] * (c * along - n * around), pa = along - vn * c, pr = around + vn * n;
        const double speed = hypot(pa, pr), e = exp(-speed * r->h / r->law->kx),
                     eb = exp(-fabs(across) * r->h / r->law->kx);
        const double was = x.memory[RI_ROW_FRICTION * r->nodes + r->at + i],
                     was_b = x.memory[RI_ROW_STRENGTH * r->nodes + r->at + i];
        const double by = fmin(1.0, was / (r->step * r->rub[i])), by_b = fmin(1.0, was_b / (r->step * r->push[i]));
        CHECK_CLOSE(r->u[i], by * came[0] * e + (1.0 - e) * pa / speed, 1e-12);
        CHECK_CLOSE(r->c[i], by * came[1] * e + (1.0 - e) * pr / speed, 1e-12);
        CHECK_CLOSE(r->b[i], by_b * came[2] * eb + copysign(1.0 - eb, across), 1e-12);
    }
}

TEST_MAIN(CASE(rows_have_equal_bits_on_all_instruction_sets),
          CASE(forces_do_the_work_of_their_motions_and_slopes_are_sums_of_squares),
          CASE(shears_follow_their_equation_along_the_resultant_slip))
