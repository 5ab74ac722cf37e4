/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls every function of the library from C, as LabVIEW's Call Library Function Node does:
 * numbers, texts and pointers alone, no callbacks, no structs by value. Ends with the number of the
 * check that failed. */
#include "echolux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0;

static void check(int isTrue, const char* what) {
    ++checks;
    if (isTrue) return;
    fprintf(stderr, "check %d failed: %s: %s\n", checks, what, echolux_last_error());
    exit(1);
}
#define CHECK(condition) check((condition) != 0, #condition)

static void describeByHand(void) {
    const double xyz[6] = {-1e-4, 0.0, 0.0, 1e-4, 0.0, 0.0};
    echolux_spec* spec = echolux_spec_new("i16");
    const double pose[12] = {0, 1, 0, 0, 0, -1, -1, 0, 0, 0.1, 0.2, 0.3};
    double number, places[6], numbers[12];
    CHECK(spec != NULL);
    CHECK(echolux_spec_add_axis(spec, "transmit", 1, 1.0, 0.0, "") == ECHOLUX_OK);
    CHECK(echolux_spec_set(spec, "sound_speed_mps", 1480.0) == ECHOLUX_OK);
    CHECK(echolux_spec_set_elements(spec, xyz, 2) == ECHOLUX_OK);
    CHECK(echolux_spec_add_transmit(spec, "focused", 0.0, 0.0, 0.0, 0.02, 0.0) == ECHOLUX_OK);
    CHECK(strcmp(echolux_spec_sample_type(spec), "i16") == 0);
    CHECK(echolux_spec_get(spec, "sound_speed_mps", &number) == ECHOLUX_OK && number == 1480.0);
    CHECK(echolux_spec_elements(spec, places, 2) == 2 && memcmp(places, xyz, sizeof(xyz)) == 0);
    CHECK(echolux_spec_channel_elements(spec, NULL, 0) == 0);
    CHECK(echolux_spec_transmits(spec) == 1);
    CHECK(strcmp(echolux_spec_transmit_wave(spec, 0), "focused") == 0);
    CHECK(echolux_spec_transmit_set(spec, 0, "first_sample_s", 1e-6) == ECHOLUX_OK);
    CHECK(echolux_spec_transmit_get(spec, 0, "first_sample_s", &number) == ECHOLUX_OK);
    CHECK(number == 1e-6 && echolux_spec_transmit_weights(spec, 0, NULL, 0) == 0);
    CHECK(strcmp(echolux_spec_steering(spec), "tilts") == 0);
    CHECK(echolux_spec_pose(spec, NULL, 0) == 0 && strcmp(echolux_spec_pose_space(spec), "") == 0);
    CHECK(echolux_spec_set_pose(spec, pose, "LPS") == ECHOLUX_OK);
    CHECK(echolux_spec_pose(spec, numbers, 12) == 12 && memcmp(numbers, pose, sizeof(pose)) == 0);
    CHECK(strcmp(echolux_spec_pose_space(spec), "LPS") == 0);
    echolux_spec_free(spec);
}

static void readParameters(echolux_pipeline* pipeline) {
    double low, high, step, number;
    const char* name;
    CHECK(echolux_parameters(pipeline) > 0);
    name = "beamform.f_number";
    CHECK(echolux_parameter_name(pipeline, 0) != NULL);
    CHECK(echolux_parameter_label(pipeline, name) != NULL);
    CHECK(echolux_parameter_help(pipeline, name) != NULL);
    CHECK(echolux_parameter_unit(pipeline, name) != NULL);
    CHECK(echolux_parameter_choices(pipeline, name) != NULL);
    CHECK(strcmp(echolux_parameter_type(pipeline, name), "real") == 0);
    CHECK(echolux_parameter_range(pipeline, name, &low, &high, &step) == ECHOLUX_OK);
    CHECK(echolux_set_number(pipeline, name, 1.5) == ECHOLUX_OK);
    CHECK(echolux_get_number(pipeline, name, &number) == ECHOLUX_OK && number == 1.5);
    CHECK(echolux_set_text(pipeline, name, "2.0") == ECHOLUX_OK);
    CHECK(echolux_get_text(pipeline, name) != NULL);
    CHECK(echolux_set_bypass(pipeline, "bandpass", 1) == ECHOLUX_OK);
}

