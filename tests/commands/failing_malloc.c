/* SPDX-License-Identifier: GPL-3.0-or-later
   For LD_PRELOAD: allocation number FAIL_ALLOCATION fails, counted from 1 from the first pipe on, which main() makes before
   the command: earlier, loaders and initialisers have nobody to tell. To the descriptor TELL_ALLOCATIONS the process writes the
   calls that led to the failing one and, at its end, how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t number, size_t bytes);
extern void* __libc_realloc(void* former, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long count;
static long failing = -1; /* nothing is counted yet */

int pipe2(int ends[2], int flags) {
    const char* number = getenv("FAIL_ALLOCATION");
    if (failing < 0) failing = number != NULL ? atol(number) : 0;
    return (int)syscall(SYS_pipe2, ends, flags);
}

static int told(void) {
    const char* descriptor = getenv("TELL_ALLOCATIONS");
    return descriptor != NULL ? atoi(descriptor) : -1;
}

__attribute__((destructor)) static void end(void) {
    if (told() >= 0) dprintf(told(), "%ld\n", atomic_load(&count));
}

static int fails(void) {
    static _Thread_local int telling; /* backtrace() allocates at first */
    void* calls[64];
    if (failing < 0 || telling || atomic_fetch_add(&count, 1) + 1 != failing) return 0;
    telling = 1;
    if (told() >= 0) backtrace_symbols_fd(calls, backtrace(calls, 64), told());
    telling = 0;
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
