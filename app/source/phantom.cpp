// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the phantoms.
#include "app/source/phantom.hpp"

#include "gpu/core/counter_random.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kWireAmplitude = 40.0;
constexpr double kBrightCyst = 3.981;  // +12 dB
constexpr double kBlood = 0.0562;      // -25 dB
constexpr double kFlowingBlood = 0.01; // -40 dB
constexpr double kBubble = 0.2;        // 20 to 30 dB below tissue
constexpr double kMaxScatterers = 5e6;

double distance(const Circle& circle, double x, double z) {
    return std::hypot(x - circle.x, z - circle.z);
}

bool inside(const Circle& circle, const Scatterer& s) {
    return std::hypot(distance(circle, s.x, s.z), s.y) < circle.radius;
}

/// True where the point lies inside the outline, at least `margin` away from all its sides.
bool inside(const SectorOutline& sector, double x, double z, double margin) {
    const double radius = std::hypot(x, z - sector.apexZ);
    const double angle = std::atan2(std::abs(x), z - sector.apexZ);
    return radius >= sector.innerRadiusM + margin && radius <= sector.outerRadiusM - margin &&
           (angle <= sector.halfAngleRad) &&
           radius * std::sin(std::min(sector.halfAngleRad - angle, 0.5 * std::numbers::pi)) >=
               margin;
}

class Builder {
public:
    explicit Builder(const PhantomRequest& request) : m_request(request) {
        m_density =
            request.scatterersPerSquareWavelength / (request.wavelengthM * request.wavelengthM);
        m_phantom.periodS = request.periodS;
    }

    Phantom take() { return std::move(m_phantom); }

    bool fits(const Circle& c) const {
        return std::abs(c.x) + c.radius <= m_request.halfWidthM &&
               c.z - c.radius >= m_request.startDepthM && c.z + c.radius <= m_request.depthM &&
               (!m_request.sector || inside(*m_request.sector, c.x, c.z, c.radius));
    }

    void addWire(double x, double z) {
        if (!fits({x, z, 0.0})) return;
        m_phantom.still.push_back({x, z, kWireAmplitude});
        std::string& text = truthOf("wires");
        text += fmt::format("{}({:g}, {:g}) mm", text.empty() ? "" : "; ", x * 1e3, z * 1e3);
    }

    void addPoint(double x, double y, double z) {
        if (!fits({x, z, 0.0}) || std::abs(y) > m_request.halfElevationM) return;
        m_phantom.still.push_back({x, z, kWireAmplitude, y});
        std::string& text = truthOf("points");
        text += fmt::format("{}({:g}, {:g}, {:g}) mm", text.empty() ? "" : "; ", x * 1e3, y * 1e3,
                            z * 1e3);
    }

    void addCyst(const Circle& cyst, double gain) {
        if (!fits(cyst)) return;
        m_cysts.push_back({cyst, gain});
        if (gain == 0.0)
            note("anechoic cysts", cyst, "");
        else
            note("bright cysts", cyst, ", +12 dB");
    }

    void addDisk(const Circle& outline) {
        if (!fits(outline)) return;
        RotatingDisk disk{outline, speckleIn(outline, RandomStream::Disk)};
        // A bright and a dark spot make the rotation visible.
        const Circle bright{outline.x + 0.55 * outline.radius, outline.z, 0.28 * outline.radius};
        const Circle dark{outline.x - 0.55 * outline.radius, outline.z, 0.28 * outline.radius};
        std::erase_if(disk.scatterers, [&](const Scatterer& s) { return inside(dark, s); });
        for (Scatterer& s : disk.scatterers)
            s.amplitude *= inside(bright, s) ? 2.0 * kBrightCyst : 2.0;
        m_cysts.push_back({outline, 0.0});
        m_phantom.disks.push_back(std::move(disk));
        note("turning disk", outline, ", once per cine");
    }

    void addVessel(const Circle& lumen, double swing) {
        PulsatingVessel vessel{lumen, swing, 2.0, {}, {}};
        const Circle whole{lumen.x, lumen.z, vessel.reach * lumen.radius};
        if (!fits(whole)) return;
        vessel.tissue = speckleIn(whole, RandomStream::Wall);
        std::erase_if(vessel.tissue, [&](const Scatterer& s) { return inside(lumen, s); });
        const Circle wall{lumen.x, lumen.z, 1.15 * lumen.radius};
        for (Scatterer& s : vessel.tissue)
            if (inside(wall, s)) s.amplitude *= 2.0;
        vessel.blood = speckleIn(lumen, RandomStream::Blood);
        for (Scatterer& s : vessel.blood) s.amplitude *= kBlood;
        m_cysts.push_back({whole, 0.0});
        m_phantom.vessels.push_back(std::move(vessel));
        note("vessel", lumen, fmt::format(" +- {:g} %, once per cine", 100.0 * swing));
    }

