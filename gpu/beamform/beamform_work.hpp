// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of delay and sum with their counts, for the performance model.
#pragma once

#include "gpu/beamform/beamform_cuda.hpp"
#include "gpu/beamform/beamform_terms.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/model/part.hpp"

#include <vector>

namespace echolux::das {

/// What is asked of the sum.
struct SumTask {
    Backend backend = Backend::Cpu;
    bool complex = false;
    DelaySource delays = DelaySource::Kernel;
    int frames = 1;
    CudaSum chosen = {}; ///< of chooseCudaSum(); used on CUDA
};

/// The kernels of all frames, counted from the source of each kernel, those of the CPU from
/// beamform_host.cpp. NOTE: lanes that the kernels for space leave idle are not counted.
std::vector<model::Kernel> sumWork(const Model& model, const SumTask& task);

/// The kernels of images of single transmits, of delayed channel data, and of that of single
/// transmits, all of one frame. On CUDA they run pixel by pixel.
std::vector<model::Kernel> eachTransmitWork(const Model& model, const SumTask& task);
std::vector<model::Kernel> delayedWork(const Model& model, const SumTask& task);
std::vector<model::Kernel> pairsWork(const Model& model, const SumTask& task);

} // namespace echolux::das
