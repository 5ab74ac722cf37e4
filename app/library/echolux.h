/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libecholux: drives Echolux pipelines from any language that can call C.
 *
 * Open a recording or describe the frames; make a pipeline; push frames; take results; copy
 * outputs.
 *
 * Errors. Functions that return a status give ECHOLUX_OK or another echolux_status; functions that
 * return a pointer give NULL, and functions that return a number give -1. echolux_last_error() then
 * holds one sentence that says what, where and what to do. No function ends the process.
 *
 * Threads. Any thread may call any function. One thread may push while another takes and a third
 * changes parameters. Each pipeline has a thread of its own, which computes the frames. It takes
 * frames and edits in the order of the calls, and never waits for a result to be taken. Only a push
 * into a full queue waits for that. A handle must not be freed while another call uses it. Calls
 * that use a freed or foreign handle are refused, as are those that use a pipeline in a process
 * that was forked from its own.
 *
 * Memory. A text that a function returns, errors included, is valid during the next 15 calls of the
 * same thread. A specification that a function returns belongs to the handle that it came from, and
 * is valid until that is freed, takes a result or changes a parameter. Copy what must last longer.
 *
 * Units are SI: seconds, metres, hertz, radians. Indices count from 0. Frames are row-major and
 * dense; the last axis is contiguous. */
#ifndef ECHOLUX_H
#define ECHOLUX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECHOLUX_API __attribute__((visibility("default"))) /* exported */

typedef struct echolux_spec echolux_spec;           /* what a frame is: sample type, axes, facts */
typedef struct echolux_recording echolux_recording; /* an open file */
typedef struct echolux_pipeline echolux_pipeline;   /* stages that run, with queues on both sides */

/* What functions that return a status give. */
typedef enum {
    ECHOLUX_OK = 0,
    ECHOLUX_ERROR = 1,  /* bad input, or a failed device */
    ECHOLUX_MEMORY = 2, /* memory does not suffice */
    ECHOLUX_MISUSE = 3, /* a null, freed or foreign handle, a wrong size, a wrong name */
    ECHOLUX_AGAIN = 4   /* nothing is ready yet, or the queue is full */
} echolux_status;

/* ---- The library ---------------------------------------------------------------------------- */

ECHOLUX_API const char* echolux_version(void);    /* "0.1.0" */
ECHOLUX_API const char* echolux_last_error(void); /* of the calling thread; "" before the first */
ECHOLUX_API int echolux_gpu_count(void);          /* usable GPUs; 0 in a CPU build */
/* Loads this plugin: pipelines may use its stages, and echolux_open() its readers. Without it, what
 * `echolux plugins allow` has allowed may run where a pipeline names it, and nothing else. */
ECHOLUX_API int echolux_allow_plugin(const char* path);

/* ---- Specifications ------------------------------------------------------------------------- */

/* Sample types: "u8", "i16", "u16", "packed12", "f32", "complex_i16", "complex_f32". */
ECHOLUX_API echolux_spec* echolux_spec_new(const char* sample_type);
ECHOLUX_API void echolux_spec_free(echolux_spec* spec); /* only what echolux_spec_new() made */
/* Appends an axis: "frame", "transmit", "channel", "sample", "elevation", "depth", "lateral", or
 * "bubble" and "property" (of lists of places, see the stage localise).
 * Coordinate of index i: origin + i * spacing, in `unit` ("s", "m", or "" for indices). Channel
 * data is [transmit][channel][sample] with the sample axis in seconds; spectra are
 * [lateral][sample]. */
ECHOLUX_API int echolux_spec_add_axis(echolux_spec* spec, const char* name, int64_t size,
                                      double spacing, double origin, const char* unit);
