// SPDX-License-Identifier: Apache-2.0
/// \file
/// Radios and recorders: what can be seen, at which rate, and where the data are.
///
/// Books of a recorder: produced = stored + sent + lost.
#include "base/functions.h"
#include "device/network/network.h"
#include "device/ports.h"

static const RiPort radio_ports[RADIO_COUNT] = {
    [RADIO_BUS] = RI_INPUT("bus", "V", "The bus that feeds it: connect to its voltage."),
    [RADIO_REMOTE] = RI_INPUT("remote", "m", "The orbiter or the Earth that it talks to: connect to its range."),
    [RADIO_RECORDER] = RI_INPUT("recorder", "", "The recorder that it empties: connect to what it has stored."),
    [RADIO_ON] = RI_INPUT("on", "", "Not 0: it is switched on."),
    [RADIO_AUTOMATIC] = RI_PARAMETER("automatic", "", 1.0, 0.0, 1.0, "1: it is on while the remote can be seen."),
    [RADIO_DRAW_POWER] = RI_PARAMETER("power", "W", 40.0, 0.0, 1e6, "Electrical, while it is on."),
    [RADIO_PRIORITY] = RI_PARAMETER("priority", "", 3.0, 0.0, 99.0, "As that of a load."),
    [RADIO_FREQUENCY] = RI_PARAMETER("frequency", "Hz", 401.6e6, 1.0, 1e12, "Of the carrier."),
    [RADIO_TRANSMIT] = RI_PARAMETER("transmit_power", "W", 12.0, 0.0, 1e6, "At the antenna."),
    [RADIO_GAIN] = RI_ANY_PARAMETER("gain", "", 0.0, "Of the antenna along the z axis of its frame, in dB."),
    [RADIO_BEAM] = RI_PARAMETER("beam_width", "rad", 0.0, 0.0, 6.3, "At half power; 0: in all directions alike."),
    [RADIO_LOSSES] = RI_PARAMETER("losses", "", 3.0, -100.0, 300.0, "Cables, pointing and what else, in dB."),
    [RADIO_AXIAL] = RI_PARAMETER("axial_ratio", "", 0.0, 0.0, 100.0,
                                 "Of the antenna's circular polarisation, in dB; 0: perfect, 100: linear."),
    [RADIO_REMOTE_AXIAL] = RI_PARAMETER("remote_axial_ratio", "", 0.0, 0.0, 100.0, "Of the remote's antenna, in dB."),
    [RADIO_GT] = RI_ANY_PARAMETER("receiver", "", -26.0,
                                  "Gain over noise temperature of the remote, in dB/K; with `noise` its gain, in dB."),
    [RADIO_NOISE] = RI_PARAMETER("noise", "K", 0.0, 0.0, 1e6,
                                 "Noise temperature of the remote's receiver; 0: it is in `receiver`."),
    [RADIO_CODE] = RI_PARAMETER("code", "", 0.0, 0.0, 4.0,
                                "0: `threshold` is given; else 1 uncoded, 2 convolutional (7, 1/2), 3 that with "
                                "Reed-Solomon, 4 turbo 1/2."),
    [RADIO_THRESHOLD] = RI_ANY_PARAMETER("threshold", "", 4.5, "Eb/N0 that the code needs, in dB, with `code` 0."),
    [RADIO_MARGIN] = RI_ANY_PARAMETER("margin", "", 3.0, "Kept, in dB."),
    [RADIO_LOWEST] = RI_PARAMETER("lowest_rate", "Hz", 8e3, 0.0, 1e12, "Bits per second; rates double from here"),
    [RADIO_HIGHEST] = RI_PARAMETER("highest_rate", "Hz", 256e3, 0.0, 1e12, "up to this."),
    [RADIO_MASK] = RI_PARAMETER("mask", "rad", 0.1745, -1.6, 1.6, "Least elevation of the remote."),
    [RADIO_SENT] = RI_STATE("sent", "", "Bits since the start."),
    [RADIO_USED] = RI_STATE("energy", "J", "Drawn since the start."),
    [RADIO_PASS_TIME] = RI_STATE("pass_time", "s", "For which the remote could be seen."),
    [RADIO_DRAW] = RI_OUTPUT("draw", "W", "What it draws."),
    [RADIO_SERVED] = RI_OUTPUT("served", "", "1: it is on and has power."),
    [RADIO_VISIBLE] = RI_OUTPUT("visible", "", "1: the remote is above the mask and nothing is in between."),
    [RADIO_RATE] = RI_OUTPUT("rate", "Hz", "Bits per second that the link would carry."),
    [RADIO_CARRIER] = RI_OUTPUT("carrier_to_noise", "", "C/N0 in dB Hz."),
    [RADIO_LIGHT_TIME] = RI_OUTPUT("light_time", "s", "To the remote, one way."),
};

static const char *radio_start(RiDeviceCall *call)
{
    if (call->x[RADIO_CODE] != floor(call->x[RADIO_CODE]))
        return "'code' must be a whole number from 0 to 4";
    return call->x[RADIO_LOWEST] > 0.0 && call->x[RADIO_HIGHEST] >= call->x[RADIO_LOWEST]
               ? NULL
               : "'lowest_rate' must be positive and at most 'highest_rate'";
}

