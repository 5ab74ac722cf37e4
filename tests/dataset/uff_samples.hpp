// SPDX-License-Identifier: GPL-3.0-or-later
// Files of USTB (vectors/make_uff_files.py), of the task force's UFF and of PICMUS with the echoes
// of two targets in closed form; and changes to them.
#pragma once

#include "tests/dataset/sample_files.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::test {

struct UffTarget {
    double x;
    double z;
    double amplitude;
};
/// As in vectors/make_uff_files.py.
inline constexpr std::array kUffTargets{UffTarget{-2e-3, 9e-3, 1.0}, UffTarget{1.5e-3, 12e-3, 0.7}};
inline constexpr double kUffSpeed = 1540.0;
inline constexpr double kUffCarrier = 5e6;
inline constexpr double kUffSampling = 20e6;
inline constexpr double kUffFirst = 9e-6;
inline constexpr std::size_t kUffSamples = 220;

inline std::filesystem::path uffVector(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name;
}

/// An HDF5 file that tests change: datasets and attributes take the place of what was there.
class Hdf5Editor {
public:
    explicit Hdf5Editor(const std::filesystem::path& path)
        : m_file(std::filesystem::exists(path)
                     ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                     : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT)) {}
    Hdf5Editor(const Hdf5Editor&) = delete;
    Hdf5Editor& operator=(const Hdf5Editor&) = delete;
    ~Hdf5Editor() { H5Fclose(m_file); }

    void remove(const std::string& where) const { H5Ldelete(m_file, where.c_str(), H5P_DEFAULT); }
    void group(const std::string& where) const {
        const hid_t links = intermediate();
        H5Gclose(H5Gcreate2(m_file, where.c_str(), links, H5P_DEFAULT, H5P_DEFAULT));
        H5Pclose(links);
    }
    void numbers(const std::string& where, const std::vector<hsize_t>& shape,
                 const std::vector<double>& values) const {
        quiet();
        remove(where);
        const hid_t links = intermediate();
        const hid_t space =
            shape.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t dataset = H5Dcreate2(m_file, where.c_str(), H5T_IEEE_F32LE, space, links,
                                         H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(dataset);
        H5Sclose(space);
        H5Pclose(links);
    }
    void text(const std::string& where, const std::string& text) const {
        quiet();
        remove(where);
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, text.size());
        const hid_t links = intermediate();
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t made =
            H5Dcreate2(m_file, where.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
        H5Dclose(made);
        H5Sclose(space);
        H5Pclose(links);
        H5Tclose(type);
    }
    void texts(const std::string& where, const std::vector<const char*>& values) const {
        quiet();
        remove(where);
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        const hsize_t count = values.size();
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t made =
            H5Dcreate2(m_file, where.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }
    void number(const std::string& where, double value) const { numbers(where, {}, {value}); }
    /// An array of 0, in chunks where these are given.
    void zeros(const std::string& where, const std::vector<hsize_t>& shape,
               hid_t type = H5T_IEEE_F32LE, const std::vector<hsize_t>& chunk = {},
               H5D_fill_time_t fill = H5D_FILL_TIME_ALLOC) const {
        quiet();
        remove(where);
        const hid_t links = intermediate();
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(creation, fill);
        if (!chunk.empty()) H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
        const hid_t space =
            shape.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        H5Dclose(H5Dcreate2(m_file, where.c_str(), type, space, links, creation, H5P_DEFAULT));
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(links);
    }
    /// An array of which nobody reads the numbers: a hole in the file.
    void hole(const std::string& where, const std::vector<hsize_t>& shape) const {
        zeros(where, shape, H5T_IEEE_F32LE, {}, H5D_FILL_TIME_NEVER);
    }
    /// Complex numbers, all 0.
    void complexZeros(const std::string& where, const std::vector<hsize_t>& shape) const {
        const hid_t type = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(type, "r", 0, H5T_IEEE_F32LE);
        H5Tinsert(type, "i", 4, H5T_IEEE_F32LE);
        zeros(where, shape, type);
        H5Tclose(type);
    }
    /// References to objects of the file, by their paths; "" is none.
    void references(const std::string& where, const std::vector<std::string>& targets) const {
        std::vector<hobj_ref_t> all(targets.size(), 0);
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (!targets[i].empty()) H5Rcreate(&all[i], m_file, targets[i].c_str(), H5R_OBJECT, -1);
        quiet();
        remove(where);
        const hid_t links = intermediate();
        const hsize_t count = targets.size();
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t made = H5Dcreate2(m_file, where.c_str(), H5T_STD_REF_OBJ, space, links,
                                      H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
        H5Dclose(made);
        H5Sclose(space);
        H5Pclose(links);
    }
    void realAttribute(const std::string& where, const std::string& name, double value) const {
        realAttributes(where, name, {value});
    }
    void realAttributes(const std::string& where, const std::string& name,
                        const std::vector<double>& values) const {
        attribute(where, name, H5T_NATIVE_DOUBLE, values.data(), values.size());
    }
    void textAttribute(const std::string& where, const std::string& name,
                       const std::string& text) const {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, text.size());
        attribute(where, name, type, text.c_str());
        H5Tclose(type);
    }
    void numberAttribute(const std::string& where, const std::string& name, int value) const {
        attribute(where, name, H5T_NATIVE_INT, &value);
    }
    /// An enumeration, as PICMUS's own files have.
    void enumAttribute(const std::string& where, const std::string& name, int value) const {
        const hid_t type = H5Tenum_create(H5T_STD_I32LE);
        for (int code = 0; code < 4; ++code)
            H5Tenum_insert(type, ("name" + std::to_string(code)).c_str(), &code);
        attribute(where, name, type, &value);
        H5Tclose(type);
    }

private:
    static void quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
    static hid_t intermediate() {
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        return links;
    }
    void attribute(const std::string& where, const std::string& name, hid_t type,
                   const void* values, hsize_t count = 1) const {
        quiet();
        const hid_t object = H5Oopen(m_file, where.c_str(), H5P_DEFAULT);
        H5Adelete(object, name.c_str());
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t made = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, values);
        H5Aclose(made);
        H5Sclose(space);
        H5Oclose(object);
    }

    hid_t m_file;
};