/* Facts: centre_frequency_hz, demodulation_frequency_hz (of IQ data), code_offset, code_scale (the
 * physical value is (code - offset) * scale), frame_interval_s, sound_speed_mps,
 * transmit_sound_speed_mps, pitch_m, element_width_m, element_height_m, elevation_focus_m,
 * fractional_bandwidth (-6 dB, pulse-echo), centre_wavelength_m, bandwidth_m, refractive_index and
 * bscan_spacing_m. sampling_frequency_hz and line_spacing_m follow from the axes and can only be
 * read. A fact that is unknown reads 0. */
ECHOLUX_API int echolux_spec_set(echolux_spec* spec, const char* fact, double value);
/* Reads a fact that echolux_spec_set() names. */
ECHOLUX_API int echolux_spec_get(const echolux_spec* spec, const char* fact, double* value);
/* Centres of the elements: three numbers each (x lateral, y elevation, z depth), in metres. */
ECHOLUX_API int echolux_spec_set_elements(echolux_spec* spec, const double* xyz, int64_t elements);
/* Functions that read an array write at most `count` entries, and return how many there are. With
 * count 0 they only count, and the array may be NULL. An entry of `xyz` is three numbers. */
ECHOLUX_API int64_t echolux_spec_elements(const echolux_spec* spec, double* xyz, int64_t count);
/* The element that each channel heard, [transmit][channel]. 0 entries: channel i is element i. */
ECHOLUX_API int64_t echolux_spec_channel_elements(const echolux_spec* spec, int32_t* elements,
                                                  int64_t count);
/* Appends a transmit. `wave`: "plane" (steered by angle_rad), "diverging" or "focused" (from, or
 * to, the point x, y, z), "element" (fired at that point), "none" (nothing is sent, sound travels
 * one way). first_sample_s: time of sample 0 after the wavefront crossed the array's centre (for
 * "element": after it fired, for "none": after the medium began to sound). */
ECHOLUX_API int echolux_spec_add_transmit(echolux_spec* spec, const char* wave, double angle_rad,
                                          double x, double y, double z, double first_sample_s);

ECHOLUX_API int64_t echolux_spec_transmits(const echolux_spec* spec); /* how many there are */
/* As echolux_spec_add_transmit() takes it. */
ECHOLUX_API const char* echolux_spec_transmit_wave(const echolux_spec* spec, int64_t transmit);
/* Facts of a transmit: angle_rad and elevation_rad of a plane wave; x_m, y_m and z_m of its point;
 * origin_x_m, origin_y_m and origin_z_m, where the beam of a focused wave begins; first_sample_s;
 * iq_phase_zero_s, when the phase of the down-mixer was 0. */
ECHOLUX_API int echolux_spec_transmit_get(const echolux_spec* spec, int64_t transmit,
                                          const char* fact, double* value);
/* Sets a fact that echolux_spec_transmit_get() names. */
ECHOLUX_API int echolux_spec_transmit_set(echolux_spec* spec, int64_t transmit, const char* fact,
                                          double value);
/* The weight of each element in a transmit. 0 entries: all alike, or unknown. */
ECHOLUX_API int64_t echolux_spec_transmit_weights(const echolux_spec* spec, int64_t transmit,
                                                  float* weights, int64_t count);
/* With a = angle_rad and e = elevation_rad a plane wave travels along (sin a cos e, sin e, cos a
 * cos e) for "tilts", and along (tan a, tan e, 1) for "projections". */
ECHOLUX_API const char* echolux_spec_steering(const echolux_spec* spec);

/* Where the frame lies in a patient or a room: 12 numbers, the directions of lateral, elevation and
 * depth (x, y, z each) and the place of the frame's zero in metres. The place (lateral, elevation,
 * depth) of the frame lies at zero + lateral * direction + ... 0 numbers: unknown. */
ECHOLUX_API int64_t echolux_spec_pose(const echolux_spec* spec, double* numbers, int64_t count);
/* "LPS": towards the patient's left, back and head; or the name of another space; "" where the pose
 * is unknown. */
ECHOLUX_API const char* echolux_spec_pose_space(const echolux_spec* spec);
/* Sets what echolux_spec_pose() reads; `space` as echolux_spec_pose_space() gives it. */
ECHOLUX_API int echolux_spec_set_pose(echolux_spec* spec, const double* numbers, const char* space);

