"""The statement with which a module of the product reaches the layer."""

import ast


def entry_statement(relative, token, rest):
    """Returns one statement that loads the layer into a module and then runs `rest`."""
    name = "_" + token
    lines = [
        "import importlib.util, os, sys",
        f"if {name!r} not in sys.modules:",
        f" spec = importlib.util.spec_from_file_location({name!r}, os.path.join(os.path.dirname(os.path.abspath(file)), {relative!r}))",
        f" sys.modules[{name!r}] = module = importlib.util.module_from_spec(spec)",
        " spec.loader.exec_module(module)",
        f"layer = sys.modules[{name!r}]",
        rest,
    ]
    return f"exec({chr(10).join(lines)!r}, {{'file': __file__, 'name': __name__, 'namespace': globals()}})"


def with_entry(text, entry):
    """
    Returns the text with the statement after the docstring and the imports from __future__, without a line of its own if that is possible.
    """
    body = ast.parse(text).body
    lines = text.split("\n")
    at = 0
    for statement in body:
        is_docstring = (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
        )
        if not is_docstring and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        at = statement.end_lineno
    if at > 0:
        line = lines[at - 1]
        end = len(line.encode()[: body_end(body, at)].decode())
        lines[at - 1] = line[:end] + "; " + entry + line[end:]
        return "\n".join(lines)
    until = min(
        [one.lineno for one in body] + [getattr(d, "lineno", 10**9) for one in body for d in getattr(one, "decorator_list", [])],
        default=1,
    )
    blank = next((n for n in range(until - 1) if lines[n].strip() == ""), None)
    if blank is None:
        first = next((n for n, line in enumerate(lines) if not line.startswith("#")), 0)
        return "\n".join([*lines[:first], entry, *lines[first:]])
    lines[blank] = entry
    return "\n".join(lines)


def body_end(body, line):
    return max(one.end_col_offset for one in body if one.end_lineno == line)
