// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sound_speed/speed_terms.hpp"

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/exec/for_each.hpp"

#include <cmath>

namespace echolux::sound_speed {
namespace {

struct Agreement {
    AgreementTask task;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Place& place = task.places[i % task.used * task.every];
        const WaveAt& wave = task.waves[i / task.used * task.transmits + place.transmit];
        const float range = wave.rangeOf(place);
        const Vector at = place.foot + range * place.normal;
        Complex sum;
        float power = 0.0F;
        for (std::int32_t c = 0; c < task.channels; ++c) {
            const std::int32_t row = place.transmit * task.channels + c;
            const Receiver receiver = task.receivers[row];
            if (receiver.weight == 0.0F || !hears(place, receiver.place)) continue;
            const Vector way = at - receiver.place;
            const float later = (sqrtf(dot(way, way)) - range) / wave.speedMps;
            const Complex value = receiver.weight * sampleAt(row, (place.timeS + later));
            sum = sum + value;
            power += norm(value);
        }
        task.agreement[i] = power > 0.0F ? norm(sum) / power : 0.0F;
    }

private:
    static ECHOLUX_HD bool hears(const Place& place, const Vector& element) {
        const Vector off = element - place.foot;
        const float along = dot(off, place.normal);
        return dot(off, off) - along * along <= place.reachM * place.reachM;
    }
    /// By the cubic of Catmull and Rom, without the carrier, so that few samples per period do.
    ECHOLUX_HD Complex sampleAt(std::int32_t row, float timeS) const {
        const float at = timeS * task.samplingHz;
        const auto n = static_cast<std::int32_t>(floorf(at));
        if (n < 1 || n + 2 >= task.recordLength) return {};
        const float f = at - static_cast<float>(n);
        const float taps[4] = {f * (-0.5F + f * (1.0F - 0.5F * f)),
                               1.0F + f * f * (1.5F * f - 2.5F), f * (0.5F + f * (2.0F - 1.5F * f)),
                               0.5F * f * f * (f - 1.0F)};
        const Complex* line =
            task.samples + static_cast<std::int64_t>(row) * task.recordLength + n - 1;
        Complex value;
        for (int k = 0; k < 4; ++k) value = value + taps[k] * (line[k] * task.tapTurns[k]);
        const float turns =
            task.carrierHz != 0.0F ? task.carrierHz * f / task.samplingHz : task.mixedHz * timeS;
        return value * das::unitPhasor(turns);
    }
};

} // namespace

void agreementsOf(const Exec& exec, const AgreementTask& task) {
    forEach(exec, "speed of sound", task.used * task.speeds, Agreement{task});
}

} // namespace echolux::sound_speed