/* As echolux_spec_new() takes it. */
ECHOLUX_API const char* echolux_spec_sample_type(const echolux_spec* spec);
ECHOLUX_API int echolux_spec_axes(const echolux_spec* spec); /* how many there are */
/* As echolux_spec_add_axis() takes it; so are size, scale and unit. */
ECHOLUX_API const char* echolux_spec_axis_name(const echolux_spec* spec, int axis);
ECHOLUX_API int64_t echolux_spec_axis_size(const echolux_spec* spec, int axis); /* in samples */
/* Coordinate of index i: origin + i * spacing. */
ECHOLUX_API int echolux_spec_axis_scale(const echolux_spec* spec, int axis, double* spacing,
                                        double* origin);
/* "s", "m", or "" for indices. */
ECHOLUX_API const char* echolux_spec_axis_unit(const echolux_spec* spec, int axis);
ECHOLUX_API int64_t echolux_spec_bytes(const echolux_spec* spec);    /* of a frame */
ECHOLUX_API const char* echolux_spec_text(const echolux_spec* spec); /* "f32 [depth 512]..." */
/* The range in which values of an output are shown, for example -60 to 0 "dB". Without one: 0 to 0
 * and "". */
ECHOLUX_API int echolux_spec_value_range(const echolux_spec* spec, double* minimum,
                                         double* maximum);
/* The unit of echolux_spec_value_range(). */
ECHOLUX_API const char* echolux_spec_value_unit(const echolux_spec* spec);

/* ---- Recordings ----------------------------------------------------------------------------- */

/* Opens any file that the window opens. */
ECHOLUX_API echolux_recording* echolux_open(const char* path);
/* The same with `sidecar`, a description of the file, in place of the one beside it; with
 * `calibration` in place of the recording's own, for spectra; and of a file that holds several
 * recordings the one number `track`, from 0. NULL, NULL and -1: as echolux_open() does. */
ECHOLUX_API echolux_recording* echolux_open_with(const char* path, const char* sidecar,
                                                 const char* calibration, int track);
ECHOLUX_API void echolux_close(echolux_recording* recording); /* NULL: does nothing */
/* The format's name for people. */
ECHOLUX_API const char* echolux_recording_format(const echolux_recording* recording);
/* How many there are. */
ECHOLUX_API int64_t echolux_recording_frames(const echolux_recording* recording);
ECHOLUX_API double echolux_recording_rate(const echolux_recording* recording); /* Hz; 0: unknown */
/* What was assumed of the file and what is odd about it: full sentences, one per line; "" where
 * there is none. */
ECHOLUX_API const char* echolux_recording_warnings(const echolux_recording* recording);
/* Names of the recordings that the file holds, one per line; "" where it holds one. */
ECHOLUX_API const char* echolux_recording_tracks(const echolux_recording* recording);
/* What its frames are. */
ECHOLUX_API const echolux_spec* echolux_recording_spec(const echolux_recording* recording);
/* `bytes` must be echolux_spec_bytes() of the recording's frame. */
ECHOLUX_API int echolux_recording_read(echolux_recording* recording, int64_t frame, void* out,
                                       size_t bytes);
/* When frames were made and came, of a recording of a live source: for each of `count` frames from
 * `first` on the source's own number and clock (ns), its arrival (ns since 1970), -1 where unknown;
 * and in `poses` the three rows of a 3 x 4 matrix that takes (lateral, elevation, depth, 1) of the
 * frame, in m, to where it lies, NaN where unknown. An array may be NULL. Returns `count`, or 0
 * where the recording keeps none of these. */
ECHOLUX_API int64_t echolux_recording_stamps(echolux_recording* recording, int64_t first,
                                             int64_t count, int64_t* numbers, int64_t* device_ns,
                                             int64_t* arrival_ns, double* poses);
