/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scanner in C: writer NAME FRAMES SAMPLES [FIRST [MICROSECONDS]]. Sample s of frame n is
 * n + s, as 16-bit numbers. It ends after FRAMES frames; 0: never. */
#include "echolux_live.h"

#include <stdlib.h>

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    const long frames = atol(argv[2]);
    const long samples = atol(argv[3]);
    const long first = argc > 4 ? atol(argv[4]) : 0;
    const long pause = argc > 5 ? atol(argv[5]) : 0;
    char text[512];
    snprintf(text, sizeof text,
             "sound_speed = 1540\nprobe.pitch = 0.3e-3\ntransmit.angles = [0]\n"
             "signal = { sampling_frequency = 20e6, centre_frequency = 5e6, frame_rate = 500 }\n"
             "[data]\ndtype = \"<i2\"\nshape = [4, %ld]\naxes = [\"channel\", \"sample\"]\n",
             samples / 4);
    echolux_live_writer out;
    const char* error = echolux_live_create(&out, argv[1], (uint64_t)samples * 2, 8,
                                            ECHOLUX_LIVE_BLOCK, text, strlen(text));
    if (error != NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    for (long n = first; frames == 0 || n < first + frames; ++n) {
        int16_t* to;
        while ((to = echolux_live_begin(&out)) == NULL) usleep(50);
        for (long s = 0; s < samples; ++s) to[s] = (int16_t)(n + s);
        echolux_live_publish(&out, n, -1);
        if (pause > 0) usleep((useconds_t)pause);
    }
    echolux_live_close(&out);
    return 0;
}
