// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign report`: one HTML page that opens without a network, with pictures as SVG
/// inside; and the same numbers as JSON.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>

#include "campaign/campaign_facts.h"
#include "json.h"

// -------------------------------------------------------------------------------------------- JSON

static void json_interval(Json *j, const char *key, RiInterval i)
{
    const double ends[2] = {i.low, i.high};
    json_open(j, key, '[');
    json_number(j, NULL, ends[0]);
    json_number(j, NULL, ends[1]);
    json_close(j, ']');
}

static void json_result(Json *j, const Facts *f, int i)
{
    const FactResult *r = &f->results[i];
    const RiCampaignPlan *p = f->c->plan;
    json_open(j, NULL, '{');
    json_string(j, "name", p->results[i].name);
    json_string(j, "value", p->results[i].value);
    json_string(j, "take", ri_take_name(p->results[i].take));
    json_int(j, "runs", r->count);
    json_number(j, "mean", r->mean);
    json_interval(j, "mean_interval", r->mean_interval);
    json_number(j, "sd", r->sd);
    json_number(j, "least", r->least);
    json_number(j, "greatest", r->greatest);
    json_open(j, "quantiles", '[');
    for (int q = 0; q < FACT_QUANTILES; q++) {
        json_open(j, NULL, '{');
        json_number(j, "share", fact_shares[q]);
        json_number(j, "value", r->quantiles[q].value);
        json_interval(j, "interval", r->quantiles[q].interval);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "dispersions", '[');
    for (int d = 0; r->pairs && d < p->design.dimensions; d++) {
        const FactPair *x = &r->pairs[d];
        json_open(j, NULL, '{');
        json_string(j, "name", p->dispersions[d].name);
        json_number(j, "pearson", x->pearson);
        json_number(j, "spearman", x->spearman);
        json_number(j, "mean_of_lowest_fifth", x->low_mean);
        json_number(j, "mean_of_highest_fifth", x->high_mean);
        if (p->design.kind == RI_DESIGN_SALTELLI) {
            json_number(j, "first", x->index.first);
            json_interval(j, "first_interval", x->index.first_interval);
            json_number(j, "total", x->index.total);
            json_interval(j, "total_interval", x->index.total_interval);
            json_numbers(j, "convergence_first", x->step_first, FACT_STEPS);
            json_numbers(j, "convergence_total", x->step_total, FACT_STEPS);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
    json_int(j, "independent_runs", r->independent);
    json_numbers(j, "convergence_mean", r->step_mean, FACT_STEPS);
    json_numbers(j, "convergence_half_width", r->step_half, FACT_STEPS);
    json_close(j, '}');
}

static int count_reason(const RiTable *t, int reason, int *out_first)
{
    int n = 0;
    *out_first = -1;
    for (int i = t->count - 1; i >= 0; i--)
        if (t->runs[i].reason == reason) {
            n++;
            *out_first = t->runs[i].run;
        }
    return n;
}

CliExit campaign_write_json(Campaign *c, FILE *out)
{
    Facts f;
    Json j = {.out = out};
    CliExit code = facts_compute(c, &f);
    if (code == CLI_DONE) {
        json_open(&j, NULL, '{');
        json_string(&j, "campaign", c->plan->name);
        json_string(&j, "scene", c->plan->scene);
        json_string(&j, "sampling", ri_design_kind_name(c->plan->design.kind));
        json_int(&j, "runs", f.t.count);
        json_int(&j, "finished", f.finished);
        json_int(&j, "success", f.success);
        json_int(&j, "independent_runs", f.trials);
        json_interval(&j, "success_exact_95", f.exact);
        json_interval(&j, "success_wilson_95", f.wilson);
        json_int(&j, "left_validity", f.flagged);
        json_int(&j, "stopped", f.t.stopped);
        if (f.trials) {
            json_numbers(&j, "convergence_success", f.step_share, FACT_STEPS);
            json_numbers(&j, "convergence_success_low", f.step_low, FACT_STEPS);
            json_numbers(&j, "convergence_success_high", f.step_high, FACT_STEPS);
        }
        json_open(&j, "results", '[');
        for (int i = 0; i < c->plan->result_count; i++)
            json_result(&j, &f, i);
        json_close(&j, ']');
        json_open(&j, "failures", '[');
        for (int i = 0; i < f.t.reason_count; i++) {
            int first;
            char command[2 * PATH_MAX];
            json_open(&j, NULL, '{');
            json_string(&j, "reason", f.t.reasons[i]);
            json_int(&j, "runs", count_reason(&f.t, i, &first));
            json_int(&j, "first", first);
            campaign_replay_command(c, first, command, sizeof command);
            json_string(&j, "replay", command);
            json_close(&j, '}');
        }
        json_close(&j, ']');
        json_close(&j, '}');
    }
    facts_free(&f);
    return code;
}

// -------------------------------------------------------------------------------------------- HTML

static void html_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

static void html_number(FILE *out, const char *tag, double x)
{
    if (isnan(x))
        fprintf(out, "<%s>-</%s>", tag, tag);
    else
        fprintf(out, "<%s>%.5g</%s>", tag, x, tag);
}

/// A box in which numbers are drawn; y points upwards.
typedef struct Frame {
    FILE *out;
    double x0, x1, y0, y1; ///< ranges
    int width, height;     ///< [px]
} Frame;

enum { LEFT = 58, BOTTOM = 32, TOP = 10, RIGHT = 12, LINE_HEIGHT = 12, INDEX_LINES = 12 };

static const char *const index_colours[INDEX_LINES] = {"#3b6fa5", "#c0504d", "#4d8c57", "#8064a2",
                                                       "#d08a2e", "#2f8f9d", "#7f7f7f", "#a0522d",
                                                       "#c71585", "#556b2f", "#191970", "#b8860b"};

static double px(const Frame *f, double x)
{
    return LEFT + (x - f->x0) / (f->x1 - f->x0) * (f->width - LEFT - RIGHT);
}

static double py(const Frame *f, double y)
{
    return f->height - BOTTOM - (y - f->y0) / (f->y1 - f->y0) * (f->height - BOTTOM - TOP);
}

static void widen(double *low, double *high)
{
    if (!(*high > *low)) {
        *low -= 0.5 + 0.01 * fabs(*low);
        *high += 0.5 + 0.01 * fabs(*high);
    }
}

static void begin_frame(Frame *f, const char *x_label, const char *y_label)
{
    widen(&f->x0, &f->x1);
    widen(&f->y0, &f->y1);
    fprintf(f->out, "<svg width='%d' height='%d' viewBox='0 0 %d %d'>", f->width, f->height, f->width, f->height);
    fprintf(f->out, "<path class='axis' d='M%d %dV%dH%d'/>", LEFT, TOP, f->height - BOTTOM, f->width - RIGHT);
    for (int i = 0; i <= 4; i++) {
        const double x = f->x0 + 0.25 * i * (f->x1 - f->x0), y = f->y0 + 0.25 * i * (f->y1 - f->y0);
        fprintf(f->out, "<text x='%.1f' y='%d' text-anchor='%s'>%.4g</text>", i < 4 ? px(f, x) : f->width - 1.0,
                f->height - BOTTOM + 13, i < 4 ? "middle" : "end", x);
        fprintf(f->out, "<text x='%d' y='%.1f' text-anchor='end'>%.4g</text>", LEFT - 4, py(f, y) + 3, y);
    }
    fprintf(f->out, "<text x='%d' y='%d' text-anchor='middle'>", (LEFT + f->width) / 2, f->height - 4);
    html_text(f->out, x_label);
    fprintf(f->out, "</text><text transform='translate(11 %d) rotate(-90)' text-anchor='middle'>", f->height / 2);
    html_text(f->out, y_label);
    fprintf(f->out, "</text>");
}

static void draw_histogram(FILE *out, const FactResult *r, const char *name)
{
    int most = 1;
    for (int i = 0; i < FACT_BINS; i++)
        most = r->bins[i] > most ? r->bins[i] : most;
    Frame f = {out, r->bin_low, r->bin_low + FACT_BINS * r->bin_width, 0, most, 420, 210};
    begin_frame(&f, name, "runs");
    for (int i = 0; i < FACT_BINS; i++) {
        const double x = px(&f, r->bin_low + i * r->bin_width), y = py(&f, r->bins[i]);
        fprintf(out, "<rect class='bar' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>", x, y,
                px(&f, r->bin_low + (i + 1) * r->bin_width) - x - 0.6, f.height - BOTTOM - y);
    }
    const double marks[] = {r->quantiles[1].value, r->quantiles[3].value, r->quantiles[5].value};
    for (int i = 0; i < 3; i++)
        fprintf(out, "<path class='mark' d='M%.1f %dV%d'/>", px(&f, marks[i]), TOP, f.height - BOTTOM);
    fprintf(out, "</svg>");
}

/// A line through an estimate after each fortieth of what the x axis counts. The first two are left
/// out: they would set the scale. So are those that are not finite.
static void draw_steps(const Frame *f, const char *style, const double *y)
{
    bool begun = false;
    fprintf(f->out, "<path class='%s' d='", style);
    for (int i = 2; i < FACT_STEPS; i++)
        if (isfinite(y[i])) {
            fprintf(f->out, "%c%.1f %.1f", begun ? 'L' : 'M', px(f, (i + 1) * f->x1 / FACT_STEPS), py(f, y[i]));
            begun = true;
        }
    fprintf(f->out, "'/>");
}

static void draw_convergence(FILE *out, const FactResult *r, const char *name)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 2; i < FACT_STEPS; i++) {
        low = fmin(low, r->step_mean[i] - r->step_half[i]);
        high = fmax(high, r->step_mean[i] + r->step_half[i]);
    }
    if (!isfinite(low) || !isfinite(high))
        return;
    Frame f = {out, 0, r->independent, low, high, 420, 210};
    char label[200];
    snprintf(label, sizeof label, "mean of %.150s", name);
    begin_frame(&f, r->independent < r->count ? "independent runs" : "runs", label);
    for (int side = -1; side <= 1; side++) {
        double y[FACT_STEPS];
        for (int i = 0; i < FACT_STEPS; i++)
            y[i] = r->step_mean[i] + side * r->step_half[i];
        draw_steps(&f, side ? "band" : "line", y);
    }
    fprintf(out, "</svg>");
}