/* The space in which a frame lies by its pose, by name; "" where that is unknown. */
ECHOLUX_API const char* echolux_recording_space(echolux_recording* recording, int64_t frame);
/* Writes an Echolux recording of channel data or spectra, at `path`. `frames` holds them one after
 * the other; `bytes` is a multiple of echolux_spec_bytes(). `rate_hz`: frames per second; 0:
 * unknown. A file that exists is refused, or replaced where `replace` is not 0. */
ECHOLUX_API int echolux_write(const char* path, const echolux_spec* spec, double rate_hz,
                              const void* frames, size_t bytes, int replace);

/* ---- Pipelines ------------------------------------------------------------------------------ */

/* `pipeline`: the text of a pipeline file, the path of one, the name of a shipped pipeline, or NULL
 * for the one that suits the input. `backend`: "auto", "cpu" or "cuda". `queue`: results that may
 * wait to be taken, 1 to 64. */
ECHOLUX_API echolux_pipeline* echolux_pipeline_new(const char* pipeline, const echolux_spec* input,
                                                   const char* backend, int gpu, int queue);
ECHOLUX_API void echolux_pipeline_free(echolux_pipeline* pipeline); /* NULL: does nothing */
/* The device that computes, for people. */
ECHOLUX_API const char* echolux_pipeline_device(const echolux_pipeline* pipeline);
ECHOLUX_API const char* echolux_pipeline_text(const echolux_pipeline* pipeline); /* as a file */
/* What is pushed: a frame, or several for a pipeline of ensembles, with their frame axis first. */
ECHOLUX_API const echolux_spec* echolux_pipeline_input(const echolux_pipeline* pipeline);

/* What a push does while as many frames and results wait as the queue holds. */
typedef enum {
    ECHOLUX_BLOCK = 0, /* waits until another thread takes one; the default */
    ECHOLUX_DROP = 1,  /* gives up the oldest one; echolux_dropped() counts. What is being computed
                          is kept; where that is all, the pushed frame is given up */
    ECHOLUX_REFUSE = 2 /* returns ECHOLUX_AGAIN */
} echolux_policy;
ECHOLUX_API int echolux_set_policy(echolux_pipeline* pipeline, int policy); /* an echolux_policy */
/* How many frames were given up. */
ECHOLUX_API int64_t echolux_dropped(const echolux_pipeline* pipeline);

/* Pushes a frame in host memory. It is copied, and may be overwritten when the call returns. The
 * frame is computed afterwards, by the pipeline's thread. `number` comes back with the result. */
ECHOLUX_API int echolux_push(echolux_pipeline* pipeline, const void* frame, size_t bytes,
                             int64_t number);
/* Pushes a frame in memory of the pipeline's GPU. `stream` is the cudaStream_t that writes the
 * frame (NULL: the default stream). Work enqueued there afterwards waits until the frame has been
 * read, so this call returns when the pipeline's thread has enqueued the frame. */
ECHOLUX_API int echolux_push_device(echolux_pipeline* pipeline, const void* frame, size_t bytes,
                                    int64_t number, void* stream);
/* Takes the oldest result, in the order of the pushes, and gives the one taken before back. Waits
 * for at most `seconds`; then ECHOLUX_AGAIN. On CUDA a frame counts when it is enqueued, and is
 * then waited for. Where a stage failed on the frame: its error; the next call takes the next
 * result. */
ECHOLUX_API int echolux_take(echolux_pipeline* pipeline, double seconds);
/* The same without waiting for the GPU: outputs may be read by work that waits for
 * echolux_result_event(). Waits until the oldest frame is enqueued, on the CPU until it is
 * computed; ECHOLUX_AGAIN where none was pushed. */
ECHOLUX_API int echolux_take_enqueued(echolux_pipeline* pipeline);
ECHOLUX_API int64_t echolux_result_number(const echolux_pipeline* pipeline); /* as pushed */
ECHOLUX_API void* echolux_result_event(const echolux_pipeline* pipeline); /* cudaEvent_t, or NULL */
/* Waits until every pushed frame is computed; results stay to be taken. */
ECHOLUX_API int echolux_flush(echolux_pipeline* pipeline);
/* The next frame has no predecessor, for stages that remember earlier frames. */
ECHOLUX_API int echolux_restart(echolux_pipeline* pipeline);