    void addTube(FlowingTube tube) {
        const double reach = 2.0 * m_request.halfWidthM / std::cos(tube.angleRad);
        tube.length = reach + 2.0 * tube.radius;
        const auto count = countFor(2.0 * tube.radius * tube.length);
        const CounterRandom random(m_request.seed, RandomStream::Blood);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto u = random.uniform(i);
            tube.blood.push_back({(u[0] - 0.5) * tube.length, (2.0 * u[1] - 1.0) * tube.radius,
                                  kFlowingBlood * boxMuller(u[2], u[3])[0]});
        }
        truthOf("flow") = tube.describe();
        m_phantom.tubes.push_back(std::move(tube));
    }

    /// A thin tube with nothing but single bubbles.
    void addBubbles(FlowingTube tube, std::uint32_t count) {
        tube.length = 2.0 * m_request.halfWidthM / std::cos(tube.angleRad) + 2.0 * tube.radius;
        const auto number = static_cast<std::uint32_t>(m_phantom.tubes.size());
        const CounterRandom random(m_request.seed, RandomStream::Bubbles);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto u = random.uniform(i, number);
            tube.blood.push_back(
                {(u[0] - 0.5) * tube.length, (2.0 * u[1] - 1.0) * tube.radius, kBubble});
        }
        std::string& text = truthOf("bubbles");
        text += (text.empty() ? "" : "; ") + tube.describe() + tube.describeBlood();
        m_phantom.tubes.push_back(std::move(tube));
    }

    /// All of the region, and of what comes into it from below, as tissue with a stiff inclusion.
    void addCompressedTissue(CompressedTissue tissue) {
        PhantomRequest longer = m_request;
        longer.depthM = m_request.depthM / (1.0 - tissue.peakStrain);
        tissue.scatterers = speckleOf(longer);
        noteSpeckle();
        note("stiff inclusion", tissue.inclusion,
             fmt::format(", {:g} of the strain around it", tissue.relativeStrain));
        truthOf("strain") =
            fmt::format("0 to -{:g} % along z and back, once per cine", 100.0 * tissue.peakStrain);
        m_phantom.tissues.push_back(std::move(tissue));
    }

    /// Fills the region, except the cysts and moving parts that were added before.
    void addSpeckle() {
        for (Scatterer s : speckleOf(m_request)) {
            s.amplitude *= gainAt(s);
            if (s.amplitude != 0.0) m_phantom.still.push_back(s);
        }
        noteSpeckle();
    }

