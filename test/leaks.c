/* leaks.c -- test: with a leak sanitizer, look for leaks before MPI is finalised.  MPI still
 * references its memory then, and its libraries are still loaded, so that suppressions by name work. */
#include <mpi.h>

void __lsan_do_leak_check(void) __attribute__((weak));

/* Wraps MPI's function for the whole program, through the profiling interface. */
int MPI_Finalize(void)
{
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
    return PMPI_Finalize();
}
