/* leaks.c -- room: test.  Where a leak sanitizer is linked in, it looks before MPI ends: MPI then still holds
 * what is its own, and the libraries it loaded are still there to be told by name. */
#include <mpi.h>

void __lsan_do_leak_check(void) __attribute__((weak));

/* For every end of MPI in the program; MPI lets itself be wrapped so. */
int MPI_Finalize(void)
{
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
    return PMPI_Finalize();
}
