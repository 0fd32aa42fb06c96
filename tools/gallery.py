#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/gallery.md and its pictures: gallery.py RILLE (make gallery). Drawn by rays on the processor, no display needed."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GROUPS = [  # scene, moment [s], what is seen
    ("Rovers on soil", [
        ("mer_sand", 25, "A Mars Exploration Rover leaves ruts in waves of loose sand"),
        ("rover_ripple", 15, "Curiosity's size against a ripple: slip, sinkage, and whether it gets over"),
        ("santa_maria", 20, "Down the slope of Santa Maria crater"),
        ("wheel_testbed", 5, "A single wheel with grousers under load, as in laboratories"),
        ("screw_testbed", 5, "Two screws of opposite hands pull a carriage through sand"),
        ("spirit_four_wheels", 10, "Spirit drags a dead wheel"),
    ]),
    ("Rovers on rock", [
        ("mer_rocks", 20, "Rocks of a seeded field, touched by wheels, struts and body"),
        ("exomars_step", 6, "ExoMars climbs a step with exact Coulomb friction"),
        ("rover_step", 6, "A rocker-bogie climbs a step"),
        ("sojourner_garden", 10, "Sojourner finds its way between rocks with its laser stripes"),
        ("exomars_rough", 5, "ExoMars on ground that no wheel finds level"),
        ("rover_tip_over", 1, "A rover that tips over says so"),
    ]),
    ("Navigation, perception, site", [
        ("mer_cul_de_sac", 30, "Out of a dead end by a map of its own"),
        ("lunar_pole", 0.5, "Long shadows at the pole of the Moon"),
        ("mer_gestalt", 15, "GESTALT chooses arcs between rocks"),
        ("place_instrument", 40, "An arm presses an instrument on rock with 2 N"),
    ]),
    ("Snakes on and in ice", [
        ("crescent", 5, "EELS 1.0 with counter-rotating screws on ice"),
        ("climb_walls", 5, "EELS 1.5 climbs between two walls of ice"),
        ("eels_head_on", 1, "A nose meets a wall"),
        ("coil", 3, "A coil that touches itself"),
    ]),
    ("Exact contact", [
        ("pile", 0.5, "A pile of boxes with friction and impacts"),
        ("newton_cradle", 0.6, "Newton's cradle"),
    ]),
]


def draw(rille, scene, moment):
    picture = os.path.join(ROOT, "docs", "images", f"gallery_{scene}.png")
    done = subprocess.run([rille, "view", scene, "--renderer", "rays", "--png", picture, "--size", "480x270", "--at", str(moment)],
                          cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{scene}: {done.stderr.strip()}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rille, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    text = ["# Gallery", "", "Scenes that come with the program, drawn by its own ray tracer on the processor (`make gallery`).",
            "`rille run NAME` simulates one, `rille view NAME` shows it live. All of them: [scenes](scenes.md).", ""]
    for group, rows in GROUPS:
        text += [f"## {group}", "", "| | |", "|---|---|"]
        for k in range(0, len(rows), 2):
            pair = rows[k:k + 2] + [None] * (2 - len(rows[k:k + 2]))
            text.append("| " + " | ".join(f"![{x[0]}](images/gallery_{x[0]}.png)" if x else "" for x in pair) + " |")
            text.append("| " + " | ".join(f"`{x[0]}`: {x[2]}" if x else "" for x in pair) + " |")
        text.append("")
    for _, rows in GROUPS:
        for scene, moment, _ in rows:
            if not wanted or scene in wanted:
                print(f"{scene} at {moment} s", flush=True)
                draw(rille, scene, moment)
    with open(os.path.join(ROOT, "docs", "gallery.md"), "w") as f:
        f.write("\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