private:
    struct Cyst {
        Circle outline;
        double gain;
    };

    std::string& truthOf(const std::string& name) {
        for (auto& [known, text] : m_phantom.truth)
            if (known == name) return text;
        return m_phantom.truth.emplace_back(name, "").second;
    }

    void note(const std::string& name, const Circle& circle, const std::string& more) {
        std::string& text = truthOf(name);
        text += fmt::format("{}({:g}, {:g}) mm, radius {:g} mm{}", text.empty() ? "" : "; ",
                            circle.x * 1e3, circle.z * 1e3, circle.radius * 1e3, more);
    }

    double wavelengthsThick() const {
        return std::max(1.0, 2.0 * m_request.halfElevationM / m_request.wavelengthM);
    }

    std::uint32_t countFor(double areaM2) const {
        const double count = std::round(m_density * areaM2 * wavelengthsThick());
        if (!(count <= kMaxScatterers))
            throw Error(fmt::format("The phantom would have {:.3g} scatterers, more than {:.0e}: "
                                    "choose a smaller depth, fewer elements, a lower frequency or "
                                    "a lower speckle density.",
                                    count, kMaxScatterers));
        return static_cast<std::uint32_t>(count);
    }

    double gainAt(const Scatterer& s) const {
        double gain = 1.0;
        for (const Cyst& cyst : m_cysts)
            if (inside(cyst.outline, s)) gain *= cyst.gain;
        for (const FlowingTube& tube : m_phantom.tubes)
            if (tube.contains(s.x, s.z)) gain = 0.0;
        return gain;
    }

    /// Uniform in the region.
    std::vector<Scatterer> speckleOf(const PhantomRequest& region) const {
        std::vector<Scatterer> made;
        const double width = 2.0 * region.halfWidthM;
        const double height = region.depthM - region.startDepthM;
        const auto count = countFor(width * height);
        const CounterRandom random(region.seed, RandomStream::Speckle);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto u = random.uniform(i);
            Scatterer s{(u[0] - 0.5) * width, region.startDepthM + u[1] * height,
                        boxMuller(u[2], u[3])[0]};
            if (region.halfElevationM > 0.0)
                s.y = (2.0 * random.uniform(i, 1)[0] - 1.0) * region.halfElevationM;
            if (!region.sector || inside(*region.sector, s.x, s.z, 0.0)) made.push_back(s);
        }
        return made;
    }

    void noteSpeckle() {
        truthOf("speckle") = fmt::format("{:g} scatterers per {} wavelength",
                                         m_request.scatterersPerSquareWavelength,
                                         wavelengthsThick() > 1.0 ? "cubic" : "square");
    }

    /// Uniform in the circle, r = R sqrt(u). In a thick phantom it fills a cylinder and keeps the
    /// ball in it.
    std::vector<Scatterer> speckleIn(const Circle& circle, RandomStream stream) const {
        std::vector<Scatterer> made;
        const auto count = countFor(std::numbers::pi * circle.radius * circle.radius);
        const CounterRandom random(m_request.seed, stream);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto u = random.uniform(i);
            const double r = circle.radius * std::sqrt(u[0]);
            const double angle = 2.0 * std::numbers::pi * u[1];
            Scatterer s{circle.x + r * std::cos(angle), circle.z + r * std::sin(angle),
                        boxMuller(u[2], u[3])[0]};
            if (m_request.halfElevationM > 0.0)
                s.y = (2.0 * random.uniform(i, 1)[0] - 1.0) * m_request.halfElevationM;
            if (inside(circle, s) || s.y == 0.0) made.push_back(s);
        }
        return made;
    }

    const PhantomRequest& m_request;
    double m_density = 0.0;
    Phantom m_phantom;
    std::vector<Cyst> m_cysts;
};

/// Points on the axis, and a cross at one depth whose arms differ.
void buildVolumePoints(Builder& builder, const PhantomRequest& request) {
    constexpr double kStep = 5e-3;
    for (double z = kStep; z <= request.depthM; z += kStep) builder.addPoint(0.0, 0.0, z);
    const double row = kStep * std::floor(0.6 * request.depthM / kStep);
    for (double x = kStep; x <= request.halfWidthM; x += kStep) {
        builder.addPoint(-x, 0.0, row);
        builder.addPoint(x, 0.0, row);
    }
    for (double y = 0.8 * kStep; y <= request.halfElevationM; y += 0.8 * kStep) {
        builder.addPoint(0.0, -y, row);
        builder.addPoint(0.0, y, row);
        builder.addPoint(y, y, row);
    }
}

void buildPoints(Builder& builder, const PhantomRequest& request) {
    constexpr double kStep = 5e-3;
    if (request.halfElevationM > 0.0) return buildVolumePoints(builder, request);
    for (double z = kStep; z <= request.depthM; z += kStep) builder.addWire(0.0, z);
    const double row = kStep * std::floor(0.6 * request.depthM / kStep);
    for (double x = kStep; x <= request.halfWidthM; x += kStep) {
        builder.addWire(-x, row);
        builder.addWire(x, row);
    }
}

/// Cysts on two rays. They are larger in deeper sectors.
void addCystsOfSector(Builder& builder, const SectorOutline& sector) {
    const double scale = std::max(1.0, (sector.outerRadiusM - sector.innerRadiusM) / 40e-3);
    const double x = std::sin(0.5 * sector.halfAngleRad);
    const double z = std::cos(0.5 * sector.halfAngleRad);
    const double step = scale * 12e-3;
    for (double r = sector.innerRadiusM + step; r <= sector.outerRadiusM; r += step) {
        builder.addCyst({-r * x, sector.apexZ + r * z, scale * 2.5e-3}, 0.0);
        builder.addCyst({r * x, sector.apexZ + r * z, scale * 2.5e-3}, kBrightCyst);
    }
}

