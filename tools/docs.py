#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual and the API reference as HTML, from docs/*.md and include/rille/*.h.

    tools/docs.py FOLDER [RILLE]    writes FOLDER/index.html and all pages; with the program, its man pages' texts as well
    tools/docs.py --check           only looks for broken links and pages that no other page leads to; 1 if there are any

It knows the Markdown that these pages use: headings, paragraphs, lists, tables, code, links, pictures, emphasis.
"""
import html
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STYLE = """
body{margin:0;font:16px/1.55 system-ui,'DejaVu Sans',sans-serif;color:#222;background:#fff;display:flex}
nav{flex:0 0 15rem;padding:1.2rem;background:#f4f2ee;min-height:100vh;font-size:14px;box-sizing:border-box}
nav a{display:block;padding:.12rem 0;color:#444;text-decoration:none}nav b{display:block;margin-top:.8rem}
main{flex:1;min-width:0;max-width:54rem;padding:1.2rem 2.5rem 5rem}a{color:#0f5ca0}
h1,h2,h3{line-height:1.25;margin:1.8em 0 .5em}h1{margin-top:.3em}
pre{background:#f6f6f4;border:1px solid #e4e2dc;border-radius:4px;padding:.7rem .9rem;overflow-x:auto;font-size:13.5px;line-height:1.4}
code{font-family:'DejaVu Sans Mono',Menlo,monospace;font-size:.88em;background:#f3f2ef;border-radius:3px;padding:0 .2em}
pre code{background:none;padding:0;font-size:inherit}img{max-width:100%}
table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}td,th{border:1px solid #dcdad4;padding:.3rem .6rem;text-align:left;vertical-align:top}
th{background:#f4f2ee}.api{border-left:3px solid #c9d8e6;padding-left:1rem;margin:1.4rem 0}.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1rem}
"""


# --- Markdown ------------------------------------------------------------------------------------

def slug(text):
    return re.sub(r"[^a-z0-9_ -]", "", re.sub(r"[`*\[\]]|\(.*?\)", "", text).lower()).strip().replace(" ", "-")


def inline(text, link):
    """Emphasis, code, links and pictures of a line of text."""
    kept = []

    def keep(piece):
        kept.append(piece)
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"(`+)(.+?)\1", lambda m: keep("<code>" + html.escape(m.group(2).replace("\\|", "|")) + "</code>"), text)
    text = re.sub(r"</?(?:code|sub|sup|br)>|&#?\w+;", lambda m: keep(m.group(0)), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: keep(f'<img src="{link(m.group(2))}" alt="{m.group(1)}">'), text)
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", lambda m: keep(f'<a href="{link(m.group(2))}">') + m.group(1) + keep("</a>"), text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m.group(1))], text)
    return text


def cells(line):
    line = line.strip().strip("|")
    return [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)", line)]


def table(lines, link):
    head, body = cells(lines[0]), [cells(x) for x in lines[2:]]
    row = lambda items, tag: "<tr>" + "".join(f"<{tag}>{inline(c, link)}</{tag}>" for c in items) + "</tr>"
    return "<table>" + (row(head, "th") if any(head) else "") + "".join(row(r, "td") for r in body) + "</table>"


def listing(lines, link):
    """A list; deeper items are lists of their own."""
    mark = re.compile(r"( *)(?:[-*]|\d+\.) +(.*)")
    items, indent = [], len(mark.match(lines[0]).group(1))
    ordered = lines[0].strip()[0].isdigit()
    for line in lines:
        m = mark.match(line)
        if m and len(m.group(1)) == indent:
            items.append([m.group(2)])
        else:
            items[-1].append(line)
    out = []
    for first, *rest in items:
        at = next((i for i, x in enumerate(rest) if mark.match(x)), len(rest))
        text = inline(" ".join([first] + [x.strip() for x in rest[:at]]), link)
        out.append(f"<li>{text}{listing(rest[at:], link) if rest[at:] else ''}</li>")
    tag = "ol" if ordered else "ul"
    return f"<{tag}>{''.join(out)}</{tag}>"


def render(text, link):
    lines = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S).split("\n")
    out, i = [], 0
    item = re.compile(r" *(?:[-*]|\d+\.) +\S")
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
        elif line.startswith("```"):
            end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("```")), len(lines))
            name = line[3:].split()[1:]
            out.append((f"<p><code>{html.escape(name[0])}</code></p>" if name else "") +
                       "<pre><code>" + html.escape("\n".join(lines[i + 1:end])) + "</code></pre>")
            i = end + 1
        elif line.startswith("    "):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            out.append("<pre><code>" + html.escape("\n".join(x[4:] for x in lines[i:end]).rstrip()) + "</code></pre>")
            i = end
        elif re.match(r"#+ ", line):
            level, title = len(line.split()[0]), line.lstrip("# ")
            out.append(f'<h{level} id="{slug(title)}">{inline(title, link)}</h{level}>')
            i += 1
        elif line.lstrip().startswith("|") and i + 1 < len(lines) and re.match(r"[ |:-]+$", lines[i + 1]):
            end = i
            while end < len(lines) and lines[end].lstrip().startswith("|"):
                end += 1
            out.append(table(lines[i:end], link))
            i = end
        elif item.match(line):
            end = i + 1
            while end < len(lines) and (item.match(lines[end]) or lines[end].startswith("  ")):
                end += 1
            out.append(listing(lines[i:end], link))
            i = end
        else:
            end = i + 1
            while end < len(lines) and lines[end].strip() and not re.match(r"#+ |```|\|", lines[end]) and not item.match(lines[end]):
                end += 1
            out.append("<p>" + inline(" ".join(lines[i:end]), link) + "</p>")
            i = end
    return "\n".join(out)


# --- headers -------------------------------------------------------------------------------------

def blocks(path):
    """(comment, declaration) of a header, the page's own comment first with an empty declaration."""
    lines = open(path).read().split("\n")
    out, comment, i, first = [], [], 0, True
    while i < len(lines):
        line = lines[i]
        if line.startswith("///"):
            comment.append(line[3:].removeprefix(" "))
        elif not line.strip() or line.startswith(("#include", "#if", "#endif", "#ifdef", "#ifndef", "#else", "//", 'extern "C"', "}")):
            if comment and first:
                out.append(("\n".join(x for x in comment if not x.startswith("\\file")), ""))
                first = False
                comment = []
            elif not line.strip():
                comment = []
        else:
            depth, taken = 0, []
            while i < len(lines):
                taken.append(lines[i])
                code = re.sub(r"//.*|\"[^\"]*\"", "", lines[i])
                depth += code.count("{") + code.count("(") - code.count("}") - code.count(")")
                macro = taken[0].startswith("#define")
                if (macro and not lines[i].endswith("\\")) or (not macro and depth <= 0 and re.search(r"[;}]\s*$", code)):
                    break
                i += 1
            text = "\n".join(taken)
            if comment or not taken[0].startswith("#define"):
                text = re.sub(r"(static inline [^{;]*\))\s*\{.*", r"\1;", text, flags=re.S)
                out.append(("\n".join(comment), text))
            comment = []
        i += 1
    return out


def comment_html(text, link):
    """Comments are prose, with drawings indented by four blanks and more."""
    return render(re.sub(r"\\(?:file|p|c) ?", "", text), link)


def header_page(path):
    link = lambda target: target
    out = []
    for comment, code in blocks(path):
        if not code:
            out.append(comment_html(comment, link))
            continue
        name = re.search(r"\b(ri_\w+|Ri\w+|RI_\w+)\s*(?:\(|\{|;)", code) or re.search(r"\b(ri_\w+|Ri\w+|RI_\w+)", code)
        out.append(f'<div class="api" id="{name.group(1) if name else ""}"><pre><code>{html.escape(code)}</code></pre>' +
                   comment_html(comment, link) + "</div>")
    return "\n".join(out)


# --- the site ------------------------------------------------------------------------------------

def sources():
    """Markdown files by their path below the project."""
    out = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    for folder, _, names in os.walk(os.path.join(ROOT, "docs")):
        out += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names if n.endswith(".md")]
    return [x for x in sorted(out) if os.path.exists(os.path.join(ROOT, x))]


def title_of(path):
    for line in open(os.path.join(ROOT, path)):
        if line.startswith("# "):
            return re.sub(r"[`*]", "", line[2:].strip())
    return path


def page_name(path):
    return "index.html" if path == "docs/README.md" else path.removesuffix(".md") + ".html"


def targets(path):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", open(os.path.join(ROOT, path)).read(), flags=re.S)
    text = "\n".join(x for x in text.split("\n") if not x.startswith("    "))
    return re.findall(r"\]\(([^)\s]+)\)", text)


def check():
    """Links that lead nowhere, and pages that nothing leads to."""
    bad, reached = [], {"README.md", "docs/README.md"}
    folders = set()
    for path in sources():
        for target in targets(path):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(os.path.join(ROOT, there)):
                bad.append(f"{path}: link to '{target}': there is no such file")
            elif anchor and there.endswith(".md"):
                heads = [slug(x.lstrip("# ")) for x in open(os.path.join(ROOT, there)) if re.match(r"#+ ", x)]
                if anchor not in heads:
                    bad.append(f"{path}: link to '{target}': the page has no such heading")
            (folders if os.path.isdir(os.path.join(ROOT, there)) else reached).add(there)
    for path in sources():
        if path not in reached and os.path.dirname(path) not in folders and path.startswith("docs/"):
            bad.append(f"{path}: no page leads to it")
    return bad


def write(folder, name, title, body, depth):
    up = "../" * depth
    parts = "".join(f'<a href="{up}{href}">{text}</a>' for text, href in (
        ("Manual", "index.html"), ("Read me", "README.html"), ("Gallery", "docs/gallery.html"), ("Concepts", "docs/concepts.html"),
        ("Your rover", "docs/tutorial-rover.html"), ("Your autonomy", "docs/tutorial-autonomy.html"), ("Scenes", "docs/scenes.html"),
        ("Theory", "docs/theory/index.html"), ("Decisions", "docs/decisions/index.html"), ("API", "api/index.html"),
        ("Commands", "man/index.html"), ("Changes", "CHANGELOG.html")))
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                f"<title>{html.escape(title)} - Rille</title><style>{STYLE}</style><nav><b>Rille</b>{parts}</nav>"
                f"<main>{body}</main></html>\n")


def manual_link(path):
    """Links between pages, from where `path` is; what is no page is shown at its place in the sources."""
    name = page_name(path)

    def link(target):
        if re.match(r"[a-z]+:|#", target):
            return target
        file, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), file))
        if there.endswith(".md"):
            to = page_name(there)
        elif there in ("docs/theory", "docs/decisions"):
            to = there + "/index.html"
        elif there.startswith("docs/images") or there.startswith("docs/"):
            to = there
        elif there == "include/rille" or there.startswith("include/rille/"):
            to = "api/" + (os.path.basename(there).replace(".h", ".html") if there.endswith(".h") else "index.html")
        else:
            return os.path.relpath(os.path.join(ROOT, there), os.path.join(out_folder, os.path.dirname(name)))
        return os.path.relpath(to, os.path.dirname(name) or ".") + ("#" + anchor if anchor else "")

    return link


out_folder = ""


def make_manual(folder):
    for path in sources():
        name = page_name(path)
        body = render(open(os.path.join(ROOT, path)).read(), manual_link(path))
        write(folder, name, title_of(path), body, name.count("/"))
    for part, title in (("theory", "Theory"), ("decisions", "Decisions")):
        names = [x for x in sources() if x.startswith(f"docs/{part}/")]
        items = "".join(f'<li><a href="{os.path.basename(x)[:-3]}.html">{html.escape(title_of(x))}</a></li>' for x in names)
        write(folder, f"docs/{part}/index.html", title, f"<h1>{title}</h1><ul>{items}</ul>", 2)
    shutil.copytree(os.path.join(ROOT, "docs", "images"), os.path.join(folder, "docs", "images"), dirs_exist_ok=True)
    shutil.copy(os.path.join(ROOT, "docs", "references.bib"), os.path.join(folder, "docs"))


def make_api(folder):
    headers = sorted(x for x in os.listdir(os.path.join(ROOT, "include", "rille")) if x.endswith(".h"))
    rows = ""
    for name in headers:
        path = os.path.join(ROOT, "include", "rille", name)
        found = blocks(path)
        about = found[0][0].strip().split("\n\n")[0].replace("\n", " ") if found and not found[0][1] else ""
        page = name.replace(".h", ".html")
        rows += f'<tr><td><a href="{page}"><code>rille/{name}</code></a></td><td>{html.escape(about)}</td></tr>'
        write(folder, "api/" + page, f"rille/{name}", f"<h1>rille/{name}</h1>" + header_page(path), 1)
    write(folder, "api/index.html", "API", f"<h1>API of the C library</h1><table>{rows}</table>", 1)
    return len(headers)


def make_man(folder, rille):
    """The man pages as text; without the program or a formatter there are none."""
    pages = os.path.join(folder, "man", "source")
    items = ""
    os.makedirs(os.path.dirname(pages), exist_ok=True)
    if rille and shutil.which("man") and subprocess.run([rille, "manual", "man", pages]).returncode == 0:
        for name in sorted(os.listdir(pages)):
            text = subprocess.run(["man", "-l", os.path.join(pages, name)], capture_output=True, text=True,
                                  env=dict(os.environ, MANWIDTH="100", MAN_KEEP_FORMATTING="", LC_ALL="C.UTF-8")).stdout
            title = name.removesuffix(".1").replace("-", " ")
            text = re.sub(".\b", "", text)
            write(folder, f"man/{name[:-2]}.html", title, f"<h1>{title}</h1><pre>{html.escape(text)}</pre>", 1)
            items += f'<li><a href="{name[:-2]}.html">{title}</a></li>'
    shutil.rmtree(pages, ignore_errors=True)
    write(folder, "man/index.html", "Commands", f"<h1>Commands</h1><ul>{items or '<li>made with the program only</li>'}</ul>", 1)
    return items.count("<li>")


def main():
    global out_folder
    if sys.argv[1:] == ["--check"]:
        bad = check()
        print("\n".join(bad) or "every link leads somewhere, every page is reached")
        return 1 if bad else 0
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    out_folder = os.path.abspath(sys.argv[1])
    os.makedirs(out_folder, exist_ok=True)
    make_manual(out_folder)
    headers = make_api(out_folder)
    commands = make_man(out_folder, os.path.abspath(sys.argv[2]) if len(sys.argv) == 3 else None)
    print(f"{sys.argv[1]}/index.html: {len(sources())} pages, {headers} headers, {commands} commands")
    return 0


if __name__ == "__main__":
    sys.exit(main())
