// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/expectations.hpp"

#include "app/pairs/findings.hpp"

#include <algorithm>
#include <iterator>

namespace echolux::pairs {
namespace {

/// Fields are names parted by '|', each of which may end in '*'; "*" is any.
struct PairPattern {
    std::string_view array;
    std::string_view transmit;
    std::string_view signal;
    std::string_view kind;
    std::string_view name;
    std::string_view phrase;
};

// The first one that fits counts.
constexpr PairPattern kRefusals[]{
    // Other data than signals of channels.
    {"*", "*", "*", "pipeline", "oct*", "Stage 'spectrum_to_float'"},
    {"*", "*", "*", "pipeline", "beamformed|envelope|recorded_image", "Stage 'median'"},
    {"*", "*", "*", "pipeline", "image_flow", "Stage 'clutter_filter'"},
    // What needs waves of a kind.
    {"*", "plane|diverging|focused|one-way", "*", "pipeline", "aberration_transmit*",
     "each element firing alone"},
    {"*", "one-way", "*", "pipeline", "decoded|refocused", "nothing is sent"},
    {"*", "plane|diverging|focused", "*", "pipeline", "decoded",
     "in the weights of their elements"},
    {"row-column", "elements", "*", "pipeline", "decoded", "in the weights of their elements"},
    {"*", "*", "*", "pipeline", "harmonic", "Stage 'pulse_inversion'"},
    {"linear|phased|curved|concave", "diverging|focused|elements|one-way", "*", "pipeline",
     "vector_flow", "nearly the same steering"},
    {"*", "one-way", "*", "export of signals", ".hdf5|.h5", "zea has no word"},
    // Volumes.
    {"matrix|row-column", "*", "*", "pipeline", "bubble*", "Stage 'localise' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "delayed_channel", "Stage 'one_channel' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "low_resolution", "Stage 'one_transmit' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "m_mode", "Stage 'm_mode' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "spectral_doppler",
     "Stage 'spectral_doppler' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "strain", "Stage 'displacement' takes"},
    {"matrix|row-column", "*", "*", "pipeline", "vector_flow", "stage 'vector_flow' takes"},
    {"row-column", "elements", "*", "pipeline", "aberration_transmit*",
     "listen to another element"},
    {"row-column", "*", "*", "pipeline", "aligned|aberration*", "stand on no grid"},
    // Sectors.
    {"curved", "*", "*", "pipeline", "bubble*", "no finer grid"},
    {"phased", "diverging|focused", "*", "pipeline", "bubble*", "no finer grid"},
    // IQ, where the pipeline is about a filter of RF.
    {"*", "*", "IQ", "pipeline", "fir_linear_gray|listing_*|zero_phase", "takes f32 samples"},
    {"*", "*", "IQ", "pipeline", "hilbert_lab", "is no image"},
    // What an image is not, and what is no image.
    {"*", "*", "*", "measurement", "envelope", "sonogram"},
    {"*", "*", "*", "export*", ".wav", "the gate of spectral Doppler"},
    {"*", "*", "*", "export", ".echolux.h5", "channel data or raw spectra"},
    {"*", "*", "*", "export of signals", ".png|.tif*|.gif|.mp4|.webm|.csv", "cannot be drawn"},
    {"*", "*", "*", "export of signals", ".nrrd|.nii*|.mha|.mhd", "holds images and volumes"},
};

bool fitsOne(std::string_view pattern, std::string_view name) {
    if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == name;
}

bool fits(std::string_view pattern, std::string_view name) {
    while (true) {
        const std::size_t bar = pattern.find('|');
        if (fitsOne(pattern.substr(0, bar), name)) return true;
        if (bar == std::string_view::npos) return false;
        pattern.remove_prefix(bar + 1);
    }
}

} // namespace

std::optional<std::string_view> expectedRefusal(const Pair& pair) {
    const auto at = std::ranges::find_if(kRefusals, [&](const PairPattern& p) {
        return fits(p.array, pair.acquired.array->name) &&
               fits(p.transmit, pair.acquired.transmit->name) &&
               fits(p.signal, nameOf(pair.acquired.signal)) && fits(p.kind, pair.kind) &&
               fits(p.name, pair.name);
    });
    return at == std::end(kRefusals) ? std::nullopt : std::optional(at->phrase);
}

double tolerableOffsetM(const Acquired& acquired, std::string_view pipeline) {
    // Aligned channels are summed everywhere, because a cube has one focus and no beams beside it.
    // Summed so, a focused wave is a sphere, which that of a matrix array is not near its focus.
    if (pipeline == "aligned" && acquired.array->isVolume() && acquired.transmit->name == "focused")
        return 0.65 * kWavelengthM;
    // What an estimate leaves of the screen that it is tried on, or of the ways of single elements,
    // bends the beams a little.
    const bool isTrial = pipeline.ends_with("_trial") || pipeline == "aberration_transmit";
    if (acquired.transmit->name == "one-way") {
        // Nothing that was sent tells a tilt of the screen from the places of what sounds.
        if (isTrial) return kWavelengthM;
        // Few elements along an axis that only hear make wide spots and strong side lobes.
        if (acquired.array->isVolume()) return kWavelengthM / 3.0;
    }
    return acquired.transmit->linesAreRecorded || isTrial ? kWavelengthM / 4.0
                                                          : kWavelengthM / 10.0;
}

} // namespace echolux::pairs
