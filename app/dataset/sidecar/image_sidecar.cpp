// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the keys for images in a sidecar.
#include "app/dataset/sidecar/sidecar_section.hpp"

namespace echolux {

void readImage(Section section, Sidecar& sidecar) {
    if (section.text("form").empty())
        section.fail("form", "is missing: choose one of beamformed, envelope, decibels, picture");
    sidecar.image = section.choice<RecordedForm>("form", RecordedForm::Beamformed,
                                                 {{"beamformed", RecordedForm::Beamformed},
                                                  {"envelope", RecordedForm::Envelope},
                                                  {"decibels", RecordedForm::Decibels},
                                                  {"picture", RecordedForm::Picture}});
    section.numbers({"depth_first", "depth_step", "sampling_frequency", "lateral_first",
                     "lateral_step", "elevation_first", "elevation_step", "apex", "radius",
                     "centre_frequency", "demodulation_frequency", "shown_range", "frame_rate"});
    for (const char* key : {"angles", "angle_first", "angle_step"}) section.angles(key);
    section.refuseUnknown();
    if (sidecar.has("image.depth_step") && sidecar.has("image.sampling_frequency"))
        section.fail("depth_step", "and sampling_frequency are both given: keep one");
    if (sidecar.has("image.angles") &&
        (sidecar.has("image.angle_step") || sidecar.has("image.angle_first")))
        section.fail("angles", "and angle_first or angle_step are both given: keep one way");
    if (sidecar.has("image.angle_first") && !sidecar.has("image.angle_step"))
        section.fail("angle_step", "is missing: angle_first is the first of lines that are so far "
                                   "apart");
    if (sidecar.isSector() &&
        (sidecar.has("image.lateral_first") || sidecar.has("image.lateral_step")))
        section.fail("lateral_step", "and the angles of a sector are both given: lines lie side by "
                                     "side or fan out");
    if (!sidecar.isSector() && (sidecar.has("image.apex") || sidecar.has("image.radius")))
        section.fail("apex", "and radius belong to a sector: give the angles of its lines");
    if (sidecar.image == RecordedForm::Picture && sidecar.has("image.shown_range"))
        section.fail("shown_range", "is in dB, but a picture has brightnesses: use form = "
                                    "\"decibels\" and data.code_scale where they mean levels");
}

} // namespace echolux
