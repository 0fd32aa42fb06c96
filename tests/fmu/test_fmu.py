#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FMUs, both ways: test_fmu.py RILLE SOURCE PILOT.so MIXER.so WORK

Debian has no program that runs or checks FMUs, so this is an importer of its own: Python's zip and XML readers, the standards' rules by
hand, and the functions called through ctypes. What an FMU computes is compared with the variable server, bit by bit.
"""
import ctypes as C
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile

rille, source, pilot, mixer, work = sys.argv[1:6]
work = pathlib.Path(work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print("FAIL", what)


def run(*words, cwd=work):
    return subprocess.run([rille, *words], capture_output=True, text=True, timeout=200, cwd=cwd)


# --- the standards' rules ---------------------------------------------------------------------------------------------

def rules(root, version):
    """What FMI 2.0.4 (2.2) and 3.0.1 (2.4) ask of a description of co-simulation."""
    order = ["CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"]
    tags = [child.tag for child in root]
    check(tags == [t for t in order if t in tags], f"FMI {version}: order of elements: {tags}")
    check(root.get("fmiVersion") == f"{version}.0", "fmiVersion")
    check(root.get("guid" if version == 2 else "instantiationToken"), "guid or token")
    cs = root.find("CoSimulation")
    check(re.fullmatch(r"[A-Za-z_]\w*", cs.get("modelIdentifier")), "modelIdentifier is a C identifier")
    units = {u.get("name"): u for u in root.find("UnitDefinitions")}
    check(len(units) == len(root.find("UnitDefinitions")), "units are unique")
    base = {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"}
    check(all(set(u.find("BaseUnit").attrib) <= base for u in units.values()), "base units")
    variables = list(root.find("ModelVariables"))
    names = [v.get("name") for v in variables]
    references = [v.get("valueReference") for v in variables]
    check(len(set(names)) == len(names) and len(set(references)) == len(references), "names and references are unique")
    outputs, independent = [], 0
    for index, v in enumerate(variables, 1):
        kind = v[0] if version == 2 else v
        check(kind.tag in (("Real", "Integer", "Boolean") if version == 2 else ("Float64", "Int32", "Boolean")), f"type {kind.tag}")
        causality, start = v.get("causality"), kind.get("start")
        check(kind.get("unit") is None or kind.get("unit") in units, f"unit of {v.get('name')}")
        check((start is not None) == (causality in ("input", "parameter")), f"start of {v.get('name')}")
        check(causality != "parameter" or v.get("variability") in ("fixed", "tunable"), "variability of a parameter")
        independent += causality == "independent"
        if causality == "output":
            outputs.append(index if version == 2 else int(v.get("valueReference")))
    check(independent == 1, "one independent variable")
    structure = root.find("ModelStructure")
    if version == 2:
        listed = [int(u.get("index")) for u in structure.find("Outputs")]
        initial = [int(u.get("index")) for u in structure.find("InitialUnknowns")]
    else:
        listed = [int(u.get("valueReference")) for u in structure.findall("Output")]
        initial = [int(u.get("valueReference")) for u in structure.findall("InitialUnknown")]
    check(listed == outputs and initial == outputs, "outputs and initial unknowns")
    return variables


# --- an importer --------------------------------------------------------------------------------------------------------

LOGGER2 = C.CFUNCTYPE(None, C.c_void_p, C.c_char_p, C.c_int, C.c_char_p, C.c_char_p, C.c_char_p)
LOGGER3 = C.CFUNCTYPE(None, C.c_void_p, C.c_int, C.c_char_p, C.c_char_p)


class Callbacks(C.Structure):
    _fields_ = [("logger", LOGGER2), ("allocate", C.c_void_p), ("release", C.c_void_p), ("finished", C.c_void_p), ("environment", C.c_void_p)]


class Fmu:
    def __init__(self, path):
        self.folder = work / (path.stem + ".unpacked")
        shutil.rmtree(self.folder, ignore_errors=True)
        with zipfile.ZipFile(path) as z:
            check(z.testzip() is None, "checksums of the archive")
            z.extractall(self.folder)
        root = ET.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(root.get("fmiVersion")[0])
        self.variables = rules(root, self.version)
        self.references = {v.get("name"): int(v.get("valueReference")) for v in self.variables}
        self.units = {v.get("name"): (v[0] if self.version == 2 else v).get("unit") for v in self.variables}
        self.token = root.get("guid" if self.version == 2 else "instantiationToken")
        identifier = root.find("CoSimulation").get("modelIdentifier")
        folder = "linux64" if self.version == 2 else "x86_64-linux"
        self.library = C.CDLL(str(self.folder / "binaries" / folder / (identifier + ".so")))
        self.messages = []
        self.c = None

    def call(self, name, *args):
        function = getattr(self.library, f"fmi{self.version}{name}")
        return function(C.c_void_p(self.c), *args)

    def instantiate(self, token=None):
        token = (token or self.token).encode()
        if self.version == 2:
            self.callbacks = Callbacks(LOGGER2(lambda e, n, s, k, f, m: self.messages.append((m or b"").decode())), None, None, None, None)
            function = self.library.fmi2Instantiate
            function.restype = C.c_void_p
            self.c = function(b"one", 1, token, (self.folder / "resources").as_uri().encode(), C.byref(self.callbacks), 0, 0)
        else:
            self.logger = LOGGER3(lambda e, s, k, m: self.messages.append(m.decode()))
            function = self.library.fmi3InstantiateCoSimulation
            function.restype = C.c_void_p
            self.c = function(b"one", token, f"{self.folder}/resources/".encode(), False, False, False, C.c_bool(True), None, C.c_size_t(0), None, self.logger, None)
        return self.c is not None

    def begin(self):
        if self.version == 2:
            check(self.call("SetupExperiment", 0, C.c_double(0), C.c_double(0), 0, C.c_double(0)) == 0, "setup")
            check(self.call("EnterInitializationMode") == 0, "enter")
        else:
            check(self.call("EnterInitializationMode", False, C.c_double(0), C.c_double(0), False, C.c_double(0)) == 0, "enter")
        check(self.call("ExitInitializationMode") == 0, "exit")

    def set(self, name, x):
        r, v = C.c_uint(self.references[name]), C.c_double(x)
        more = [] if self.version == 2 else [C.c_size_t(1)]
        return self.call("SetReal" if self.version == 2 else "SetFloat64", C.byref(r), C.c_size_t(1), C.byref(v), *more)

    def get(self, name):
        r, v = C.c_uint(self.references[name]), C.c_double(0)
        more = [] if self.version == 2 else [C.c_size_t(1)]
        check(self.call("GetReal" if self.version == 2 else "GetFloat64", C.byref(r), C.c_size_t(1), C.byref(v), *more) == 0, "get " + name)
        return v.value

    def step(self, t, h):
        if self.version == 2:
            return self.call("DoStep", C.c_double(t), C.c_double(h), 1), False
        flags = [C.c_bool() for _ in range(3)]
        self.last = C.c_double()
        status = self.call("DoStep", C.c_double(t), C.c_double(h), C.c_bool(True), *[C.byref(f) for f in flags], C.byref(self.last))
        return status, flags[1].value


def reference(scene, inputs, outputs, controls, *settings):
    """The same through the variable server."""
    path = str(work / "s")
    server = subprocess.Popen([rille, "serve", scene, "-q", f"--serve={path}", "--out", str(work / "out"), *settings], stderr=subprocess.DEVNULL)
    for _ in range(200):
        if os.path.exists(path):
            break
        time.sleep(0.05)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    stream = connection.makefile("rw", newline="\n")

    def ask(text):
        stream.write(text + "\n")
        stream.flush()
        return stream.readline().split()

    check(ask(f"bind 0 1 {' '.join(inputs)} -> {' '.join(outputs)}")[0] == "ok", "bind")
    rows = [[float(x) for x in ask("cycle 0 " + " ".join(repr(u) for u in row))[2:]] for row in controls]
    ask("quit")
    server.wait(60)
    return rows


def drive(version):
    inputs, outputs = ["hinge_1.command"], ["hinge_1.position", "hinge_2.velocity"]
    path = work / f"pendulum{version}.fmu"
    made = run("fmu", "pendulum", "--fmi", str(version), "--inputs", inputs[0], "--outputs", ",".join(outputs), "--parameters", "gravity.z", "--out", str(path))
    check(made.returncode == 0, "export: " + made.stderr)
    f = Fmu(path)
    check(f.units["hinge_1.command"] == "N*m" and f.units["hinge_2.velocity"] == "rad/s", "units")
    check(not f.instantiate("{wrong}") and "not that of this FMU" in f.messages[-1], "a wrong token is refused")
    check(f.instantiate(), "instantiate: " + " ".join(f.messages))
    f.begin()
    controls = [[0.1 * (i % 7) - 0.2] for i in range(400)]
    state = C.c_void_p()
    for turn in range(3):
        rows, start = [], 200 if turn else 0
        if turn == 1:
            check(f.call("SetFMUstate" if version == 2 else "SetFMUState", state) == 0, "set state")
        if turn == 2:  # through bytes, into an instance that was reset
            size = C.c_size_t()
            word = "FMUstate" if version == 2 else "FMUState"
            check(f.call(f"Serialized{word}Size", state, C.byref(size)) == 0, "size")
            data = (C.c_char * size.value)()
            check(f.call(f"Serialize{word}", state, data, size) == 0, "serialize")
            check(f.call("Reset") == 0, "reset")
            other = C.c_void_p()
            check(f.call("DeSerializeFMUstate" if version == 2 else "DeserializeFMUState", data, size, C.byref(other)) == 0, "deserialize")
            check(f.call(f"Set{word}", other) == 0 and f.call(f"Free{word}", C.byref(other)) == 0, "set from bytes")
            check(f.call("DeSerializeFMUstate" if version == 2 else "DeserializeFMUState", data, C.c_size_t(size.value - 1), C.byref(other)) == 3, "cut bytes are refused")
        for i in range(start, 400):
            if turn == 0 and i == 200:
                check(f.call("GetFMUstate" if version == 2 else "GetFMUState", C.byref(state)) == 0, "get state")
            check(f.set(inputs[0], controls[i][0]) == 0, "set")
            check(f.step(i * 0.001, 0.001)[0] == 0, "step: " + " ".join(f.messages))
            rows.append([f.get(o) for o in outputs])
        if turn == 0:
            native = reference("pendulum", inputs, outputs, controls)
        check(rows == native[start:], f"FMI {version}, turn {turn}: the bits are those of rille serve")
    check(abs(f.get("time") - 0.4) < 1e-12, "time")
    check(f.set(inputs[0], float("nan")) == 1 and "held" in f.messages[-1], "a NaN is refused with a warning")
    check(f.set(outputs[0], 1.0) == 3, "an output cannot be set")
    check(f.step(0.4, 0.0015)[0] == 3 and "whole number of ticks" in f.messages[-1], "half a tick")
    check(f.step(0.7, 0.001)[0] == 3 and "the FMU is at 0.4 s" in f.messages[-1], "another time")
    f.call("FreeFMUstate" if version == 2 else "FreeFMUState", C.byref(state))
    f.call("FreeInstance")


def early_return():
    scene = work / "stops.yaml"
    scene.write_text(pathlib.Path(source, "scenes/pendulum.yaml").read_text().replace("../robots/", f"{source}/robots/") + '\nstop: {when: "time > 0.0045"}\n')
    path = work / "stops.fmu"
    made = run("fmu", str(scene), "--fmi", "3", "--outputs", "hinge_1.position", "--out", str(path))
    check(made.returncode == 0, "export: " + made.stderr)
    f = Fmu(path)
    check(f.instantiate(), "instantiate: " + " ".join(f.messages))
    f.begin()
    status, terminate = f.step(0.0, 0.010)
    check(status == 0 and terminate and abs(f.last.value - 0.005) < 1e-12, f"early return: {status} {terminate} {f.last.value}")
    f.call("FreeInstance")


def symbols():
    """Every function of the standards is there."""
    text = subprocess.run(["nm", "-D", "--defined-only", str(pathlib.Path(rille).parent / "rille-fmu.so")], capture_output=True, text=True).stdout
    two = set(re.findall(r" T (fmi2\w+)", text))
    three = set(re.findall(r" T (fmi3\w+)", text))
    rest = [w for w in re.findall(r" [TDB] (\w+)", text) if not w.startswith("fmi")]
    check(len(two) == 34, f"FMI 2.0: {len(two)} functions of co-simulation")
    check(len(three) == 75, f"FMI 3.0: {len(three)} functions")
    check(not rest, f"nothing else is exported: {rest[:5]}")


# --- import -------------------------------------------------------------------------------------------------------------

def make_pilot(path, library=pilot, description=None, name="binaries/linux64/pilot.so"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("modelDescription.xml", description or pathlib.Path(source, "examples/fmu/modelDescription.xml").read_text())
        z.write(library, name)


def hash_of(done):
    found = re.search(r"state hash  (\w+)", done.stdout)
    return found.group(1) if found else done.stderr


def fido():
    shutil.copy(f"{source}/examples/fmu/fido_pilot.yaml", work)
    make_pilot(work / "pilot.fmu")
    first = run("run", "fido_pilot.yaml", "--out", "a")
    check(first.returncode == 0 and "speed over ground" in first.stdout, "FIDO with its pilot: " + first.stdout + first.stderr)
    again = run("run", "fido_pilot.yaml", "--out", "b")
    check(hash_of(first) == hash_of(again), "two runs are equal")
    without = run("run", "fido_pilot.yaml", "--out", "c", "--set", "pilot.kp=0", "--set", "pilot.ki=0")
    check(without.returncode == 1, "without its law the speed is not kept: the check fails")
    subprocess.run([rille, "run", "-i", "fido_pilot.yaml", "--out", "e"], input="step 2000\nsave e.checkpoint\nquit\n", text=True, capture_output=True, cwd=work, timeout=100)
    resumed = run("run", "fido_pilot.yaml", "--out", "f", "--resume", "e.checkpoint")
    check(hash_of(resumed) == hash_of(first), "resumed: the FMU's state comes from the checkpoint: " + resumed.stderr)


def make_mixer(description):
    with zipfile.ZipFile(work / "mixer.fmu", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("modelDescription.xml", description)
        z.write(mixer, "binaries/x86_64-linux/mixer.so")


def words():
    """FMI 3.0 as other makers use it: arrays, all kinds of numbers, enumerations, structural parameters; texts are left out and told."""
    text = pathlib.Path(source, "tests/fmu/mixer.xml").read_text()
    make_mixer(text)
    scene = work / "mixer.yaml"
    scene.write_text(f"scene: mixer\nrobot: {source}/robots/pendulum.yaml\nduration: 1\ndevices:\n  - {{name: m, type: mixer, library: mixer.fmu, rate: 1000 Hz}}\n")
    inputs = ["m.u_1_1", "m.u_2_2", "m.k", "m.n", "m.mode", "m.big", "m.on"]
    outputs = ["m.y_1", "m.y_2", "m.big2", "m.count", "m.faults"]
    # u is in mm in the FMU and in m here; its other elements keep their start, 2 and 3 mm.
    rows = reference(str(scene), inputs, outputs, [[0.004, 0.005, 0.5, -3, 7, 9.0, 1], [0.004, 0.005, 2.0, 100, 1, 2.0**53 - 2, 1], [0, 0, 1, 0, 0, 0, 0]])
    check(rows[0][:3] == [0.5 * 6 - 3 + 7, 0.5 * 8 - 3 + 7, 10.0], f"mixer, first row: {rows[0]}")
    check(rows[1][:3] == [2 * 6 + 101.0, 2 * 8 + 101.0, 2.0**53 - 1], f"mixer, second row: {rows[1]}")
    check(rows[2][:3] == [0, 0, 1] and rows[2][4] == 0, f"mixer, third row: {rows[2]}")
    check([row[3] - rows[0][3] for row in rows] == [0, 1, 2], "mixer: a step for each tick")
    done = run("run", str(scene), "--out", "mixed")
    check("inputs and outputs of the FMU that are not numbers are left out (1): 'label'" in done.stdout + done.stderr, "what is left out is told: " + done.stdout + done.stderr)
    for what, change in {"from 1 to 1024": ('<Dimension valueReference="7"/>', '<Dimension start="0"/>'), "more than 1024 elements": ('<Dimension start="2"/><Dimension start="2"/>', '<Dimension start="1000"/><Dimension start="2"/>'), "is not a": ("1 2 3 4", "1 2 x 4")}.items():
        make_mixer(text.replace(*change))
        done = run("run", str(scene), "--out", "bad")
        check(done.returncode == 2 and (what in done.stderr or "start" in done.stderr) and "modelDescription.xml:" in done.stderr, f"{what}: {done.returncode} {done.stderr}")


def nested():
    """An FMU of Rille as a device of a scene does what the native scene does, in both versions."""
    controls = [0.3, 0.3, -0.2] * 100
    native = reference("pendulum", ["hinge_1.command"], ["hinge_1.position", "hinge_2.velocity"], [[u] for u in controls])
    for version in (2, 3):
        made = run("fmu", "pendulum", "--fmi", str(version), "--inputs", "hinge_1.command", "--outputs", "hinge_1.position,hinge_2.velocity", "--out", str(work / "inner.fmu"))
        check(made.returncode == 0, "export: " + made.stderr)
        scene = work / "nested.yaml"
        scene.write_text(f"scene: nested\nrobot: {source}/robots/pendulum.yaml\nduration: 1\ndevices:\n  - {{name: inner, type: pendulum, library: inner.fmu, rate: 1000 Hz}}\n")
        rows = reference(str(scene), ["inner.hinge_1_command"], ["inner.hinge_1_position", "inner.hinge_2_velocity"], [[u] for u in controls])
        check(rows == native, f"FMI {version}, nested: the bits are those of the native scene: {rows[-1]} {native[-1]}")
        listed = run("run", str(scene), "--list", "inner.*").stdout
        check(re.search(r"inner.hinge_1_command .* N\*m +input", listed), f"FMI {version}: units keep their names: " + listed[:300])


def bad_fmus():
    text = pathlib.Path(source, "examples/fmu/modelDescription.xml").read_text()
    wrong = pathlib.Path(work / "arm.so")
    data = bytearray(pathlib.Path(pilot).read_bytes())
    data[18] = 183  # aarch64
    wrong.write_bytes(data)
    cases = {
        "no library for this machine": dict(name="binaries/win64/pilot.dll"),
        "made for another machine": dict(library=wrong),
        "it cannot be instantiated": dict(description=text.replace("{pilot-1}", "{other}")),
        "neither 2.0 nor 3.0": dict(description=text.replace('fmiVersion="2.0"', 'fmiVersion="1.0"')),
        "no co-simulation": dict(description=text.replace("<CoSimulation", "<ModelExchange")),
        "valueReference": dict(description=text.replace('valueReference="3"', 'valueReference="-3"')),
        "has no function": dict(description=text.replace('canSerializeFMUstate="true"', 'canSerializeFMUstate="true"'), library=f"{pathlib.Path(rille).parent}/plugins/brake.so"),
        "modelDescription.xml": dict(description="<x>"),
    }
    for what, how in cases.items():
        if how.get("library") and not os.path.exists(how["library"]):
            continue
        make_pilot(work / "pilot.fmu", **how)
        done = run("run", "fido_pilot.yaml", "--out", "bad")
        check(done.returncode in (2, 3) and what in done.stderr and "fido_pilot.yaml:" in done.stderr, f"bad FMU: {what}: {done.returncode} {done.stderr}")
    make_pilot(work / "pilot.fmu")
    good = (work / "pilot.fmu").read_bytes()
    for what, data in {"not a zip": b"hello", "no end record": good[:-40], "leads to another folder": good.replace(b"binaries/linux64/pilot.so", b"../naries/linux64/pilot.so")}.items():
        (work / "pilot.fmu").write_bytes(data)
        done = run("run", "fido_pilot.yaml", "--out", "bad")
        check(done.returncode == 2 and (what in done.stderr or "zip" in done.stderr), f"bad archive: {what}: {done.stderr}")
    bad = run("fmu", "pendulum", "--outputs", "nothing*")
    check(bad.returncode == 2 and "no value matches 'nothing*'" in bad.stderr, "an output that is not there")
    bad = run("fmu", "pendulum", "--outputs", "base.x", "--inputs", "hinge_1.effort")
    check(bad.returncode == 2 and "read-only" in bad.stderr, "an input that is read-only: " + bad.stderr)


symbols()
drive(2)
drive(3)
early_return()
fido()
words()
nested()
bad_fmus()
sys.exit(1 if failures else 0)
