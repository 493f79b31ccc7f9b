/* host_id.c -- cuda/device: a number for this host. */
#include "host_id.h"
#include <stdio.h>
#include <stdlib.h>

/* One step of the hash FNV-1a. */
static unsigned long long hash(unsigned long long id, int c)
{
    return (id ^ (unsigned char)c) * 1099511628211ULL;
}

unsigned long long psb_host_id(void)
{
    unsigned long long id = 14695981039346656037ULL;
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r"); /* Linux makes a new text at each boot */
    for (int c; f && (c = fgetc(f)) != EOF;)
        id = hash(id, c);
    if (f)
        fclose(f);
    for (const char *name = getenv("NCCL_HOSTID"); name && *name; name++)
        id = hash(id, *name);
    return id;
}
