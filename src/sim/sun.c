// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sun over a simulation: where it stands now, for sensors, named values and pictures.
///
/// An ephemeris costs some ten microseconds, and the sun moves by a quarter of a degree a minute at
/// most: its direction is computed at whole minutes of simulated time and goes straight and evenly
/// in between, which is off by 3e-6 rad at most (a small circle against its chord, theta^2 / 8).
/// What is kept is a pure function of time, so it is no part of the state. Test:
/// tests/io/test_scene.c.
#include <math.h>

#include "base/hash.h"
#include "sim/sun.h"

static const double minute = 60.0;

RiStatus ri_sim_set_sun(RiSim *s, const RiSunDef *def)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_set_sun comes before ri_sim_build");
    if ((unsigned)def->world >= RI_WORLD_COUNT || (def->moves && def->world == RI_WORLD_UNKNOWN))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "the sun's world %d is not one of RiWorld, or unknown and it moves",
                        (int)def->world);
    const double all =
        def->fixed.azimuth + def->fixed.elevation + def->utc[0] + def->utc[1] + def->latitude + def->longitude;
    if (!isfinite(all))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "the sun's place is not finite");
    *s->sun = (RiSunSlot){.def = *def, .given = true, .knot = -1};
    s->sun->from = s->sun->to = ri_sun_direction(def->fixed);
    return RI_OK;
}

const RiSunDef *ri_sim_sun_def(const RiSim *s)
{
    return s->sun->given ? &s->sun->def : NULL;
}

uint64_t ri_sim_sun_fingerprint(const RiSim *s, uint64_t h)
{
    const RiSunDef *d = &s->sun->def;
    if (!s->sun->given)
        return h;
    const double still[2] = {d->fixed.azimuth, d->fixed.elevation},
                 moving[4] = {d->utc[0], d->utc[1], d->latitude, d->longitude};
    h = ri_hash_mix(ri_hash_mix(h, (uint64_t)d->world), d->moves);
    return d->moves ? ri_hash(h, moving, sizeof moving) : ri_hash(h, still, sizeof still);
}

/// Mean distance of a body from the sun, for a sun without a date [AU].
static double mean_distance(RiWorld world)
{
    switch (world) {
    case RI_WORLD_MARS:
        return 1.5237;
    case RI_WORLD_EUROPA:
        return 5.203;
    case RI_WORLD_ENCELADUS:
        return 9.555;
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_EARTH:
    case RI_WORLD_MOON:
    case RI_WORLD_COUNT:
        break;
    }
    return 1.0;
}

RiVec3 ri_sim_sun_at(RiSim *s, double time, double *out_distance)
{
    RiSunSlot *sun = s->sun;
    if (!sun->def.moves) {
        if (out_distance)
            *out_distance = mean_distance(sun->def.world);
        return sun->from;
    }
    const double minutes = time / minute;
    const long long knot = (long long)floor(minutes);
    if (knot != sun->knot) {
        const RiSun now = ri_sun_compute(&sun->def, minute * (double)knot);
        sun->knot = knot;
        sun->distance = now.distance;
        sun->from = ri_sun_direction(now);
        sun->to = ri_sun_direction(ri_sun_compute(&sun->def, minute * (double)(knot + 1)));
    }
    if (out_distance)
        *out_distance = sun->distance;
    const double part = minutes - (double)knot;
    const RiVec3 u = ri_add(ri_scale(1.0 - part, sun->from), ri_scale(part, sun->to));
    return ri_scale(1.0 / ri_norm(u), u);
}

RiVec3 ri_sim_sun_direction(RiSim *s)
{
    return ri_sim_sun_at(s, s->head->time, NULL);
}

void ri_sim_update_sun(RiSim *s)
{
    if (!s->sun->given)
        return;
    const RiSun now = s->sun->def.moves ? ri_sun_from_direction(ri_sim_sun_direction(s)) : s->sun->def.fixed;
    s->sun->out[0] = now.azimuth;
    s->sun->out[1] = now.elevation;
}

RiStatus ri_sim_name_sun(RiSim *s)
{
    static const char *const names[2] = {"sun.azimuth", "sun.elevation"};
    static const char *const docs[2] = {"direction of the sun, clockwise from north (the y axis)",
                                        "height of the sun above the horizon"};
    for (int i = 0; s->sun->given && i < 2; i++) {
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = "rad";
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.at = &s->sun->out[i];
        v.writable = false;
        v.derived = true;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}
