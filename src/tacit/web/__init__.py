"""The live study over HTTP: pages for participants and experimenters, and an API for programs.

Importing this package loads nothing; ``tacit serve`` loads `tacit.web.app`, which needs the extra
"web".
"""
