# SPDX-License-Identifier: GPL-3.0-or-later
"""How Sphinx builds the manual. `build.sh` puts this file, the pages and what was made for them into one folder.

NOTE: nothing is fetched: fonts, styles and the search index are local files."""
import os
import re
import sys
import unittest.mock
from pathlib import Path

from docutils import nodes
from sphinx.util.nodes import make_refnode

ROOT = Path(os.environ["ECHOLUX_SOURCE"])
VERSION = re.search(r"project\(echolux VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]

project = "Echolux"
author = "The Echolux developers"
copyright = "Echolux, GPL-3.0-or-later"  # noqa: A001 (Sphinx reads this name)
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["README.md", "pictures"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]
# Pages of `echolux help` are read on a terminal, too: their blocks are not marked by language everywhere.
highlight_language = "none"
smartquotes = False  # "" is an empty text
default_role = "code"  # of the docstrings' `names`
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"Echolux {VERSION}"
html_static_path = ["static"]
html_css_files = ["manual.css"]
html_show_sphinx = False
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": False}
autodoc_class_signature = "mixed"

# The package asks libecholux for its version when it is imported. The pages need nothing else of the library.
sys.path.insert(0, str(ROOT / "app/library/python"))
sys.dont_write_bytecode = True
with unittest.mock.patch("ctypes.CDLL") as library:
    library.return_value.echolux_version.return_value = VERSION.encode()
    import echolux  # noqa: F401


def link_pages_of_help(app, tree, page):
    """What names `echolux help NAME` leads to the page NAME."""
    for literal in list(tree.findall(nodes.literal)):
        named = re.fullmatch(r"echolux help (\w+)", literal.astext())
        target = f"reference/{named[1]}" if named else None
        if target in app.env.found_docs and target != page and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(make_refnode(app.builder, page, target, None, literal.deepcopy()))


def setup(app):
    app.connect("doctree-resolved", link_pages_of_help)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
