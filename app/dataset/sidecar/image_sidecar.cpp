// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the keys for images in a sidecar.
#include "app/dataset/sidecar/image_sidecar.hpp"

#include "app/dataset/sidecar/sidecar_section.hpp"

namespace echolux {

void readImage(Section section, ImageSidecar& image) {
    if (section.text("form").empty())
        section.fail("form", "is missing: choose one of beamformed, envelope, decibels, picture");
    image.form = section.choice<RecordedForm>("form", RecordedForm::Beamformed,
                                              {{"beamformed", RecordedForm::Beamformed},
                                               {"envelope", RecordedForm::Envelope},
                                               {"decibels", RecordedForm::Decibels},
                                               {"picture", RecordedForm::Picture}});
    image.depthFirstM = section.numbers("depth_first");
    image.depthStepM = section.numbers("depth_step");
    image.samplingFrequencyHz = section.numbers("sampling_frequency");
    image.lateralFirstM = section.numbers("lateral_first");
    image.lateralStepM = section.numbers("lateral_step");
    image.elevationFirstM = section.numbers("elevation_first");
    image.elevationStepM = section.numbers("elevation_step");
    image.angles = anglesOf(section, "angles");
    image.angleFirst = anglesOf(section, "angle_first");
    image.angleStep = anglesOf(section, "angle_step");
    image.apex = section.numbers("apex");
    image.radiusM = section.numbers("radius");
    image.centreFrequencyHz = section.numbers("centre_frequency");
    image.demodulationFrequencyHz = section.numbers("demodulation_frequency");
    image.shownRangeDb = section.numbers("shown_range");
    image.frameRateHz = section.numbers("frame_rate");
    section.refuseUnknown();
    if (image.depthStepM.given() && image.samplingFrequencyHz.given())
        section.fail("depth_step", "and sampling_frequency are both given: keep one");
    if (image.angles.given() && (image.angleStep.given() || image.angleFirst.given()))
        section.fail("angles", "and angle_first or angle_step are both given: keep one way");
    if (image.angleFirst.given() && !image.angleStep.given())
        section.fail("angle_step", "is missing: angle_first is the first of lines that are so far "
                                   "apart");
    if (image.isSector() && (image.lateralFirstM.given() || image.lateralStepM.given()))
        section.fail("lateral_step", "and the angles of a sector are both given: lines lie side by "
                                     "side or fan out");
    if (!image.isSector() && (image.apex.given() || image.radiusM.given()))
        section.fail("apex", "and radius belong to a sector: give the angles of its lines");
    if (image.form == RecordedForm::Picture && image.shownRangeDb.given())
        section.fail("shown_range", "is in dB, but a picture has brightnesses: use form = "
                                    "\"decibels\" and data.code_scale where they mean levels");
}

} // namespace echolux
