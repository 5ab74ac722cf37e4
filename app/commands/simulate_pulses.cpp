// SPDX-License-Identifier: GPL-3.0-or-later
// Reads pulses, chirps and codes from the command line.
// NOTE: these options have no captured defaults, so that the notes of a recording name them only
// where they are given.
#include "app/commands/simulate_pulses.hpp"

#include "app/commands/simulate_echoes.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

constexpr std::array<std::pair<std::string_view, PulseSequence>, 4> kPulseNames{
    {{"one", PulseSequence::One},
     {"inverted", PulseSequence::Inverted},
     {"amplitude", PulseSequence::Amplitude},
     {"three", PulseSequence::Three}}};
constexpr std::array<std::pair<std::string_view, SpatialCode>, 3> kCodeNames{
    {{"hadamard", SpatialCode::Hadamard},
     {"s_sequence", SpatialCode::SSequence},
     {"hadamard_delays", SpatialCode::HadamardDelays}}};

template <class Names> std::vector<std::string> namesOfSent(const Names& names) {
    std::vector<std::string> all;
    for (const auto& [name, value] : names) all.emplace_back(name);
    return all;
}

/// The value of a name that CLI11 has checked; that of an empty name is T's first.
template <class Names> auto valueOfSent(const Names& names, const std::string& name) {
    using Value = decltype(names.front().second);
    const auto found = std::ranges::find(names, name, [](const auto& each) { return each.first; });
    return found == names.end() ? Value{} : found->second;
}

/// Reads START-END in MHz.
std::optional<std::pair<double, double>> sweepOf(std::string_view text) {
    double start = 0.0;
    double end = 0.0;
    const char* const last = text.data() + text.size();
    const auto [dash, wrong] = std::from_chars(text.data(), last, start);
    if (wrong != std::errc() || dash == last || *dash != '-') return std::nullopt;
    const auto [rest, wrongToo] = std::from_chars(dash + 1, last, end);
    if (wrongToo != std::errc() || rest != last) return std::nullopt;
    return std::pair{start, end};
}

} // namespace

void PulseOptions::addTo(CLI::App& command) {
    command
        .add_option("--pulses", pulses,
                    "Pulses that each wave is sent with, one transmit each: one; inverted (p, -p); "
                    "amplitude (half, full, half); three (0, 120, 240 deg). Default one")
        ->check(CLI::IsMember(namesOfSent(kPulseNames)));
    command.add_option("--harmonic", harmonic,
                       "Second harmonic over fundamental, 0 to 1, where the strongest wave is "
                       "strongest; it grows with the square of the sent field (default 0). Then "
                       "--fs is 8 fc by default");
    CLI::Option* sweep =
        command.add_option("--chirp", chirp,
                           "Send a chirp in place of a short pulse, START-END in MHz, as in 3-7. "
                           "Echoes begin at their time of flight");
    command.add_option("--chirp-length", chirpLengthUs, "Length of the chirp, us (default 10)")
        ->needs(sweep);
}

Excitation PulseOptions::excitation() const {
    Excitation sent{.pulses = valueOfSent(kPulseNames, pulses), .harmonicPart = harmonic};
    if (chirp.empty()) return sent;
    const auto range = sweepOf(chirp);
    if (!range)
        throw Error(fmt::format("--chirp is '{}', where START-END in MHz belongs: write it like "
                                "--chirp 3-7.",
                                chirp));
    sent.chirp = Chirp{.startHz = range->first * kHzPerMhz,
                       .endHz = range->second * kHzPerMhz,
                       .lengthS = chirpLengthUs * 1e-6};
    return sent;
}

void CodeOptions::addTo(CLI::App& command) {
    command
        .add_option("--code", code,
                    "All elements fire at once, by the rows of a matrix: hadamard (weights 1 and "
                    "-1; 2^k elements), s_sequence (1 and 0; 2^k - 1 elements), hadamard_delays "
                    "(-1 is a delay of half a period). Default: each element fires alone")
        ->check(CLI::IsMember(namesOfSent(kCodeNames)));
}

SpatialCode CodeOptions::spatialCode() const { return valueOfSent(kCodeNames, code); }

} // namespace echolux
