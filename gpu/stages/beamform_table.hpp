// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter table of `beamform`.
#pragma once

#include "gpu/beamform/beamform_interpolation.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

namespace echolux::das {

inline ParamRow lengthRow(const char* key, const char* label, double min, double max, double step,
                          const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = max,
            .step = step,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3};
}

inline ParamRow volumeRow(const char* key, const char* label, double min, double max, double step,
                          const char* help) {
    ParamRow row = lengthRow(key, label, min, max, step, help);
    row.onlyWith = {"grid", "volume"};
    return row;
}

inline ParamRow angleRow(const char* key, const char* label, const char* help) {
    constexpr double kDegreesPerRad = 57.29577951308232;
    return {.key = key,
            .label = label,
            .unit = "rad",
            .min = -1.5,
            .max = 1.5,
            .step = 0.01,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "deg",
            .displayFactor = kDegreesPerRad,
            .onlyWith = {"grid", "beams"}};
}

/// The table of BeamformParams.
inline ParamTable beamformTable() {
    return ParamTable::of<BeamformParams>()
        .real(&BeamformParams::soundSpeedMps,
              {.key = "speed_of_sound",
               .label = "Speed of sound",
               .unit = "m/s",
               .min = 1000,
               .max = 7000,
               .step = 1,
               .help = "1540 in tissue, about 6300 in aluminium and 5900 in steel; a wrong value "
                       "blurs and shifts the image."})
        .real(&BeamformParams::t0OffsetS,
              {.key = "t0_offset",
               .label = "t0 offset",
               .unit = "s",
               .min = -20e-6,
               .max = 20e-6,
               .step = 1e-8,
               .help = "Time added to every delay, to make up for a lens or a late trigger.",
               .displayUnit = "us",
               .displayFactor = 1e6})
        .choice(&BeamformParams::travelTime,
                {{"both", "There and back"}, {"back", "Twice the way back"}},
                {.key = "travel_time",
                 .label = "Travel time",
                 .kind = ParamKind::Structural,
                 .help = "There and back: with the wave to the pixel, and from there to the "
                         "element; where nothing was sent (photoacoustics), only the way to the "
                         "element counts. Twice the way back: the wave does not count (van Bavel "
                         "2013, Eq. 2.3). For plane waves these delays bend twice as much as the "
                         "echoes do, so points blur."})
        .real(&BeamformParams::fNumber,
              {.key = "f_number",
               .label = "f-number",
               .min = 0,
               .max = 4,
               .step = 0.1,
               .help = "Depth over receive aperture; 0 takes all elements at every depth. On beams "
                       "of a flat array the aperture lies around the begin of the beam and grows "
                       "with range."})
        .choice(&BeamformParams::window,
                {{"rectangular", "Rectangular"},
                 {"hann", "Hann"},
                 {"hamming", "Hamming"},
                 {"tukey", "Tukey"},
                 {"gaussian", "Gaussian"}},
                {.key = "window",
                 .label = "Window",
                 .help = "Weights over the receive aperture, peak 1; tapers lower side lobes and "
                         "widen the main lobe. The Gaussian falls to 0.37 at the rim."})
        .real(&BeamformParams::tukeyAlpha,
              {.key = "tukey_alpha",
               .label = "Tukey alpha",
               .min = 0,
               .max = 1,
               .step = 0.05,
               .help = "Tapered part of the Tukey window: 0 is rectangular, 1 is Hann.",
               .onlyWith = {"window", "tukey"}})
        .choice(&BeamformParams::interpolation,
                {{"nearest", "Nearest"},
                 {"linear", "Linear"},
                 {"lagrange", "Lagrange"},
                 {"sinc", "Truncated sinc"},
                 {"least_squares", "Least squares"},
                 {"texture", "Texture (linear, 8 bit)"}},
                {.key = "interpolation",
                 .label = "Interpolation",
                 .help =
                     "How a value between two samples is computed. Texture: linear, by the GPU's "
                     "texture units, in steps of 1/256 of a sample; the CPU rounds likewise."})
        .integer(&BeamformParams::lagrangeOrder,
                 {.key = "lagrange_order",
                  .label = "Lagrange order",
                  .min = 1,
                  .max = 5,
                  .step = 1,
                  .help = "Degree of the Lagrange polynomial; degree n uses n + 1 samples.",
                  .onlyWith = {"interpolation", "lagrange"}})
        .integer(&BeamformParams::sincTaps,
                 {.key = "sinc_taps",
                  .label = "Sinc taps",
                  .min = 2,
                  .max = kMaxTaps,
                  .step = 1,
                  .help = "Number of samples that the truncated sinc uses; an odd number is "
                          "centred on the nearest sample.",
                  .onlyWith = {"interpolation", "sinc"}})
        .integer(&BeamformParams::leastSquaresTaps,
                 {.key = "least_squares_taps",
                  .label = "Least-squares taps",
                  .min = 4,
                  .max = kMaxTaps,
                  .step = 1,
                  .help =
                      "Number of samples that each filter uses. 128 filters per sample, those with "
                      "the least error over the echoes' spectrum, are computed beforehand.",
                  .onlyWith = {"interpolation", "least_squares"}})
        .real(&BeamformParams::bandwidth,
              {.key = "bandwidth",
               .label = "Bandwidth",
               .min = kLeastBandwidth,
               .max = kMostBandwidth,
               .step = 0.05,
               .help = "Bandwidth of the echoes at -6 dB, divided by their centre frequency; the "
                       "least-squares filters are made for it.",
               .onlyWith = {"interpolation", "least_squares"}})
        .flag(&BeamformParams::coherenceFactor,
              {.key = "coherence_factor",
               .label = "Coherence factor",
               .help = "Weights each pixel by how much its echoes agree, 0 to 1: |sum|^2 over "
                       "count times sum of squares."})
        .flag(&BeamformParams::normalized,
              {.key = "normalize",
               .label = "Normalize",
               .help = "Divides each pixel by the sum of its weights: places that few elements or "
                       "transmits reach become as bright as the others."})
        .mask(&BeamformParams::transmits, {.key = "transmits",
                                           .label = "Transmits",
                                           .min = 0,
                                           .max = 1,
                                           .step = 1,
                                           .help = "Which transmits are summed: all, only the "
                                                   "first, middle or last one, or a chosen set.",
                                           .along = AxisName::Transmit})
        .choice(
            &BeamformParams::compounding, {{"coherent", "Coherent"}, {"incoherent", "Incoherent"}},
            {.key = "compounding",
             .label = "Compounding",
             .kind = ParamKind::Structural,
             .help = "Coherent: the transmits' images are summed with their phase. Incoherent: "
                     "their magnitudes are summed, which calms speckle (analytic signals and IQ)."})
        .choice(&BeamformParams::transmitAperture,
                {{"everywhere", "All"}, {"shadow", "Waves through it"}, {"lines", "Its own line"}},
                {.key = "transmit_aperture",
                 .label = "Transmits per pixel",
                 .kind = ParamKind::Structural,
                 .help = "Which transmits a pixel sums: all; those whose wave passes through it, "
                         "focused waves by their amplitudes there; or, on a grid of beams, the one "
                         "transmit that its line belongs to."})
        .integer(&BeamformParams::linesPerTransmit,
                 {.key = "lines_per_transmit",
                  .label = "Lines per transmit",
                  .min = 1,
                  .max = 16,
                  .step = 1,
                  .kind = ParamKind::Structural,
                  .help = "Number of receive lines formed around the beam of each transmit "
                          "(multi-line acquisition), or in each gap between two beams.",
                  .onlyWith = {"transmit_aperture", "lines"}})
        .flag(&BeamformParams::blendsBeams,
              {.key = "blend_beams",
               .label = "Blend beams",
               .kind = ParamKind::Structural,
               .help = "Lines lie between the transmits' beams, and each is a weighted sum of what "
                       "the four beams around it give. Points then stay at their places where "
                       "beams lie no farther apart than wavelength times focal depth over the "
                       "firing aperture. One line per transmit lies on its beam. Off: each line "
                       "has the one transmit nearest to it.",
               .onlyWith = {"transmit_aperture", "lines"}})
        .choice(&BeamformParams::transmitDelays,
                {{"kept", "As sent"}, {"as_written", "Angles as written"}},
                {.key = "transmit_delays",
                 .label = "Transmit delays",
                 .help = "What stays when the speed of sound moves. As sent: the times at which "
                         "the elements fired, so that angles and foci follow from the speed of "
                         "sound. Angles as written: the angles and foci of the recording."})
        .choice(&BeamformParams::delays,
                {{"kernel", "For each frame"},
                 {"table", "Once, in a table"},
                 {"full", "Once, in a full table"}},
                {.key = "delays",
                 .label = "Delays computed",
                 .kind = ParamKind::Structural,
                 .help = "For each frame, while summing; or once after each change of a parameter, "
                         "kept in a table that takes memory. The image is the same. The table has "
                         "entries per transmit and per element; the full table has one for each "
                         "transmit and element together, at every pixel."})
        .choice(
            &BeamformParams::grid,
            {{"image", "Image"}, {"volume", "Volume"}, {"beams", "Beams"}, {"data", "As the data"}},
            {.key = "grid",
             .label = "Grid",
             .kind = ParamKind::Structural,
             .help = "Image: pixels in the array's plane. Volume: voxels. Beams: range along "
                     "lines from the array; scan conversion makes a picture of lines that fan "
                     "out or are steered. As the data: a column per element of a flat array, a "
                     "row per sample; edges and pixel sizes do not count."})
        .real(&BeamformParams::angleMinRad,
              angleRow("angle_min", "First line", "Angle of the leftmost line."))
        .real(&BeamformParams::angleMaxRad,
              angleRow("angle_max", "Last line", "Angle of the rightmost line."))
        .integer(&BeamformParams::lines,
                 {.key = "lines",
                  .label = "Lines",
                  .min = 2,
                  .max = 4096,
                  .step = 1,
                  .kind = ParamKind::Structural,
                  .help = "Number of lines in the fan, at equal angles. Where each transmit has "
                          "its own lines, their number counts instead.",
                  .onlyWith = {"grid", "beams"}})
        .real(&BeamformParams::elevationMinM,
              volumeRow("elevation_min", "Front edge", -1, 1, 5e-4, "First slice of the volume."))
        .real(&BeamformParams::elevationMaxM,
              volumeRow("elevation_max", "Back edge", -1, 1, 5e-4, "Last slice of the volume."))
        .real(&BeamformParams::pixelElevationM,
              volumeRow("pixel_elevation", "Voxel thickness", 1e-6, 0.01, 1e-5,
                        "Distance of neighbouring slices."))
        .real(&BeamformParams::lateralMinM,
              lengthRow("lateral_min", "Left edge", -1, 1, 5e-4, "First column of the image."))
        .real(&BeamformParams::lateralMaxM,
              lengthRow("lateral_max", "Right edge", -1, 1, 5e-4, "Last column of the image."))
        .real(&BeamformParams::depthMinM,
              lengthRow("depth_min", "Top", 0, 2, 5e-4, "First row of the image."))
        .real(&BeamformParams::depthMaxM,
              lengthRow("depth_max", "Bottom", 0, 2, 5e-4, "Last row of the image."))
        .real(&BeamformParams::pixelLateralM, lengthRow("pixel_lateral", "Pixel width", 1e-6, 0.01,
                                                        1e-5, "Distance of neighbouring columns."))
        .real(
            &BeamformParams::pixelDepthM,
            lengthRow("pixel_depth", "Pixel height", 1e-6, 0.01, 1e-6,
                      "Distance of neighbouring rows. Summed RF needs an eighth of the wavelength "
                      "or less for its envelope; analytic signals and IQ allow any grid."))
        .build();
}

} // namespace echolux::das
