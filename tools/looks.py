#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes robots/looks: what the bodies of the robots look like, as meshes of plain solids.

    tools/looks.py            writes robots/looks/ROBOT_MATERIAL.ply

Looks only: meshes cast no shadow on solar cells, touch nothing and are in no law. Sizes follow
photographs and the parameters of robots/*.yaml; axes as there: x forwards, y left, z up from the
ground. Nothing may stand before a camera of a shipped scene: keep masts' heads behind their lenses.
"""
import math
import os
import struct
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "robots", "looks")


def axes(direction):
    """Two unit vectors that make a right-handed frame with `direction`."""
    n = math.sqrt(sum(x * x for x in direction))
    w = [x / n for x in direction]
    other = [0, 0, 1] if abs(w[2]) < 0.9 else [1, 0, 0]
    u = [other[1] * w[2] - other[2] * w[1], other[2] * w[0] - other[0] * w[2], other[0] * w[1] - other[1] * w[0]]
    n = math.sqrt(sum(x * x for x in u))
    u = [x / n for x in u]
    v = [w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]]
    return u, v, w


class Part:
    """Points and triangles of one material."""

    def __init__(self):
        self.points = []
        self.faces = []

    def add(self, points, faces):
        base = len(self.points)
        self.points += [tuple(p) for p in points]
        self.faces += [tuple(base + i for i in f) for f in faces]

    def prism(self, low, high):
        """Two rings of equal length, the second ahead of the first, with caps."""
        n = len(low)
        faces = []
        for i in range(n):
            j = (i + 1) % n
            faces += [(i, j, n + j), (i, n + j, n + i)]
        for i in range(1, n - 1):
            faces += [(0, i + 1, i), (n, n + i, n + i + 1)]
        self.add(list(low) + list(high), faces)

    def box(self, at, size, yaw=0.0, pitch=0.0, roll=0.0):
        cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
        turn = [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr]]

        def place(x, y, z):
            p = (x * size[0] / 2, y * size[1] / 2, z * size[2] / 2)
            return [at[k] + sum(turn[k][m] * p[m] for m in range(3)) for k in range(3)]

        ring = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        self.prism([place(x, y, -1) for x, y in ring], [place(x, y, 1) for x, y in ring])

    def cone(self, a, b, ra, rb, sides=24):
        """A solid of revolution from a to b."""
        u, v, _ = axes([b[k] - a[k] for k in range(3)])

        def ring(at, r):
            return [[at[k] + r * (math.cos(t) * u[k] + math.sin(t) * v[k]) for k in range(3)]
                    for t in (2 * math.pi * i / sides for i in range(sides))]

        self.prism(ring(a, ra), ring(b, rb))

    def rod(self, a, b, r, sides=16):
        self.cone(a, b, r, r, sides)

    def disc(self, at, normal, r, thickness, sides=32):
        _, _, w = axes(normal)
        self.rod([at[k] - w[k] * thickness / 2 for k in range(3)], [at[k] + w[k] * thickness / 2 for k in range(3)], r, sides)

    def dish(self, at, normal, r, depth, sides=32):
        """A shallow bowl that opens along `normal`, as two cones."""
        _, _, w = axes(normal)
        back = [at[k] - w[k] * depth for k in range(3)]
        self.cone(back, at, 0.25 * r, r, sides)

    def ball(self, at, r, sides=24, rows=12):
        points = [[at[0], at[1], at[2] - r]]
        for i in range(1, rows):
            a = math.pi * (i / rows - 0.5)
            points += [[at[0] + r * math.cos(a) * math.cos(t), at[1] + r * math.cos(a) * math.sin(t), at[2] + r * math.sin(a)]
                       for t in (2 * math.pi * k / sides for k in range(sides))]
        points.append([at[0], at[1], at[2] + r])
        faces = []
        for k in range(sides):
            j = (k + 1) % sides
            faces.append((0, 1 + j, 1 + k))
            last = 1 + (rows - 2) * sides
            faces.append((len(points) - 1, last + k, last + j))
            for i in range(rows - 2):
                a, b = 1 + i * sides, 1 + (i + 1) * sides
                faces += [(a + k, a + j, b + j), (a + k, b + j, b + k)]
        self.add(points, faces)

    def plate(self, x0, x1, y0, y1, z, thickness=0.004):
        self.box([(x0 + x1) / 2, (y0 + y1) / 2, z], [x1 - x0, y1 - y0, thickness])

    def cells(self, x0, x1, y0, y1, z, nx, ny, keep=lambda x, y: True):
        """Solar cells in rows, a finger's width apart."""
        dx, dy = (x1 - x0) / nx, (y1 - y0) / ny
        gap = 0.06 * min(dx, dy)
        for i in range(nx):
            for j in range(ny):
                if keep(x0 + (i + 0.5) * dx, y0 + (j + 0.5) * dy):
                    self.plate(x0 + i * dx + gap, x0 + (i + 1) * dx - gap, y0 + j * dy + gap, y0 + (j + 1) * dy - gap, z)


class Look(dict):
    def __missing__(self, key):
        self[key] = Part()
        return self[key]


def camera(look, at, size, direction=(1, 0, 0), lens=0.4):
    """A camera's case with its lens ahead."""
    look["body"].box(at, size)
    _, _, w = axes(direction)
    front = [at[k] + w[k] * size[0] / 2 for k in range(3)]
    r = lens * min(size[1], size[2])
    look["lens"].rod(front, [front[k] + 0.35 * size[0] * w[k] for k in range(3)], r)


def mer():
    m = Look()
    top = 0.681
    clear = [(0.48, 0.0, 0.10), (-0.25, -0.33, 0.09), (-0.05, -0.28, 0.06), (-0.42, 0.30, 0.05), (-0.28, 0.12, 0.08)]

    def keep(x, y):
        return all(math.hypot(x - a, y - b) > r for a, b, r in clear)

    m["cell"].cells(-0.51, 0.61, -0.935, 0.935, top, 14, 26, keep)
    m["cell"].cells(0.635, 0.915, -0.36, 0.36, 0.680, 4, 10, keep)
    m["cell"].cells(-0.815, -0.535, -0.435, 0.435, 0.680, 4, 12, keep)
    for y in (-0.475, 0.475):  # hinges of the side panels
        m["metal"].box([0.05, y, top + 0.003], [1.1, 0.012, 0.006])
    # warm electronics box: gold below the deck
    for s in (-1, 1):
        m["gold"].box([0.05, s * 0.262, 0.40], [0.80, 0.006, 0.20])
        m["gold"].rod([0.06, s * 0.26, 0.44], [0.06, s * 0.30, 0.44], 0.075, 28)
        m["metal"].rod([0.06, s * 0.30, 0.44], [0.06, s * 0.325, 0.44], 0.045, 24)
    m["gold"].box([0.453, 0, 0.40], [0.006, 0.50, 0.20])
    m["gold"].box([-0.353, 0, 0.40], [0.006, 0.50, 0.20])
    m["body"].box([0.05, 0, 0.296], [0.70, 0.44, 0.02])
    # camera mast: collar, elbow, bar with Pancams outside and Navcams inside
    m["body"].cone([0.48, 0, top], [0.48, 0, 0.80], 0.075, 0.045)
    m["metal"].rod([0.48, 0, 1.38], [0.48, 0, 1.44], 0.048)
    m["body"].rod([0.47, -0.20, 1.50], [0.47, 0.20, 1.50], 0.030)
    for s in (-1, 1):
        camera(m, [0.475, s * 0.175, 1.50], [0.09, 0.055, 0.07], lens=0.32)
        m["metal"].rod([0.47, s * 0.20, 1.50], [0.47, s * 0.225, 1.50], 0.035)
    # antennas: high gain on its gimbal, low gain mast, UHF whip
    m["metal"].rod([-0.25, -0.33, top], [-0.25, -0.33, 0.90], 0.022)
    m["metal"].ball([-0.25, -0.33, 0.91], 0.035, 16, 8)
    m["body"].dish([-0.28, -0.34, 0.985], (-0.55, -0.15, 1), 0.14, 0.045)
    m["gold"].disc([-0.281, -0.340, 0.988], (-0.55, -0.15, 1), 0.125, 0.004)
    m["body"].rod([-0.05, -0.28, top], [-0.05, -0.28, 1.20], 0.014)
    m["metal"].cone([-0.05, -0.28, 1.20], [-0.05, -0.28, 1.27], 0.03, 0.018)
    m["metal"].rod([-0.42, 0.30, top], [-0.42, 0.30, 0.98], 0.005, 10)
    # sundial that the Pancams are calibrated with
    m["body"].box([-0.28, 0.12, top + 0.006], [0.08, 0.08, 0.010])
    m["metal"].rod([-0.28, 0.12, top], [-0.28, 0.12, top + 0.06], 0.004, 8)
    # hazard cameras below the deck, front and rear
    for s in (-1, 1):
        camera(m, [0.555, s * 0.05, 0.555], [0.04, 0.04, 0.04])
        camera(m, [-0.50, s * 0.05, 0.555], [0.04, 0.04, 0.04], (-1, 0, 0))
    m["metal"].box([0.50, 0, 0.575], [0.10, 0.16, 0.02])
    m["metal"].box([-0.43, 0, 0.575], [0.12, 0.16, 0.02])
    # instrument arm, folded below the front of the deck
    m["metal"].rod([0.47, 0.21, 0.42], [0.53, 0.21, 0.42], 0.035)
    m["metal"].rod([0.53, 0.21, 0.42], [0.54, -0.09, 0.40], 0.021)
    m["metal"].ball([0.54, -0.09, 0.40], 0.032, 16, 8)
    m["metal"].rod([0.54, -0.09, 0.40], [0.52, 0.14, 0.36], 0.019)
    for k in range(4):
        a = 0.6 + k * math.pi / 2
        m["gold" if k == 0 else "metal"].cone([0.52, 0.14, 0.345],
                                              [0.52 + 0.07 * math.sin(a) * 0.3, 0.14 + 0.08 * math.cos(a), 0.345 + 0.05 * math.sin(a)],
                                              0.026, 0.022)
    return m


def msl():
    m = Look()
    deck = 1.11
    # body: panels, belly pan, deck with what stands on it
    for s in (-1, 1):
        m["metal"].box([0.10, s * 0.602, 0.86], [1.30, 0.008, 0.26])
        m["gold"].box([0.10, s * 0.606, 0.75], [1.10, 0.006, 0.06])
        m["metal"].rod([0.304, s * 0.60, 0.88], [0.304, s * 0.75, 0.88], 0.13, 32)
        m["body"].rod([0.304, s * 0.75, 0.88], [0.304, s * 0.775, 0.88], 0.09, 32)
    m["metal"].box([0.10, 0, 0.655], [1.40, 0.95, 0.03])
    for x, y, sx, sy, h in ((0.35, 0.25, 0.35, 0.30, 0.05), (-0.30, 0.15, 0.40, 0.35, 0.06), (0.45, -0.15, 0.25, 0.25, 0.04),
                            (-0.25, -0.35, 0.30, 0.22, 0.05)):
        m["body"].box([x, y, deck + h / 2], [sx, sy, h])
    for x, y in ((0.62, 0.10), (0.62, 0.28), (0.74, 0.19)):  # inlets of the laboratories inside
        m["metal"].cone([x, y, deck], [x, y, deck + 0.07], 0.055, 0.045)
    for x0, y0, x1, y1 in ((-0.70, -0.60, 0.90, -0.60), (-0.70, 0.60, 0.90, 0.60), (0.90, -0.60, 0.90, 0.60), (-0.70, -0.60, -0.70, 0.60)):
        m["metal"].rod([x0, y0, deck], [x1, y1, deck], 0.014, 10)
    # radioisotope generator: eight fins, cap, heat exchangers at its sides, cage
    axis = (-math.sin(math.radians(60)), 0.0, math.cos(math.radians(60)))
    middle = (-0.956, 0.0, 1.02)
    u, v, w = axes(axis)

    def gen(along, across, up):
        return [middle[k] + along * w[k] + across * u[k] + up * v[k] for k in range(3)]

    for i in range(8):
        t = 2 * math.pi * i / 8
        c, s = math.cos(t), math.sin(t)
        ring = []
        for along in (-0.30, 0.30):
            for r, d in ((0.14, -0.006), (0.26, -0.006), (0.26, 0.006), (0.14, 0.006)):
                ring.append(gen(along, r * c - d * s, r * s + d * c))
        m["metal"].prism(ring[:4], ring[4:])
    m["body"].cone(gen(0.33, 0, 0), gen(0.37, 0, 0), 0.15, 0.10)
    for s in (-1, 1):
        m["body"].box([-0.92, s * 0.36, 1.02], [0.62, 0.02, 0.42], pitch=math.radians(30))
        m["metal"].rod([-0.66, s * 0.36, 0.95], [-0.70, s * 0.36, 1.05], 0.02, 10)
    # remote sensing mast: collar, tube, head with Mastcams, Navcams and the round window of ChemCam
    x, y = 0.804, -0.559
    m["body"].cone([x, y, deck], [x, y, deck + 0.16], 0.10, 0.065)
    m["metal"].rod([x, y, 1.42], [x, y, 1.50], 0.066)
    m["metal"].rod([x, y, 1.76], [x, y, 1.84], 0.075)
    m["body"].box([x - 0.045, y, 1.945], [0.17, 0.30, 0.14])
    m["metal"].rod([x + 0.045, y, 1.985], [x + 0.060, y, 1.985], 0.062, 32)
    m["lens"].rod([x + 0.058, y, 1.985], [x + 0.066, y, 1.985], 0.052, 32)
    for s, r in ((-1, 0.026), (1, 0.020)):
        m["metal"].box([x, y + s * 0.11, 1.865], [0.10, 0.075, 0.075])
        m["lens"].rod([x + 0.05, y + s * 0.11, 1.865], [x + 0.075, y + s * 0.11, 1.865], r)
    for s in (-1, 1):
        m["body"].box([x - 0.06, y + s * 0.20, 1.97], [0.07, 0.05, 0.05])
        m["lens"].rod([x - 0.025, y + s * 0.20, 1.97], [x - 0.010, y + s * 0.20, 1.97], 0.017)
    m["metal"].rod([x, y + 0.05, 1.58], [x + 0.16, y + 0.14, 1.58], 0.010, 10)  # booms of the weather station
    m["metal"].rod([x, y - 0.05, 1.53], [x + 0.02, y - 0.18, 1.53], 0.010, 10)
    # antennas: hexagonal high gain on two axes, low gain cone, UHF helix
    m["metal"].rod([-0.25, 0.48, deck], [-0.25, 0.48, 1.30], 0.035)
    m["metal"].rod([-0.25, 0.42, 1.30], [-0.25, 0.54, 1.30], 0.045)
    m["body"].disc([-0.29, 0.48, 1.40], (-0.6, 0.2, 1), 0.15, 0.025, 6)
    m["gold"].disc([-0.297, 0.483, 1.414], (-0.6, 0.2, 1), 0.135, 0.004, 6)
    m["metal"].rod([-0.55, 0.30, deck], [-0.55, 0.30, 1.22], 0.02)
    m["body"].cone([-0.55, 0.30, 1.22], [-0.55, 0.30, 1.34], 0.03, 0.055)
    m["body"].cone([-0.55, -0.42, deck], [-0.55, -0.42, 1.36], 0.07, 0.055)
    # hazard cameras, two pairs at each end
    for s in (-1, 1):
        for d in (0.08, 0.17):
            camera(m, [0.905, s * d, 0.74], [0.05, 0.05, 0.05])
            camera(m, [-0.715, s * (d + 0.28), 0.78], [0.05, 0.05, 0.05], (-1, 0, 0))
    # arm, folded across the front, with its turret of tools
    m["metal"].box([0.95, 0.45, 0.82], [0.12, 0.14, 0.20])
    m["metal"].rod([1.00, 0.45, 0.74], [1.00, 0.45, 0.98], 0.075)
    m["metal"].rod([1.02, 0.45, 0.96], [1.04, -0.42, 0.98], 0.048)
    m["metal"].rod([1.04, -0.42, 0.84], [1.04, -0.42, 1.04], 0.075)
    m["metal"].rod([1.04, -0.42, 0.88], [1.10, 0.18, 0.88], 0.042)
    m["metal"].rod([1.10, 0.20, 0.76], [1.10, 0.20, 0.98], 0.065)
    for k in range(5):
        a = 2 * math.pi * k / 5
        at = [1.12 + 0.13 * math.cos(a), 0.20 + 0.13 * math.sin(a), 0.84]
        m[("gold", "metal", "body", "metal", "lens")[k]].cone([1.12, 0.20, 0.84], at, 0.055, 0.045)
    return m


def exomars():
    m = Look()
    top = 0.8145
    m["cell"].cells(-0.375, 0.375, -0.885, 0.885, top, 8, 18, lambda x, y: math.hypot(x - 0.28, y) > 0.12)
    for y in (-0.44, 0.44):  # where the panels unfold
        m["metal"].box([0, y, top + 0.002], [0.76, 0.016, 0.008])
    # body: gold foil below, radiators at the sides
    for s in (-1, 1):
        m["gold"].box([0, s * 0.385, 0.52], [0.66, 0.008, 0.22])
        m["body"].box([-0.05, s * 0.388, 0.68], [0.45, 0.008, 0.10])
        m["metal"].rod([0.40, s * 0.38, 0.3475], [0.40, s * 0.46, 0.3475], 0.06, 24)
    m["gold"].box([0.352, 0, 0.52], [0.008, 0.72, 0.22])
    m["gold"].box([-0.352, 0, 0.52], [0.008, 0.72, 0.22])
    # the drill's box, lying across the front, with its tip
    m["body"].box([0.43, -0.02, 0.60], [0.14, 0.66, 0.15])
    m["metal"].rod([0.43, -0.35, 0.60], [0.43, -0.43, 0.60], 0.035)
    m["metal"].rod([0.37, 0.20, 0.60], [0.35, 0.20, 0.60], 0.07)
    # mast: base, pan-tilt, cameras: wide angle outside, high resolution and navigation inside
    m["body"].cone([0.28, 0, top], [0.28, 0, 0.95], 0.075, 0.045)
    m["metal"].rod([0.28, 0, 1.86], [0.28, 0, 1.94], 0.055)
    for s in (-1, 1):
        m["lens"].rod([0.34, s * 0.21, 2.0], [0.365, s * 0.21, 2.0], 0.032)
        m["lens"].rod([0.34, s * 0.075, 2.0], [0.355, s * 0.075, 2.0], 0.022)
    m["lens"].rod([0.34, -0.14, 2.0], [0.355, -0.14, 2.0], 0.042)
    m["metal"].box([0.28, 0, 2.07], [0.10, 0.16, 0.03])
    # antennas and the cameras for localisation
    m["body"].cone([-0.27, 0.25, top], [-0.27, 0.25, 1.00], 0.06, 0.05)
    m["metal"].rod([-0.27, -0.25, top], [-0.27, -0.25, 1.06], 0.012, 12)
    for s in (-1, 1):
        camera(m, [0.33, s * 0.075, 0.88], [0.05, 0.04, 0.05])
    m["metal"].box([0.32, 0, 0.845], [0.05, 0.22, 0.02])
    return m


def sojourner():
    m = Look()
    top = 0.2855
    m["cell"].cells(-0.275, 0.255, -0.185, 0.185, top, 11, 8, lambda x, y: math.hypot(x + 0.18, y - 0.12) > 0.03)
    for s in (-1, 1):
        m["gold"].box([-0.01, s * 0.1215, 0.205], [0.34, 0.003, 0.09])
        camera(m, [0.18, s * 0.05, 0.215], [0.03, 0.03, 0.03])
        m["metal"].rod([0, s * 0.12, 0.18], [0, s * 0.15, 0.18], 0.022)
    m["gold"].box([0.1715, 0, 0.205], [0.003, 0.22, 0.09])
    m["gold"].box([-0.1915, 0, 0.205], [0.003, 0.22, 0.09])
    m["metal"].rod([-0.20, -0.03, 0.20], [-0.24, -0.03, 0.17], 0.022)  # the spectrometer behind
    m["metal"].cone([-0.18, 0.12, 0.71], [-0.18, 0.12, 0.73], 0.012, 0.006)
    return m


def eels():
    """Unit sizes: along x from 0 to 1 is half a module, y and z in radii of the core."""
    half = Look()
    half["metal"].cone([0.004, 0, 0], [0.07, 0, 0], 0.80, 0.98, 36)
    half["metal"].cone([0.93, 0, 0], [0.996, 0, 0], 0.98, 0.80, 36)
    half["metal"].rod([0.245, 0, 0], [0.285, 0, 0], 0.95, 36)
    half["metal"].rod([0.715, 0, 0], [0.755, 0, 0], 0.95, 36)
    for k in range(6):  # ribs of the shell where no screw turns
        a = math.pi * k / 3
        y, z = 0.75 * math.cos(a), 0.75 * math.sin(a)
        half["body"].rod([0.03, y, z], [0.24, y, z], 0.10, 10)
        half["body"].rod([0.76, y, z], [0.97, y, z], 0.10, 10)
    head = Look()  # x from 0 to 1 is the length of the head
    head["metal"].cone([0.01, 0, 0], [0.10, 0, 0], 0.85, 1.05, 36)
    head["metal"].cone([0.90, 0, 0], [0.98, 0, 0], 1.02, 0.85, 36)
    head["lens"].rod([0.98, 0, 0], [1.005, 0, 0], 0.72, 36)
    for k in range(3):
        for s in (-1, 1):
            a = (k - 1) * math.radians(90)
            y, z = math.sin(a), math.cos(a)
            x = 0.45
            head["lens"].rod([x + s * 0.14, 0.98 * y, 0.98 * z], [x + s * 0.14, 1.10 * y, 1.10 * z], 0.16, 16)
    return {"eels_half": half, "eels_head": head}


def save(name, part):
    path = os.path.join(FOLDER, name + ".ply")
    head = ("ply\nformat binary_little_endian 1.0\ncomment made by tools/looks.py\n"
            f"element vertex {len(part.points)}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {len(part.faces)}\nproperty list uchar ushort vertex_indices\nend_header\n")
    with open(path, "wb") as f:
        f.write(head.encode())
        for p in part.points:
            f.write(struct.pack("<fff", *p))
        for a, b, c in part.faces:
            f.write(struct.pack("<BHHH", 3, a, b, c))


def main():
    os.makedirs(FOLDER, exist_ok=True)
    looks = {"mer": mer(), "msl": msl(), "exomars": exomars(), "sojourner": sojourner()}
    looks.update(eels())
    for name, look in looks.items():
        for material, part in look.items():
            if len(part.points) > 65535:
                sys.exit(f"{name}_{material}: {len(part.points)} points, at most 65535")
            save(f"{name}_{material}", part)
            print(f"robots/looks/{name}_{material}.ply  {len(part.points)} points, {len(part.faces)} triangles")


if __name__ == "__main__":
    main()
