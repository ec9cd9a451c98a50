"""The editor: `sorrel lsp` speaks the Language Server Protocol on standard input and output."""
