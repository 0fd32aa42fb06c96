// SPDX-License-Identifier: Apache-2.0
// Search over the table of named values: words in any order, `*` as in globs; a box with
// completion.
import { h } from "./dom";
import type { ValueInfo } from "./protocol";

/** How well a name fits; 0: not at all. Every word must occur; starts of name parts and short names come first. */
export function score(name: string, doc: string, words: string[]): number {
  let total = 1;
  const lower = name.toLowerCase();
  for (const word of words) {
    const at = word.includes("*") ? globAt(lower, word) : lower.indexOf(word);
    if (at >= 0) total += at === 0 || /[._\-\s]/.test(lower[at - 1]) ? 6 : 3;
    else if (doc.toLowerCase().includes(word)) total += 1;
    else return 0;
  }
  return total + 2 / (1 + name.length / 20);
}

function globAt(name: string, glob: string): number {
  const pattern = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return name.search(new RegExp(pattern));
}

export function find(values: ValueInfo[], text: string, most: number): { hits: ValueInfo[]; total: number } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { hits: values.slice(0, most), total: values.length };
  const scored: { value: ValueInfo; points: number }[] = [];
  for (const value of values) {
    const points = score(value.name, value.doc, words);
    if (points > 0) scored.push({ value, points });
  }
  scored.sort((a, b) => b.points - a.points);
  return { hits: scored.slice(0, most).map((s) => s.value), total: scored.length };
}

/** An input with a list of names under it. */
export class SearchBox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly list = h("ul", { className: "completion", role: "listbox", hidden: true });
  private hits: ValueInfo[] = [];
  private at = 0;

  constructor(
    placeholder: string,
    private readonly values: () => ValueInfo[],
    private readonly choose: (value: ValueInfo) => void,
    private readonly cancel: () => void = () => undefined,
  ) {
    this.input = h("input", { type: "search", placeholder, spellcheck: false, autocomplete: "off" });
    this.input.setAttribute("aria-label", placeholder);
    this.element = h("div", { className: "search" }, this.input, this.list);
    this.input.oninput = () => this.show();
    this.input.onfocus = () => this.show();
    this.input.onblur = () => setTimeout(() => (this.list.hidden = true), 150);
    this.input.onkeydown = (e) => this.key(e);
  }

  private show(): void {
    const found = find(this.values(), this.input.value, 40);
    this.hits = found.hits;
    this.at = 0;
    this.list.replaceChildren(
      ...this.hits.map((value, k) => {
        const item = h(
          "li",
          { role: "option", title: value.doc },
          h("span", {}, value.name),
          h("em", {}, value.unit),
          h("small", {}, value.kind),
        );
        item.onpointerdown = (e) => {
          e.preventDefault();
          this.take(k);
        };
        return item;
      }),
    );
    if (found.total > this.hits.length) this.list.append(h("li", { className: "more" }, `${found.total - this.hits.length} more: type on`));
    if (found.total === 0) this.list.append(h("li", { className: "more" }, "No value has such a name"));
    this.list.hidden = false;
    this.mark();
  }

  private mark(): void {
    [...this.list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === this.at && k < this.hits.length)));
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private key(e: KeyboardEvent): void {
    e.stopPropagation();
    if (e.key === "ArrowDown") this.at = Math.min(this.at + 1, this.hits.length - 1);
    else if (e.key === "ArrowUp") this.at = Math.max(this.at - 1, 0);
    else if (e.key === "Enter") this.take(this.at);
    else if (e.key === "Escape") {
      this.list.hidden = true;
      this.input.blur();
      this.cancel();
    } else return;
    e.preventDefault();
    this.mark();
  }

  private take(k: number): void {
    const value = this.hits[k];
    if (!value) return;
    this.input.value = "";
    this.list.hidden = true;
    this.choose(value);
  }
}
