/* SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause */
/* One writer of live frames as a shared library, for programs that load libraries: MATLAB, Julia.
 * Build: cc -shared -fPIC -I/usr/include live_frames_library.c -o liblive_frames.so */
#include <stdint.h>

/* Makes the memory "shared:NAME" of 16 slots. `description` is a sidecar for one frame. Returns "",
 * or what is wrong. */
const char* live_open(const char* name, uint64_t frame_bytes, const char* description);
/* Publishes a frame of so many bytes as given to live_open(). `number` counts frames. */
void live_put(const void* samples, int64_t number);
void live_close(void);