void ri_radio_look(RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    double *x = m->x;
    const RiMember *remote = ri_member_ref(n, m, REF_NODE);
    const double *at =
        remote->x + (ri_member_is(remote, RI_SUBSYSTEM_EARTH) ? (int)EARTH_AZIMUTH : (int)ORBITER_AZIMUTH);
    const RiVec3 towards = ri_sun_direction((RiSun){.azimuth = at[0], .elevation = at[1]});
    const RiVec3 above = ri_vec3(m->pose.p.x, m->pose.p.y, m->pose.p.z + 0.3);
    x[RADIO_LIGHT_TIME] = at[3];
    x[RADIO_VISIBLE] = at[1] >= x[RADIO_MASK];
    if (n->horizon >= 0 && !ri_network_is_above(n, towards))
        x[RADIO_VISIBLE] = 0.0;
    if (x[RADIO_VISIBLE] != 0.0 && w->free_path)
        x[RADIO_VISIBLE] = w->free_path(w->user, above, towards) > 0.5;
    x[RADIO_RATE] = x[RADIO_CARRIER] = 0.0;
    if (x[RADIO_VISIBLE] == 0.0)
        return;
    const double noise = x[RADIO_NOISE] > 0.0 ? 10.0 * ri_log10(x[RADIO_NOISE]) : 0.0;
    const RiLink link = {.frequency = x[RADIO_FREQUENCY],
                         .power = x[RADIO_TRANSMIT],
                         .gain = x[RADIO_GAIN],
                         .beam_width = x[RADIO_BEAM],
                         .losses = x[RADIO_LOSSES] + ri_polarisation_loss(x[RADIO_AXIAL], x[RADIO_REMOTE_AXIAL]),
                         .gain_to_noise = x[RADIO_GT] - noise,
                         .threshold = x[RADIO_CODE] > 0.0 ? ri_code_threshold((int)x[RADIO_CODE]) : x[RADIO_THRESHOLD],
                         .margin = x[RADIO_MARGIN]};
    const double cosine = ri_dot(towards, ri_mat3_col(&m->pose.R, 2));
    const RiLinkState s = ri_link_compute(&link, at[2], ri_acos(fmin(fmax(cosine, -1.0), 1.0)));
    x[RADIO_CARRIER] = s.carrier_to_noise;
    x[RADIO_RATE] = ri_link_step(s.rate, x[RADIO_LOWEST], x[RADIO_HIGHEST]);
    x[RADIO_PASS_TIME] += w->dt;
}

void ri_radio_send(RiNetwork *n, RiMember *m, double dt)
{
    double *x = m->x;
    RiMember *recorder = ri_member_ref(n, m, REF_THIRD);
    if (x[RADIO_SERVED] == 0.0 || x[RADIO_VISIBLE] == 0.0)
        return;
    double bits = x[RADIO_RATE] * dt;
    if (recorder) {
        bits = fmin(bits, recorder->x[RECORDER_STORED]);
        recorder->x[RECORDER_STORED] -= bits;
        recorder->x[RECORDER_SENT] += bits;
    }
    x[RADIO_SENT] += bits;
}

const RiDeviceClass ri_device_radio = {
    .abi = RI_DEVICE_ABI,
    .name = "radio",
    .doc = "Radio with an antenna on a frame, to an orbiter or to the Earth, with adaptive rate.",
    .attach = RI_ATTACH_FRAME,
    .ports = radio_ports,
    .port_count = RADIO_COUNT,
    .start = radio_start,
    .update = ri_subsystem_update,
};

static const RiPort recorder_ports[RECORDER_COUNT] = {
    [RECORDER_RATE] = RI_INPUT("rate", "Hz", "Bits per second that come in."),
    [RECORDER_ADD] = RI_INPUT("add", "", "Bits that come in at once; goes back to 0 when they are taken up."),
    [RECORDER_CAPACITY] = RI_PARAMETER("capacity", "", 1e9, 0.0, 1e18, "Bits that it holds."),
    [RECORDER_STORED] = RI_LIMITED_STATE("stored", "", 0.0, 1e18, "Bits stored now."),
    [RECORDER_PRODUCED] = RI_STATE("produced", "", "Bits that came in since the start."),
    [RECORDER_SENT] = RI_STATE("sent", "", "Bits that went out since the start."),
    [RECORDER_LOST] = RI_STATE("lost", "", "Bits that found no room."),
    [RECORDER_FULL] = RI_OUTPUT("fill", "", "Stored over capacity."),
};

static const char *recorder_start(RiDeviceCall *call)
{
    return ri_is_positive(call->x[RECORDER_CAPACITY]) ? NULL : "'capacity' must be positive";
}

void ri_recorder_step(RiMember *m, double dt)
{
    double *x = m->x;
    const double in = fmax(x[RECORDER_RATE], 0.0) * dt + fmax(x[RECORDER_ADD], 0.0),
                 taken = fmin(in, fmax(x[RECORDER_CAPACITY] - x[RECORDER_STORED], 0.0));
    x[RECORDER_ADD] = 0.0;
    x[RECORDER_PRODUCED] += in;
    x[RECORDER_STORED] += taken;
    x[RECORDER_LOST] += in - taken;
    x[RECORDER_FULL] = x[RECORDER_STORED] / x[RECORDER_CAPACITY];
}

const RiDeviceClass ri_device_recorder = {
    .abi = RI_DEVICE_ABI,
    .name = "recorder",
    .doc = "Onboard memory for data.",
    .attach = RI_ATTACH_NONE,
    .ports = recorder_ports,
    .port_count = RECORDER_COUNT,
    .start = recorder_start,
    .update = ri_subsystem_update,
};
