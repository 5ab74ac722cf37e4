// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the commands that simulate sent waves: pulses, second harmonic, chirp.
#pragma once

#include "app/source/excitation.hpp"

#include <string>

namespace CLI {
class App;
}

namespace echolux {

/// In the units of the command line: frequencies in MHz, times in us.
struct PulseOptions {
    std::string pulses;
    double harmonic = 0.0;
    std::string chirp; ///< "3-7"; empty: a short pulse
    double chirpLengthUs = 10.0;

    void addTo(CLI::App& command);
    /// Throws Error where a text makes no sense.
    Excitation excitation() const;
};

/// Options of `full-matrix`.
struct CodeOptions {
    std::string code; ///< empty: each element fires alone

    void addTo(CLI::App& command);
    SpatialCode spatialCode() const;
};

} // namespace echolux
