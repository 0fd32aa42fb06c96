// SPDX-License-Identifier: Apache-2.0
// The table of named values: search, look, set, plot. Values of the rows in sight are asked for
// once a second.
import { button, h, number } from "./dom";
import type { Answer, ValueInfo } from "./protocol";
import { find } from "./search";

export interface ValuesSource {
  values(run: number): ValueInfo[];
  runs(): number;
  get(run: number, name: string): Promise<Answer>;
  set(run: number, name: string, text: string): Promise<Answer>;
  plot(name: string): void;
}

const MOST_ROWS = 120;
const MOST_ASKED = 24;

interface Row {
  value: ValueInfo;
  element: HTMLElement;
  shown: HTMLElement;
  open: boolean;
}

export class ValuesPanel {
  readonly element: HTMLElement;
  private readonly input = h("input", { type: "search", placeholder: "Search values, or  name = 20 deg", spellcheck: false, autocomplete: "off" });
  private readonly reply = h("p", { className: "reply", hidden: true, data: { test: "set-reply" } });
  private readonly list = h("div", { className: "value-list" });
  private readonly count = h("p", { className: "hint" });
  private readonly only = h("input", { type: "checkbox" });
  private rows: Row[] = [];
  private run = 0;
  private readonly runPick = h("select", { title: "Which run" });
  private asking = false;

  constructor(private readonly source: ValuesSource) {
    this.input.setAttribute("aria-label", "Search values");
    this.input.dataset.test = "value-search";
    this.input.oninput = () => this.fill();
    this.input.onkeydown = (e) => this.key(e);
    this.only.onchange = () => this.fill();
    this.runPick.onchange = () => {
      this.run = Number(this.runPick.value);
      this.fill();
    };
    const filter = h("label", { className: "check", title: "Parameters and inputs" }, this.only, "only what can be set");
    this.element = h("div", { className: "tab-body values" }, this.input, h("div", { className: "row" }, filter, this.runPick), this.reply, this.list, this.count);
  }

  /** The table arrived or changed. */
  reset(): void {
    this.runPick.replaceChildren(...Array.from({ length: this.source.runs() }, (_, k) => h("option", { value: String(k) }, k === 0 ? "run A" : "run B")));
    this.runPick.hidden = this.source.runs() < 2;
    this.fill();
  }

  search(text: string): void {
    this.input.value = text;
    this.fill();
    this.input.focus();
  }

  /** `name = value` sets at once; Enter on a search opens its first row. */
  private key(e: KeyboardEvent): void {
    e.stopPropagation();
    if (e.key === "Escape") this.input.blur();
    if (e.key !== "Enter") return;
    const match = /^\s*(\S+)\s*=\s*(.+?)\s*$/.exec(this.input.value);
    if (match) void this.set(match[1], match[2]);
    else if (this.rows.length > 0) this.toggle(this.rows[0]);
  }

  private async set(name: string, text: string): Promise<void> {
    const answer = await this.source.set(this.run, name, text);
    this.reply.hidden = false;
    this.reply.className = answer.ok ? "reply ok" : "reply bad";
    this.reply.textContent = answer.text || (answer.ok ? `${name} is set` : "not done");
    await this.ask();
  }

  private fill(): void {
    const text = this.input.value.split("=")[0].trim();
    let values = this.source.values(this.run);
    if (this.only.checked) values = values.filter((v) => v.writable);
    const found = find(values, text, MOST_ROWS);
    this.rows = found.hits.map((value) => this.makeRow(value));
    this.list.replaceChildren(...this.rows.map((row) => row.element));
    const hidden = found.total - found.hits.length;
    this.count.textContent = found.total === 0 ? "No value has such a name." : hidden > 0 ? `${hidden} more: type on` : "";
    void this.ask();
  }

  private makeRow(value: ValueInfo): Row {
    const shown = h("b", {}, "");
    const head = h(
      "button",
      { type: "button", className: "value-head", title: value.doc },
      h("span", {}, value.name),
      shown,
      h("em", {}, value.unit),
    );
    const plot = button("", `Plot ${value.name}`, () => this.source.plot(value.name), "plus", "quiet tiny");
    plot.title = "Plot this value";
    const element = h("div", { className: `value ${value.writable ? "writable" : ""}`, data: { name: value.name } }, h("div", { className: "row" }, head, plot));
    const row: Row = { value, element, shown, open: false };
    head.onclick = () => this.toggle(row);
    return row;
  }

  private toggle(row: Row): void {
    row.open = !row.open;
    row.element.querySelector(".value-more")?.remove();
    if (!row.open) return;
    const more = h("div", { className: "value-more" }, h("p", {}, row.value.doc || "No description."), h("p", { className: "hint" }, row.value.kind));
    if (row.value.writable) more.append(this.form(row.value));
    row.element.append(more);
    more.querySelector("input")?.focus();
  }

  private form(value: ValueInfo): HTMLElement {
    const input = h("input", { type: "text", placeholder: value.unit ? `new value, e.g. 0.5 ${value.unit}` : "new value", spellcheck: false });
    input.setAttribute("aria-label", `New value of ${value.name}`);
    input.onkeydown = (e) => e.stopPropagation();
    const form = h("form", { className: "row" }, input, h("button", { type: "submit", className: "primary" }, "Set"));
    form.onsubmit = (e) => {
      e.preventDefault();
      if (input.value.trim()) void this.set(value.name, input.value.trim());
    };
    return form;
  }

  /** Asks for the values of the rows in sight. */
  async ask(): Promise<void> {
    if (this.asking || this.element.offsetParent === null) return;
    this.asking = true;
    const box = this.list.getBoundingClientRect();
    const visible = this.rows.filter((row) => {
      const r = row.element.getBoundingClientRect();
      return r.bottom > box.top && r.top < box.bottom;
    });
    await Promise.all(visible.slice(0, MOST_ASKED).map((row) => this.askRow(row)));
    this.asking = false;
  }

  private async askRow(row: Row): Promise<void> {
    const answer = await this.source.get(this.run, row.value.name);
    const value = typeof answer.value === "number" ? number(answer.value) : answer.value === undefined || answer.value === null ? "" : String(answer.value);
    row.shown.textContent = answer.ok ? value : "";
  }
}
