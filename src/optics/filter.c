// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chains of filters: reading their options, shared objects, running.
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/filter.h>

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/shared_object.h"

enum { LINKS = 64, PLUGINS = 16, CLASSES = 64, STATE = 64, WORD = 128 };

typedef struct Link {
    const RiFilterClass *class;
    double options[RI_FILTER_OPTIONS], state[STATE];
} Link;

struct RiFilterChain {
    RiContext *ctx;
    unsigned long long seed;
    int link_count, plugin_count, class_count;
    Link links[LINKS];
    void *plugins[PLUGINS];
    const RiFilterClass *classes[CLASSES]; ///< of plugins
    float *scratch;
    size_t scratch_size;
};

// --- random numbers ------------------------------------------------------------------------------

static unsigned long long mix(unsigned long long x)
{
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static double call_uniform(const RiFilterCall *c, unsigned long long index)
{
    const unsigned long long key = mix(c->seed ^ mix(c->stream)) ^ (c->fixed ? 0 : mix(c->frame + 1));
    return (double)(mix(mix(index) ^ key) >> 11) * 0x1p-53;
}

/// Box and Muller's cosine.
static double call_normal(const RiFilterCall *c, unsigned long long index)
{
    const double u = 1.0 - call_uniform(c, 2 * index), v = call_uniform(c, 2 * index + 1);
    return sqrt(-2.0 * ri_log(u)) * ri_cos(6.283185307179586477 * v);
}

// --- life ----------------------------------------------------------------------------------------

RiStatus ri_filter_chain_create(RiContext *ctx, unsigned long long seed, RiFilterChain **out_chain)
{
    *out_chain = ri_alloc_zero(ctx, 1, sizeof **out_chain);
    if (!*out_chain)
        return ri_error_memory(ctx);
    (*out_chain)->ctx = ctx, (*out_chain)->seed = seed;
    return RI_OK;
}

void ri_filter_chain_destroy(RiFilterChain *chain)
{
    if (!chain)
        return;
    for (int i = 0; i < chain->plugin_count; i++)
        dlclose(chain->plugins[i]);
    ri_release(chain->ctx, chain->scratch);
    ri_release(chain->ctx, chain);
}

int ri_filter_chain_count(const RiFilterChain *chain)
{
    return chain->link_count;
}

// --- shared objects ------------------------------------------------------------------------------

typedef const RiFilterClass *(*Entry)(int index);

static const RiFilterClass *find(const RiFilterChain *chain, const char *name)
{
    const RiFilterClass *class = ri_filter_find(name);
    for (int i = 0; !class && i < chain->class_count; i++)
        if (strcmp(chain->classes[i]->name, name) == 0)
            class = chain->classes[i];
    return class;
}

static RiStatus check_class(RiFilterChain *chain, const char *path, const RiFilterClass *k, int index)
{
    RiContext *ctx = chain->ctx;
    if (k->abi != RI_FILTER_ABI)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: filter %d: compiled for version %d of the interface; this is %d",
                        path, index, k->abi, RI_FILTER_ABI);
    if (!k->name || !*k->name || !k->doc || !k->apply)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: filter %d: lacks a name, a text or a function", path, index);
    if (find(chain, k->name))
        return ri_error(ctx, RI_ERR_FORMAT, "%s: there is a filter '%s' already", path, k->name);
    if (k->option_count < 0 || k->option_count > RI_FILTER_OPTIONS || k->state_count < 0 || k->state_count > STATE)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: filter '%s': %d options and %d states; allowed: %d and %d", path,
                        k->name, k->option_count, k->state_count, RI_FILTER_OPTIONS, STATE);
    for (int i = 0; i < k->option_count; i++) {
        const RiFilterOption *o = &k->options[i];
        if (!o->name || !o->doc || !(o->initial >= o->low && o->initial <= o->high))
            return ri_error(ctx, RI_ERR_FORMAT,
                            "%s: filter '%s': option %d lacks a name or a text, or its default is not allowed", path,
                            k->name, i);
    }
    return RI_OK;
}

RiStatus ri_filter_chain_plugin(RiFilterChain *chain, const char *path)
{
    RiContext *ctx = chain->ctx;
    void *handle;
    if (chain->plugin_count == PLUGINS)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: more than %d shared objects of filters", path, PLUGINS);
    RI_TRY(ri_shared_object_open(ctx, path, &handle));
    chain->plugins[chain->plugin_count++] = handle;
    Entry entry = NULL;
    void *symbol = dlsym(handle, "rille_filter");
    if (!symbol)
        return ri_error(ctx, RI_ERR_FORMAT,
                        "%s: exports no 'const RiFilterClass *rille_filter(int index)', see examples/filter", path);
    memcpy(&entry, &symbol, sizeof entry);
    int index = 0;
    for (const RiFilterClass *k; (k = entry(index)); index++) {
        RI_TRY(check_class(chain, path, k, index));
        if (chain->class_count == CLASSES)
            return ri_error(ctx, RI_ERR_LIMIT, "%s: more than %d filters", path, CLASSES);
        chain->classes[chain->class_count++] = k;
    }
    return index ? RI_OK : ri_error(ctx, RI_ERR_FORMAT, "%s: rille_filter(0) gives no filter", path);
}

