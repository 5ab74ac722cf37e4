#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""c_page.py HEADER: prints the page of a C header: its declarations with the comments before or behind them.

NOTE: comments are plain ones; the first one of the file after the licence is the page's beginning ("NAME: ..."; what is
indented is code), and one like "---- Recordings ----" begins a section. Functions may have bodies (static inline)."""
import re
import sys
from pathlib import Path

TOKEN = re.compile(r"/\*(?P<comment>.*?)\*/"
                   r"|(?P<constant>^#define (?!ECHOLUX_API)\w+ [^\n/]+?(?= */\*)|^enum \{[^}]*\};)"
                   r"|(?P<code>^(?:typedef|ECHOLUX_API)\b[^;{]*(?:\{.*?\})?[^;]*;"
                   r"|^static inline [^{]*\{.*?^\}$)", re.S | re.M)


def text_of(comment):
    """Paragraphs of a comment as reStructuredText."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    paragraphs = "\n".join(lines).split("\n\n")
    return "\n\n".join(paragraph_of(each) for each in paragraphs)


def paragraph_of(text):
    if text.startswith("  "):
        return f".. code-block:: c\n\n{text}"
    text = re.sub(r"([\\*|])", r"\\\1", text)
    text = re.sub(r"`([^`\n]+)`", r"``\1``", text)
    return re.sub(r"\b(echolux_\w+)\(\)", r":c:func:`\1`", text)


def begun(text):
    return text[:1].upper() + text[1:]


def indented(text):
    return "".join(f"   {line}\n" if line else "\n" for line in text.splitlines())


def directive(kind, declaration, text):
    return f".. c:{kind}:: {declaration}\n\n{indented(text)}\n"


def page_of_enum(code, text):
    body, name = re.search(r"\{(.*)\}\s*(\w+);", code, re.S).groups()
    entries = re.findall(r"(\w+) = (\d+),?\s*(?:/\*(.*?)\*/)?", body, re.S)
    rows = "".join(directive("enumerator", f"{entry} = {value}", text_of(comment)) for entry, value, comment in entries)
    return directive("enum", name, f"{text}\n\n{rows}")


def page_of_struct(code, text):
    body, name = re.search(r"\{(.*)\}\s*(\w+);", code, re.S).groups()
    members = re.findall(r"^\s*([^;\n]+?);\s*(?:/\*(.*?)\*/)?", body, re.S | re.M)
    rows = "".join(directive("member", member, text_of(comment)) for member, comment in members)
    return directive("struct", name, f"{text}\n\n{rows}")


def page_of_constant(code, text):
    if code.startswith("#define"):
        _, name, value = code.split(maxsplit=2)
        return directive("macro", name, f"``{value}``: {text}")
    entries = re.findall(r"(\w+) = (\w+)", code)
    return "".join(directive("macro", name, f"``{value}``: {text}") for name, value in entries)


def page_of_declaration(code, text):
    if code.startswith("typedef enum"):
        return page_of_enum(code, text)
    if code.startswith("typedef struct") and "{" in code:
        return page_of_struct(code, text)
    code = " ".join(re.sub(r"\{.*", "", code, flags=re.S).rstrip("; \n").split())
    if code.startswith("typedef struct"):
        return directive("struct", code.split()[-1], text)
    return directive("function", re.sub(r"^(ECHOLUX_API|static inline) ", "", code), text)


def page_of(header):
    tokens = list(TOKEN.finditer(header))
    name, beginning = text_of(tokens[1]["comment"]).split(": ", 1)
    title = f"The C {'header' if name.endswith('.h') else 'library'} {name}"
    out = [f"{title}\n{'=' * len(title)}\n\n{begun(beginning)}\n\n"]
    before = ""
    for i, token in enumerate(tokens[2:], 2):
        comment = token["comment"]
        if comment is None:
            behind = tokens[i + 1] if i + 1 < len(tokens) else None
            same_line = behind is not None and behind["comment"] is not None and "\n" not in header[token.end():behind.start()]
            own = text_of(behind["comment"]) if same_line else ""
            if token["constant"]:
                out.append(page_of_constant(token["constant"], own))
                continue
            out.append(page_of_declaration(token["code"], f"{before}\n{begun(own)}".strip()))
            before = ""
        elif section := re.match(r" ---- (.*?) -+ $", comment):
            out.append(f"{section[1]}\n{'-' * len(section[1])}\n\n")
        elif not header[:token.start()].rpartition("\n")[2].strip():
            before = text_of(comment)
    return "".join(out)


if __name__ == "__main__":
    print(page_of(Path(sys.argv[1]).read_text()))
