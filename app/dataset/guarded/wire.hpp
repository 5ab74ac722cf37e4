// SPDX-License-Identifier: GPL-3.0-or-later
// Values as bytes, for two programs of one build on one machine. What visit() lists of a type is
// written and read in that order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace echolux::wire {

/// The bytes are no such value.
class Garbled : public std::exception {
public:
    const char* what() const noexcept override { return "bytes that are no message"; }
};

/// The last enumerator of an enumeration whose first one is 0. Each that is sent needs it.
template <class Choice> inline constexpr Choice kLast = Choice::none;

template <class Value>
concept Number = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

class Writer {
public:
    template <class... Values> void operator()(Values&... values) { (put(values), ...); }
    std::string take() { return std::move(m_bytes); }

private:
    void raw(const void* bytes, std::size_t count) {
        m_bytes.append(static_cast<const char*>(bytes), count);
    }
    template <class Value> void put(Value& value) {
        if constexpr (Number<Value>) {
            raw(&value, sizeof value);
        } else if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::byte>) {
            m_bytes += static_cast<char>(value);
        } else if constexpr (std::is_enum_v<Value>) {
            auto number = static_cast<std::uint32_t>(value);
            put(number);
        } else {
            visit(*this, value);
        }
    }
    void put(std::string& text) {
        putCount(text.size());
        m_bytes += text;
    }
    void put(std::filesystem::path& path) {
        std::string text = path.string();
        put(text);
    }
    template <class Value> void put(std::vector<Value>& values) {
        putCount(values.size());
        if constexpr (Number<Value> || std::is_same_v<Value, std::byte>)
            raw(values.data(), values.size() * sizeof(Value));
        else
            for (Value& each : values) put(each);
    }
    template <class Value, std::size_t count> void put(std::array<Value, count>& values) {
        for (Value& each : values) put(each);
    }
    template <class First, class Second> void put(std::pair<First, Second>& both) {
        put(both.first);
        put(both.second);
    }
    template <class Value> void put(std::optional<Value>& value) {
        bool is = value.has_value();
        put(is);
        if (is) put(*value);
    }
    template <class Value> void put(std::shared_ptr<const Value>& value) {
        std::optional<Value> copy;
        if (value) copy = *value;
        put(copy);
    }
    void putCount(std::uint64_t count) { put(count); }

    std::string m_bytes;
};

/// Each call throws Garbled where the bytes are no such value. It takes no more memory than a few
/// times the bytes.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}
    template <class... Values> void operator()(Values&... values) { (get(values), ...); }
    template <class Value> Value take() {
        Value value{};
        get(value);
        return value;
    }
    void end() const {
        if (!m_bytes.empty()) throw Garbled();
    }

private:
    std::string_view raw(std::size_t count) {
        if (count > m_bytes.size()) throw Garbled();
        const std::string_view bytes = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return bytes;
    }
    template <class Value> void get(Value& value) {
        if constexpr (Number<Value>) {
            std::memcpy(&value, raw(sizeof value).data(), sizeof value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            const char is = raw(1).front();
            if (is != 0 && is != 1) throw Garbled();
            value = is == 1;
        } else if constexpr (std::is_enum_v<Value>) {
            const auto number = take<std::uint32_t>();
            if (number > static_cast<std::uint32_t>(kLast<Value>)) throw Garbled();
            value = static_cast<Value>(number);
        } else {
            visit(*this, value);
        }
    }
    void get(std::string& text) { text = raw(getCount(1)); }
    void get(std::filesystem::path& path) { path = take<std::string>(); }
    template <class Value> void get(std::vector<Value>& values) {
        values.clear();
        if constexpr (Number<Value> || std::is_same_v<Value, std::byte>) {
            const std::size_t count = getCount(sizeof(Value));
            values.resize(count);
            if (count > 0)
                std::memcpy(values.data(), raw(count * sizeof(Value)).data(),
                            count * sizeof(Value));
        } else {
            for (std::size_t left = getCount(1); left > 0; --left) get(values.emplace_back());
        }
    }
    template <class Value, std::size_t count> void get(std::array<Value, count>& values) {
        for (Value& each : values) get(each);
    }
    template <class First, class Second> void get(std::pair<First, Second>& both) {
        get(both.first);
        get(both.second);
    }
    template <class Value> void get(std::optional<Value>& value) {
        value.reset();
        if (take<bool>()) get(value.emplace());
    }
    template <class Value> void get(std::shared_ptr<const Value>& value) {
        const auto copy = take<std::optional<Value>>();
        value = copy ? std::make_shared<const Value>(*copy) : nullptr;
    }
    std::size_t getCount(std::size_t least) {
        const auto count = take<std::uint64_t>();
        if (count > m_bytes.size() / least) throw Garbled();
        return count;
    }

    std::string_view m_bytes;
};

template <class... Values> std::string encoded(Values... values) {
    Writer writer;
    writer(values...);
    return writer.take();
}

/// The only value in `bytes`.
template <class Value> Value decoded(std::string_view bytes) {
    Reader reader(bytes);
    Value value = reader.take<Value>();
    reader.end();
    return value;
}

} // namespace echolux::wire
