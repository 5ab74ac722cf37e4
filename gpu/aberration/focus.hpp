// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a region, and channels focused on them.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/compute_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux::aberration {

/// Points that fill a region evenly, in steps of a wavelength across and of a quarter of the gate
/// in depth. Where that would be more than `params.points`, both steps are enlarged by the same
/// factor. There is at least one point.
std::vector<Point> regionPoints(const FocusParams& params);

/// Default parameters for channel data: the whole image between the array's edges, and the data's
/// frequencies. For aligned channels (alignedOn()): their point, and the whole record.
FocusParams defaultFocus(const FrameSpec& input);

/// Throws Error, a sentence, where `input` [transmit][channel][sample] cannot be focused with these
/// parameters: it has no geometry, the gate is longer than the records, no whole gate lies in the
/// region, or bins are beyond the sampled band.
void checkFocus(const FrameSpec& input, const FocusParams& params);

/// What a focus computes, found at a spread of its points.
struct FocusCount {
    double points = 0.0;  ///< that fill the region
    double tested = 0.0;  ///< pairs of a transmit and an element whose aperture holds a point, on
                          ///< average
    double gates = 0.0;   ///< of these, those that the element heard whole
    double samples = 0.0; ///< of a gate
    double bytes = 0.0;   ///< of the channel data
    bool complex = false;
};
/// Precondition: checkFocus() accepts these parameters.
FocusCount countFocus(const FrameSpec& input, const FocusParams& params);

/// Channels focused on the points of one region.
class Focus {
public:
    Focus() = default;
    Focus(const FrameSpec& input, const ElementGrid& grid, const FocusParams& params);

    /// Number of points that there is memory for. The spectra of unused points are 0.
    std::int32_t mostPoints() const { return m_mostPoints; }
    std::size_t heldBytes() const;
    void allocate(const Exec& exec);
    /// Sets parameters that change no size. Enqueues the tables.
    void set(const Exec& exec, const FocusParams& params);
    /// `out` is [place][mostPoints][bin].
    void run(const Exec& exec, const void* samples, Complex* out) const;

private:
    struct Tables;

    FrameSpec m_input;
    ElementGrid m_grid;
    std::int32_t m_mostPoints = 0;
    std::int32_t m_bins = 0;
    std::int32_t m_points = 0;
    float m_gate = 0.0F;
    das::Constants m_constants;
    std::vector<std::int32_t> m_elementAt;
    ComputeTable<std::int32_t> m_elementTable;
    ComputeTable<das::Place> m_pointTable;
    ComputeTable<float> m_binTable;
    ComputeTable<das::Element> m_elements;
    ComputeTable<das::Face> m_faces;
    ComputeTable<das::TransmitConstants> m_transmits;
    ComputeTable<das::Shadow> m_shadows;
    ComputeTable<float> m_weights;
    ComputeTable<std::int32_t> m_channels;
};

} // namespace echolux::aberration
