"""convert.py -- SciPy and NumPy read what psb-convert writes, and it reads what they write.

    convert.py PSB-CONVERT SHARED FOLDER"""
import os
import subprocess
import sys

import numpy as np
import scipy.io
import scipy.sparse as sp

PROGRAM, SHARED, FOLDER = sys.argv[1:]
# Real; rectangular with empty rows; pattern; skew-symmetric; hermitian; empty.
MATRICES = ["sherman2", "lp_ship04l", "ash331", "plskz362", "complexD_hermitian", "empty_3x4"]


def convert(*arguments):
    environment = dict(os.environ, OMPI_MCA_ess_singleton_isolated="1", OMPI_MCA_orte_tmpdir_base=FOLDER)
    subprocess.run([PROGRAM, *arguments], check=True, env=environment)
    return arguments[-1]


def read_petsc(path):
    with open(path, "rb") as file:
        kind, m, n, nz = np.fromfile(file, ">i4", 4)
        assert kind == 1211216
        ptr = np.append(0, np.cumsum(np.fromfile(file, ">i4", m)))
        idx = np.fromfile(file, ">i4", nz)
        rest = file.read()
    assert len(rest) in (8 * nz, 16 * nz)
    return sp.csr_matrix((np.frombuffer(rest, ">f8" if len(rest) == 8 * nz else ">c16"), idx, ptr), (m, n))


def same(a, b):
    a, b = sp.csr_matrix(a), sp.csr_matrix(b)
    for x in a, b:
        x.sum_duplicates()
    return (a.shape == b.shape and np.array_equal(a.indptr, b.indptr) and np.array_equal(a.indices, b.indices)
            and np.array_equal(a.data, b.data))


def main():
    wrong = 0
    small = os.path.join(SHARED, "matrices", "small")
    for name in MATRICES if os.path.isdir(small) else []:
        path = os.path.join(small, name + ".mtx")
        at = os.path.join(FOLDER, name)
        a = scipy.io.mmread(path)
        rb = convert(path, at + ".rb")
        petsc = convert(rb, at + ".petsc")
        results = {"petsc": read_petsc(petsc)}
        if name == "sherman2":  # SciPy reads square real matrices without symmetry
            results["rb"] = scipy.io.hb_read(rb)
        if name in ("lp_ship04l", "complexD_hermitian"):
            results["npz"] = sp.load_npz(convert(petsc, at + ".npz"))
            sp.save_npz(at + "2.npz", sp.csc_matrix(a))
            results["mtx"] = scipy.io.mmread(convert(at + "2.npz", at + ".mtx"))
        for kind, b in results.items():
            if not same(a, b):
                print(f"convert.py: {name}: {kind} differs")
                wrong += 1
    broken = os.path.join(FOLDER, "broken.npz")
    with open(broken, "wb") as file:
        file.write(b"PK nothing")
    found = subprocess.run([PROGRAM, broken, os.path.join(FOLDER, "b.mtx")], stderr=subprocess.PIPE, check=False)
    if found.returncode != 1 or b"broken.npz: SciPy says: " not in found.stderr:
        print("convert.py: broken.npz:", found.stderr)
        wrong += 1
    sys.exit(wrong > 0)


main()
