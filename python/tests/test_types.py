# SPDX-License-Identifier: Apache-2.0
"""The stub of the extension lists what the extension has, no more and no less; the package is marked as typed and annotated."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

import rille
from rille import _core

USER = '''from __future__ import annotations

import math
from collections.abc import Sequence

import rille


class Pull(rille.Device):
    "A spring to a target angle, with a damper."
    attach = "joint"
    kp = rille.Parameter(5.0, "N*m/rad", "stiffness")
    target = rille.Input(0.0, "rad", "angle that it pulls to")
    torque = rille.Output("N*m", "on the joint", action="effort")

    def update(self, call: rille.Call) -> None:
        self.torque = self.kp * (self.target - call.position)


class Hop(rille.env.Env):
    action_space = rille.env.Box([-1], [1])
    observation_space = rille.env.Box([-math.inf] * 2, [math.inf] * 2)

    def make(self) -> rille.Sim:
        return rille.load("pendulum")

    def act(self, action: Sequence[float]) -> None:
        self.sim["hinge_1.velocity"] = float(action[0])

    def observe(self) -> list[float]:
        return [self.sim["hinge_1.position"], self.sim["hinge_1.velocity"]]

    def reward(self) -> float:
        return -abs(float(self.sim["hinge_1.position"]))


def main() -> None:
    sim = rille.load({"robot": "pendulum", "devices": [{"name": "pull", "type": "Pull", "joint": "hinge_1"}]}, devices=[Pull])

    @sim.control(rate=100)
    def hold(s: rille.Sim) -> None:
        s["pull.target"] = 0.1

    table = sim.run(0.1, log=["hinge_*"], rate=100)
    assert table is not None
    first: float = table["hinge_1.position"][0]
    number: int = sim.hash
    with Hop() as env:
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    with rille.Batch("pendulum", 3) as batch:
        batch.run(0.1)
    print(first, number, len(table), list(table), Pull.kp.unit)



'''
WRONG = ["rille.load(5)", 'text: str = rille.load("pendulum").hash', 'rille.load("pendulum").stepp()', 'rille.Parameter("5")']

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

    def test_every_public_function_is_annotated(self):
        self.assertTrue(os.path.exists(os.path.join(FOLDER, "py.typed")))
        functions = {}

        def add(function, name):
            function = inspect.unwrap(function)
            if isinstance(function, types.FunctionType) and function.__module__.startswith("rille"):
                functions[function] = name

        special = ("__init__", "__getitem__", "__setitem__", "__len__", "__iter__", "__contains__", "__enter__", "__exit__", "__get__", "__set__")
        for module in (rille, rille.env, rille.campaign):
            for name in getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")]):
                thing = getattr(module, name)
                add(thing, name)
                for cls in thing.__mro__ if isinstance(thing, type) and thing.__module__.startswith("rille") else ():
                    for member, value in vars(cls).items():
                        if not member.startswith("_") or member in special:
                            value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                            add(value, f"{name}.{member}")
        self.assertGreater(len(functions), 80)
        for function, name in functions.items():
            hints = inspect.signature(function)
            self.assertIsNot(hints.return_annotation, inspect.Signature.empty, name)
            for word, parameter in hints.parameters.items():
                if word not in ("self", "cls"):
                    self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{name}({word})")

    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_a_type_checker_takes_good_programs_and_finds_mistakes(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "user.py"), "w", encoding="utf-8") as file:
                file.write(USER + "\n".join(WRONG) + "\n")
            environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "PYTHONPATH")}  # a sanitizer is for us alone
            words = ["mypy", "--strict", "--cache-dir", os.path.join(folder, "cache"), "user.py"]
            if "site-packages" in FOLDER:
                words += ["--python-executable", sys.executable]
            else:
                environment["MYPYPATH"] = os.path.dirname(FOLDER)
            done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=250)
        told = [int(line.split(":")[1]) for line in done.stdout.splitlines() if line.startswith("user.py:") and " error:" in line]
        first = USER.count("\n") + 1
        self.assertEqual(sorted(set(told)), list(range(first, first + len(WRONG))), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
