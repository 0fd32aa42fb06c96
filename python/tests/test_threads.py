# SPDX-License-Identifier: Apache-2.0
"""Threads, Ctrl-C and the interpreter's lock."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import rille


class Threads(unittest.TestCase):
    def test_other_threads_run_while_a_simulation_steps(self):
        sim = rille.load("mer_sand")
        beats, stop = [], threading.Event()

        def beat():
            while not stop.is_set():
                beats.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=beat)
        thread.start()
        sim.step(1000)
        stop.set()
        thread.join()
        self.assertGreater(len(beats), 10)

    def test_a_second_thread_waits_a_tick_and_the_result_stays_the_same(self):
        alone = rille.load("mer_sand")
        alone.step(600)
        sim, seen, errors = rille.load("mer_sand"), [], []

        def read():
            try:
                while not seen or seen[-1] < 0.5:
                    seen.append(sim.time)
                    sum(sim["soil.*.slip"])
            except Exception as error:
                errors.append(error)

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        sim.step(600)
        for reader in readers:
            reader.join(30)
        self.assertEqual(errors, [])
        self.assertGreater(len(set(seen)), 3)  # it was let in between ticks
        self.assertEqual(sim.hash, alone.hash)

    def test_simulations_in_threads_have_the_bits_of_single_ones(self):
        alone = rille.load("pendulum")
        alone.step(2000)
        hashes = []

        def one():
            sim = rille.load("pendulum")
            sim.step(2000)
            hashes.append(sim.hash)

        threads = [threading.Thread(target=one) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        self.assertEqual(hashes, [alone.hash] * 4)

    def test_ctrl_c_ends_a_run_between_two_ticks(self):
        code = ("import rille, sys\nsim = rille.load('mer_sand', set={'duration': 1e6})\nprint('go', flush=True)\n"
                "try:\n    sim.run()\nexcept KeyboardInterrupt:\n    t = sim.time\n    sim.step()\n    print('stopped', sim.time > t)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "go\n")
        time.sleep(0.3)
        begin = time.perf_counter()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertLess(time.perf_counter() - begin, 20.0)
        self.assertEqual(out, "stopped True\n")
        self.assertEqual(child.returncode, 0)


if __name__ == "__main__":
    unittest.main()
