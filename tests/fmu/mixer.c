// SPDX-License-Identifier: Apache-2.0
/// \file
/// An FMU of FMI 3.0 as another maker would write it, with nothing of Rille: arrays, numbers of
/// many sizes, an enumeration, a text. Its functions refuse what the standard forbids.
///
///     y[r] = on ? k (u[r][1] + u[r][2]) + n + mode : 0;   big2 = big + 1;   count: steps made
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK, ERROR = 3 };
enum { U = 1, K, N, MODE, BIG, ON, ROWS, Y, COUNT, LABEL, BIG2 };
typedef uint32_t Reference;

typedef struct Mixer {
    double u[4];
    float k;
    int8_t n;
    int64_t mode;
    uint64_t big;
    bool on;
    uint16_t count;
} Mixer;

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const Reference required[], size_t count,
                                  void *environment, void *logger, void *update);
int fmi3EnterInitializationMode(void *c, bool given, double tolerance, double start, bool stops, double stop);
int fmi3ExitInitializationMode(void *c);
int fmi3Terminate(void *c);
int fmi3Reset(void *c);
void fmi3FreeInstance(void *c);
int fmi3DoStep(void *c, double time, double step, bool no_going_back, bool *event, bool *terminate, bool *early,
               double *last);

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const Reference required[], size_t count,
                                  void *environment, void *logger, void *update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early, (void)required, (void)count;
    (void)environment, (void)logger, (void)update;
    return strcmp(token, "{mixer}") == 0 ? calloc(1, sizeof(Mixer)) : NULL;
}

int fmi3EnterInitializationMode(void *c, bool given, double tolerance, double start, bool stops, double stop)
{
    (void)given, (void)tolerance, (void)stops, (void)stop;
    return c && start == 0.0 ? OK : ERROR;
}

int fmi3ExitInitializationMode(void *c)
{
    return c ? OK : ERROR;
}

int fmi3Terminate(void *c)
{
    return c ? OK : ERROR;
}

int fmi3Reset(void *c)
{
    memset(c, 0, sizeof(Mixer));
    return OK;
}

void fmi3FreeInstance(void *c)
{
    free(c);
}

int fmi3DoStep(void *c, double time, double step, bool no_going_back, bool *event, bool *terminate, bool *early,
               double *last)
{
    (void)no_going_back;
    ((Mixer *)c)->count++;
    *event = *terminate = *early = false;
    *last = time + step;
    return OK;
}

// A pair of functions for each kind of number; `VALUES` and the copies say what each reference has.
#define GET(Name, type, cases)                                                                                         \
    int fmi3Get##Name(void *c, const Reference r[], size_t count, type x[], size_t values);                            \
    int fmi3Get##Name(void *c, const Reference r[], size_t count, type x[], size_t values)                             \
    {                                                                                                                  \
        const Mixer *m = c;                                                                                            \
        if (count != 1)                                                                                                \
            return ERROR;                                                                                              \
        switch (r[0]) {                                                                                                \
            cases                                                                                                      \
        }                                                                                                              \
        (void)m, (void)x, (void)values;                                                                                \
        return ERROR;                                                                                                  \
    }
#define SET(Name, type, cases)                                                                                         \
    int fmi3Set##Name(void *c, const Reference r[], size_t count, const type x[], size_t values);                      \
    int fmi3Set##Name(void *c, const Reference r[], size_t count, const type x[], size_t values)                       \
    {                                                                                                                  \
        Mixer *m = c;                                                                                                  \
        if (count != 1)                                                                                                \
            return ERROR;                                                                                              \
        switch (r[0]) {                                                                                                \
            cases                                                                                                      \
        }                                                                                                              \
        (void)m, (void)x, (void)values;                                                                                \
        return ERROR;                                                                                                  \
    }
#define ONE(reference, assignment)                                                                                     \
    case reference:                                                                                                    \
        assignment;                                                                                                    \
        return values == 1 ? OK : ERROR;

static int mix(const Mixer *m, double *y, size_t values)
{
    if (values != 2)
        return ERROR;
    for (int r = 0; r < 2; r++)
        y[r] = m->on ? (double)m->k * (m->u[2 * r] + m->u[2 * r + 1]) + m->n + (double)m->mode : 0.0;
    return OK;
}

static int take(Mixer *m, const double *u, size_t values)
{
    if (values != 4)
        return ERROR;
    memcpy(m->u, u, sizeof m->u);
    return OK;
}

GET(Float64, double, case Y : return mix(m, x, values);)
SET(Float64, double, case U : return take(m, x, values);)
GET(Float32, float, ONE(K, x[0] = m->k))
SET(Float32, float, ONE(K, m->k = x[0]))
GET(Int8, int8_t, ONE(N, x[0] = m->n))
SET(Int8, int8_t, ONE(N, m->n = x[0]))
GET(Int64, int64_t, ONE(MODE, x[0] = m->mode))
SET(Int64, int64_t, ONE(MODE, m->mode = x[0]))
GET(UInt64, uint64_t, ONE(BIG2, x[0] = m->big + 1))
SET(UInt64, uint64_t, ONE(BIG, m->big = x[0]))
GET(Boolean, bool, ONE(ON, x[0] = m->on))
SET(Boolean, bool, ONE(ON, m->on = x[0]))
GET(UInt16, uint16_t, ONE(COUNT, x[0] = m->count))
SET(UInt16, uint16_t, default : break;)