// --- options -------------------------------------------------------------------------------------

/// Index of a word in "a|b|c"; -1.
static int choice_of(const char *choices, const char *word)
{
    const size_t n = strlen(word);
    int index = 0;
    for (const char *c = choices; n && *c; index++) {
        const size_t size = strcspn(c, "|");
        if (size == n && strncmp(c, word, n) == 0)
            return index;
        c += size + (c[size] == '|');
    }
    return -1;
}

static RiStatus set_option(RiFilterChain *chain, Link *link, const char *key, const char *value)
{
    const RiFilterClass *k = link->class;
    for (int i = 0; i < k->option_count; i++) {
        const RiFilterOption *o = &k->options[i];
        if (strcmp(o->name, key) != 0)
            continue;
        double x = o->choices ? choice_of(o->choices, value) : 0.0;
        if (o->choices && x < 0.0)
            return ri_error(chain->ctx, RI_ERR_ARGUMENT, "filter %s: %s = '%s'; allowed: %s", k->name, key, value,
                            o->choices);
        if (!o->choices && !(ri_number_parse(value, strlen(value), &x) && x >= o->low && x <= o->high))
            return ri_error(chain->ctx, RI_ERR_ARGUMENT, "filter %s: %s = '%s'; allowed: %g to %g %s", k->name, key,
                            value, o->low, o->high, o->unit ? o->unit : "");
        link->options[i] = x;
        return RI_OK;
    }
    return ri_error(chain->ctx, RI_ERR_ARGUMENT, "filter %s: has no option '%s'", k->name, key);
}

/// The next word of the text into a buffer; false at its end. A word that does not fit is cut, and
/// refused by whoever reads it.
static bool next_word(const char **text, char word[WORD])
{
    *text += strspn(*text, " ,\t");
    const size_t n = strcspn(*text, " ,\t");
    snprintf(word, WORD, "%.*s", (int)(n < WORD ? n : WORD - 1), *text);
    *text += n;
    return n > 0;
}

static RiStatus no_such(RiFilterChain *chain, const char *name)
{
    char list[1024] = "";
    for (int i = 0; ri_filter_class(i); i++) {
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", ri_filter_class(i)->name);
    }
    return ri_error(chain->ctx, RI_ERR_NOT_FOUND, "no filter '%s'; there are: %s", name, list);
}

RiStatus ri_filter_chain_add(RiFilterChain *chain, const char *text)
{
    char word[WORD];
    if (!next_word(&text, word))
        return ri_error(chain->ctx, RI_ERR_ARGUMENT, "a filter without a name");
    if (chain->link_count == LINKS)
        return ri_error(chain->ctx, RI_ERR_LIMIT, "more than %d filters in a chain", LINKS);
    Link link = {.class = find(chain, word)};
    if (!link.class)
        return no_such(chain, word);
    for (int i = 0; i < link.class->option_count; i++)
        link.options[i] = link.class->options[i].initial;
    while (next_word(&text, word)) {
        char *equals = strchr(word, '=');
        if (!equals)
            return ri_error(chain->ctx, RI_ERR_ARGUMENT, "filter %s: '%s' is not 'option=value'", link.class->name,
                            word);
        *equals = 0;
        RI_TRY(set_option(chain, &link, word, equals + 1));
    }
    chain->links[chain->link_count++] = link;
    return RI_OK;
}

// --- run -----------------------------------------------------------------------------------------

static RiStatus make_room(RiFilterChain *chain, const RiImage *im)
{
    const size_t need = (size_t)im->width * (size_t)im->height * 3;
    if (chain->scratch_size >= need)
        return RI_OK;
    float *grown = ri_resize(chain->ctx, chain->scratch, need, sizeof(float));
    if (!grown)
        return ri_error_memory(chain->ctx);
    chain->scratch = grown, chain->scratch_size = need;
    return RI_OK;
}

RiStatus ri_filter_chain_run(RiFilterChain *chain, const RiFilterLens *lens, unsigned long long frame, RiImage *image)
{
    if (image->width < 1 || image->height < 1 || (image->channels != 1 && image->channels != 3))
        return ri_error(chain->ctx, RI_ERR_ARGUMENT,
                        "filters: an image of %d x %d with %d channels; allowed: 1 or 3 channels", image->width,
                        image->height, image->channels);
    RI_TRY(make_room(chain, image));
    for (int i = 0; i < chain->link_count; i++) {
        Link *link = &chain->links[i];
        RiFilterCall call = {.image = image,
                             .options = link->options,
                             .lens = *lens,
                             .state = link->state,
                             .scratch = chain->scratch,
                             .uniform = call_uniform,
                             .normal = call_normal,
                             .seed = chain->seed,
                             .frame = frame,
                             .stream = (unsigned long long)i + 1};
        const char *trouble = link->class->apply(&call);
        if (trouble)
            return ri_error(chain->ctx, RI_ERR_ARGUMENT, "filter %s: %s", link->class->name, trouble);
    }
    return RI_OK;
}
