# SPDX-License-Identifier: Apache-2.0
"""Scenes from names, files, text and dictionaries; stepping; state; errors."""

import copy
import gc
import math
import os
import pathlib
import pickle
import tempfile
import unittest

import rille

PENDULUM = {"robot": "pendulum", "duration": 3, "initial": {"positions": {"hinge_1": "30 deg"}}}


class Loading(unittest.TestCase):
    def test_a_scene_is_loaded_by_name_and_stepped(self):
        sim = rille.load("mer_sand")
        self.assertTrue(sim.step())
        self.assertAlmostEqual(sim.time, sim.dt)
        self.assertEqual(len(sim["soil.*.slip"]), 6)
        self.assertIn("Mars Exploration Rover", sim.doc)

    def test_path_text_and_dictionary_give_the_same_simulation(self):
        text = rille.to_yaml({"scene": "python", **PENDULUM})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.yaml"
            path.write_text(text)
            hashes = set()
            for scene in (path, str(path), text, {"scene": "python", **PENDULUM}):
                sim = rille.load(scene)
                sim.step(100)
                hashes.add(sim.hash)
        self.assertEqual(len(hashes), 1)

    def test_a_robot_is_a_dictionary(self):
        robot = {"robot": "ball", "base": "floating",
                 "links": [{"name": "ball", "mass": 2.0, "solid": "sphere", "size": [0.1]}]}
        sim = rille.load({"duration": 1, "gravity": [0, 0, -10], "integrator": "rk4",
                          "initial": {"base": {"xyz": [0, 0, 7]}}}, robot=robot)
        sim.run()
        self.assertAlmostEqual(sim["base.z"], 7 - 5, places=9)  # free fall: g t^2 / 2

    def test_settings_reach_scene_and_values(self):
        sim = rille.load("pendulum", set={"duration": 2, "start": "10 deg", "robot.rods": 3, "hinge_2.velocity": 0.5})
        self.assertEqual(sim.duration, 2.0)
        self.assertAlmostEqual(sim["hinge_1.position"], math.radians(10))
        self.assertEqual(sim["hinge_2.velocity"], 0.5)
        self.assertIn("hinge_3.position", sim)
        self.assertNotIn("hinge_4.position", sim)

    def test_lists_of_scenes_robots_and_devices(self):
        self.assertIn("mer_sand", rille.scenes())
        self.assertIn("mini_eels", rille.robots())
        self.assertIn("kp", rille.device_types()["pid"][1])
        self.assertTrue(rille.__version__[0].isdigit())


