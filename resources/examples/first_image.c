/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images the frames of a recording and prints how long each takes.
 *   cc first_image.c -lecholux -o first_image && ./first_image recording.h5 */
#include <echolux.h>

#include <stdio.h>
#include <stdlib.h>

static void require(int isTrue) {
    if (isTrue) return;
    fprintf(stderr, "%s\n", echolux_last_error());
    exit(2);
}

int main(int argc, char** argv) {
    echolux_recording* recording;
    echolux_pipeline* pipeline;
    const echolux_spec* raw;
    int64_t frame, frames;
    size_t bytes;
    void* data;
    if (argc != 2) {
        fprintf(stderr, "Give a recording.\n");
        return 2;
    }
    require((recording = echolux_open(argv[1])) != NULL);
    raw = echolux_recording_spec(recording);
    require((pipeline = echolux_pipeline_new(NULL, raw, "auto", 0, 2)) != NULL);
    printf("%s, %s, on %s\n", echolux_recording_format(recording), echolux_spec_text(raw),
           echolux_pipeline_device(pipeline));
    bytes = (size_t)echolux_spec_bytes(raw);
    frames = echolux_recording_frames(recording);
    data = malloc(bytes);
    for (frame = 0; frame < frames && frame < 10; ++frame) {
        require(echolux_recording_read(recording, frame, data, bytes) == ECHOLUX_OK);
        require(echolux_push(pipeline, data, bytes, frame) == ECHOLUX_OK);
        require(echolux_take(pipeline, 60.0) == ECHOLUX_OK);
        printf("frame %lld: %.3f ms\n", (long long)echolux_result_number(pipeline),
               1e3 * echolux_total_seconds(pipeline));
    }
    free(data);
    echolux_pipeline_free(pipeline);
    echolux_close(recording);
    return 0;
}
