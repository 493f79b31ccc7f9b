"""compare_scipy.py -- compare products of psb-spmv, in several formats and on several processes, with SciPy's.

    compare_scipy.py PSB-SPMV SHARED

The matrices are in SHARED/matrices.  Element i of y may differ by c eps (|A| |x|)_i, where c is the length of the
longest row plus 4, or 4 times that for complex matrices.  Exit status 77: SciPy or the matrices are missing.
"""
import lzma
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io
import scipy.sparse

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = "csr", "ell", "elg"
PROCESSES = 1, 2, 3
MATRICES = {  # and which op(A)
    "small/young1c.mtx": "NTC",  # complex
    "small/lp_ship04l.mtx": "NT",  # rectangular, empty rows
    "small/ash331.mtx": "N",  # rectangular, pattern
    "small/1138_bus.mtx": "N",  # symmetric
    "small/plskz362.mtx": "NT",  # skew-symmetric
    "small/complexD_hermitian.mtx": "NC",  # hermitian
    "small/gardenia_4w_dup.mtx": "N",  # integer, entries that stand twice
    "small/testmat4_array.mtx": "N",  # an array
    "large/crystk01.mtx.xz": "N",  # symmetric
    "large/luxembourg.mtx.xz": "N",  # 10^5 rows
}


def read(path):
    """The matrix in CSR."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        return scipy.sparse.csr_matrix(scipy.io.mmread(file))


def product(a, trans):
    """op(A) x for the x that psb-spmv takes by default, and how far off an element may be."""
    op = {"N": a, "T": a.T, "C": a.conj().T}[trans].tocsr()
    x = 1 + (np.arange(op.shape[1]) % 17) / 10
    c = (np.diff(op.indptr).max() + 4) * (4 if np.iscomplexobj(a) else 1)
    return op @ x, c * np.finfo(float).eps * (abs(op) @ x)


def run(spmv, n, path, fmt, trans, output):
    """y as psb-spmv writes it."""
    command = ["sh", os.path.join(HERE, "mpi-run"), str(n), spmv, "--matrix", path, "--format", fmt]
    command += ["--trans", trans, "--output", output, "--reps", "1"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return scipy.io.mmread(output).ravel()


def compare(spmv, name, path, turn, scratch):
    """How many products of one matrix are wrong, each format on another number of processes."""
    a = read(path)
    failures = 0
    for trans in MATRICES[name]:
        y, bound = product(a, trans)
        for k, fmt in enumerate(FORMATS):
            n = PROCESSES[(k + turn) % 3]
            error = abs(run(spmv, n, path, fmt, trans, scratch + "/y.mtx") - y)
            if not (error <= bound).all():
                failures += 1
                print(f"FAIL: {name}, op {trans}, {fmt} on {n}: off by {error.max()}")
    return failures


def main():
    spmv, folder = os.path.abspath(sys.argv[1]), os.path.join(sys.argv[2], "matrices")
    os.environ.setdefault("PSB_DEVICE", "fake")
    paths = {name: os.path.join(folder, name) for name in MATRICES}
    for path in paths.values():
        if not os.path.exists(path):
            return skip(f"{path} is not there; CK_SHARED may say where")
    if not shutil.which(os.environ.get("MPIEXEC") or "mpiexec"):
        return skip("no mpiexec (Debian: openmpi-bin)")
    with tempfile.TemporaryDirectory() as scratch:
        failures = sum(compare(spmv, name, path, turn, scratch) for turn, (name, path) in enumerate(paths.items()))
    print(f"{len(paths)} matrices, {failures} wrong products")
    return failures > 0


def skip(why):
    print("skipped:", why)
    return 77


if __name__ == "__main__":
    sys.exit(main())
