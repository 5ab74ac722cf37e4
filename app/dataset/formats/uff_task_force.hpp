// SPDX-License-Identifier: GPL-3.0-or-later
// The ultrasound file format of the task force of 2019, version 0.3. It shares only its name with
// USTB's format.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeTaskForceUff(const Hdf5File& tree);

std::unique_ptr<Recording> openTaskForceUff(std::shared_ptr<Hdf5File> tree,
                                            const OpenOptions& options);

} // namespace echolux
