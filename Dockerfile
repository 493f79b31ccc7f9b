# Dockerfile -- PSBC for processors and Open MPI:
#     docker build -t psbc .
#     docker run --rm -v "$PWD":/data psbc mpirun -np 2 psb-spmv --matrix /data/A.mtx --format all --check
FROM debian:12-slim AS tools
RUN apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        autoconf automake gcc libc6-dev libjansson-dev liblzma-dev libmetis-dev libopenmpi-dev libtool make \
        openmpi-bin pkg-config zlib1g-dev && \
    rm -rf /var/lib/apt/lists/*

FROM tools AS build
COPY . /psbc
WORKDIR /psbc/build-docker
RUN test -e ../configure || (cd .. && autoreconf -i)
RUN ../configure -q --without-cuda && make -s -j"$(nproc)" && make -s install-strip DESTDIR=/installed

FROM debian:12-slim
RUN apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        libgomp1 libjansson4 liblzma5 libmetis5 openmpi-bin zlib1g && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /
RUN ldconfig && useradd --create-home psbc
USER psbc
WORKDIR /home/psbc
# Open MPI, on this machine only, with more processes than cores if asked for.
ENV OMPI_MCA_plm_rsh_agent=/bin/false OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
RUN psb-info --check && mpirun -np 2 psb-info --check
CMD ["psb-info"]
