// SPDX-License-Identifier: GPL-3.0-or-later
// The two implementations behind makeFft; private to this folder.
#pragma once

#include "gpu/fft/fft.hpp"

namespace echolux {

std::unique_ptr<Fft> makeFftw(const FftShape& shape);
std::unique_ptr<Fft> makeCufft(const FftShape& shape);

} // namespace echolux