static void draw_success(const Facts *facts, FILE *out)
{
    if (facts->trials < 2)
        return;
    Frame f = {out, 0, facts->trials, 0, 1, 420, 210};
    begin_frame(&f, facts->trials < facts->finished ? "independent runs" : "runs", "probability of success");
    draw_steps(&f, "line", facts->step_share);
    draw_steps(&f, "band", facts->step_low);
    draw_steps(&f, "band", facts->step_high);
    fprintf(out, "</svg>");
}

/// Names at the right ends of lines, in their colours. They keep a distance from each other.
static void draw_ends(const Frame *f, const RiCampaignPlan *p, const double *ends, int count)
{
    int order[INDEX_LINES];
    double last = TOP;
    for (int i = 0; i < count; i++) {
        int k = i;
        for (; k > 0 && ends[i] > ends[order[k - 1]]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int i = 0; i < count; i++) {
        last = fmax(last + LINE_HEIGHT, py(f, ends[order[i]]) - 3);
        fprintf(f->out, "<text x='%d' y='%.1f' text-anchor='end' style='fill:%s'>", f->width - RIGHT, last,
                index_colours[order[i]]);
        html_text(f->out, p->dispersions[order[i]].name);
        fprintf(f->out, "</text>");
    }
}

/// Estimates of the indices of one result over the rows, each line with its dispersion's name.
static void draw_indices(const Facts *facts, FILE *out, int result, bool total)
{
    const FactResult *r = &facts->results[result];
    const RiCampaignPlan *p = facts->c->plan;
    const int d = p->design.dimensions < INDEX_LINES ? p->design.dimensions : INDEX_LINES;
    double low = 0.0, high = 1.0, ends[INDEX_LINES];
    for (int k = 0; k < d; k++) {
        const double *y = total ? r->pairs[k].step_total : r->pairs[k].step_first;
        for (int i = 2; i < FACT_STEPS; i++) {
            low = isfinite(y[i]) ? fmin(low, y[i]) : low;
            high = isfinite(y[i]) ? fmax(high, y[i]) : high;
        }
        ends[k] = isfinite(y[FACT_STEPS - 1]) ? y[FACT_STEPS - 1] : 0.0;
    }
    Frame f = {out, 0, r->rows, low, high, 420, 210};
    begin_frame(&f, "complete rows", total ? "total index" : "first-order index");
    for (int k = 0; k < d; k++) {
        char style[60];
        snprintf(style, sizeof style, "line' style='stroke:%s", index_colours[k]);
        draw_steps(&f, style, total ? r->pairs[k].step_total : r->pairs[k].step_first);
    }
    draw_ends(&f, p, ends, d);
    fprintf(out, "</svg>");
}

/// At most 1500 runs, evenly chosen; failures in red.
static void draw_scatter(const Facts *facts, FILE *out, int result, int dimension)
{
    const FactResult *r = &facts->results[result];
    const RiCampaignPlan *p = facts->c->plan;
    const double *x = facts->samples + (size_t)dimension * (size_t)facts->t.count;
    double low = INFINITY, high = -INFINITY;
    const int step = r->count / 1500 + 1;
    for (int i = 0; i < r->count; i += step) {
        low = fmin(low, x[r->runs[i]]);
        high = fmax(high, x[r->runs[i]]);
    }
    Frame f = {out, low, high, r->least, r->greatest, 300, 200};
    char label[300];
    const char *unit = p->dispersions[dimension].unit;
    snprintf(label, sizeof label, *unit ? "%.200s [%s]" : "%.200s%s", p->dispersions[dimension].name, unit);
    begin_frame(&f, label, p->results[result].name);
    for (int i = 0; i < r->count; i += step)
        fprintf(out, "<circle class='%s' cx='%.1f' cy='%.1f' r='1.8'/>",
                facts->t.runs[r->runs[i]].success ? "dot" : "bad", px(&f, x[r->runs[i]]), py(&f, r->values[i]));
    fprintf(out, "</svg>");
}

/// Bars from the mean over the lowest to that over the highest fifth of each dispersion, widest
/// first.
static void draw_tornado(const Facts *facts, FILE *out, int result)
{
    const FactResult *r = &facts->results[result];
    const RiCampaignPlan *p = facts->c->plan;
    const int d = p->design.dimensions, shown = d < 12 ? d : 12;
    int order[RI_DESIGN_DIMENSIONS];
    double low = r->mean, high = r->mean;
    for (int i = 0; i < d; i++) {
        int k = i;
        const double width = fabs(r->pairs[i].high_mean - r->pairs[i].low_mean);
        for (; k > 0 && width > fabs(r->pairs[order[k - 1]].high_mean - r->pairs[order[k - 1]].low_mean); k--)
            order[k] = order[k - 1];
        order[k] = i;
        low = fmin(low, fmin(r->pairs[i].low_mean, r->pairs[i].high_mean));
        high = fmax(high, fmax(r->pairs[i].low_mean, r->pairs[i].high_mean));
    }
    widen(&low, &high);
    const double scale = 300.0 / (high - low);
    fprintf(out, "<svg width='520' height='%d' viewBox='0 0 520 %d'>", 20 * shown + 24, 20 * shown + 24);
    for (int i = 0; i < shown; i++) {
        const FactPair *x = &r->pairs[order[i]];
        const double a = 200 + (x->low_mean - low) * scale, b = 200 + (x->high_mean - low) * scale;
        fprintf(out, "<text x='192' y='%d' text-anchor='end'>", 20 * i + 14);
        html_text(out, p->dispersions[order[i]].name);
        fprintf(out, "</text><rect class='%s' x='%.1f' y='%d' width='%.1f' height='13'/>", b > a ? "bar" : "bad",
                fmin(a, b), 20 * i + 4, fabs(b - a) + 1);
    }
    fprintf(out, "<path class='mark' d='M%.1f 0V%d'/>", 200 + (r->mean - low) * scale, 20 * shown + 4);
    fprintf(out, "<text x='200' y='%d'>%.4g</text><text x='500' y='%d' text-anchor='end'>%.4g</text></svg>",
            20 * shown + 18, low, 20 * shown + 18, high);
}

static void write_result(const Facts *f, FILE *out, int i)
{
    const FactResult *r = &f->results[i];
    const RiCampaignPlan *p = f->c->plan;
    fprintf(out, "<h2>");
    html_text(out, p->results[i].name);
    fprintf(out, "</h2><p><code>");
    html_text(out, p->results[i].value);
    fprintf(out, "</code>, taken: %s", ri_take_name(p->results[i].take));
    if (p->results[i].when) {
        fprintf(out, ", when <code>");
        html_text(out, p->results[i].when);
        fprintf(out, "</code>");
    }
    fprintf(out, ". Collected in %d of %d runs.</p>", r->count, f->t.count);
    if (!r->count)
        return;
    fprintf(out, "<p>Mean %.6g (95 %%: %.6g to %.6g), standard deviation %.4g, least %.6g, greatest %.6g.</p>", r->mean,
            r->mean_interval.low, r->mean_interval.high, r->sd, r->least, r->greatest);
    draw_histogram(out, r, p->results[i].name);
    draw_convergence(out, r, p->results[i].name);
    fprintf(out, "<table><tr><th>quantile</th>");
    for (int q = 0; q < FACT_QUANTILES; q++)
        fprintf(out, "<th>%g %%</th>", 100 * fact_shares[q]);
    fprintf(out, "</tr><tr><td>estimate</td>");
    for (int q = 0; q < FACT_QUANTILES; q++)
        html_number(out, "td", r->quantiles[q].value);
    fprintf(out, "</tr><tr><td>from (95 %%)</td>");
    for (int q = 0; q < FACT_QUANTILES; q++)
        html_number(out, "td", r->quantiles[q].interval.low);
    fprintf(out, "</tr><tr><td>to</td>");
    for (int q = 0; q < FACT_QUANTILES; q++)
        html_number(out, "td", r->quantiles[q].interval.high);
    fprintf(out, "</tr></table>");
    if (p->design.dimensions == 0)
        return;
    const bool indices = p->design.kind == RI_DESIGN_SALTELLI;
    fprintf(out, "<table><tr><th>dispersion</th><th>Pearson</th><th>Spearman</th>%s</tr>",
            indices ? "<th>first-order index</th><th>95 %</th><th>total index</th><th>95 %</th>" : "");
    for (int d = 0; d < p->design.dimensions; d++) {
        const FactPair *x = &r->pairs[d];
        fprintf(out, "<tr><td>");
        html_text(out, p->dispersions[d].name);
        fprintf(out, "</td>");
        html_number(out, "td", x->pearson);
        html_number(out, "td", x->spearman);
        if (indices && isnan(x->index.first))
            fprintf(out, "<td>-</td><td>-</td><td>-</td><td>-</td>");
        else if (indices)
            fprintf(out, "<td>%.4f</td><td>%.4f to %.4f</td><td>%.4f</td><td>%.4f to %.4f</td>", x->index.first,
                    x->index.first_interval.low, x->index.first_interval.high, x->index.total,
                    x->index.total_interval.low, x->index.total_interval.high);
        fprintf(out, "</tr>");
    }
    fprintf(out, "</table>");
    if (indices && r->rows > 1) {
        fprintf(out, "<p>Indices from %d complete rows, and how they came to rest:</p>", r->rows);
        draw_indices(f, out, i, false);
        draw_indices(f, out, i, true);
    }
    fprintf(out, "<p>Mean over the lowest and the highest fifth of each dispersion (red: falls):</p>");
    draw_tornado(f, out, i);
    fprintf(out, "<div>");
    for (int d = 0; d < p->design.dimensions && d < 12; d++)
        draw_scatter(f, out, i, d);
    fprintf(out, "</div>");
}

static void write_failures(const Facts *f, FILE *out)
{
    if (f->t.reason_count == 0)
        return;
    fprintf(out, "<h2>Runs without success</h2><table><tr><th>runs</th><th>reason</th><th>see one</th></tr>");
    for (int i = 0; i < f->t.reason_count; i++) {
        int first;
        char command[2 * PATH_MAX];
        const int n = count_reason(&f->t, i, &first);
        fprintf(out, "<tr><td>%d</td><td class='left'>", n);
        html_text(out, f->t.reasons[i]);
        fprintf(out, "</td><td class='left'><code class='copy' title='click to copy'>");
        campaign_replay_command(f->c, first, command, sizeof command);
        html_text(out, command);
        fprintf(out, " --pictures</code></td></tr>");
    }
    fprintf(out, "</table>");
}

static void write_page(const Facts *f, FILE *out)
{
    const RiCampaignPlan *p = f->c->plan;
    fprintf(out, "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>");
    html_text(out, p->name);
    fprintf(out, "</title><style>body{font:15px sans-serif;max-width:1000px;margin:2em auto;color:#222}"
                 "svg{margin:4px}text{font:10px sans-serif;fill:#444}.axis{stroke:#888;fill:none}.bar{fill:#4878a8}"
                 ".bad{fill:#c44e52}.dot{fill:#4878a8;opacity:.55}.mark{stroke:#c44e52;stroke-dasharray:3 2}"
                 ".line{stroke:#4878a8;fill:none;stroke-width:1.5}.band{stroke:#9bb;fill:none}"
                 "table{border-collapse:collapse;margin:8px 0}td,th{padding:3px 9px;text-align:right;border-bottom:1px "
                 "solid #ddd}"
                 ".left{text-align:left}code{background:#f3f3f3;padding:1px 4px}.copy{cursor:pointer}</style><h1>");
    html_text(out, p->name);
    fprintf(out, "</h1><p>");
    html_text(out, p->doc);
    fprintf(out, "</p><p>Scene <code>");
    html_text(out, p->scene);
    fprintf(out, "</code>, %s sampling of %d dispersions, %d of %d runs finished%s.</p>",
            ri_design_kind_name(p->design.kind), p->design.dimensions, f->finished, f->t.count,
            f->t.stopped >= 0 ? "; a stop rule was met" : "");
    fprintf(
        out,
        "<p><b>Success: %d of %d</b>, probability %.5g, exact interval (Clopper-Pearson, 95 %%) %.5g to %.5g, Wilson "
        "%.5g to %.5g.",
        f->success, f->finished, f->trials ? (double)f->trial_success / f->trials : NAN, f->exact.low, f->exact.high,
        f->wilson.low, f->wilson.high);
    if (p->success) {
        fprintf(out, " Success means <code>");
        html_text(out, p->success);
        fprintf(out, "</code>.");
    }
    fprintf(out, "</p>");
    if (f->trials < f->finished)
        fprintf(out,
                "<p>Probabilities, means, quantiles and their intervals are of the %d runs of the design's first two "
                "columns: the others repeat their values and are not independent of them.</p>",
                f->trials);
    draw_success(f, out);
    if (f->flagged)
        fprintf(out,
                "<p><b>%d runs left the assumptions of a model</b> (validity): their results are not to be relied on "
                "without a look.</p>",
                f->flagged);
    write_failures(f, out);
    for (int i = 0; i < p->result_count; i++)
        write_result(f, out, i);
    fprintf(out, "<script>for(const c of document.querySelectorAll('.copy'))c.onclick=()=>navigator.clipboard&&"
                 "navigator.clipboard.writeText(c.textContent)</script></html>\n");
}

CliExit campaign_write_report(Campaign *c, const char *path)
{
    Facts f;
    CliExit code = facts_compute(c, &f);
    if (code == CLI_DONE) {
        RiBeside beside;
        FILE *out = ri_beside_stream(&beside, path);
        int error = out ? 0 : errno;
        if (out) {
            write_page(&f, out);
            error = ri_beside_close(&beside, true);
        }
        if (error != 0) {
            cli_error("%s: cannot be written: %s", path, strerror(error));
            code = CLI_ENVIRONMENT;
        } else {
            printf("%s\n", path);
        }
    }
    facts_free(&f);
    return code;
}
