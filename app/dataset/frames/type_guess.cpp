// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the type of values without a description, and whether they are echoes.
#include "app/dataset/frames/channel_import.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {

namespace {

using Kind = ElementType::Kind;

/// Pieces from the whole file. Each begins at a multiple of 8 bytes after the header.
std::vector<std::byte> piecesOf(const InputFile& file, std::uint64_t headerBytes) {
    constexpr std::uint64_t kPieces = 32;
    constexpr std::uint64_t kPiece = 2048;
    if (headerBytes >= file.size()) return {};
    const std::uint64_t room = file.size() - headerBytes;
    std::vector<std::byte> bytes;
    const std::uint64_t step = std::max((room / kPieces) & ~std::uint64_t{7}, kPiece);
    for (std::uint64_t at = 0; at < room && bytes.size() < kPieces * kPiece; at += step) {
        std::vector<std::byte> piece(
            static_cast<std::size_t>(std::min(kPiece, room - at) & ~std::uint64_t{7}));
        file.read(headerBytes + at, piece);
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    return bytes;
}

std::vector<double> asNumbers(std::vector<std::byte> bytes, const ElementType& type) {
    const auto rest = static_cast<std::ptrdiff_t>(bytes.size() % type.size());
    bytes.erase(bytes.end() - rest, bytes.end());
    toNativeOrder(type, bytes);
    return toDoubles(type, bytes);
}

/// True where nearly all exponents are in a narrow range, as in numbers of one measurement. Other
/// bytes, read as floats, give any exponents.
bool lookLikeReals(const std::vector<double>& values) {
    constexpr double kMostSpread = 8.0; // of the binary exponents
    double sum = 0.0;
    double squares = 0.0;
    std::size_t some = 0;
    std::size_t odd = 0;
    for (const double value : values) {
        if (value == 0.0) continue;
        const double size = std::abs(value);
        if (!std::isfinite(value) || size < 1e-30 || size > 1e15) {
            ++odd;
            continue;
        }
        const double exponent = std::log2(size);
        sum += exponent;
        squares += exponent * exponent;
        ++some;
    }
    if (some < 16 || odd * 50 > some) return false;
    const double mean = sum / static_cast<double>(some);
    return squares / static_cast<double>(some) - mean * mean < kMostSpread * kMostSpread;
}

/// Bits of information in byte number `place` of every four bytes.
double entropyAt(const std::vector<std::byte>& bytes, std::size_t place) {
    std::array<double, 256> counts{};
    double all = 0.0;
    for (std::size_t i = place; i < bytes.size(); i += 4) {
        counts[std::to_integer<std::size_t>(bytes[i])] += 1.0;
        all += 1.0;
    }
    double bits = 0.0;
    for (const double count : counts)
        if (count > 0.0) bits -= count / all * std::log2(count / all);
    return bits;
}

struct Moments {
    double mean = 0.0;
    double deviation = 0.0;
    double median = 0.0;
    double least = 0.0;
};
Moments momentsOf(std::vector<double> values) {
    if (values.empty()) return {};
    Moments moments;
    for (const double value : values) moments.mean += value / static_cast<double>(values.size());
    for (const double value : values)
        moments.deviation += (value - moments.mean) * (value - moments.mean);
    moments.deviation = std::sqrt(moments.deviation / static_cast<double>(values.size()));
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    moments.median = *middle;
    moments.least = *std::ranges::min_element(values);
    return moments;
}

/// True where few bytes are negative when they are read with a sign. In signals about half of them
/// are. In pictures only few pixels are that bright.
bool seldomNegative(const std::vector<double>& values) {
    constexpr double kSeldom = 0.2;
    const auto negative = std::ranges::count_if(values, [](double value) { return value < 0.0; });
    return static_cast<double>(negative) < kSeldom * static_cast<double>(values.size());
}

/// The type with or without a sign. Bytes that are seldom negative have no sign, nor do values of
/// which none is negative and whose mean exceeds their deviation. Otherwise it is the type whose
/// values scatter less.
ElementType withSign(const std::vector<std::byte>& bytes, ElementType type) {
    type.kind = Kind::Signed;
    if (type.bytes == 1 && seldomNegative(asNumbers(bytes, type)))
        return {Kind::Unsigned, 1, 1, false};
    const Moments asSigned = momentsOf(asNumbers(bytes, type));
    type.kind = Kind::Unsigned;
    const Moments asUnsigned = momentsOf(asNumbers(bytes, type));
    const bool allAbove = asSigned.least >= 0.0 && asSigned.mean > asSigned.deviation;
    type.kind = allAbove || asUnsigned.deviation < 0.99 * asSigned.deviation ? Kind::Unsigned
                                                                             : Kind::Signed;
    return type;
}

} // namespace

ElementType guessElementType(const InputFile& file, std::uint64_t headerBytes) {
    const std::vector<std::byte> bytes = piecesOf(file, headerBytes);
    for (const int width : {4, 8})
        for (const bool bigEndian : {false, true}) {
            const ElementType type{Kind::Real, width, 1, bigEndian};
            if (lookLikeReals(asNumbers(bytes, type))) return type;
        }
    std::array<double, 4> bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = entropyAt(bytes, i);
    constexpr double kClear = 0.3;
    if (bits[3] < bits[1] - 1.0) return {Kind::Signed, 4, 1, false};
    if (bits[0] < bits[2] - 1.0) return {Kind::Signed, 4, 1, true};
    const double even = 0.5 * (bits[0] + bits[2]);
    const double odd = 0.5 * (bits[1] + bits[3]);
    if (odd < even - kClear) return withSign(bytes, {Kind::Signed, 2, 1, false});
    if (even < odd - kClear) return withSign(bytes, {Kind::Signed, 2, 1, true});
    constexpr double kAnything = 7.7; // bits; bytes with more hold no level
    if (even > 0.0 && even < kAnything) return withSign(bytes, {Kind::Signed, 1, 1, false});
    return {Kind::Signed, 2, 1, false};
}

bool looksLikeEchoes(const InputFile& file, const ElementType& type, std::uint64_t headerBytes) {
    const Moments moments = momentsOf(asNumbers(piecesOf(file, headerBytes), type));
    if (!(moments.deviation > 0.0)) return false;
    if (std::abs(moments.mean) < 0.5 * moments.deviation) return true;
    return type.kind == Kind::Unsigned && moments.deviation < 0.2 * moments.mean &&
           std::abs(moments.median - moments.mean) < 0.2 * moments.deviation;
}

} // namespace echolux
