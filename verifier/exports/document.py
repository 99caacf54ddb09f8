"""One HTML file that stands alone: head, style sheet, body, data of the cases that do not stand in it, script.

The data are inert JSON (`verifier.exports.tree.Pool`), and the one inline script makes elements of them when a case is
opened. The policy in the head admits that script and the one style sheet by digest and nothing else, so a text that
slipped through as markup could still do nothing. The digest of what the page is about stands in the foot of every
printed page.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from verifier.exports.elements import section
from verifier.exports.tree import Node, Part, el, html, inert


def document(title: str, sealed: tuple[str, str], body: Iterable[Node], data: dict[str, Any]) -> bytes:
    """Return the file in UTF-8.

    Args:
        title: of the window.
        sealed: what the page is about, by the name of its digest and the digest.
        body: the landmarks.
        data: {"cases": part by case number, "scenes": part by place or -1, "parts": of a pool}.
    """
    style, script = _asset("page.css").replace("SEALED_DIGEST", " ".join(sealed)), _asset("page.js")
    policy = (f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
              "base-uri 'none'; form-action 'none'")
    return "".join((
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n',
        html(el("title", title)),
        "\n<style>", style, "</style>\n</head>\n<body>\n",
        *(html(part) + "\n" for part in body),
        '<script type="application/json" id="data">', inert(data), "</script>\n",
        "<script>", script, "</script>\n</body>\n</html>\n",
    )).encode()


def _asset(name: str) -> str:
    return (files("verifier.exports") / "assets" / name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def case_file(
    dossiers: Sequence[tuple[Node, Sequence[Node]]], total: int, table: str = "table of runs",
    scope: str = "cases",
) -> Node:
    """Return the cases that stand in the page, each under its scenario; total: how many the file holds in all."""
    many = sum(len(cases) for _, cases in dossiers)
    which = f"All {total:,} {scope}" if many == total else f"The first {many:,} of {total:,} {scope}"
    return section(
        "cases", "Cases",
        el("p", f"{which} in the order of the {table}, under the scenario that they answer.",
           None if many == total else f" The others open from the {table} where scripts are allowed."),
        (el("div", scene, cases, class_="dossier") for scene, cases in dossiers),
    )


def reader() -> Node:
    """Return the dialog in which one case is read."""
    def button(name: str) -> Part:
        return el("button", name.capitalize(), id=name, type="button")

    return el(
        "dialog",
        el("div", button("previous"), button("next"), el("span", id="position", role="status"), button("close"),
           class_="bar"),
        el("div", id="case", class_="dossier", tabindex="-1"),
        id="reader", aria_label="Case",
    )
