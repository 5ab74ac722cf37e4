// SPDX-License-Identifier: GPL-3.0-or-later
// Which members of facts a reader process sends.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/guarded/wire.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/sector.hpp"

namespace echolux::wire {

template <> inline constexpr AxisName kLast<AxisName> = AxisName::Property;
template <> inline constexpr DType kLast<DType> = DType::ComplexF32;
template <> inline constexpr RecordedForm kLast<RecordedForm> = RecordedForm::Picture;
template <> inline constexpr ValueKind kLast<ValueKind> = ValueKind::Label;
template <> inline constexpr LongAxis kLast<LongAxis> = LongAxis::Elevation;
template <> inline constexpr Wave kLast<Wave> = Wave::None;
template <> inline constexpr Steering kLast<Steering> = Steering::Projections;
template <> inline constexpr ElementType::Kind kLast<ElementType::Kind> = ElementType::Kind::Real;

template <class Wire> void visit(Wire& wire, Point& p) { wire(p.x, p.y, p.z); }
template <class Wire> void visit(Wire& wire, Axis& a) {
    wire(a.name, a.size, a.spacing, a.origin, a.unit);
}
template <class Wire> void visit(Wire& wire, ConverterRange& r) { wire(r.lowest, r.highest); }
template <class Wire> void visit(Wire& wire, ValueRange& r) {
    wire(r.min, r.max, r.unit, r.reference);
}
template <class Wire> void visit(Wire& wire, VolumeStack& s) {
    wire(s.bscansPerVolume, s.spacingM, s.repeats);
}
template <class Wire> void visit(Wire& wire, SuggestedLevels& l) { wire(l.darkDb, l.brightDb); }
template <class Wire> void visit(Wire& wire, Pose& p) { wire(p.along, p.origin, p.space); }
template <class Wire> void visit(Wire& wire, Probe& p) {
    wire(p.name, p.elements, p.normals, p.longAxes, p.pitchM, p.elementWidthM, p.elementHeightM,
         p.elevationFocusM, p.centreFrequencyHz, p.fractionalBandwidth);
}
template <class Wire> void visit(Wire& wire, Transmit& t) {
    wire(t.wave, t.angleRad, t.elevationRad, t.source, t.origin, t.apodization, t.firstSampleS,
         t.iqPhaseZeroS);
}
template <class Wire> void visit(Wire& wire, RangeWeights& w) { wire(w.values, w.firstM, w.stepM); }
template <class Wire> void visit(Wire& wire, Acquisition& a) {
    wire(a.probe, a.transmits, a.steering, a.soundSpeedMps, a.transmitSpeedMps, a.receiveWeights,
         a.receiveElements, a.rangeWeights);
}
template <class Wire> void visit(Wire& wire, Spectrometer& s) {
    wire(s.centreWavelengthM, s.bandwidthM, s.refractiveIndex, s.countsCodes, s.background,
         s.resampling, s.dispersionRad, s.sinusoidalScan);
}
template <class Wire> void visit(Wire& wire, Sector& s) {
    wire(s.apexXM, s.apexZM, s.radiusM, s.anglesRad, s.starts);
}
template <class Wire> void visit(Wire& wire, SectorBounds& b) {
    wire(b.apexXM, b.apexZM, b.nearestM, b.farthestM, b.firstRad, b.lastRad, b.outline);
}
/// Without `spectralGrid`, `bands` and `slides`, which stages set.
template <class Wire> void visit(Wire& wire, FrameSpec& f) {
    wire(f.dtype, f.axes, f.codeOffset, f.codeScale, f.converterRange, f.recordedPeak,
         f.recordedForm, f.centreFrequencyHz, f.demodulationFrequencyHz, f.valueRange, f.valueKind,
         f.cycle, f.hasGaps, f.pose, f.acquisition, f.spectrometer, f.stack, f.frameIntervalS,
         f.suggestedLevels, f.sector, f.within, f.isOneWay);
}
template <class Wire> void visit(Wire& wire, AberrationTruth& t) { wire(t.delayS, t.amplitude); }
template <class Wire> void visit(Wire& wire, RecordingInfo& i) {
    wire(i.path, i.format, i.frame, i.uncalibrated, i.frameCount, i.frameRateHz, i.notes,
         i.warnings, i.firstFrameSound, i.tracks, i.track, i.aberration);
}
template <class Wire> void visit(Wire& wire, OpenOptions& o) {
    wire(o.sidecar, o.calibration, o.track);
}
template <class Wire> void visit(Wire& wire, FrameStamp& s) {
    wire(s.number, s.deviceNs, s.arrivalNs, s.pose, s.lostBefore);
}
template <class Wire> void visit(Wire& wire, ElementType& t) {
    wire(t.kind, t.bytes, t.components, t.bigEndian);
}
template <class Wire> void visit(Wire& wire, ArrayLayout& l) {
    wire(l.type, l.shape, l.columnMajor);
}
template <class Wire> void visit(Wire& wire, CarriedFact& f) {
    wire(f.name, f.layout, f.numbers, f.texts, f.unit, f.description, f.perFrame);
}
template <class Wire> void visit(Wire& wire, CarriedFacts& c) { wire(c.family, c.facts, c.left); }

} // namespace echolux::wire
