// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a sidecar that describes OCT spectra and their spectrometer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

class Section;

enum class SpectraAxis { Volume, Bscan, Lateral, Sample };
std::string_view nameOf(SpectraAxis axis); ///< "volume", "bscan", "lateral", "sample"

/// One value per sample: numbers in the sidecar, an array in the data file, or another file.
struct SpectrumTerm {
    std::vector<double> values;
    std::string from; ///< name of an array in the file; empty: its only array
    std::string file; ///< a file beside the data file; empty: the data file itself
    double scale = 1.0;
};
using SpectrumSum = std::vector<SpectrumTerm>; ///< the sum of all terms; empty: not given

struct SpectraSidecar {
    // [data]
    std::vector<SpectraAxis> axes;      ///< without those named `none`
    std::vector<std::size_t> namedNone; ///< their indices among all axes of the array
    bool packed = false;                ///< true for dtype = "packed12"

    // [spectrometer]
    SpectrumSum background;
    SpectrumSum resampling;
    SpectrumSum chirp;
    SpectrumSum wavelengthsM;         ///< one per pixel, in units of wavelengthUnitM
    SpectrumSum wavelengthPolynomial; ///< c0 + c1 p + c2 p^2 + ... for pixel p, in the same unit
    double wavelengthUnitM = 1.0;
    SpectrumSum dispersion;
};

/// Names of other files that hold terms.
std::vector<std::string> namedFiles(const SpectraSidecar& spectra);

/// Reads the keys of [data] that only spectra have.
void readSpectraData(Section& section, SpectraSidecar& spectra);
void readSpectrometer(Section section, SpectraSidecar& spectra);

} // namespace echolux
