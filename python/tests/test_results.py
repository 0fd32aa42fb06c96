# SPDX-License-Identifier: Apache-2.0
"""Sensors, batches, logs, campaigns, environments."""

import math
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import unittest
import zlib

import rille

NO_RAYS = "embree: no" in rille.features


@unittest.skipIf(NO_RAYS, "this build has no Embree")
class Sensors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sim = rille.load("mer_hazcam")

    def test_pictures_are_arrays_and_png(self):
        sim = self.sim
        self.assertGreater(len(sim.cameras), 0)
        picture = sim.picture(sim.cameras[0])
        self.assertEqual(tuple(picture.rgb.shape), (picture.height, picture.width, 3))
        self.assertEqual(tuple(picture.radiance.shape), (picture.height, picture.width, 3))
        data = picture._repr_png_()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (picture.width, picture.height))
        length = struct.unpack(">I", data[33:37])[0]
        lines = zlib.decompress(data[41:41 + length])
        self.assertEqual(lines[1:4], bytes(memoryview(picture._rgb)[:3]))
        self.assertGreater(len(set(lines)), 10)  # something is seen

    def test_truth_agrees_with_itself(self):
        truth = self.sim.truth()
        self.assertEqual(tuple(truth.depth.shape), (truth.height, truth.width))
        row, column = truth.height - 20, truth.width // 2
        self.assertTrue(math.isfinite(truth.depth[row, column]))
        n = [float(truth.normal[row, column, k]) for k in range(3)]
        self.assertAlmostEqual(math.sqrt(sum(c * c for c in n)), 1.0, places=4)

    def test_a_view_from_anywhere(self):
        picture = self.sim.view(width=64, height=48)
        self.assertEqual((picture.width, picture.height), (64, 48))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            picture.save(path)
            self.assertGreater(os.path.getsize(path), 100)
        with self.assertRaises(ValueError):
            self.sim.view(width=0)

    def test_a_wrong_sensor_is_told(self):
        with self.assertRaisesRegex(rille.NotFoundError, "has no camera 'eye'"):
            self.sim.picture("eye")
        with self.assertRaisesRegex(rille.NotFoundError, "has no lidar"):
            rille.load("pendulum").scan()

    def test_clouds_are_arrays(self):
        tree = {"robot": "mer", "terrain": {"kind": "plane", "material": "ground"}, "duration": 1,
                "initial": {"base": {"xyz": [0, 0, 1]}},
                "lidars": {"top": {"unit": "vlp16", "frame": rille.load("mer_sand").frames[0], "position": [0, 0, "1 m"]}}}
        sim = rille.load(tree)
        cloud = sim.scan("top")
        self.assertEqual(tuple(cloud.point.shape), (len(cloud), 3))
        hits = [i for i in range(len(cloud)) if cloud.link[i] == -1]
        self.assertGreater(len(hits), 10)
        for i in hits[:50]:
            self.assertAlmostEqual(float(cloud.truth[i, 2]), 0.0, places=3)  # the plane
            way = [float(cloud.world[i, k]) - float(cloud.truth[i, k]) for k in range(3)]
            self.assertLess(sum(x * x for x in way), 0.15**2)  # where it was measured, noise and all


class Batches(unittest.TestCase):
    def test_robots_have_the_bits_of_single_runs(self):
        batch = rille.Batch("pendulum", 4)
        batch["hinge_1.velocity"] = [0.0, 0.1, 0.2, 0.3]
        batch.step(500, threads=2)
        for i in range(4):
            sim = rille.load("pendulum")
            sim["hinge_1.velocity"] = 0.1 * i if i != 3 else 0.3
            sim.step(500)
            self.assertEqual(batch.hashes[i], sim.hash, i)
        self.assertEqual(tuple(batch["hinge_*.position"].shape), (4, 2))
        batch.reset()
        self.assertEqual(batch.times, [0.0] * 4)

    def test_wrong_use_is_told(self):
        batch = rille.Batch("pendulum", 3)
        with self.assertRaises(ValueError):
            batch["hinge_1.velocity"] = [1.0, 2.0]
        with self.assertRaisesRegex(rille.InputError, "robot 0: value 'hinge_1.velocity': nan rad/s is not allowed"):
            batch["hinge_1.velocity"] = math.nan
        with self.assertRaisesRegex(rille.InputError, "read-only"):
            batch["energy.kinetic"] = 1.0
        with self.assertRaises(rille.NotFoundError):
            batch["nothing*"]
        with self.assertRaises(ValueError):
            batch.step(-1)
        with self.assertRaises(rille.InputError):
            rille.Batch("pendulum", 0)
        batch.close()
        with self.assertRaises(rille.StateError):
            batch.step()


