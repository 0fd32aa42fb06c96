// SPDX-License-Identifier: Apache-2.0
// Short notes that go by themselves, the banner of the connection, and the sheet of keys.
import { button, h } from "./dom";

export class Notes {
  readonly element = h("div", { className: "notes", role: "status" });
  constructor() {
    this.element.setAttribute("aria-live", "polite");
  }

  say(text: string, bad = false): void {
    if (!text) return;
    const note = h("div", { className: bad ? "note bad" : "note" }, text);
    this.element.append(note);
    while (this.element.children.length > 4) this.element.firstChild?.remove();
    setTimeout(() => note.remove(), bad ? 8000 : 3500);
  }
}

export class Banner {
  readonly element = h("div", { className: "banner", hidden: true, role: "alert" });
  show(title: string, text: string, action?: { label: string; run: () => void }): void {
    this.element.hidden = false;
    this.element.replaceChildren(h("b", {}, title), h("span", {}, text));
    if (action) this.element.append(button(action.label, action.label, action.run));
  }
  hide(): void {
    this.element.hidden = true;
  }
}

export const KEYS: [string, string][] = [
  ["Space", "Pause or go on"],
  [".", "One step"],
  ["R", "Restart"],
  ["L", "Back to the newest moment"],
  ["← →", "Earlier, later"],
  ["+ −", "Faster, slower"],
  ["1 2 4", "Number of viewports"],
  ["O C P B F", "Camera: orbit, chase, plan, on board, fixed"],
  ["Home", "Camera back to the robot"],
  ["G", "Grid"],
  ["K", "Contacts and forces"],
  ["T", "Wheel tracks"],
  ["A", "Frame axes"],
  ["N", "Names"],
  ["M", "Place the robot by dragging"],
  ["/", "Search a value to plot"],
  ["V", "Values: look and set"],
  ["X", "Panel on and off"],
  ["D", "Light or dark"],
  ["?", "This sheet"],
];

export class Help {
  readonly element: HTMLDialogElement;
  constructor() {
    const rows = KEYS.map(([keys, text]) => h("div", { className: "key-row" }, h("kbd", {}, keys), h("span", {}, text)));
    this.element = h(
      "dialog",
      { className: "help" },
      h("h2", {}, "Keys and gestures"),
      h("div", { className: "key-grid" }, ...rows),
      h(
        "p",
        { className: "hint" },
        "Drag: turn. Shift or right button and drag: shift. Wheel: zoom. Double click: back to the robot. Click on a body: its values. " +
          "In a plot: drag to zoom, double click for all, Ctrl and click to go to that moment.",
      ),
    );
    this.element.append(button("Close", "Close", () => this.element.close(), undefined, "primary"));
  }
  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
