// SPDX-License-Identifier: GPL-3.0-or-later
// S4, section 3.1: signal to noise of one B-scan without DC removal, with that of the original
// program (Fourier bins) and that of the new one (moving average).
#include "app/bench/documents.hpp"

#include "app/command_line/options.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

constexpr double kPublishedGain = 190.29 / 157.24;

struct DcRemoval {
    const char* name;
    double published; ///< mean amplitude of the signal over that of the noise
    std::vector<std::string> settings;
    std::vector<std::string> bypassed;
};

/// S4 does not tell how many bins its original program cut; these are the program's default.
const std::array<DcRemoval, 3>& removals() {
    static const std::array<DcRemoval, 3> kRemovals{
        {{"without DC removal", 26.20, {}, {"dc_removal_moving"}},
         {"DC removal by Fourier bins", 157.24, {"dc_removal_moving.method=fourier_bins"}, {}},
         {"DC removal by a moving average of 25 samples",
          190.29,
          {"dc_removal_moving.method=moving_average", "dc_removal_moving.window=25"},
          {}}}};
    return kRemovals;
}

/// The first B-scan of a recording, and what makes amplitudes of it.
struct NoiseBscan {
    std::unique_ptr<Recording> recording;
    SnapshotPtr snapshot;

    std::int64_t depths() const { return snapshot->output().axes.back().size; }
};

NoiseBscan bscanOf(const NoiseRegions& regions, const DcRemoval& removal) {
    ImagingOptions imaging;
    imaging.file = regions.recording;
    imaging.pipeline = "oct";
    imaging.settings = removal.settings;
    imaging.settings.emplace_back("magnitude_log.scale=linear");
    imaging.bypassed = removal.bypassed;
    NoiseBscan bscan;
    bscan.recording = openRecording(imaging.file, imaging.openOptions());
    const FrameSpec& raw = bscan.recording->info().frame;
    bscan.snapshot = imagingSnapshot(raw, imaging.config(raw));
    return bscan;
}

/// Amplitudes [line][depth] of the first B-scan of the recording.
struct Amplitudes {
    std::vector<float> values;
    std::int64_t depths = 0;
};

Amplitudes amplitudesOf(const NoiseRegions& regions, const DcRemoval& removal, Backend backend) {
    const NoiseBscan bscan = bscanOf(regions, removal);
    const SnapshotPtr& snapshot = bscan.snapshot;
    const Buffer spectra(stagingMemory(backend), snapshot->input.bytes());
    readFrames(*bscan.recording, 0, {spectra.as<std::byte>(), spectra.bytes()});
    const Buffer out(computeMemory(backend), snapshot->output().bytes());
    Runner runner(backend, 1, Fusing::Allowed);
    runner.apply(snapshot);
    runner.enqueue({.raw = spectra.as<std::byte>(), .targets = {ViewTarget{out.data()}}});
    Amplitudes amplitudes;
    amplitudes.depths = bscan.depths();
    amplitudes.values.resize(out.bytes() / sizeof(float));
    download(runner.exec(0), amplitudes.values.data(), out.data(), out.bytes());
    runner.drain();
    return amplitudes;
}

/// Mean over the lines of the mean amplitude in one region over that in the other.
double signalToNoise(const Amplitudes& amplitudes, const NoiseRegions& regions) {
    const auto mean = [&](const float* line, const ScanDepths& range) {
        double sum = 0.0;
        for (std::int64_t z = range.first; z < range.end; ++z) sum += double{line[z]};
        return sum / static_cast<double>(range.end - range.first);
    };
    double sum = 0.0;
    std::size_t lines = 0;
    for (std::size_t at = 0; at < amplitudes.values.size();
         at += static_cast<std::size_t>(amplitudes.depths), ++lines) {
        const float* line = &amplitudes.values[at];
        sum += mean(line, regions.signal) / mean(line, regions.noise);
    }
    return sum / static_cast<double>(lines);
}

void check(const ScanDepths& range, std::int64_t depths, const char* option) {
    if (range.first >= 0 && range.first < range.end && range.end <= depths) return;
    throw Error(fmt::format("bench documents: {} {}:{} is no range of the B-scan's {} depths; give "
                            "its first depth, counted from 0, and the one behind its last.",
                            option, range.first, range.end, depths));
}

} // namespace

void checkNoiseRegions(const NoiseRegions& regions) {
    const std::int64_t depths = bscanOf(regions, removals().front()).depths();
    check(regions.signal, depths, "--signal");
    check(regions.noise, depths, "--noise");
}

void benchOctNoise(const DocumentBench& bench) {
    const std::string table = "S4 section 3.1, signal to noise of a B-scan";
    std::array<double, 3> measured{};
    for (std::size_t i = 0; i < removals().size(); ++i) {
        const DcRemoval& removal = removals()[i];
        DocumentEntry entry{
            .table = table, .entry = removal.name, .unit = "ratio", .published = removal.published};
        if (bench.regions) {
            const Amplitudes amplitudes = amplitudesOf(*bench.regions, removal, bench.exec.backend);
            measured[i] = signalToNoise(amplitudes, *bench.regions);
            entry.measured = measured[i];
            // The document's decibels are ten times the natural logarithm.
            entry.note =
                fmt::format("{:.2f} dB (20 log10); as the document counts {:.2f}, its own {:.2f}",
                            20.0 * std::log10(measured[i]), 10.0 * std::log(measured[i]),
                            10.0 * std::log(removal.published));
        } else {
            entry.note = "not run: needs --recording, --signal and --noise";
        }
        bench.take(entry);
    }
    if (!bench.regions) return;
    bench.take({.table = table,
                .entry = "moving average over Fourier bins",
                .unit = "times",
                .published = kPublishedGain,
                .measured = measured[2] / measured[1],
                .note = fmt::format("{:.2f} dB (20 log10)",
                                    20.0 * std::log10(measured[2] / measured[1]))});
}

} // namespace echolux