class Logs(unittest.TestCase):
    def test_what_was_written_is_read(self):
        sim = rille.load("pendulum")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.mcap")
            table = sim.run(1, log=["hinge_*.position", "energy.kinetic"], rate=100, out=path)
            with rille.Log(path) as log:
                self.assertTrue(log.is_complete)
                self.assertEqual(set(log.names), set(table.names))
                self.assertEqual(log.units["hinge_1.position"], "rad")
                time, x = log["hinge_1.position"]
                self.assertEqual(list(x), list(table["hinge_1.position"]))
                self.assertAlmostEqual(time[-1], 1.0)
                again = log.table("hinge_*")
                self.assertEqual(len(again), 101)
                self.assertEqual(len(log.read("energy.kinetic", 0.5, 0.6)[0]), 11)
                with self.assertRaises(rille.NotFoundError):
                    log["nothing"]
                csv = os.path.join(folder, "a.csv")
                again.to_csv(csv)
                with open(csv) as file:
                    self.assertEqual(file.readline().split(",")[0], "time")
            with self.assertRaises(rille.StateError):
                log.read("energy.kinetic")

    def test_a_file_that_is_no_log_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.mcap")
            with open(path, "wb") as file:
                file.write(b"no log at all, but some bytes")
            with self.assertRaises(rille.Error):
                rille.Log(path)
            with self.assertRaises(rille.NotFoundError):
                rille.Log(os.path.join(folder, "missing.mcap"))


class Campaigns(unittest.TestCase):
    def test_results_of_a_campaign_are_a_table(self):
        command = os.environ.get("RILLE_COMMAND") or shutil.which("rille")
        if not command:
            self.skipTest("RILLE_COMMAND does not name the program")
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "p.db")
            plan = os.path.join(rille.paths()["campaigns"], "pendulum.yaml")
            subprocess.run([command, "campaign", "run", plan, "--runs", "6", "-q", "--store", store], check=True,
                           stdout=subprocess.DEVNULL)
            table = rille.campaign.results(store)
            self.assertEqual(len(table), 6)
            self.assertEqual(table["run"], sorted(table["run"]))
            self.assertEqual(set(table["status"]), {"done"})
            db = sqlite3.connect(store)
            (spec, name), = db.execute("SELECT place, name FROM result_spec ORDER BY place LIMIT 1").fetchall()
            want = [v for v, in db.execute("SELECT value FROM result WHERE spec = ? ORDER BY run", (spec,))]
            self.assertEqual(list(table[name]), want)
            self.assertEqual(rille.campaign.experiments(store), ["pendulum-6"])
            with self.assertRaises(rille.NotFoundError):
                rille.campaign.results(store, "other")
            self.assertIn("<table>", table._repr_html_())
            db.close()

    def test_what_is_no_store_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(rille.FileError):
                rille.campaign.results(os.path.join(folder, "none.db"))
            bad = os.path.join(folder, "bad.db")
            with open(bad, "w") as file:
                file.write("text" * 100)
            with self.assertRaises(rille.InputError):
                rille.campaign.results(bad)
        with self.assertRaises(rille.InputError):
            rille.campaign.results("postgresql://server/store")


class Environments(unittest.TestCase):
    def episode(self, kind, actions, seed):
        with kind() as env:
            observation, info = env.reset(seed=seed)
            self.assertTrue(env.observation_space.contains(observation))
            total = 0.0
            for action in actions:
                observation, reward, terminated, truncated, info = env.step(action)
                total += reward
                self.assertTrue(env.observation_space.contains(observation))
                self.assertFalse(terminated)
            return total, info["hash"]

    def test_a_rover_drives_towards_its_goal_and_equal_seeds_give_equal_hashes(self):
        ahead = [[0.0, 1.0]] * 8
        total, state = self.episode(rille.env.RoverEnv, ahead, 5)
        self.assertGreater(total, 0.05)
        self.assertEqual(self.episode(rille.env.RoverEnv, ahead, 5), (total, state))
        back, _ = self.episode(rille.env.RoverEnv, [[0.0, -1.0]] * 8, 5)
        self.assertLess(back, 0.0)

    def test_a_gait_carries_mini_eels(self):
        moving, _ = self.episode(rille.env.SnakeEnv, [[0.33, 0.0, 0.0, 0.0]] * 8, 1)
        resting, _ = self.episode(rille.env.SnakeEnv, [[-1.0, -1.0, 0.0, 0.0]] * 8, 1)
        self.assertGreater(moving, 0.2)
        self.assertLess(resting, 0.02)

    def test_wrong_use_is_told(self):
        with rille.env.SnakeEnv() as env:
            with self.assertRaises(RuntimeError):
                env.step([0.0] * 4)
            env.reset(seed=1)
            with self.assertRaises(ValueError):
                env.step([2.0] * 4)
            with self.assertRaises(ValueError):
                env.step([math.nan] * 4)
            env.horizon = 1
            self.assertTrue(env.step([0.0] * 4)[3])
            with self.assertRaises(RuntimeError):
                env.step([0.0] * 4)
            env.action_space.seed(3)
            first = list(env.action_space.sample())
            env.action_space.seed(3)
            self.assertEqual(first, list(env.action_space.sample()))
            self.assertIn(first, env.action_space)


if __name__ == "__main__":
    unittest.main()
