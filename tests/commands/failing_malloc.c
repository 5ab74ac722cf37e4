/* SPDX-License-Identifier: GPL-3.0-or-later
   For LD_PRELOAD: allocation number FAIL_ALLOCATION or the next one that may fails, counted from 1 from the first pipe on, which main() makes
   before the command: earlier, loaders and initialisers have nobody to tell. At its end the process writes how many there
   were to the descriptor COUNT_ALLOCATIONS. Allocations of HDF5, and of what it calls, do not fail: where its stack of errors cannot be
   allocated, it calls itself without end (1.10.8). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t number, size_t bytes);
extern void* __libc_realloc(void* former, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long count;
static atomic_int failed;
static long failing = -1; /* nothing is counted yet */

int pipe2(int ends[2], int flags) {
    const char* number = getenv("FAIL_ALLOCATION");
    if (failing < 0) failing = number != NULL ? atol(number) : 0;
    return (int)syscall(SYS_pipe2, ends, flags);
}

__attribute__((destructor)) static void end(void) {
    const char* descriptor = getenv("COUNT_ALLOCATIONS");
    char text[32];
    if (descriptor == NULL) return;
    snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
    if (write(atoi(descriptor), text, strlen(text)) < 0) return;
}

/* The calls that led here; libraries allocate for each other. */
static int isWithinHdf5(void) {
    void* calls[64];
    Dl_info from;
    const int number = backtrace(calls, 64);
    for (int i = 0; i < number; ++i)
        if (dladdr(calls[i], &from) != 0 && strstr(from.dli_fname, "libhdf5") != NULL) return 1;
    return 0;
}

static int fails(void) {
    static _Thread_local int looking;
    if (failing < 0 || looking || atomic_fetch_add(&count, 1) + 1 < failing || atomic_load(&failed)) return 0;
    looking = 1; /* backtrace() allocates at first */
    const int spared = isWithinHdf5();
    looking = 0;
    if (spared || atomic_exchange(&failed, 1)) return 0;
    errno = ENOMEM;
    return 1;
}

void* malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void* calloc(size_t number, size_t bytes) { return fails() ? NULL : __libc_calloc(number, bytes); }
void* realloc(void* former, size_t bytes) { return fails() ? NULL : __libc_realloc(former, bytes); }
void* memalign(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
    void* made = memalign(alignment, bytes);
    if (made == NULL) return ENOMEM;
    *out = made;
    return 0;
}