void addCystsOfBox(Builder& builder, const PhantomRequest& request) {
    constexpr double kStep = 12e-3;
    const double aside = 0.5 * request.halfWidthM;
    for (double z = kStep; z <= request.depthM; z += kStep) {
        builder.addCyst({-aside, z, 2.5e-3}, 0.0);
        builder.addCyst({aside, z, 2.5e-3}, kBrightCyst);
    }
}

void buildCysts(Builder& builder, const PhantomRequest& request) {
    if (request.sector)
        addCystsOfSector(builder, *request.sector);
    else
        addCystsOfBox(builder, request);
    for (double z = 6e-3; z <= request.depthM; z += 6e-3) builder.addWire(0.0, z);
    builder.addSpeckle();
}

void buildCine(Builder& builder) {
    for (const double z : {6e-3, 12e-3, 18e-3, 24e-3, 30e-3}) builder.addWire(-7e-3, z);
    for (const double x : {-4e-3, -1e-3, 2e-3}) builder.addWire(x, 30e-3);
    builder.addCyst({-2e-3, 10e-3, 2.2e-3}, kBrightCyst);
    builder.addCyst({5e-3, 21e-3, 2.5e-3}, 0.0);
    builder.addVessel({-2e-3, 20e-3, 2e-3}, 0.2);
    builder.addDisk({5e-3, 11e-3, 3.2e-3});
    builder.addSpeckle();
}

void buildVessel(Builder& builder, const PhantomRequest& request) {
    builder.addTube({.x = 0.0,
                     .z = 0.5 * (request.startDepthM + request.depthM),
                     .angleRad = std::numbers::pi / 9.0,
                     .radius = 3e-3,
                     .peakMps = 0.4,
                     .pulse = 0.4});
    builder.addSpeckle();
}

/// The inclusion fills half of the height or of the width, and reflects as the tissue around it.
void buildInclusion(Builder& builder, const PhantomRequest& request) {
    const double height = request.depthM - request.startDepthM;
    const double radius = 0.25 * std::min(height, 2.0 * request.halfWidthM);
    builder.addCompressedTissue(
        {.inclusion = {0.0, request.startDepthM + 0.5 * height, radius}, .peakStrain = 0.02});
}

void buildBubbles(Builder& builder, const PhantomRequest& request) {
    constexpr std::uint32_t kEach = 5;
    const double middle = 0.5 * (request.startDepthM + request.depthM);
    for (const double degrees : {25.0, -20.0})
        builder.addBubbles({.x = 0.0,
                            .z = middle,
                            .angleRad = degrees * std::numbers::pi / 180.0,
                            .radius = 0.5e-3,
                            .peakMps = 0.05},
                           kEach);
    builder.addSpeckle();
}

} // namespace

const std::vector<std::pair<std::string, std::string>>& phantomNames() {
    static const std::vector<std::pair<std::string, std::string>> kNames = {
        {"bubbles", "speckle, and two thin tubes that cross, with single bubbles"},
        {"cine", "speckle, wires, cysts, a rotating disk and a pulsating vessel"},
        {"cysts", "speckle, wires, anechoic and hyperechoic cysts"},
        {"inclusion", "speckle that is compressed and let go, with a stiff inclusion that only its "
                      "strain shows"},
        {"points", "wires alone: a column every 5 mm and a row"},
        {"speckle", "speckle alone"},
        {"vessel", "speckle, and a tube through which blood flows; it does not repeat"},
    };
    return kNames;
}

Phantom makePhantom(const PhantomRequest& request) {
    Builder builder(request);
    if (request.name == "points")
        buildPoints(builder, request);
    else if (request.name == "cysts")
        buildCysts(builder, request);
    else if (request.name == "cine")
        buildCine(builder);
    else if (request.name == "inclusion")
        buildInclusion(builder, request);
    else if (request.name == "vessel")
        buildVessel(builder, request);
    else if (request.name == "bubbles")
        buildBubbles(builder, request);
    else if (request.name == "speckle")
        builder.addSpeckle();
    else {
        std::string known;
        for (const auto& [name, help] : phantomNames()) known += (known.empty() ? "" : ", ") + name;
        throw Error(
            fmt::format("There is no phantom '{}': choose one of {}.", request.name, known));
    }
    return builder.take();
}

} // namespace echolux
