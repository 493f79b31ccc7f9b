/* host_id.c -- room: cuda/device.  A number for this host. */
#include "host_id.h"
#include <stdio.h>

unsigned long long psb_host_id(void)
{
    unsigned long long id = 14695981039346656037ULL; /* FNV-1a of the text that Linux makes at each boot */
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    for (int c; f && (c = fgetc(f)) != EOF;)
        id = (id ^ (unsigned char)c) * 1099511628211ULL;
    if (f)
        fclose(f);
    return id;
}