inline std::filesystem::path uffCopy(const TemporaryFolder& folder, const std::string& name) {
    const auto path = folder / name;
    std::filesystem::copy_file(uffVector(name), path,
                               std::filesystem::copy_options::overwrite_existing);
    return path;
}

inline std::vector<double> uffElements(std::size_t count = 16) {
    std::vector<double> x(count);
    for (std::size_t k = 0; k < count; ++k)
        x[k] = (static_cast<double>(k) - 0.5 * (static_cast<double>(count) - 1.0)) * 3e-4;
    return x;
}

/// Echo of all targets at sample n, whose time from firing to reception (on the clock of `first`)
/// is `arrival(target)`; at baseband mixed with exp(-j 2 pi f t) where `mixed`.
template <class Arrival>
std::complex<double> uffEcho(double first, std::size_t n, bool mixed, Arrival arrival) {
    const double sigma = 2.355 / (2.0 * std::numbers::pi * 0.6 * kUffCarrier);
    std::complex<double> sum = 0.0;
    for (const UffTarget& target : kUffTargets) {
        const double tau = arrival(target);
        const double t = first + static_cast<double>(n) / kUffSampling - tau;
        const double turn = 2.0 * std::numbers::pi * kUffCarrier * (mixed ? -tau : t);
        sum += target.amplitude * std::exp(-0.5 * t * t / (sigma * sigma)) * std::polar(1.0, turn);
    }
    return sum;
}

inline const std::vector<double>& picmusAngles() {
    static const std::vector<double> angles{-0.2, 0.0, 0.2};
    return angles;
}

