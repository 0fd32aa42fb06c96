// SPDX-License-Identifier: Apache-2.0
/// \file
/// An outside program that reaches CVODE through the installed archive. Exits with 0 if x'' = -x
/// came back after a period, 77 if the library was built without CVODE.
#include "sim/method/ode_cvode.h"

#include <math.h>
#include <stdio.h>

static RiStatus oscillator(void *user, double t, const double *y, double *ydot)
{
    (void)user, (void)t;
    ydot[0] = y[1];
    ydot[1] = -y[0];
    return RI_OK;
}

int main(void)
{
    RiContext *ctx = NULL;
    RiOde *ode = NULL;
    const RiOdeProblem problem = {.n = 2, .rhs = oscillator};
    double y[2] = {1.0, 0.0}, t = 0.0;
    RiStatus status = ri_context_create(NULL, &ctx);
    if (status == RI_OK)
        status = ri_ode_create(ctx, &problem, NULL, &ode);
    if (status == RI_OK)
        status = ri_ode_reset(ode, 0.0, y);
    if (status == RI_OK)
        status = ri_ode_advance(ode, 8.0 * atan(1.0), y, &t, NULL);
    if (status != RI_OK)
        puts(ri_context_message(ctx));
    ri_ode_destroy(ode);
    ri_context_destroy(ctx);
    if (status == RI_ERR_UNSUPPORTED)
        return 77;
    return status == RI_OK && fabs(y[0] - 1.0) < 1e-5 ? 0 : 1;
}
