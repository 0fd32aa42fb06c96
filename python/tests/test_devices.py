# SPDX-License-Identifier: Apache-2.0
"""Devices written in Python: they act inside the tick, fail with a sentence, and survive snapshots by their states."""

import gc
import math
import unittest
import weakref

import rille


class Pull(rille.Device):
    """A spring to a target angle, with a damper."""

    attach = "joint"
    kp = rille.Parameter(5.0, "N*m/rad", "stiffness")
    kd = rille.Parameter(0.5, "N*m*s/rad", "damping")
    target = rille.Input(0.0, "rad", "angle that it pulls to")
    count = rille.State(0.0, "", "updates", low=0)
    torque = rille.Output("N*m", "on the joint", action="effort")

    def update(self, call):
        self.count += 1
        self.torque = self.kp * (self.target - call.position) - self.kd * call.velocity


def scene(kind, **more):
    return {"robot": {"file": "pendulum", "set": {"rods": 1}}, "duration": 20, "gravity": [0, 0, 0],
            "devices": [{"name": "pull", "type": kind, "joint": "hinge_1", **more}]}


class Devices(unittest.TestCase):
    def test_a_device_acts_on_its_joint(self):
        sim = rille.load(scene("Pull"), devices=[Pull])
        sim["pull.target"] = "30 deg"
        sim.run()
        self.assertAlmostEqual(sim["hinge_1.position"], math.radians(30), places=4)
        self.assertEqual(sim["pull.count"], 20000)
        self.assertEqual(sim.describe("pull.kp")["unit"], "N*m/rad")

    def test_it_does_what_the_built_in_one_does(self):
        ours = rille.load(scene("Pull"), devices=[Pull])
        theirs = rille.load(scene("pid", set={"kp": 5, "kd": 0.5}))
        for sim, name in ((ours, "pull.target"), (theirs, "pull.reference_position")):
            sim[name] = 0.4
            sim.run(3)
        self.assertAlmostEqual(ours["hinge_1.position"], theirs["hinge_1.position"], places=3)

    def test_states_are_in_snapshots_and_hash(self):
        sim = rille.load(scene("Pull"), devices={"Pull": Pull})
        sim.step(10)
        kept = sim.snapshot()
        sim.step(10)
        end = sim.hash
        sim.restore(kept)
        self.assertEqual(sim["pull.count"], 10)
        sim.step(10)
        self.assertEqual(sim.hash, end)
        self.assertEqual(sim.copy().hash, end)

    def test_its_rate_and_connections_are_those_of_the_scene(self):
        sim = rille.load(scene("Pull", rate="100 Hz", set={"kp": 7}, connect={"target": "hinge_1.position"}), devices=[Pull])
        sim["hinge_1.position"] = 0.25
        sim.step(100)
        self.assertEqual((sim["pull.count"], sim["pull.kp"], sim["pull.target"]), (10, 7, 0.25))

    def test_an_exception_ends_the_step_with_its_cause(self):
        class Fail(Pull):
            """Fails after a while."""

            def update(self, call):
                if call.time > 0.0495:
                    raise ZeroDivisionError("the sensor is gone")

        sim = rille.load(scene("Fail"), devices=[Fail])
        with self.assertRaisesRegex(rille.DeviceError, r"device 'pull' \(Fail\): ZeroDivisionError: the sensor is gone "
                                    r"\(.*test_devices.py:\d+, in update\)") as caught:
            sim.run()
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        self.assertEqual(caught.exception.__cause__.__traceback__.tb_frame.f_code.co_name, "update")
        self.assertEqual(caught.exception.file, "<dictionary>")
        self.assertAlmostEqual(sim.time, 0.05)
        before = sim.hash
        with self.assertRaises(rille.DeviceError):
            sim.step()
        self.assertEqual(sim.hash, before)

    def test_ctrl_c_inside_a_device_is_ctrl_c(self):
        class Stop(Pull):
            """Is interrupted."""

            def update(self, call):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            rille.load(scene("Stop"), devices=[Stop]).step()

    def test_numbers_that_are_none_are_refused(self):
        class Bad(Pull):
            """Writes NaN."""

            def update(self, call):
                self.torque = math.nan

        sim = rille.load(scene("Bad"), devices=[Bad])
        before = sim.hash
        with self.assertRaisesRegex(rille.DeviceError, "its output 'torque' is nan"):
            sim.step()
        self.assertEqual(sim.hash, before)

    def test_start_may_refuse_and_wrong_classes_are_told(self):
        class Refuse(Pull):
            """Refuses."""

            def start(self, call):
                raise ValueError("kp must be even")

        with self.assertRaisesRegex(rille.InputError, "kp must be even"):
            rille.load(scene("Refuse"), devices=[Refuse])

        class Unit(rille.Device):
            """Has a bad unit."""

            length = rille.Parameter(1.0, "furlong", "unknown")

            def update(self, call):
                pass

        with self.assertRaisesRegex(rille.InputError, "furlong"):
            rille.load(scene("Unit"), devices=[Unit])
        with self.assertRaisesRegex(rille.InputError, "built-in class has this name"):
            rille.load(scene("pid"), devices={"pid": Pull})
        with self.assertRaises(rille.NotFoundError):
            rille.load(scene("Pull"))

        class Idle(rille.Device):
            """Has no update."""

            attach = "joint"

        with self.assertRaisesRegex(rille.DeviceError, "has no update"):
            rille.load(scene("Idle"), devices=[Idle]).step()

    def test_a_device_cannot_use_its_own_simulation_but_another_one(self):
        shared = {}

        class Nosy(Pull):
            """Looks at the simulation in the middle of the tick."""

            def update(self, call):
                shared["other"].step()
                shared["sim"]["time"]

        shared["other"] = rille.load("pendulum")
        shared["sim"] = sim = rille.load(scene("Nosy"), devices=[Nosy])
        with self.assertRaisesRegex(rille.DeviceError, "in the middle of a tick"):
            sim.step()
        self.assertGreater(shared["other"].time, 0.0)

    def test_a_call_is_over_when_update_returns(self):
        kept = []

        class Keep(Pull):
            """Keeps its call."""

            def update(self, call):
                self.torque = call.normal(0) * 0.0 + call.gravity[2] * 0.0
                kept.append(call)

        sim = rille.load(scene("Keep"), devices=[Keep])
        sim.step()
        with self.assertRaises(rille.StateError):
            kept[0].position

    def test_groups_of_joints_get_commands(self):
        class Wave(rille.Device):
            """A wave along all joints."""

            attach = "joints"

            def update(self, call):
                assert len(call.positions) == len(call.joints) == len(call.lower)
                call.command([0.2 * math.sin(3 * call.time + i) for i in range(len(call.joints))], rates=0.0)

        sim = rille.load("sidewind", set={"robot.modules": 6})
        tree = {"robot": {"file": "mini_eels", "set": {"modules": 6}}, "gravity": [0, 0, 0], "duration": 1,
                "devices": [{"name": "wave", "type": "Wave", "group": "bend_*"}]}
        sim = rille.load(tree, devices=[Wave])
        sim.step(10)
        self.assertAlmostEqual(sim["wave.bend_3.position"], 0.2 * math.sin(3 * 0.009 + 2))

    def test_objects_and_classes_go_away_with_the_simulation(self):
        class Gone(Pull):
            """Comes and goes."""

        def use():
            sim = rille.load(scene("Gone"), devices=[Gone])
            sim.step(2)

        for _ in range(3):
            use()
        seen = weakref.ref(Gone)
        del Gone, use
        gc.collect()
        self.assertIsNone(seen())

    def test_batches_have_devices_too(self):
        batch = rille.Batch(scene("Pull"), 3, devices=[Pull])
        batch["pull.target"] = [0.1, 0.2, 0.3]
        batch.run(20)
        for got, want in zip(batch["hinge_1.position"], (0.1, 0.2, 0.3)):
            self.assertAlmostEqual(got, want, places=4)

        class Trap(Pull):
            """One of the robots fails."""

            def update(self, call):
                if self.target > 0.15:
                    raise RuntimeError("too far")

        batch = rille.Batch(scene("Trap"), 2, devices=[Trap])
        batch["pull.target"] = [0.1, 0.2]
        with self.assertRaisesRegex(rille.DeviceError, "robot 1: .*too far"):
            batch.step(10)
        self.assertEqual(list(batch.failures), [1])
        self.assertAlmostEqual(batch.times[0], 0.01)


if __name__ == "__main__":
    unittest.main()