/// US/US_DATASET0000 of plane waves. In the same place `angles` decides the number of transmits.
inline void addPicmus(const Hdf5Editor& file, bool iq, std::vector<double> angles = picmusAngles(),
                      const std::string& group = "US/US_DATASET0000", bool enumerations = true) {
    const auto x = uffElements();
    std::vector<double> real;
    std::vector<double> imaginary;
    for (const double angle : angles)
        for (const double element : x)
            for (std::size_t n = 0; n < kUffSamples; ++n) {
                const auto value = uffEcho(kUffFirst, n, iq, [&](const UffTarget& t) {
                    return (t.x * std::sin(angle) + t.z * std::cos(angle) +
                            std::hypot(t.x - element, t.z)) /
                           kUffSpeed;
                });
                real.push_back(value.real());
                imaginary.push_back(iq ? value.imag() : 0.0);
            }
    std::vector<hsize_t> shape{angles.size(), x.size(), kUffSamples};
    if (angles.size() == 1) shape.erase(shape.begin());
    file.numbers(group + "/data/real", shape, real);
    file.numbers(group + "/data/imag", shape, imaginary);
    file.numbers(group + "/angles", {angles.size()}, angles);
    std::vector<double> geometry = x;
    geometry.resize(3 * x.size(), 0.0);
    file.numbers(group + "/probe_geometry", {3, x.size()}, geometry);
    file.numbers(group + "/initial_time", {1}, {kUffFirst});
    file.numbers(group + "/sampling_frequency", {1}, {kUffSampling});
    file.numbers(group + "/sound_speed", {1}, {kUffSpeed});
    file.numbers(group + "/modulation_frequency", {1}, {iq ? kUffCarrier : 0.0});
    file.numbers(group + "/PRF", {1}, {300.0});
    if (!enumerations) return;
    file.enumAttribute(group, "type", 0);
    file.enumAttribute(group, "subtype", 1);
    file.enumAttribute(group, "signal_format", iq ? 1 : 0);
}

/// One wave per event: plane, diverging and focused; each event waits in its own way, and its wave
/// is timed at a point of its own.
inline void addTaskForce(const Hdf5Editor& file) {
    struct Event {
        int type;
        double x, y, z;   ///< rotation or position
        double reference; ///< z of the point where its time offset counts
        double sent, heard;
    };
    const std::vector<Event> events{{2, 0.0, 0.2, 0.0, 0.0, 1e-6, 1e-5},
                                    {1, 1e-3, 0.0, -6e-3, 3e-3, 2e-6, 1.1e-5},
                                    {0, -1e-3, 0.0, 16e-3, 5e-3, 5e-7, 7e-6}};
    const auto x = uffElements();
    const auto path = [](const Event& e, double px, double pz) {
        if (e.type == 2) return px * std::sin(e.y) + pz * std::cos(e.y);
        const double away = std::hypot(px - e.x, pz - e.z);
        const double home = std::hypot(e.x, e.z);
        return e.type == 1 ? away - home : home + (pz < e.z ? -away : away);
    };
    const std::string root = "uff.channel_data/";
    std::vector<double> data;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& e = events[i];
        // When the wave is at the origin, after the event starts.
        const double atOrigin = e.sent - path(e, 0.0, e.reference) / kUffSpeed;
        for (const double element : x)
            for (std::size_t n = 0; n < kUffSamples; ++n)
                data.push_back(uffEcho(e.heard, n, false, [&](const UffTarget& t) {
                                   return atOrigin +
                                          (path(e, t.x, t.z) + std::hypot(t.x - element, t.z)) /
                                              kUffSpeed;
                               }).real());
        const std::string number = "0000000" + std::to_string(i + 1);
        const std::string wave = root + "unique_waves/" + number;
        file.number(wave + "/type", e.type);
        const std::string place = wave + (e.type == 2 ? "/origin/rotation/" : "/origin/position/");
        file.number(place + "x", e.x);
        file.number(place + "y", e.y);
        file.number(place + "z", e.z);
        const std::string event = root + "unique_events/" + number;
        const std::string sent = event + "/transmit_setup/transmit_waves/00000001";
        file.number(sent + "/wave", static_cast<double>(i + 1));
        file.number(sent + "/time_offset", e.sent);
        file.number(sent + "/time_zero_reference_point/z", e.reference);
        file.number(event + "/receive_setup/probe", 1);
        file.number(event + "/receive_setup/time_offset", e.heard);
        file.number(event + "/receive_setup/sampling_frequency", kUffSampling);
        std::vector<double> mapping(x.size());
        std::iota(mapping.begin(), mapping.end(), 1.0);
        file.numbers(event + "/receive_setup/channel_mapping", {x.size(), 1}, mapping);
        file.number(root + "sequence/" + number + "/event", static_cast<double>(i + 1));
    }
    file.numbers(root + "data", {1, events.size(), x.size(), kUffSamples}, data);
    file.number(root + "sound_speed", kUffSpeed);
    file.number(root + "repetition_rate", 50.0);
    file.number(root + "probes/00000001/number_elements", static_cast<double>(x.size()));
    file.number(root + "probes/00000001/pitch", 3e-4);
    file.textAttribute(root + "probes/00000001", "probe_type", "uff.probe.linear_array");
    file.number("version/major", 0);
    file.number("version/minor", 3);
}

} // namespace echolux::test
