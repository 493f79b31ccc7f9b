#!/usr/bin/env python3
"""scaling_model.py -- test/kernel: the time of an iteration on many GPUs, from measured phases.

    scaling_model.py [--gpus LIST] [--faces N] [--latency S] [--bandwidth B] [--host N] [--exchange S]
                     [--iteration ONE,RUN] FILE

FILE is written by `scaling --tsv`.  For each matrix: an iteration of conjugate gradients with a diagonal
preconditioner, one product, two reductions and four updates, with as many rows on every GPU as in the run.
docs/scaling.md states the formulas.  Times in microseconds.
"""
import argparse
import math

arguments = argparse.ArgumentParser()
arguments.add_argument("--gpus", default="64,512,4096", help="numbers of GPUs, separated by commas")
arguments.add_argument("--faces", type=int, default=6, choices=(2, 6), help="faces of a GPU's part of the grid that "
                       "are sent: 6 of a cube, 2 of a slab")
arguments.add_argument("--latency", type=float, default=4e-6, help="seconds of a short message between hosts")
arguments.add_argument("--bandwidth", type=float, default=45e9, help="bytes per second of a GPU's network link")
arguments.add_argument("--host", type=int, default=8, help="GPUs of a host")
arguments.add_argument("--exchange", type=float, help="seconds of an exchange of all faces within a host, stated "
                       "in place of a measured one")
arguments.add_argument("--iteration", help="seconds of an iteration of cg_device on one GPU and on those of the run")
arguments.add_argument("file")

SCALAR = 8  # bytes
PRODUCTS, REDUCTIONS, UPDATES = 1, 2, 4


def predict(run, gpus, network):
    """The phases of an iteration on so many GPUs."""
    t, rows = run, run["rows"] / run["processes"]
    face = rows ** (2 / 3)
    larger = network.faces * face / run["rows sent"] if run["rows sent"] else 0
    hosts = math.ceil(gpus / network.host)
    far = network.faces / 2 if hosts > 1 else 0  # faces of neighbours on other hosts
    near = 1 - far / network.faces
    inner = network.exchange if network.exchange is not None else t["exchange"] * max(1, larger * near)
    outer = network.latency + far * face * SCALAR / network.bandwidth + t["pack"] if hosts > 1 else 0
    exchange = max(inner, outer)
    product = max(t["owned part"], exchange) + t["halo part"] * larger
    reduction = t["reduction"] + network.latency * math.ceil(math.log2(hosts))
    whole = PRODUCTS * product + REDUCTIONS * reduction + UPDATES * t["update"]
    local = PRODUCTS * t["owned part"] + UPDATES * t["update"]
    return exchange, product, reduction, whole, local / whole


def predict_fused(run, gpus, network):
    """An iteration of cg_device on so many GPUs: what is measured, a longer product, reductions between hosts."""
    one, measured = map(float, network.iteration.split(","))
    hosts = math.ceil(gpus / network.host)
    longer = predict(run, gpus, network)[1] - run["product"]
    whole = measured + longer + REDUCTIONS * network.latency * math.ceil(math.log2(hosts))
    return whole, one / whole


def report(run, network):
    print(f"{run['matrix']}, {run['rows'] // run['processes']:.0f} rows a process")
    print(f"  measured on {run['processes']} processes, {run['method']}: "
          + ", ".join(f"{name} {1e6 * run[name]:.1f}"
                      for name in ("product", "owned part", "halo part", "pack", "exchange", "reduction", "update")))
    print(f"  stated: {network.host} GPUs a host, {1e6 * network.latency:.1f} us and {network.bandwidth / 1e9:.0f} GB/s "
          "between hosts" + (f", exchange within a host {1e6 * network.exchange:.1f}" if network.exchange else ""))
    print("  model:  GPUs   exchange    product  reduction  iteration  efficiency")
    for gpus in map(int, network.gpus.split(",")):
        exchange, product, reduction, whole, efficiency = predict(run, gpus, network)
        print(f"        {gpus:6d} {1e6 * exchange:10.1f} {1e6 * product:10.1f} {1e6 * reduction:10.1f} "
              f"{1e6 * whole:10.1f} {efficiency:11.3f}")
    if not network.iteration:
        return
    print("  model, passes fused as in cg_device:  GPUs  iteration  efficiency")
    for gpus in map(int, network.gpus.split(",")):
        whole, efficiency = predict_fused(run, gpus, network)
        print(f"                                      {gpus:6d} {1e6 * whole:10.1f} {efficiency:11.3f}")


def read(path):
    """The runs of a file: matrix, processes, method, and the value of each quantity, times in seconds."""
    runs = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(("#", "matrix\t")):
                continue
            matrix, _, processes, method, quantity, value, unit = line.rstrip("\n").split("\t")
            run = runs.setdefault((matrix, processes, method), {"matrix": matrix, "processes": int(processes),
                                                                "method": method})
            run[quantity] = float(value) * (1e-6 if unit == "us" else 1)
    return runs.values()


network = arguments.parse_args()
for run in read(network.file):
    report(run, network)
