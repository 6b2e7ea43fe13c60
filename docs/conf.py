"""Sphinx configuration: everything is built from the checkout, nothing is fetched."""

import sys
from pathlib import Path

import tacit

sys.path.append(str(Path(__file__).parent / "_ext"))

project = "tacit"
project_copyright = "the tacit maintainers"
version = release = tacit.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "mathml",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"tacit {release}"
html_math_renderer = "mathml"
html_copy_source = False

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_ignore_module_all = False
autosummary_imported_members = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
