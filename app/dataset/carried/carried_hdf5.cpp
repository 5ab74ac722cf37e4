// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes carried facts.
#include "app/dataset/carried/carried_hdf5.hpp"

#include "app/dataset/container/hdf5_array.hpp"
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_texts.hpp"
#include "app/dataset/recording/opening.hpp"

#include <utility>
#include <vector>

namespace echolux {

namespace {

constexpr std::uint64_t kMostCarried = std::uint64_t{64} << 20U;

Hdf5Handle variableTextType() {
    Hdf5Handle type(H5Tcopy(H5T_C_S1));
    hdf5::require(H5Tset_size(type.get(), H5T_VARIABLE), "choosing a type");
    hdf5::require(H5Tset_cset(type.get(), H5T_CSET_UTF8), "choosing a type");
    return type;
}

} // namespace

FactCollector::FactCollector(std::shared_ptr<Hdf5File> tree, std::string family, IsUsed used)
    : m_tree(std::move(tree)), m_used(std::move(used)) {
    m_found.family = std::move(family);
}

void FactCollector::addAttribute(const std::string& name) {
    auto text = m_tree->textAttribute("", name);
    if (text && !text->empty())
        m_found.facts.push_back({.name = name, .texts = {std::move(*text)}});
}

void FactCollector::add(const std::string& where, const std::string& name) {
    if (m_used(name)) return;
    CarriedFact fact{.name = name};
    try {
        if (!m_tree->isDataset(where)) return;
        if (!read(where, fact)) return m_found.left.push_back(name);
    } catch (const Error&) {
        return m_found.left.push_back(name);
    }
    m_found.facts.push_back(std::move(fact));
}

bool FactCollector::read(const std::string& where, CarriedFact& fact) {
    fact.unit = m_tree->textAttribute(where, "unit").value_or("");
    fact.description = m_tree->textAttribute(where, "description").value_or("");
    if (m_tree->isNumeric(where)) {
        const auto source = m_tree->open(where);
        fact.layout = source->layout();
        m_bytes += fact.layout.bytes();
        if (m_bytes > kMostCarried) return false;
        checkLoadSize(m_tree->path(), "what it says besides", m_bytes);
        fact.numbers.resize(fact.layout.bytes());
        source->read(fact.numbers);
        return true;
    }
    const Hdf5Handle dataset(H5Dopen2(m_tree->id(), where.c_str(), H5P_DEFAULT));
    if (!dataset || dataObstacle(dataset.get())) return false;
    for (const hsize_t extent : hdf5::extentOf(dataset.get()))
        fact.layout.shape.push_back(static_cast<std::int64_t>(extent));
    fact.texts = textsOfDataset(dataset.get());
    return !fact.texts.empty();
}

void FactCollector::addBelow(const std::string& where, const std::string& name) {
    const Opening::Level level;
    if (!m_tree->has(where) || !m_tree->isGroup(where)) return;
    for (const std::string& child : m_tree->children(where)) {
        const std::string below = where + "/" + child;
        const std::string named = name.empty() ? child : name + "/" + child;
        try {
            if (m_tree->isGroup(below))
                addBelow(below, named);
            else
                add(below, named);
        } catch (const Error&) { // a link that leads out of the file
            m_found.left.push_back(named);
        }
    }
}

void writeVariableText(hid_t at, const char* name, const std::string& text) {
    const Hdf5Handle type = variableTextType();
    const Hdf5Handle space(H5Screate(H5S_SCALAR));
    const Hdf5Handle attribute(
        hdf5::require(H5Acreate2(at, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                      "making an attribute"));
    const char* characters = text.c_str();
    hdf5::require(H5Awrite(attribute.get(), type.get(), &characters), "writing an attribute");
}

void writeFact(hid_t at, const std::string& where, const CarriedFact& fact) {
    quietHdf5();
    const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE));
    hdf5::require(H5Pset_create_intermediate_group(links.get(), 1), "making groups");
    const Hdf5Handle creation = hdf5::creation(H5P_DATASET_CREATE);
    const bool isText = !fact.texts.empty();
    const Hdf5Handle type = isText ? variableTextType() : hdf5TypeOf(fact.layout.type);
    const std::vector<hsize_t> extent(fact.layout.shape.begin(), fact.layout.shape.end());
    const Hdf5Handle space =
        extent.empty() ? Hdf5Handle(H5Screate(H5S_SCALAR)) : hdf5::simpleSpace(extent);
    if (H5Lexists(at, where.c_str(), H5P_DEFAULT) > 0) // fails quietly without the group
        hdf5::require(H5Ldelete(at, where.c_str(), H5P_DEFAULT), "replacing a dataset");
    const Hdf5Handle dataset(hdf5::require(H5Dcreate2(at, where.c_str(), type.get(), space.get(),
                                                      links.get(), creation.get(), H5P_DEFAULT),
                                           "making a dataset"));
    std::vector<const char*> characters;
    for (const std::string& text : fact.texts) characters.push_back(text.c_str());
    const void* values = isText ? static_cast<const void*>(characters.data())
                                : static_cast<const void*>(fact.numbers.data());
    if (isText || !fact.numbers.empty())
        hdf5::require(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
                      "writing a dataset");
    if (!fact.unit.empty()) writeVariableText(dataset.get(), "unit", fact.unit);
    if (!fact.description.empty())
        writeVariableText(dataset.get(), "description", fact.description);
}

} // namespace echolux
