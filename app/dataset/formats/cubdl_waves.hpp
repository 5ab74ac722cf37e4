// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of CUBDL sent out, on the common clock.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/cubdl_facts.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

/// `acquisition` holds probe and speed of sound.
std::vector<Transmit> readCubdlWaves(const Hdf5Values& file, const CubdlName& name,
                                     const Acquisition& acquisition, double centreFrequencyHz,
                                     std::int64_t transmits);

/// A positive number that must be there.
double demandCubdlNumber(const Hdf5Values& file, const std::string& name);

} // namespace echolux
