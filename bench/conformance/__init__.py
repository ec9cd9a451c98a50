"""Programs that third parties wrote, or generated: does the interpreter do what the compiled program does?"""
