// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of `matched_filter`.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <utility>
#include <vector>

namespace echolux {

enum class PulseKind { Chirp, Recorded };
enum class ReferencePoint { Start, Middle };
enum class ReplicaWindow { None, Hann, Hamming, Blackman, Tukey };

struct MatchedFilterParams {
    static constexpr double kRadPerDegree = 0.017453292519943295;

    PulseKind pulse = PulseKind::Chirp;
    double startHz = 3e6;
    double endHz = 7e6;
    double durationS = 10e-6;
    double phaseRad = 0.0;
    double taper = 0.2;
    std::vector<double> samples = {0.0, 0.7, 0.0, -1.0, 0.0, 0.7, 0.0};
    double pulseSamplingHz = 20e6;
    ReferencePoint reference = ReferencePoint::Start;
    ReplicaWindow window = ReplicaWindow::None;
    double windowTaper = 0.5;
};

inline ParamTable matchedFilterTable() {
    using P = MatchedFilterParams;
    constexpr double kDegree = P::kRadPerDegree;
    const auto edge = [](const char* key, const char* label, const char* help) {
        return ParamRow{.key = key,
                        .label = label,
                        .unit = "Hz",
                        .min = 1e4,
                        .max = 1e8,
                        .step = 5e4,
                        .scale = ParamScale::Log,
                        .help = help,
                        .displayUnit = "MHz",
                        .displayFactor = 1e-6,
                        .onlyWith = {"pulse", "chirp"}};
    };
    return ParamTable::of<P>()
        .choice(&P::pulse, {{"chirp", "Chirp"}, {"recorded", "Recorded"}},
                {.key = "pulse",
                 .label = "Pulse",
                 .kind = ParamKind::Structural,
                 .help = "What was sent: a tone whose frequency runs evenly from start to end, or "
                         "a pulse that was recorded."})
        .real(&P::startHz, edge("start", "Start frequency",
                                "Frequency at the beginning of the chirp; the true one also for IQ "
                                "samples and band-pass sampling."))
        .real(&P::endHz, edge("end", "End frequency",
                              "Frequency at the end of the chirp, above or below that at its "
                              "beginning."))
        .real(&P::durationS, {.key = "duration",
                              .label = "Duration",
                              .unit = "s",
                              .min = 1e-7,
                              .max = 1e-3,
                              .step = 1e-7,
                              .scale = ParamScale::Log,
                              .kind = ParamKind::Structural,
                              .help = "Length of the chirp. Longer ones gain more over noise, and "
                                      "hide more of what is near.",
                              .displayUnit = "us",
                              .displayFactor = 1e6,
                              .onlyWith = {"pulse", "chirp"}})
        .real(&P::phaseRad, {.key = "phase",
                             .label = "Phase",
                             .unit = "rad",
                             .min = -180.0 * kDegree,
                             .max = 180.0 * kDegree,
                             .step = kDegree,
                             .help = "Phase at the beginning of the chirp: 0 for a cosine, -90 "
                                     "degrees for a sine.",
                             .displayUnit = "deg",
                             .displayFactor = 1.0 / kDegree,
                             .onlyWith = {"pulse", "chirp"}})
        .real(&P::taper, {.key = "taper",
                          .label = "Taper",
                          .min = 0.0,
                          .max = 1.0,
                          .step = 0.01,
                          .help = "Part of the sent chirp that rises and falls, half of it at each "
                                  "end, as in a Tukey window. 0: it is switched on and off at "
                                  "once.",
                          .onlyWith = {"pulse", "chirp"}})
        .list(&P::samples, {.key = "samples",
                            .label = "Samples",
                            .min = -1e6,
                            .max = 1e6,
                            .step = 1e-3,
                            .kind = ParamKind::Structural,
                            .help = "Samples of the recorded pulse, in the order of time and "
                                    "without offset. Their scale does not count.",
                            .onlyWith = {"pulse", "recorded"}})
        .real(&P::pulseSamplingHz,
              {.key = "pulse_sampling",
               .label = "Pulse sampling",
               .unit = "Hz",
               .min = 1e4,
               .max = 1e9,
               .step = 1e5,
               .scale = ParamScale::Log,
               .kind = ParamKind::Structural,
               .help = "Sampling frequency of the recorded pulse. Where it is not that of the "
                       "echoes, the pulse is read between its samples.",
               .displayUnit = "MHz",
               .displayFactor = 1e-6,
               .onlyWith = {"pulse", "recorded"}})
        .choice(&P::reference, {{"start", "Start"}, {"middle", "Middle"}},
                {.key = "reference_point",
                 .label = "Reference point",
                 .help = "Part of the pulse to whose time an echo is compressed. Choose the one "
                         "that left the array when the recording's time was 0."})
        .choice(&P::window,
                {{"none", "None"},
                 {"hann", "Hann"},
                 {"hamming", "Hamming"},
                 {"blackman", "Blackman"},
                 {"tukey", "Tukey"}},
                {.key = "window",
                 .label = "Mismatched window",
                 .help = "Window over the pulse that echoes are compared with. It lowers range "
                         "side lobes, widens the peak and gains less over noise."})
        .real(&P::windowTaper, {.key = "window_taper",
                                .label = "Window taper",
                                .min = 0.0,
                                .max = 1.0,
                                .step = 0.05,
                                .help = "Tapered part of the Tukey window: 0 is rectangular, 1 is "
                                        "Hann.",
                                .onlyWith = {"window", "tukey"}})
        .build();
}

} // namespace echolux
