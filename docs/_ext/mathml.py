"""Formulas as MathML: browsers draw them without scripts, fonts or a network."""

from html import escape

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)


def render(writer: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write one formula; warn where its TeX is not understood, and show that instead."""
    tex = node.astext()
    try:
        writer.body.append(tex2mathml(tex, as_block=isinstance(node, nodes.math_block)))
    except MathError as error:
        logger.warning("formula %r: %s", tex, error, location=node)
        writer.body.append(f"<code>{escape(tex)}</code>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (render, None), (render, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
