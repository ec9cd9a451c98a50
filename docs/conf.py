"""The documentation as a site: `make site`."""

from sorrel import __version__

project = "Sorrel"
author = "The Sorrel developers"
release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"Sorrel {__version__}"
exclude_patterns = ["schema", "benchmarks/**"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