class Errors(unittest.TestCase):
    def test_a_wrong_name_has_a_suggestion(self):
        with self.assertRaisesRegex(rille.NotFoundError, "did you mean 'mer_sand'"):
            rille.load("mer_sandd")
        with self.assertRaisesRegex(LookupError, "did you mean 'time'"):
            rille.load(PENDULUM)["tyme"]

    def test_a_wrong_file_names_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.yaml")
            with open(path, "w") as file:
                file.write("scene: bad\nrobot: pendulum\ndurration: 3\n")
            with self.assertRaises(rille.InputError) as caught:
                rille.load(path)
        self.assertEqual((caught.exception.file, caught.exception.line), (path, 3))
        self.assertIn("did you mean 'duration'", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_a_wrong_dictionary_names_the_line_of_its_text(self):
        with self.assertRaises(rille.InputError) as caught:
            rille.load({"robot": "pendulum", "duration": "3 kg"})
        self.assertEqual((caught.exception.file, caught.exception.line), ("<dictionary>", 2))

    def test_what_cannot_be_a_scene_is_refused(self):
        loop = {"robot": "pendulum"}
        loop["doc"] = loop
        for bad, error in (({"robot": {1, 2}}, TypeError), ({"duration": math.nan}, ValueError), ({3: 4}, TypeError),
                           (loop, ValueError), (7, TypeError), ("a\0b\n", ValueError)):
            with self.assertRaises(error, msg=repr(bad)[:40]):
                rille.load(bad)
        with self.assertRaises(TypeError):
            rille.load(PENDULUM, devices=[int])

    def test_wrong_values_are_refused_and_nothing_changes(self):
        sim = rille.load("mer_sand")
        before = sim.hash
        with self.assertRaises(rille.InputError):
            sim["rover.speed"] = math.nan
        with self.assertRaises(rille.InputError):
            sim["energy.kinetic"] = 1.0  # an output
        with self.assertRaises(rille.InputError):
            sim["rover.speed"] = "3 kg"
        with self.assertRaises(TypeError):
            sim["rover.speed"] = None
        with self.assertRaises(TypeError):
            sim[3]
        with self.assertRaises(ValueError):
            sim.step(-1)
        with self.assertRaises(ValueError):
            sim["motor_drive_*.resistance"] = [1.0, 2.0]
        with self.assertRaises(rille.InputError):
            sim["motor_drive_*.resistance"] = [1.0, 2.0, 3.0, 4.0, 5.0, math.inf]
        self.assertEqual(sim.hash, before)

    def test_a_diverging_motion_is_taken_back(self):
        sim = rille.load({"robot": "pendulum", "integrator": "semi-implicit", "tick": 0.01,
                          "devices": [{"name": "bad", "type": "pid", "joint": "hinge_1", "set": {"kp": 1e9}}]})
        sim["hinge_1.position"] = 1.0
        with self.assertRaises(ArithmeticError):
            sim.step(100000)
        time, state = sim.time, sim.hash
        with self.assertRaises(rille.NumericError):
            sim.step()
        self.assertEqual((sim.time, sim.hash), (time, state))

    def test_a_closed_simulation_says_so(self):
        with rille.load(PENDULUM) as sim:
            sim.step()
        self.assertTrue(sim.closed)
        with self.assertRaisesRegex(rille.StateError, "closed"):
            sim.step()
        sim.close()
        self.assertEqual(repr(sim), "Sim(closed)")


class State(unittest.TestCase):
    def test_snapshots_files_and_copies_continue_with_equal_bits(self):
        sim = rille.load("mer_sand")
        sim.step(50)
        kept = sim.snapshot()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.checkpoint"
            sim.save(path)
            twin, third = sim.copy(), rille.load("mer_sand")
            third.load(path)
        fourth = copy.deepcopy(sim)
        sim.step(40)
        for other in (twin, third, fourth):
            other.step(40)
            self.assertEqual(other.hash, sim.hash)
        end = sim.hash
        sim.restore(kept)
        self.assertNotEqual(sim.hash, end)
        sim.step(40)
        self.assertEqual(sim.hash, end)

    def test_a_simulation_is_not_pickled_silently(self):
        with self.assertRaisesRegex(TypeError, "snapshot"):
            pickle.dumps(rille.load(PENDULUM))

    def test_reset_goes_back_to_the_start(self):
        sim = rille.load(PENDULUM)
        start = sim.hash
        sim.run(1)
        self.assertNotEqual(sim.hash, start)
        sim.reset()
        self.assertEqual((sim.hash, sim.time), (start, 0.0))

    def test_foreign_and_damaged_snapshots_are_refused(self):
        sim, other = rille.load(PENDULUM), rille.load("mer_sand")
        before = sim.hash
        for bad in (b"", b"rubbish", other.snapshot(), sim.snapshot()[:-9]):
            with self.assertRaises(rille.InputError):
                sim.restore(bad)
        flipped = bytearray(sim.snapshot())
        flipped[100] ^= 4
        with self.assertRaises(rille.InputError):
            sim.restore(flipped)
        self.assertEqual(sim.hash, before)

    def test_the_saved_scene_runs_with_equal_bits(self):
        sim = rille.load("pendulum", set={"start": "40 deg"})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "again.yaml")
            sim.save_scene(path)
            again = rille.load(path)
        sim.step(500)
        again.step(500)
        self.assertEqual(sim.hash, again.hash)


