// SPDX-License-Identifier: Apache-2.0
// A few lines that make elements, and the icons. Nothing is set through HTML text, so no message
// can become markup.

type Child = Node | string | null | false;
type Props<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], "style" | "dataset">> & {
  data?: Record<string, string>;
  aria?: Record<string, string>;
};

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { data, aria, ...rest } = props;
  Object.assign(element, rest);
  for (const [key, value] of Object.entries(data ?? {})) element.dataset[key] = value;
  for (const [key, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${key}`, value);
  for (const child of children) if (child !== null && child !== false) element.append(child);
  return element;
}

// Icons: paths on a 16 x 16 field, drawn by us.
const ICONS: Record<string, string> = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  step: "M3 2.5v11l7-5.5zM11 2.5h2v11h-2z",
  restart: "M8 2.2a5.8 5.8 0 1 0 5.8 5.8h-1.8A4 4 0 1 1 8 4v2.6L12.2 3.3 8 0z",
  flag: "M3 1.5h1.6v1H13l-2.2 3L13 8.5H4.6v6H3z",
  hand: "M7.2 1h1.6v5.2l3.4-3.4 1 1-3.4 3.4H15v1.6H9.8l3.4 3.4-1 1-3.4-3.4V15H7.2V9.8l-3.4 3.4-1-1 3.4-3.4H1V7.2h5.2L2.8 3.8l1-1 3.4 3.4z",
  one: "M2 3h12v10H2zM3.5 4.5v7h9v-7z",
  two: "M2 3h12v10H2zM3.5 4.5v7h3.75v-7zM8.75 4.5v7h3.75v-7z",
  four: "M2 2h12v12H2zM3.5 3.5v3.75h3.75V3.5zM8.75 3.5v3.75h3.75V3.5zM3.5 8.75v3.75h3.75V8.75zM8.75 8.75v3.75h3.75V8.75z",
  layers: "M8 1.5 15 5 8 8.5 1 5zM2.6 7.6 8 10.3l5.4-2.7L15 8.4 8 12 1 8.4zM2.6 10.9 8 13.6l5.4-2.7 1.6.8L8 15.3 1 11.7z",
  plus: "M7.2 2.5h1.6v4.7h4.7v1.6H8.8v4.7H7.2V8.8H2.5V7.2h4.7z",
  cross: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  gravity: "M7.2 1.5h1.6v8.2l2.9-2.9 1.1 1.1L8 12.7 3.2 7.9l1.1-1.1 2.9 2.9zM2.5 13.4h11V15h-11z",
  help: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.2 10.6h1.6v1.6H7.2zM8 3.9c1.6 0 2.7 1 2.7 2.4 0 1.1-.6 1.7-1.2 2.2-.5.4-.7.6-.7 1.2H7.2c0-1.3.7-1.9 1.3-2.4.4-.3.6-.5.6-1 0-.6-.4-1-1.1-1s-1.1.5-1.1 1.2H5.3C5.3 4.900 6.400 3.900 8 3.900z",
  light: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.500v11a5.500 5.500 0 0 1 0-11z",
  panel: "M1.500 2.500h13v11h-13zM3 4v8h6.500V4zM11 4v8h2V4z",
  link: "M6.500 4.500h-2a3.500 3.500 0 0 0 0 7h2V10h-2a2 2 0 0 1 0-4h2zM9.500 4.500h2a3.500 3.500 0 0 1 0 7h-2V10h2a2 2 0 0 0 0-4h-2zM5.200 7.250h5.600v1.500H5.200z",
  target: "M7.250 1h1.500v2.060A5 5 0 0 1 12.940 7.250H15v1.500h-2.060a5 5 0 0 1-4.190 4.190V15h-1.500v-2.060a5 5 0 0 1-4.190-4.190H1v-1.500h2.060a5 5 0 0 1 4.190-4.190zM8 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
};

export function icon(name: keyof typeof ICONS & string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function button(label: string, title: string, click: () => void, glyph?: string, className = ""): HTMLButtonElement {
  const element = h("button", { type: "button", title, className, onclick: click });
  element.setAttribute("aria-label", label || title);
  if (glyph) element.append(icon(glyph));
  if (label) element.append(h("span", {}, label));
  return element;
}

/** A row of buttons of which one is chosen. */
export function segmented<T extends string>(
  options: { value: T; label: string; title?: string }[],
  get: () => T,
  set: (value: T) => void,
  className = "",
): { element: HTMLElement; update: () => void } {
  const element = h("div", { className: `segmented ${className}`, role: "group" });
  const buttons = options.map((option) => {
    const b = h("button", { type: "button", title: option.title ?? option.label, data: { value: option.value } }, option.label);
    b.onclick = () => {
      set(option.value);
      update();
    };
    element.append(b);
    return b;
  });
  const update = (): void => {
    for (const b of buttons) b.setAttribute("aria-pressed", String(b.dataset.value === get()));
  };
  update();
  return { element, update };
}

/** Digits that fit a narrow column. */
export function number(x: number): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const a = Math.abs(x);
  if (a >= 1e6 || a < 1e-4) return x.toExponential(3);
  return String(Number(x.toPrecision(5)));
}

export function clock(t: number): string {
  if (!Number.isFinite(t)) return "–";
  const sign = t < 0 ? "-" : "";
  const a = Math.abs(t);
  if (a < 60) return `${sign}${a.toFixed(2)} s`;
  const s = Math.floor(a);
  const parts = [Math.floor(s / 60) % 60, s % 60].map((v) => String(v).padStart(2, "0"));
  const hours = Math.floor(s / 3600);
  return `${sign}${hours > 0 ? `${hours}:` : ""}${parts.join(":")}.${String(Math.floor((a - s) * 10))}`;
}
