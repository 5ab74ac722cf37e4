// SPDX-License-Identifier: GPL-3.0-or-later
// Transmits of CUBDL files, on the common clock.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/cubdl_facts.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

/// Uses the probe and the speed of sound of `acquisition`.
std::vector<Transmit> readCubdlWaves(const Hdf5Values& file, const CubdlName& name,
                                     const Acquisition& acquisition, double centreFrequencyHz,
                                     std::int64_t transmits);

/// Reads a positive finite number. Throws where it is missing or another.
double demandCubdlNumber(const Hdf5Values& file, const std::string& name);

} // namespace echolux
