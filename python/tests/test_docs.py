# SPDX-License-Identifier: Apache-2.0
"""The tutorial is true: every block of docs/python.md runs, and what it shows comes out. The examples run too."""

import contextlib
import doctest
import importlib.util
import io
import os
import re
import tempfile
import unittest

import rille

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "python.md")
NEEDS_RAYS = ("view(", "picture(")


class Docs(unittest.TestCase):
    def test_the_tutorial_runs_from_top_to_bottom(self):
        with open(PAGE, encoding="utf-8") as file:
            blocks = re.findall(r"^```(python|pycon)\n(.*?)^```", file.read(), re.M | re.S)
        self.assertGreater(len(blocks), 12)
        names, runner = {}, doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for kind, text in blocks:
                    if "embree: no" in rille.features and any(word in text for word in NEEDS_RAYS):
                        continue
                    if kind == "python":
                        with contextlib.redirect_stdout(io.StringIO()):
                            exec(compile(text, PAGE, "exec"), names)
                    else:
                        said = io.StringIO()
                        test = doctest.DocTestParser().get_doctest(text, names, PAGE, PAGE, 0)
                        self.assertEqual(runner.run(test, out=said.write, clear_globs=False).failed, 0, said.getvalue())
                self.assertTrue(os.path.exists("slip.csv"))
            finally:
                os.chdir(here)

    def test_docstrings_teach_and_their_examples_are_true(self):
        for thing in (rille, rille.load, rille.Sim, rille.Device, rille.Batch, rille.Log, rille.campaign, rille.env, rille.Values):
            self.assertGreater(len(thing.__doc__), 120, thing)
        for cls in (rille.Sim, rille.Batch, rille.Log, rille.Table, rille.Values, rille.Call, rille.env.Env):
            for name in dir(cls):
                if not name.startswith("_"):
                    member = getattr(cls, name)
                    if callable(member) and name not in ("keys", "close", "render", "unwrapped"):
                        self.assertTrue(member.__doc__, f"{cls.__name__}.{name} has no docstring")
        from rille import _yaml
        self.assertEqual(doctest.testmod(_yaml).failed, 0)


class Examples(unittest.TestCase):
    def test_mini_eels_walks_with_controllers_in_python(self):
        path = os.path.join(ROOT, "python", "examples", "walk_mini_eels.py")
        spec = importlib.util.spec_from_file_location("walk", path)
        walk = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(walk)
        hashes = set()
        for _ in range(2):
            sim = rille.load(walk.SCENE, devices=[walk.Sidewind, walk.PD], set={"duration": 3})
            table = sim.run(log=["com.*", "bend_1.position", "gait.bend_1.position", "pd_*.torque"], rate=50)
            hashes.add(sim.hash)
        self.assertEqual(len(hashes), 1)
        x, y = table["com.x"], table["com.y"]
        self.assertGreater((x[-1] - x[0]) ** 2 + (y[-1] - y[0]) ** 2, 0.2 ** 2)
        follow = [abs(a - b) for a, b in zip(table["bend_1.position"], table["gait.bend_1.position"])]
        self.assertLess(max(follow), 0.05)
        self.assertLessEqual(max(max(table[n]) for n in table.names if n.endswith("torque")), 2.0)

    def test_without_torque_it_does_not_walk(self):
        path = os.path.join(ROOT, "python", "examples", "walk_mini_eels.py")
        spec = importlib.util.spec_from_file_location("walk", path)
        walk = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(walk)
        sim = rille.load(walk.SCENE, devices=[walk.Sidewind, walk.PD], set={"duration": 3})
        sim["pd_*.limit"] = 0.0
        before = sim["com.x"], sim["com.y"]
        sim.run()
        self.assertLess(abs(sim["com.x"] - before[0]) + abs(sim["com.y"] - before[1]), 0.02)


if __name__ == "__main__":
    unittest.main()