/* Outputs are the views of the pipeline. Their specifications and memory are those of the result
 * taken last; before the first, specifications are those of the next one. */
ECHOLUX_API int echolux_outputs(const echolux_pipeline* pipeline);
/* By its index; the other functions take the name. */
ECHOLUX_API const char* echolux_output_name(const echolux_pipeline* pipeline, int output);
/* What the output is. */
ECHOLUX_API const echolux_spec* echolux_output_spec(const echolux_pipeline* pipeline,
                                                    const char* output);
/* Copies to host memory. `bytes` must be echolux_spec_bytes() of the output. */
ECHOLUX_API int echolux_output_copy(echolux_pipeline* pipeline, const char* output, void* out,
                                    size_t bytes);
/* Memory of the backend, valid until the next take. */
ECHOLUX_API const void* echolux_output_memory(const echolux_pipeline* pipeline, const char* output);

/* Parameters are called "stage.key". Numbers are in `unit`; choices and flags are texts. An edit
 * holds for the frames that are pushed after it. The call returns when those pushed before are
 * computed and the edit is in force or refused. */
ECHOLUX_API int echolux_parameters(const echolux_pipeline* pipeline);
/* By its index; the other functions take the name. */
ECHOLUX_API const char* echolux_parameter_name(const echolux_pipeline* pipeline, int parameter);
/* On screen. */
ECHOLUX_API const char* echolux_parameter_label(const echolux_pipeline* pipeline, const char* name);
/* One sentence. */
ECHOLUX_API const char* echolux_parameter_help(const echolux_pipeline* pipeline, const char* name);
/* For example "m/s"; "" where it has none. */
ECHOLUX_API const char* echolux_parameter_unit(const echolux_pipeline* pipeline, const char* name);
/* "flag", "integer", "real", "choice", "text", "list of reals" or "mask" */
ECHOLUX_API const char* echolux_parameter_type(const echolux_pipeline* pipeline, const char* name);
/* The choices, one per line; "" where it is no choice. */
ECHOLUX_API const char* echolux_parameter_choices(const echolux_pipeline* pipeline,
                                                  const char* name);
/* Of numbers, in their unit. */
ECHOLUX_API int echolux_parameter_range(const echolux_pipeline* pipeline, const char* name,
                                        double* minimum, double* maximum, double* step);
/* In the parameter's unit. */
ECHOLUX_API int echolux_set_number(echolux_pipeline* pipeline, const char* name, double value);
/* In the parameter's unit. */
ECHOLUX_API int echolux_get_number(const echolux_pipeline* pipeline, const char* name,
                                   double* value);
/* As written in a pipeline file: "2.5e6", "true", "hann", "[1, 2]". */
ECHOLUX_API int echolux_set_text(echolux_pipeline* pipeline, const char* name, const char* value);
/* As echolux_set_text() takes it. */
ECHOLUX_API const char* echolux_get_text(const echolux_pipeline* pipeline, const char* name);
/* Where `bypass` is not 0, the stage hands its input on. */
ECHOLUX_API int echolux_set_bypass(echolux_pipeline* pipeline, const char* stage, int bypass);

/* Times of the frame that was timed last. A step is a stage, or stages that run as one. */
ECHOLUX_API int echolux_steps(const echolux_pipeline* pipeline);
/* For people. */
ECHOLUX_API const char* echolux_step_name(const echolux_pipeline* pipeline, int step);
/* Of one step. */
ECHOLUX_API double echolux_step_seconds(const echolux_pipeline* pipeline, int step);
/* From the upload to the last output. */
ECHOLUX_API double echolux_total_seconds(const echolux_pipeline* pipeline);

#ifdef __cplusplus
}
#endif

#endif
