"""Arithmetic for uncompiled code that gives the results of compiled code (`--plain`).

In uncompiled code, values of a state are NumPy scalars: comparisons cannot be subtracted, their sum is a
Boolean, and cards have 32 bits. In compiled code, all of them are 64-bit integers.
"""

import ast
from typing import Any

import numpy as np

NAME = "as_compiled_number"  # the name of `as_compiled_number` in uncompiled code


def as_compiled_number(value: Any) -> Any:
    """Return a number with the type that it has in compiled code.

    Other values, arrays included, are unchanged.
    """
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer) and value.itemsize < 8:
        return np.int64(value)
    return value


class _Operands(ast.NodeTransformer):
    """AST transformer that passes all operands through `as_compiled_number`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        node.left, node.right = _passed(node.left), _passed(node.right)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, (ast.USub, ast.UAdd)):
            node.operand = _passed(node.operand)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        node.value = _passed(node.value)
        if not isinstance(node.target, ast.Name):  # an array element or a field keeps its type
            return node
        name = node.target.id
        before = ast.Assign([ast.Name(name, ast.Store())], _passed(ast.Name(name, ast.Load())))
        return [ast.fix_missing_locations(ast.copy_location(before, node)), node]


def _passed(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant):
        return node
    call = ast.Call(ast.Name(NAME, ast.Load()), [node], [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def as_compiled(tree: ast.Module) -> ast.Module:
    """Replace the arithmetic of a module's functions by that of compiled code, and return `tree`.

    `tree` is modified. The module that executes it must define `as_compiled_number` under the name NAME.
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _Operands().visit(node)
    return tree
