# SPDX-License-Identifier: Apache-2.0
"""Views of values: live arrays without a copy, with and without NumPy."""

import gc
import unittest

import rille

try:
    import numpy
except ImportError:
    numpy = None


class Views(unittest.TestCase):
    def setUp(self):
        self.sim = rille.load("mer_sand")

    def test_a_view_shows_the_numbers_of_now(self):
        slip = self.sim["soil.*.slip"]
        self.assertTrue(slip.is_live)
        memory = memoryview(slip)
        self.assertEqual((memory.format, memory.shape, memory.readonly), ("d", (6,), True))
        self.sim.step(300)
        names = self.sim.names("soil.*.slip")
        self.assertEqual(list(slip.names), names)
        self.assertEqual(memory.tolist(), [self.sim[n] for n in names])
        self.assertNotEqual(memory.tolist(), [0.0] * 6)

    def test_scattered_and_derived_values_follow_too(self):
        for glob in ("base.*", "*.position", "energy.*", "*"):
            view = self.sim[glob]
            memory = memoryview(view)
            self.sim.step(3)
            expected = [float(self.sim[n]) for n in view.names]
            for got, want in zip(memory.tolist(), expected):
                self.assertTrue(got == want or (got != got and want != want), glob)

    def test_writing_by_glob_is_checked_and_all_or_nothing(self):
        sim = self.sim
        sim["motor_drive_*.resistance"] = 5.0
        self.assertEqual(set(sim["motor_drive_*.resistance"]), {5.0})
        sim["motor_drive_*.resistance"] = range(1, 7)
        self.assertEqual(sim["motor_drive_*.resistance"].tolist(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        sim["rover.speed"] = "3 cm/s"
        self.assertAlmostEqual(sim["rover.speed"], 0.03)
        sim.set({"rover.speed": 0.02})
        self.assertAlmostEqual(sim["rover.speed"], 0.02)
        self.assertEqual(sim.describe("rover.speed")["unit"], "m/s")
        self.assertEqual(sim.get("nothing", 7), 7)
        self.assertEqual(sim.eval("rover.speed * 2 s"), 0.04)

    def test_views_cannot_be_written_and_keep_the_simulation_alive(self):
        view = memoryview(self.sim["soil.*.slip"])
        with self.assertRaises(TypeError):
            view[0] = 1.0
        with self.assertRaises(BufferError):
            self.sim.close()
        del self.sim
        gc.collect()
        self.assertEqual(len(view.tolist()), 6)

    def test_a_view_is_a_sequence(self):
        view = self.sim["soil.tyre_*.sinkage"]
        self.assertEqual(len(view), 6)
        self.assertEqual(max(view), max(view.tolist()))
        self.assertEqual(view.units[0], "m")
        self.assertIn("soil.", repr(view))
        self.assertIn("<td>m</td>", view._repr_html_())
        self.assertIn("mer_sand", self.sim._repr_html_())
        with self.assertRaises(IndexError):
            view[6]
        self.assertEqual(view[-1], view.tolist()[-1])

    def test_what_matches_nothing_is_told(self):
        with self.assertRaisesRegex(rille.NotFoundError, "no value of scene 'mer_sand' matches 'wheel"):
            self.sim["wheel*.slipp"]

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy_shares_the_memory(self):
        slip = numpy.asarray(self.sim["soil.*.slip"])
        self.assertFalse(slip.flags.owndata or slip.flags.writeable)
        again = numpy.asarray(self.sim["soil.*.slip"])
        self.assertEqual(slip.__array_interface__["data"], again.__array_interface__["data"])
        before = slip.copy()
        self.sim.step(300)
        self.assertTrue((slip == numpy.array(self.sim["soil.*.slip"].tolist())).all())
        self.assertFalse((slip == before).all())
        self.sim["motor_drive_*.resistance"] = numpy.full(6, 4.0)
        self.assertEqual(self.sim["motor_drive_*.resistance"][3], 4.0)
        self.sim["rover.speed"] = numpy.float64(0.01)


if __name__ == "__main__":
    unittest.main()
