# SPDX-License-Identifier: Apache-2.0
"""The stub of the extension lists what the extension has, no more and no less; the package is marked as typed and annotated."""

import ast
import inspect
import os
import unittest

import rille
from rille import _core

FOLDER = os.path.dirname(os.path.abspath(rille.__file__))


class Types(unittest.TestCase):
    def test_the_stub_has_what_the_module_has(self):
        with open(os.path.join(FOLDER, "_core.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        classes = {node.name: {n.name for n in node.body if isinstance(n, ast.FunctionDef)} for node in tree.body
                   if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        public = {n for n in dir(_core) if not n.startswith("__")}
        self.assertEqual(public, set(classes) | functions | {"version", "features"})
        for name, members in classes.items():
            cls = getattr(_core, name)
            if issubclass(cls, Exception):
                continue
            own = {m for m in vars(cls) if not m.startswith("__")}
            self.assertEqual(own, {m for m in members if not m.startswith("__")}, name)

    def test_the_package_is_typed(self):
        self.assertTrue(os.path.exists(os.path.join(FOLDER, "py.typed")))
        for function in (rille.load, rille.Sim.run, rille.Sim.control, rille.Sim.picture, rille.Sim.scan, rille.Batch.step,
                         rille.Log.read, rille.Log.table, rille.campaign.results, rille.scenes, rille.paths, rille.env.Env.step,
                         rille.env.Env.reset):
            hints = inspect.signature(function)
            self.assertIsNot(hints.return_annotation, inspect.Signature.empty, function)
            for name, parameter in hints.parameters.items():
                if name != "self":
                    self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{function} {name}")


if __name__ == "__main__":
    unittest.main()
