# package.py -- the package of Spack.  With this folder at packages/psbc of a repository of yours:
#     spack dev-build -d SOURCES psbc@0.2.0 +cuda cuda_arch=90
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Psbc(AutotoolsPackage, CudaPackage):
    """Parallel Sparse BLAS in C: distributed sparse matrices, products and Krylov solvers for MPI programs in C and
    C++, on CPU cores and NVIDIA GPUs, with the model and the names of PSBLAS 3."""

    license("BSD-3-Clause")

    version("0.2.0")

    variant("openmp", default=True, description="Threads inside host kernels")
    variant("shared", default=True, description="Shared libraries; static ones otherwise")
    variant("metis", default=True, description="Partitions by graphs")
    variant("rsb", default=False, description="The format RSB, by LIBRSB")
    variant("psblas", default=False, description="What configure scripts look for where PSBLAS is")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("m4", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("check", type="test")
    depends_on("mpi@3:")
    depends_on("metis@5:", when="+metis")
    depends_on("librsb", when="+rsb")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("jansson")
    depends_on("cuda@12:", when="+cuda")

    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs, as cuda_arch=90 for H100")

    def configure_args(self):
        args = ["MPI_CFLAGS=", "MPI_LIBS=", f"CC={self.spec['mpi'].mpicc}", "--without-petsc"]
        args += self.enable_or_disable("openmp")
        args += self.enable_or_disable("shared")
        args += self.enable_or_disable("psblas-layout", variant="psblas")
        args += self.with_or_without("rsb")
        if self.spec.satisfies("~metis"):
            args.append("ac_cv_lib_metis_METIS_PartGraphKway=no")
        args.append("--disable-static" if self.spec.satisfies("+shared") else "--enable-static")
        if self.spec.satisfies("+cuda"):
            args.append(f"--with-cuda={self.spec['cuda'].prefix}")
            args.append(f"--with-cuda-arch={','.join(self.spec.variants['cuda_arch'].value)}")
        else:
            args.append("--without-cuda")
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.join("psb-info"))("--check")
