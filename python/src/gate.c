// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gates: threads take tickets and are served in order, so that a long run lets a reader in after
/// the tick.
#include "core.h"

enum { NESTED = 16 };

// Gates that this thread is inside of by a call from a tick into Python, the innermost last.
static _Thread_local Gate *calls[NESTED];
static _Thread_local int call_count;

void gate_init(Gate *g)
{
    pthread_mutex_init(&g->mutex, NULL);
    pthread_cond_init(&g->turn, NULL);
    g->next = g->serving = 0;
}

void gate_free(Gate *g)
{
    pthread_cond_destroy(&g->turn);
    pthread_mutex_destroy(&g->mutex);
}

void gate_begin_call(Gate *g)
{
    if (call_count < NESTED)
        calls[call_count] = g;
    call_count++;
}

void gate_end_call(void)
{
    call_count--;
}

/// Whether this thread would wait for itself.
static bool is_inside(const Gate *g)
{
    for (int i = 0; i < call_count && i < NESTED; i++)
        if (calls[i] == g)
            return true;
    return false;
}

bool gate_enter(Gate *g)
{
    if (call_count > 0 && is_inside(g)) {
        core_refuse("the simulation is in the middle of a tick: a device reads its inputs and writes its outputs, "
                    "nothing else");
        return false;
    }
    pthread_mutex_lock(&g->mutex);
    const unsigned long ticket = g->next++;
    const bool at_once = ticket == g->serving;
    pthread_mutex_unlock(&g->mutex);
    if (at_once)
        return true;
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&g->mutex);
    while (ticket != g->serving)
        pthread_cond_wait(&g->turn, &g->mutex);
    pthread_mutex_unlock(&g->mutex);
    PyEval_RestoreThread(thread);
    return true;
}

void gate_leave(Gate *g)
{
    pthread_mutex_lock(&g->mutex);
    g->serving++;
    const bool wanted = g->next != g->serving;
    pthread_mutex_unlock(&g->mutex);
    if (wanted)
        pthread_cond_broadcast(&g->turn);
}

bool gate_is_wanted(Gate *g)
{
    return atomic_load_explicit(&g->next, memory_order_relaxed) - g->serving > 1; // serving is ours to change
}
