// SPDX-License-Identifier: GPL-3.0-or-later
// Opens Python's library when a stage needs it, so the program itself does without.
#include "app/pipeline/python/interpreter.hpp"

#include "embedded/pythonModules.hpp"
#include "gpu/core/embedded_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

namespace echolux {
namespace {

constexpr int kOldest = 9;
constexpr int kNewest = 16;

/// What is called of Python's C interface, by names that all its versions have.
struct Python {
    int (*isInitialized)() = nullptr;
    void (*initialize)(int signals) = nullptr;
    void* (*saveThread)() = nullptr;
    int (*ensure)() = nullptr;
    void (*release)(int state) = nullptr;
    int (*runString)(const char* code, void* flags) = nullptr;
};

template <class Function> bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool findAll(void* library, Python& python) {
    return find(library, "Py_IsInitialized", python.isInitialized) &&
           find(library, "Py_InitializeEx", python.initialize) &&
           find(library, "PyEval_SaveThread", python.saveThread) &&
           find(library, "PyGILState_Ensure", python.ensure) &&
           find(library, "PyGILState_Release", python.release) &&
           find(library, "PyRun_SimpleStringFlags", python.runString);
}

/// NOTE: the modules of NumPy look for Python's symbols among those of the whole process.
void* openLibrary() {
    constexpr int kMode = RTLD_NOW | RTLD_GLOBAL;
    if (const char* named = std::getenv("ECHOLUX_PYTHON")) // NOLINT: nothing sets variables
        return dlopen(named, kMode);
    // The version that the command python3 starts has the packages that people install.
    std::array<char, 4096> target{};
    if (realpath("/usr/bin/python3", target.data()) != nullptr) {
        const std::string_view path(target.data());
        const auto name = path.substr(path.rfind('/') + 1);
        if (void* library = dlopen(fmt::format("lib{}.so.1.0", name).c_str(), kMode))
            return library;
    }
    for (int minor = kNewest; minor >= kOldest; --minor)
        if (void* library = dlopen(fmt::format("libpython3.{}.so.1.0", minor).c_str(), kMode))
            return library;
    return nullptr;
}

/// Runs the embedded modules, each of which may import those before it. The last one,
/// echolux_stages.py, writes its functions to `functions`. `reason` says what failed. Packages of a
/// virtual environment come before those of the system. NOTE: SciPy of the system may not fit NumPy
/// of the environment, and CuPy would load it. So where the environment is apart from the system
/// and has NumPy, packages of the system are left out.
std::string bootstrap(PythonFunctions& functions, std::array<char, 400>& reason) {
    std::string modules;
    for (const EmbeddedFile& file : pythonModules()) {
        modules +=
            fmt::format("('{}', {}, {}), ", file.name,
                        reinterpret_cast<std::uintptr_t>(file.text.data()), file.text.size());
    }
    return fmt::format(R"(
import ctypes, os, site, sys, types
def _isolated(environment):
    try:
        with open(environment + '/pyvenv.cfg') as config:
            return 'include-system-site-packages = false' in config.read()
    except OSError:
        return False
def _begin():
    environment = os.environ.get('VIRTUAL_ENV')
    if environment:
        known = list(sys.path)
        site.addsitedir('%s/lib/python%d.%d/site-packages' % (environment, *sys.version_info[:2]))
        added = [path for path in sys.path if path not in known]
        others = [path for path in known if path.endswith('-packages')]
        sys.path[:] = [path for path in known if path not in others] + added
        if not (_isolated(environment) and any(os.path.isdir(path + '/numpy') for path in added)):
            sys.path += others
    for file, address, size in [{}]:
        name = file[:-3]
        module = sys.modules[name] = types.ModuleType(name)
        module.__file__ = file
        exec(compile(ctypes.string_at(address, size), file, 'exec'), module.__dict__)
    module.give({})
try:
    _begin()
except BaseException as error:
    text = ('%s: %s' % (type(error).__name__, error)).encode()[:{}]
    ctypes.memmove({}, text, len(text))
del _begin, _isolated
)",
                       modules, reinterpret_cast<std::uintptr_t>(&functions), reason.size() - 1,
                       reinterpret_cast<std::uintptr_t>(reason.data()));
}

PythonFunctions start() {
    Python python;
    if (!findAll(RTLD_DEFAULT, python)) {
        void* library = openLibrary();
        if (library == nullptr || !findAll(library, python)) {
            throw Error("Stages in Python need Python 3.9 or newer with its shared library, which "
                        "was not found; install libpython3 and python3-numpy, or name the library "
                        "in ECHOLUX_PYTHON.");
        }
    }
    PythonFunctions functions;
    std::array<char, 400> reason{};
    const bool isOurs = python.isInitialized() == 0;
    if (isOurs) python.initialize(0);
    const int state = isOurs ? 0 : python.ensure();
    python.runString(bootstrap(functions, reason).c_str(), nullptr);
    if (isOurs)
        python.saveThread();
    else
        python.release(state);
    if (functions.runOnGpu == nullptr) {
        throw Error(fmt::format("Stages in Python cannot run: {}; install python3-numpy for the "
                                "Python that Echolux uses.",
                                reason.data()));
    }
    return functions;
}

} // namespace

const PythonFunctions& pythonFunctions() {
    static const PythonFunctions kFunctions = start();
    return kFunctions;
}

} // namespace echolux
