"""The same from Python: python3 drive.py (see docs/python.md for how to get the module)."""
import rille

sim = rille.load("scene.yaml")
while sim.time < 20:
    sim.run(1)
    print(f"t = {sim.time:4.1f} s   x = {sim['base.x']:6.3f} m   slip {sim['soil.front_left.slip']:5.2f}")
