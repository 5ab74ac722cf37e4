/* SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause */
/* The functions of echolux_live.h, which are inline, as functions of a library. */
#include "live_frames_library.h"

#include <echolux_live.h>

static echolux_live_writer out;

const char* live_open(const char* name, uint64_t frame_bytes, const char* description) {
    const char* error = echolux_live_create(&out, name, frame_bytes, 16, ECHOLUX_LIVE_DROP_OLDEST,
                                            description, strlen(description));
    return error != NULL ? error : "";
}

void live_put(const void* samples, int64_t number) {
    memcpy(echolux_live_begin(&out), samples, out.header->frame_bytes);
    echolux_live_publish(&out, number, -1);
}

void live_close(void) { echolux_live_close(&out); }
