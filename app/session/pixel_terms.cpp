// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/pixel_terms.hpp"

#include "app/pipeline/sub_chain.hpp"
#include "app/session/grid_cut.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kPerElement = "delayed"; ///< name of the output

Complex finite(Complex value) {
    return std::isfinite(value.re) && std::isfinite(value.im) ? value : Complex{};
}

} // namespace

PixelChain pixelChain(const Snapshot& snapshot, const BeamformedPixel& pixel) {
    if (snapshot.input.spectrometer != nullptr || snapshot.input.acquisition == nullptr)
        throw Error("Spectra of light have no elements; contributions of elements come with "
                    "recordings of ultrasound channel data.");
    const StageState* beamform = snapshot.findWith<BeamformParams>();
    if (beamform == nullptr)
        throw Error("This pipeline has no stage Beamform, which sums the elements.");
    if (snapshot.ensemble() > 1 || beamform->input().isEnsemble())
        throw Error("This pipeline beamforms ensembles of frames; contributions are of one frame.");
    const auto& params = beamform->params.as<BeamformParams>();
    PixelChain chain{.raw = snapshot.input, .config = chainTo(snapshot, beamform), .key = {}};
    StageConfig& last = chain.config.stages.back();
    cutToPixel(last, params, pixel.lateralM, pixel.depthM);
    if (params.grid == PixelGrid::Volume) cutToSlice(last, beamform->plan.outputs[0], pixel.slice);
    if (params.grid == PixelGrid::Beams) chain.column = pixel.column;
    chain.config.views = {{"", "", {kPerElement, last.id}}};
    chain.key = toToml(chain.config);
    return chain;
}

void PixelTerms::prepare(const PixelChain& chain) {
    m_column = chain.column;
    const bool same = m_runner.snapshot() != nullptr && chain.key == m_key &&
                      chain.raw.acquisition == m_raw.acquisition;
    if (same) return;
    m_runner.release(); // stages hold facts of the former pixel
    m_raw = chain.raw;
    m_key = chain.key;
    SnapshotPtr planned = instantiate(chain.config, m_raw);
    m_frame = Buffer(MemoryKind::Host, planned->input.bytes());
    m_runner.apply(std::move(planned));
}

void PixelTerms::take(const std::byte* frame) {
    std::memcpy(m_frame.data(), frame, m_frame.bytes());
}

std::vector<Complex> PixelTerms::terms() {
    const ConstTensorView made = m_runner.imageOf(m_frame.as<std::byte>());
    const FrameSpec& spec = *made.spec;
    const std::int64_t elements = spec.sizeOf(AxisName::Channel);
    const std::int64_t row = spec.count() / elements;
    const std::int64_t column = std::clamp<std::int64_t>(m_column, 0, row - 1);
    std::vector<Complex> terms;
    for (std::int64_t e = 0; e < elements; ++e) {
        const std::int64_t at = e * row + column;
        terms.push_back(finite(isComplex(spec.dtype) ? made.as<Complex>()[at]
                                                     : Complex{made.as<float>()[at], 0.0F}));
    }
    return terms;
}

} // namespace echolux