class Running(unittest.TestCase):
    def test_run_ends_at_the_duration_at_a_time_or_at_a_condition(self):
        sim = rille.load(PENDULUM)
        sim.run(until="hinge_1.position < 0")
        self.assertLess(sim["hinge_1.position"], 0.0)
        self.assertLess(sim.time, 1.0)
        sim.run(0.25)
        self.assertFalse(sim.done)
        sim.run()
        self.assertAlmostEqual(sim.time, 3.0)
        self.assertTrue(sim.done)

    def test_a_stop_condition_ends_run_and_step(self):
        sim = rille.load({**PENDULUM, "stop": {"when": "time > 0.1 s"}})
        sim.run()
        self.assertIsNotNone(sim.stopped)
        self.assertLess(sim.time, 0.11)

    def test_a_logged_run_is_a_table(self):
        sim = rille.load(PENDULUM)
        table = sim.run(1, log=["hinge_*.position", "energy.kinetic"], rate=100)
        self.assertEqual(len(table), 101)
        self.assertAlmostEqual(table.time[-1], 1.0)
        self.assertAlmostEqual(table["hinge_1.position"][0], math.radians(30))
        self.assertEqual(table["hinge_1.position"][-1], sim["hinge_1.position"])
        self.assertEqual(table.units["hinge_1.position"], "rad")
        self.assertIn("hinge_1.position", table["hinge_*"].names)
        self.assertIn("<table>", table._repr_html_())
        with self.assertRaises(rille.NotFoundError):
            table["nothing"]

    def test_the_pendulum_swings_with_its_period(self):
        sim = rille.load({"robot": {"file": "pendulum", "set": {"rods": 1, "length": 1}}, "integrator": "rk4",
                          "initial": {"positions": {"hinge_1": "2 deg"}}})
        table = sim.run(8, log="hinge_1.position", rate=1000)
        x, t = table["hinge_1.position"], table.time
        zeros = [t[i] + (t[i + 1] - t[i]) * x[i] / (x[i] - x[i + 1]) for i in range(len(x) - 1) if x[i] > 0 >= x[i + 1]]
        gravity = 9.80665
        period = 2 * math.pi * math.sqrt(2 / (3 * gravity)) * (1 + math.radians(2) ** 2 / 16)  # a rod of 1 m about its end
        self.assertAlmostEqual((zeros[-1] - zeros[0]) / (len(zeros) - 1), period, delta=2e-4 * period)

    def test_controllers_are_called_at_their_rate_by_run_and_step(self):
        sim = rille.load(PENDULUM)
        times = []

        @sim.control(rate=100)
        def watch(sim):
            times.append(sim.time)

        sim.run(0.1)
        self.assertEqual(len(times), 10)
        self.assertAlmostEqual(times[3], 0.03)
        sim.step(20)
        self.assertEqual(len(times), 12)
        with self.assertRaises(ValueError):
            sim.control(rate=333.3)(print)

    def test_an_exception_in_a_controller_ends_the_run_between_two_ticks(self):
        sim = rille.load(PENDULUM)

        @sim.control
        def fail(sim):
            if sim.time > 0.0495:
                raise KeyError("no more")

        with self.assertRaisesRegex(KeyError, "no more"):
            sim.run()
        self.assertAlmostEqual(sim.time, 0.05)
        self.assertGreater(len(sim.snapshot()), 0)

    def test_a_controller_cannot_step_its_own_simulation(self):
        sim = rille.load(PENDULUM)

        @sim.control
        def again(s):
            s.step()
        with self.assertRaisesRegex(rille.StateError, "cannot step its own simulation"):
            sim.run(0.1)
        self.assertEqual(sim.time, 0.0)

    def test_durations_and_rates_that_are_none_are_refused(self):
        sim = rille.load(PENDULUM)
        for wrong in (-1, math.nan, math.inf, "5 kg"):
            with self.assertRaisesRegex(ValueError, "duration of a run"):
                sim.run(wrong)
        for wrong in (0, -5.0, math.nan, "often"):
            with self.assertRaises(ValueError):
                sim.control(rate=wrong)
            with self.assertRaisesRegex(ValueError, "rate of a run"):
                sim.run(0.1, log="energy.*", rate=wrong)
        self.assertEqual(sim.tick, 0)

    def test_a_zero_byte_does_not_shorten_a_name(self):
        sim = rille.load(PENDULUM)
        for name in ("hinge_1.position\0x", "hinge_*\0"):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                sim[name]
        with self.assertRaisesRegex(ValueError, "zero byte"):
            sim["hinge_1.command"] = "1\0 5"

    def test_checks_validity_and_findings_are_told(self):
        sim = rille.load("mer_sand")
        sim.step(5)
        self.assertIsInstance(sim.validity, list)
        self.assertIsInstance(sim.findings, list)
        self.assertIsInstance(sim.checks, list)
        self.assertEqual(len(sim.pose(sim.frames[0])[1]), 3)
        with self.assertRaises(rille.NotFoundError):
            sim.pose("no such link")


@unittest.skipIf("libasan" in os.environ.get("LD_PRELOAD", ""), "the address sanitizer keeps freed memory")
class Memory(unittest.TestCase):
    @staticmethod
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    def test_simulations_that_come_and_go_leave_nothing_behind(self):
        def one():
            sim = rille.load(PENDULUM)
            view = sim["hinge_*"]
            memory = memoryview(view)
            sim.control(lambda s: None)
            sim.step(3)
            memory.release()
            try:
                sim["no such value"]
            except rille.NotFoundError:
                pass
            try:
                rille.load({"robot": "nothing"})
            except rille.Error:
                pass
            sim.snapshot()

        for _ in range(100):
            one()
        gc.collect()
        before = self.resident()
        for _ in range(300):
            one()
        gc.collect()
        self.assertLess(self.resident() - before, 3.0)


class Levels(unittest.TestCase):
    def test_a_program_takes_over_each_level_of_a_rover_that_drives_itself(self):
        sim = rille.load("mer_cul_de_sac", set={"nav.think_time": "1 s"})
        sim.run(0.5)
        sim["nav.level"] = 1  # arcs are ours
        sim.set({"nav.manual_length": 1.0, "nav.manual_command": 1})
        x = sim["base.x"]
        sim.run(60)
        self.assertAlmostEqual(sim["base.x"] - x, 1.0, delta=0.03)
        sim["nav.level"] = 0  # motors are
        sim.run(1)
        self.assertEqual(sim["rover.motor_level"], 1.0)
        sim["nav.level"] = 2  # the target is
        sim.set({"nav.target_x": -5.0, "nav.target_y": 1.0, "nav.command": 1})
        sim.run(300)
        self.assertEqual(sim["nav.reason"], 1.0)
        self.assertLess(math.hypot(sim["base.x"] + 5.0, sim["base.y"] - 1.0), 0.72)


if __name__ == "__main__":
    unittest.main()
