// SPDX-License-Identifier: GPL-3.0-or-later
// What the terms of delay and sum cost, and how many there are. A term is one element and transmit
// at one pixel.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/beamform/beamform_space.hpp"
#include "gpu/model/part.hpp"

namespace echolux::das {

/// How many terms a sum has, found at a spread of pixels.
struct TermCount {
    double pixels = 0.0;
    double elements = 0.0;     ///< in the aperture of a pixel, on average
    double mostElements = 0.0; ///< in the aperture of any pixel
    double transmits = 0.0;    ///< that image a pixel, on average
    double sums = 0.0;         ///< terms of all pixels: mean of elements x transmits, times pixels
};
TermCount termsOf(const Model& model);

/// Of all pairs of elements and transmits, those that have a record.
double heardShare(const Model& model);
/// Work of the deepest rows, which come first, over the mean.
double heaviestOf(const TermCount& terms);
/// Elements that so many pixels, which go through the same elements, have beside those of one of
/// them.
double extraElements(const Model& model, const TermCount& terms, double columns = 8.0,
                     double rows = 4.0);

// Instructions. Those of floating point and special functions are counted from the source, all
// others by Nsight Compute for compute capability 9.0 with the problems of `bench das`.

bool isWindowed(const Model& model); ///< weights are not all alike within the aperture
/// Of one element at one pixel: distance (two FFMA, root), its weight, and with complex samples the
/// phasor of the way (two special functions, three products, a rounding).
model::Part perElement(bool complex, Weights weights, bool windowed);
/// On a line, an element is inside an aperture or not; a difference decides.
inline const model::Part kOnALine{.fadd = 1.0};
/// Of one term of the kernels that gather lines: index, rounding, address; then the value, FFMA by
/// FFMA. Complex values are turned by four FFMA. So many frames of an ensemble share index and
/// address.
model::Part perTerm(bool complex, double sharing = 1.0);
/// Sums of powers and weights: an FFMA and a sum, of complex values one FFMA and product more.
model::Part weighing(bool complex);
/// Samples that one value is read from.
double tapsOf(const LineReading& reading);
/// What a value needs beside its index: samples, and weights of the taps, one by one. A straight
/// line has its two samples and no weights.
model::Part perTaps(const Model& model, bool complex);

model::Part sumOf(const model::Part& a, const model::Part& b);

} // namespace echolux::das
