/* SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause */
/* A scanner that Echolux shows live: live_frames [SECONDS], then echolux view --source shared:example.
 * Build: cc -I/usr/include live_frames.c -o live_frames */
#include <echolux_live.h>

#include <stdlib.h>

enum { CHANNELS = 64, SAMPLES = 1024 };

static const char* description = "sound_speed = 1540\nprobe.pitch = 0.3e-3\ntransmit.angles = [0]\n"
                                 "signal = { sampling_frequency = 20e6, centre_frequency = 5e6,"
                                 " frame_rate = 100 }\n"
                                 "[data]\ndtype = \"<i2\"\nshape = [64, 1024]\n"
                                 "axes = [\"channel\", \"sample\"]\n";

int main(int argc, char** argv) {
    const int64_t frames = 100 * (argc > 1 ? atoi(argv[1]) : 60);
    echolux_live_writer out;
    const char* error = echolux_live_create(&out, "example", CHANNELS * SAMPLES * sizeof(int16_t), 16,
                                            ECHOLUX_LIVE_DROP_OLDEST, description,
                                            strlen(description));
    if (error != NULL) return fprintf(stderr, "%s\n", error), 1;
    for (int64_t frame = 0; frame < frames; ++frame) {
        int16_t* samples = echolux_live_begin(&out);
        for (int i = 0; i < CHANNELS * SAMPLES; ++i) samples[i] = (int16_t)(rand() % 400 - 200);
        for (int channel = 0; channel < CHANNELS; ++channel) { /* a flat reflector that moves */
            int16_t* echo = samples + channel * SAMPLES + 500 + (int)(frame % 200);
            for (int i = 0; i < 8; ++i) echo[i] += (int16_t)(i % 4 < 2 ? 6000 : -6000);
        }
        echolux_live_publish(&out, frame, -1);
        usleep(10000);
    }
    echolux_live_close(&out);
    return 0;
}
