// SPDX-License-Identifier: Apache-2.0
/// \file
/// A controller as other tools export it: FMI 2.0 co-simulation, nothing of Rille in it. A PI law
/// makes the wheels turn as fast as it takes to drive at the wanted speed over ground, whatever the
/// slip. Speeds are in cm/s, the wheel's rate in deg/s: the description says so.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { SPEED, TARGET, RATE, KP, KI, ENABLED, VALUES };
typedef struct Pilot {
    double x[VALUES], integral;
} Pilot;
typedef struct Callbacks {
    void (*logger)(void *environment, const char *name, int status, const char *category, const char *text, ...);
    void *allocate, *release, *finished, *environment;
} Callbacks;

static const Pilot initial = {{0.0, 5.0, 0.0, 1.0, 2.0, 1.0}, 0.0};

#define DEFINE(type, name, ...)                                                                                        \
    EXPORT type name(__VA_ARGS__);                                                                                     \
    EXPORT type name(__VA_ARGS__)

DEFINE(const char *, fmi2GetTypesPlatform, void)
{
    return "default";
}
DEFINE(const char *, fmi2GetVersion, void)
{
    return "2.0";
}
DEFINE(void *, fmi2Instantiate, const char *name, int type, const char *guid, const char *resources,
       const Callbacks *callbacks, int visible, int logging)
{
    (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
    Pilot *p = type == 1 && strcmp(guid, "{pilot-1}") == 0 ? malloc(sizeof *p) : NULL;
    if (p)
        *p = initial;
    return p;
}
DEFINE(void, fmi2FreeInstance, void *c)
{
    free(c);
}
DEFINE(int, fmi2SetupExperiment, void *c, int a, double b, double start, int d, double e)
{
    (void)c, (void)a, (void)b, (void)start, (void)d, (void)e;
    return 0;
}
DEFINE(int, fmi2EnterInitializationMode, void *c)
{
    return c ? 0 : 3;
}
DEFINE(int, fmi2ExitInitializationMode, void *c)
{
    return c ? 0 : 3;
}
DEFINE(int, fmi2Terminate, void *c)
{
    return c ? 0 : 3;
}
DEFINE(int, fmi2Reset, void *c)
{
    *(Pilot *)c = initial;
    return 0;
}
DEFINE(int, fmi2GetReal, void *c, const unsigned *r, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        if (r[i] >= ENABLED)
            return 3;
        else
            x[i] = ((Pilot *)c)->x[r[i]];
    return 0;
}
DEFINE(int, fmi2SetReal, void *c, const unsigned *r, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (r[i] >= ENABLED || r[i] == RATE)
            return 3;
        else
            ((Pilot *)c)->x[r[i]] = x[i];
    return 0;
}
DEFINE(int, fmi2GetInteger, void *c, const unsigned *r, size_t n, int *x)
{
    (void)c, (void)r, (void)x;
    return n ? 3 : 0;
}
DEFINE(int, fmi2SetInteger, void *c, const unsigned *r, size_t n, const int *x)
{
    (void)c, (void)r, (void)x;
    return n ? 3 : 0;
}
DEFINE(int, fmi2GetBoolean, void *c, const unsigned *r, size_t n, int *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = r[i] == ENABLED && ((Pilot *)c)->x[ENABLED] != 0.0;
    return 0;
}
DEFINE(int, fmi2SetBoolean, void *c, const unsigned *r, size_t n, const int *x)
{
    for (size_t i = 0; i < n; i++)
        ((Pilot *)c)->x[r[i] == ENABLED ? ENABLED : RATE] = x[i];
    return 0;
}
DEFINE(int, fmi2DoStep, void *c, double time, double h, int no_going_back)
{
    Pilot *p = c;
    (void)time, (void)no_going_back;
    const double error = p->x[TARGET] - p->x[SPEED], radius = 10.0; // [cm]
    p->integral = fmax(-20.0, fmin(20.0, p->integral + p->x[KI] * error * h));
    const double speed = p->x[ENABLED] != 0.0 ? p->x[TARGET] + p->x[KP] * error + p->integral : 0.0;
    p->x[RATE] = fmax(-90.0, fmin(90.0, speed / radius * 57.295779513082323));
    return 0;
}
DEFINE(int, fmi2GetFMUstate, void *c, void **state)
{
    *state = *state ? *state : malloc(sizeof(Pilot));
    memcpy(*state, c, sizeof(Pilot));
    return 0;
}
DEFINE(int, fmi2SetFMUstate, void *c, void *state)
{
    memcpy(c, state, sizeof(Pilot));
    return 0;
}
DEFINE(int, fmi2FreeFMUstate, void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return 0;
}
DEFINE(int, fmi2SerializedFMUstateSize, void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Pilot);
    return 0;
}
DEFINE(int, fmi2SerializeFMUstate, void *c, void *state, char *bytes, size_t size)
{
    (void)c;
    memcpy(bytes, state, size < sizeof(Pilot) ? size : sizeof(Pilot));
    return size < sizeof(Pilot) ? 3 : 0;
}
DEFINE(int, fmi2DeSerializeFMUstate, void *c, const char *bytes, size_t size, void **state)
{
    (void)c;
    *state = *state ? *state : malloc(sizeof(Pilot));
    memcpy(*state, bytes, size < sizeof(Pilot) ? size : sizeof(Pilot));
    return size == sizeof(Pilot) ? 0 : 3;
}
