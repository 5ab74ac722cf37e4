// SPDX-License-Identifier: GPL-3.0-or-later
// Firing times of elements on the common clock: t = 0 when the wavefront crosses the origin.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstdint>

namespace echolux {

double distance(const Point& a, const Point& b);
double norm(const Point& a);

/// Speed of sound for which the device computed the delays of its elements.
double transmitSpeedOf(const Acquisition& acquisition);

/// Time, relative to the wavefront's passage through the origin, at which an element at `element`
/// fires in an ideal transmit. [s]
///   plane      e.u / c, u = direction(transmit, steering)
///   diverging  (|e - s| - |s|) / c
///   focused    (|f| - |e - f|) / c
///   element    0
///   none       0
double idealDelay(const Transmit& transmit, const Point& element, double soundSpeedMps,
                  Steering steering = Steering::Tilts);

/// Index of the element that fired, where a single one did: the element nearest to the transmit's
/// place. -1: several fired.
std::int32_t firedAlone(const Acquisition& acquisition, const Transmit& transmit);

/// Whether there are as many transmits as elements, and each is the next element's.
bool fireInTurn(const Acquisition& acquisition);

/// Whether there are transmits, and all are waves of this kind.
bool allAre(const Acquisition& acquisition, Wave wave);

/// Whether sound travels one way only: nothing is sent in any transmit.
bool isOneWay(const Acquisition& acquisition);

/// How often sound travels a depth: there and back 2, one way 1.
double waysOf(const Acquisition& acquisition);

} // namespace echolux
