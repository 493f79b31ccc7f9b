# conf.py -- the site of `make site`: pages in Markdown and the reference of calls, by Sphinx with MyST and Furo.
import os

project = "PSBC"
author = "the PSBC authors"
copyright = "the PSBC authors"
version = release = os.environ.get("PSBC_VERSION", "")
html_title = "PSBC " + version
extensions = ["myst_parser"]
html_theme = "furo"
html_static_path = [os.path.join(os.path.dirname(__file__), "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
language = "en"
smartquotes = False
highlight_language = "none"
pygments_style = "friendly"
# Types of C and MPI, and the letters that stand for a scalar.
nitpick_ignore_regex = [("c:identifier", r"T|R|FILE|MPI_Comm|bool|u?int\d+_t|size_t|psb_device|psb_T\w+")]
