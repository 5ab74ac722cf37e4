// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a recording's description. Each is one row: its names, its unit, what is plausible,
// and where it lies in a frame.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/core/quantity.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace echolux {

/// A unit that is often meant where a number is far too large or too small.
struct MistakenUnit {
    std::string_view name = {};
    double factor = 0.0; ///< from its numbers to numbers in the right unit
};

struct Unit {
    std::string_view si = {};     ///< of files and members; empty: a plain number
    std::string_view suffix = {}; ///< of names that carry the unit: "mps"
    std::string_view shown = {};  ///< of options, of the window and of texts
    double shownPerSi = 1.0;
    std::array<MistakenUnit, 3> mistaken = {}; ///< the likeliest first

    QuantityUnit quantity() const { return {std::string(si), std::string(shown), shownPerSi}; }
};

/// Beyond it a unit is wrong more often than the device is unusual. SI, of the magnitude.
struct PlausibleRange {
    double least = 0.0;
    double most = 0.0; ///< 0: anything is plausible
};

/// Where a fact lies in a frame.
struct FactPlace {
    double (*get)(const FrameSpec& spec) = nullptr;       ///< SI; 0 where unknown
    void (*set)(FrameSpec& spec, double value) = nullptr; ///< null: it follows from others
};

struct Fact {
    std::string_view key;        ///< in sidecars, in their tables: "demodulation_frequency"
    std::string_view option;     ///< of `echolux sidecar`: "fd"; empty: none
    std::string_view name;       ///< within a sentence: "demodulation frequency"
    std::string_view label = {}; ///< in the window and in `echolux info`; empty: the name
    std::string_view help = {};  ///< one line; empty: the label says it
    const Unit* unit = nullptr;
    PlausibleRange plausible = {};
    FactPlace place = {};          ///< of facts that frames have
    std::string_view details = {}; ///< sentences that follow `help` in the window
};

/// In native recordings, `info --json` and Python: "demodulation_frequency_hz".
std::string nameWithUnit(const Fact& fact);
std::string labelOf(const Fact& fact);
/// Its help and its unit: "Sampling frequency, MHz".
std::string questionOf(const Fact& fact);
/// "5 MHz", to 6 digits; "unknown" for 0.
std::string shownValue(const Fact& fact, double value);

/// The acquisition or the spectrometer of a frame, as a copy of its own that may be changed.
Acquisition& ownAcquisition(FrameSpec& spec);
Spectrometer& ownSpectrometer(FrameSpec& spec);

#define FACT(name, ...) extern const Fact name;
namespace fact {
#include "app/dataset/facts/facts.def"
}
#undef FACT

std::span<const Fact* const> allFacts();

} // namespace echolux
