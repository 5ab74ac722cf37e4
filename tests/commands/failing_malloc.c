/* SPDX-License-Identifier: GPL-3.0-or-later
   For LD_PRELOAD: allocation number FAIL_ALLOCATION of the process fails, counted from 1. At its end the process writes
   how many there were to the descriptor COUNT_ALLOCATIONS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t number, size_t bytes);
extern void* __libc_realloc(void* former, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long count;
static long failing = -1;

__attribute__((constructor)) static void begin(void) {
    const char* number = getenv("FAIL_ALLOCATION");
    failing = number != NULL ? atol(number) : 0;
    atomic_store(&count, 0);
}

__attribute__((destructor)) static void end(void) {
    const char* descriptor = getenv("COUNT_ALLOCATIONS");
    char text[32];
    if (descriptor == NULL) return;
    snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
    if (write(atoi(descriptor), text, strlen(text)) < 0) return;
}

static int fails(void) {
    if (failing < 0 || atomic_fetch_add(&count, 1) + 1 != failing) return 0;
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