static void readOutput(echolux_pipeline* pipeline) {
    const char* name = echolux_output_name(pipeline, 0);
    const echolux_spec* spec = echolux_output_spec(pipeline, name);
    const int64_t bytes = echolux_spec_bytes(spec);
    void* image = malloc((size_t)bytes);
    double spacing, origin;
    CHECK(echolux_outputs(pipeline) == 1 && bytes > 0);
    CHECK(echolux_output_copy(pipeline, name, image, (size_t)bytes) == ECHOLUX_OK);
    CHECK(memcmp(image, echolux_output_memory(pipeline, name), (size_t)bytes) == 0);
    CHECK(echolux_spec_axes(spec) == 2 && echolux_spec_axis_name(spec, 0) != NULL);
    CHECK(echolux_spec_axis_size(spec, 0) > 1 && echolux_spec_axis_unit(spec, 0) != NULL);
    CHECK(echolux_spec_axis_scale(spec, 0, &spacing, &origin) == ECHOLUX_OK);
    CHECK(echolux_spec_text(spec) != NULL);
    CHECK(echolux_spec_value_range(spec, &spacing, &origin) == ECHOLUX_OK && origin == 0.0);
    CHECK(strcmp(echolux_spec_value_unit(spec), "dB") == 0);
    free(image);
}

int main(int argc, char** argv) {
    echolux_recording* recording;
    echolux_pipeline* pipeline;
    const echolux_spec* spec;
    void* frame;
    size_t bytes;
    if (argc != 3) return 2;
    CHECK(strlen(echolux_version()) > 0);
    CHECK(echolux_last_error() != NULL && echolux_gpu_count() >= 0);
    CHECK(echolux_allow_plugin(argv[2]) == ECHOLUX_OK);
    describeByHand();
    recording = echolux_open(argv[1]);
    CHECK(recording != NULL && echolux_recording_format(recording) != NULL);
    CHECK(echolux_recording_warnings(recording) != NULL);
    CHECK(strcmp(echolux_recording_tracks(recording), "") == 0);
    CHECK(echolux_open_with(argv[1], NULL, NULL, 7) == NULL);
    CHECK(echolux_recording_frames(recording) > 0 && echolux_recording_rate(recording) >= 0.0);
    CHECK(echolux_recording_stamps(recording, 0, 1, NULL, NULL, NULL, NULL) == 0);
    CHECK(strcmp(echolux_recording_space(recording, 0), "") == 0);
    spec = echolux_recording_spec(recording);
    bytes = (size_t)echolux_spec_bytes(spec);
    frame = malloc(bytes);
    CHECK(echolux_recording_read(recording, 0, frame, bytes) == ECHOLUX_OK);
    CHECK(echolux_write(argv[1], spec, 0.0, frame, bytes, 0) == ECHOLUX_ERROR); /* it exists */
    pipeline = echolux_pipeline_new(NULL, spec, "cpu", 0, 2);
    CHECK(pipeline != NULL && echolux_pipeline_device(pipeline) != NULL);
    CHECK(echolux_pipeline_text(pipeline) != NULL);
    CHECK(echolux_spec_bytes(echolux_pipeline_input(pipeline)) == (int64_t)bytes);
    readParameters(pipeline);
    CHECK(echolux_set_policy(pipeline, ECHOLUX_DROP) == ECHOLUX_OK);
    CHECK(echolux_push(pipeline, frame, bytes, 1) == ECHOLUX_OK);
    CHECK(echolux_push_device(pipeline, frame, bytes, 1, NULL) == ECHOLUX_MISUSE);
    CHECK(echolux_flush(pipeline) == ECHOLUX_OK && echolux_dropped(pipeline) == 0);
    CHECK(echolux_take(pipeline, 600.0) == ECHOLUX_OK && echolux_result_number(pipeline) == 1);
    CHECK(echolux_result_event(pipeline) == NULL);
    CHECK(echolux_take_enqueued(pipeline) == ECHOLUX_AGAIN);
    readOutput(pipeline);
    CHECK(echolux_steps(pipeline) > 0 && echolux_step_name(pipeline, 0) != NULL);
    CHECK(echolux_step_seconds(pipeline, 0) > 0.0 && echolux_total_seconds(pipeline) > 0.0);
    CHECK(echolux_restart(pipeline) == ECHOLUX_OK);
    echolux_pipeline_free(pipeline);
    echolux_close(recording);
    free(frame);
    printf("%d checks passed\n", checks);
    return 0;
}
