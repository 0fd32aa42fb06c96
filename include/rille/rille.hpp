// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rille from C++17: values that own what they hold, over the C API. Header only; link with
/// rille::rille as a C program does.
///
///     auto sim = rille::Sim::load("mer_sand");      // Result<Sim>: a simulation, or an Error with a sentence
///     if (!sim) { std::cerr << sim.error().message << '\n'; return 1; }
///     sim->run(10.0);
///     double x = sim->get("base.x").value_or(0.0);
///
/// Nothing throws: what can fail returns a Result, which must be looked at. A program that wants
/// exceptions defines RILLE_EXCEPTIONS before the include; then `or_throw()` gives the value or
/// throws rille::Exception. The header also compiles with -fno-exceptions and -fno-rtti.
///
/// Every object can be moved and not copied; destroying it frees what it holds. `c()` gives the
/// handle of the C API for everything that has no member here; it stays owned by the object.
///
/// Threads and ownership: as in the C API, an object belongs to one thread at a time. Each has a
/// context of its own.
#ifndef RILLE_RILLE_HPP
#define RILLE_RILLE_HPP

#if __cplusplus < 201703L
#error "rille/rille.hpp needs C++17 (-std=c++17); the C API, rille/rille.h, compiles from C++11 on"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#ifdef RILLE_EXCEPTIONS
#include <stdexcept>
#endif

#include <rille/rille.h>

namespace rille
{

// --- results -------------------------------------------------------------------------------------

/// Why something failed.
struct Error {
    RiStatus status = RI_OK;
    std::string message; ///< file, line, what, and what is allowed
};

#ifdef RILLE_EXCEPTIONS
/// Thrown by or_throw().
class Exception : public std::runtime_error
{
  public:
    explicit Exception(const Error &error) : std::runtime_error(error.message), status(error.status)
    {
    }
    RiStatus status;
};
#endif

/// A value or an Error. Asking for the one that is not there ends the program, as a broken
/// precondition does.
template <typename T> class [[nodiscard]] Result
{
  public:
    Result(T value) : content(std::move(value))
    {
    }
    Result(Error error) : content(std::move(error))
    {
    }

    explicit operator bool() const noexcept
    {
        return std::holds_alternative<T>(content);
    }
    T &value() &
    {
        return *get();
    }
    const T &value() const &
    {
        return *const_cast<Result *>(this)->get();
    }
    T &&value() &&
    {
        return std::move(*get());
    }
    T &operator*() &
    {
        return *get();
    }
    const T &operator*() const &
    {
        return value();
    }
    T *operator->()
    {
        return get();
    }
    const T *operator->() const
    {
        return &value();
    }
    T value_or(T other) const &
    {
        return *this ? value() : other;
    }
    const Error &error() const
    {
        const Error *error = std::get_if<Error>(&content);
        if (!error)
            std::abort();
        return *error;
    }
#ifdef RILLE_EXCEPTIONS
    T or_throw() &&
    {
        if (!*this)
            throw Exception(error());
        return std::move(*get());
    }
#endif

  private:
    T *get()
    {
        T *value = std::get_if<T>(&content);
        if (!value)
            std::abort();
        return value;
    }
    std::variant<T, Error> content;
};

/// Success or an Error.
template <> class [[nodiscard]] Result<void>
{
  public:
    Result() = default;
    Result(Error error) : content(std::move(error))
    {
    }

    explicit operator bool() const noexcept
    {
        return !content;
    }
    const Error &error() const
    {
        if (!content)
            std::abort();
        return *content;
    }
#ifdef RILLE_EXCEPTIONS
    void or_throw() &&
    {
        if (content)
            throw Exception(*content);
    }
#endif

  private:
    std::optional<Error> content;
};

// --- vectors and poses ---------------------------------------------------------------------------

/// RiVec3 with operators.
struct Vec3 : RiVec3 {
    constexpr Vec3(double x_ = 0.0, double y_ = 0.0, double z_ = 0.0) : RiVec3{x_, y_, z_}
    {
    }
    constexpr Vec3(const RiVec3 &v) : RiVec3(v)
    {
    }
    friend constexpr Vec3 operator+(const Vec3 &a, const Vec3 &b)
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3 operator-(const Vec3 &a, const Vec3 &b)
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3 operator*(double s, const Vec3 &a)
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend constexpr bool operator==(const Vec3 &a, const Vec3 &b)
    {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
    constexpr double dot(const Vec3 &b) const
    {
        return x * b.x + y * b.y + z * b.z;
    }
    Vec3 cross(const Vec3 &b) const
    {
        return ri_cross(*this, b);
    }
    double norm() const
    {
        return ri_norm(*this);
    }
};

/// RiPose with operators: a frame in another one.
struct Pose : RiPose {
    Pose() : RiPose(ri_pose_identity())
    {
    }
    Pose(const RiPose &p_) : RiPose(p_)
    {
    }
    Vec3 origin() const
    {
        return p;
    }
    Pose inverse() const
    {
        return ri_pose_inverse(this);
    }
    /// A point of the inner frame, in the outer one.
    friend Vec3 operator*(const Pose &a, const Vec3 &point)
    {
        return ri_pose_point(&a, point);
    }
    friend Pose operator*(const Pose &a, const Pose &b)
    {
        return ri_pose_mul(&a, &b);
    }
};

// --- inside --------------------------------------------------------------------------------------

namespace inside
{

template <auto destroy> struct Deleter {
    template <typename T> void operator()(T *object) const noexcept
    {
        destroy(object);
    }
};
using Context = std::unique_ptr<RiContext, Deleter<ri_context_destroy>>;

inline Error error_of(const RiContext *ctx, RiStatus status)
{
    const char *message = ctx ? ri_context_message(ctx) : "";
    return {status, *message ? message : ri_status_text(status)};
}

inline Result<void> result_of(const RiContext *ctx, RiStatus status)
{
    return status == RI_OK ? Result<void>() : Result<void>(error_of(ctx, status));
}

inline Result<Context> make_context()
{
    RiContext *ctx = nullptr;
    const RiStatus status = ri_context_create(nullptr, &ctx);
    if (status != RI_OK)
        return error_of(nullptr, status);
    return Context(ctx);
}

} // namespace inside

// --- devices -------------------------------------------------------------------------------------

/// A class of devices written in C++, for Options::devices. `update` is called inside the tick; of
/// ports x[0], x[1], ... in the order given. To end the step it sets call.trouble to a sentence
/// that lives on. The object must outlive the simulations that use it, and stay where it is.
class Device
{
  public:
    using Update = std::function<void(RiDeviceCall &call)>;

    Device(std::string name, std::string doc, RiAttach attach, std::vector<RiPort> ports, Update update)
        : name_(std::move(name)), doc_(std::move(doc)), ports_(std::move(ports)), update_(std::move(update))
    {
        device_.abi = RI_DEVICE_ABI;
        device_.name = name_.c_str();
        device_.doc = doc_.c_str();
        device_.attach = attach;
        device_.ports = ports_.data();
        device_.port_count = static_cast<int>(ports_.size());
        device_.update = call_update;
        device_.user = this;
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const RiDeviceClass *c() const
    {
        return &device_;
    }

  private:
    static void call_update(RiDeviceCall *call)
    {
#if defined(__cpp_exceptions)
        try {
            static_cast<Device *>(call->user)->update_(*call);
        } catch (...) { // must not pass through the C library
            call->trouble = "its update threw an exception";
        }
#else
        static_cast<Device *>(call->user)->update_(*call);
#endif
    }
    std::string name_, doc_;
    std::vector<RiPort> ports_;
    Update update_;
    RiDeviceClass device_{};
};

// --- simulations ---------------------------------------------------------------------------------

/// What a scene is opened with.
struct Options {
    std::vector<std::pair<std::string, std::string>> settings; ///< as `rille run --set`: {"duration", "5 s"}
    std::string robot;                                         ///< a file in place of the scene's robot; "": its own
    std::vector<const Device *> devices;                       ///< classes that the scene names as `type`
    std::string root;                                          ///< a folder with robots, scenes, ...; "": default paths
};

namespace inside
{

/// The C options, and what they point to.
struct Opening {
    explicit Opening(const Options &o) : options(ri_scene_options_default()), paths(new RiPaths)
    {
        ri_paths_default(o.root.empty() ? nullptr : o.root.c_str(), paths.get());
        ri_paths_use(paths.get(), &options);
        for (const auto &setting : o.settings)
            settings.push_back({setting.first.c_str(), setting.second.c_str()});
        for (const Device *device : o.devices)
            devices.push_back(device->c());
        options.settings = settings.data();
        options.setting_count = static_cast<int>(settings.size());
        options.robot = o.robot.empty() ? nullptr : o.robot.c_str();
    }
    RiSceneOptions options;
    std::unique_ptr<RiPaths> paths;
    std::vector<RiSetting> settings;
    std::vector<const RiDeviceClass *> devices;
};

} // namespace inside

/// Some values of a simulation, looked up once and read often.
class Values
{
  public:
    const std::vector<std::string> &names() const
    {
        return names_;
    }
    std::size_t size() const
    {
        return index_.size();
    }
    /// The numbers of now.
    void read(std::vector<double> &out) const
    {
        out.resize(index_.size());
        ri_values_read_all(table_, index_.data(), static_cast<int>(index_.size()), out.data());
    }
    std::vector<double> read() const
    {
        std::vector<double> out;
        read(out);
        return out;
    }

  private:
    friend class Sim;
    RiValues *table_ = nullptr;
    std::vector<int> index_;
    std::vector<std::string> names_;
};

/// A scene that is built, and stepped. See the head of this file.
class Sim
{
  public:
    /// A scene by name ("mer_sand") or path.
    static Result<Sim> load(const std::string &scene, const Options &options = {})
    {
        return open(scene, nullptr, options);
    }
    /// A scene from its YAML text; `path` is used in messages and to find files.
    static Result<Sim> parse(const std::string &text, const Options &options = {},
                             const std::string &path = "text.yaml")
    {
        return open(path, &text, options);
    }
    Sim(Sim &&) noexcept = default;
    Sim &operator=(Sim &&other) noexcept
    {
        scene_ = std::move(other.scene_); // before the context that it lives in
        ctx_ = std::move(other.ctx_);
        devices_ = std::move(other.devices_);
        return *this;
    }

    /// Control ticks. Stops early at a stop condition. A tick that fails is taken back.
    Result<void> step(long long ticks = 1)
    {
        for (long long i = 0; i < ticks && !ri_sim_stopped(c()); i++) {
            const RiStatus status = ri_sim_step(c());
            if (status != RI_OK)
                return inside::error_of(ctx_.get(), status);
            ri_scene_look(scene_.get());
        }
        return {};
    }
    /// Seconds of simulated time.
    Result<void> run(double seconds)
    {
        return step(static_cast<long long>(seconds / dt() + 0.5));
    }

    double time() const
    {
        return ri_sim_time(c());
    }
    long long tick() const
    {
        return ri_sim_tick(c());
    }
    double dt() const
    {
        return ri_sim_options(c())->tick;
    }
    double duration() const
    {
        return ri_scene_duration(scene_.get());
    }
    std::string_view name() const
    {
        return ri_scene_name(scene_.get());
    }
    std::uint64_t hash() const
    {
        return ri_sim_hash(c());
    }
    /// The stop condition that ended the run.
    std::optional<std::string> stopped() const
    {
        const char *why = ri_sim_stopped(c());
        return why ? std::optional<std::string>(why) : std::nullopt;
    }
    int violations() const
    {
        return ri_sim_violations(c());
    } ///< laws that left their assumptions

    /// A named value.
    Result<double> get(const std::string &name_of_value) const
    {
        RiValues *table = ri_sim_values(c());
        const int index = ri_values_find(table, name_of_value.c_str());
        if (index >= 0)
            return ri_values_read(table, index);
        const RiStatus status = ri_values_set(table, name_of_value.c_str(), "0"); // says why there is none
        return inside::error_of(ctx_.get(), status == RI_OK ? RI_ERR_NOT_FOUND : status);
    }
    Result<void> set(const std::string &name_of_value, double number)
    {
        RiValues *table = ri_sim_values(c());
        const int index = ri_values_find(table, name_of_value.c_str());
        return index < 0 ? set(name_of_value, "0")
                         : inside::result_of(ctx_.get(), ri_values_write(table, index, number));
    }
    /// A text with a unit or an expression: "3 cm/s".
    Result<void> set(const std::string &name_of_value, const char *text)
    {
        return inside::result_of(ctx_.get(), ri_values_set(ri_sim_values(c()), name_of_value.c_str(), text));
    }
    Result<double> eval(const std::string &expression) const
    {
        double x = 0.0;
        const RiStatus status = ri_values_eval(ri_sim_values(c()), expression.c_str(), &x);
        if (status != RI_OK)
            return inside::error_of(ctx_.get(), status);
        return x;
    }
    /// All values that match a glob; none is no error. Valid as long as the simulation.
    Values select(const std::string &glob) const
    {
        Values v;
        v.table_ = ri_sim_values(c());
        for (int i = ri_values_match(v.table_, glob.c_str(), 0); i >= 0;
             i = ri_values_match(v.table_, glob.c_str(), i + 1)) {
            v.index_.push_back(i);
            v.names_.emplace_back(ri_values_get(v.table_, i)->name);
        }
        return v;
    }
    /// Where a link or frame is in the world.
    Result<Pose> pose(const std::string &frame) const
    {
        const int index = ri_model_find_frame(ri_sim_model(c()), frame.c_str());
        if (index < 0)
            return Error{RI_ERR_NOT_FOUND, "there is no link or frame '" + frame + "'"};
        return Pose(ri_dyn_frame_pose(ri_sim_dyn(c()), index));
    }

    /// The whole state; restore() continues from it with equal bits.
    std::vector<double> snapshot() const
    {
        const std::size_t size = ri_checkpoint_size(c());
        std::vector<double> block(1 +
                                  (size + sizeof(double) - 1) / sizeof(double)); // its size in bytes, then the bytes
        block[0] = static_cast<double>(size);
        ri_checkpoint_compose(c(), reinterpret_cast<unsigned char *>(block.data() + 1));
        return block;
    }
    Result<void> restore(const std::vector<double> &block)
    {
        const double size = block.empty() ? 0.0 : block[0];
        const double room = static_cast<double>(block.size()) * sizeof(double) - sizeof(double);
        if (!(size > 0.0 && size <= room))
            return Error{RI_ERR_ARGUMENT, "not a snapshot"};
        return inside::result_of(
            ctx_.get(), ri_checkpoint_parse(c(), "snapshot", block.data() + 1, static_cast<std::size_t>(size)));
    }
    /// Checkpoint files, as `rille run` writes them.
    Result<void> save(const std::string &path) const
    {
        return inside::result_of(ctx_.get(), ri_checkpoint_save(c(), path.c_str()));
    }
    Result<void> resume(const std::string &path)
    {
        return inside::result_of(ctx_.get(), ri_checkpoint_load(c(), path.c_str()));
    }

    RiSim *c() const
    {
        return ri_scene_sim(scene_.get());
    }
    RiScene *scene() const
    {
        return scene_.get();
    }
    RiContext *context() const
    {
        return ctx_.get();
    }

  private:
    Sim() = default;
    static Result<Sim> open(const std::string &path, const std::string *text, const Options &options)
    {
        auto ctx = inside::make_context();
        if (!ctx)
            return ctx.error();
        inside::Opening opening(options);
        Sim sim;
        sim.ctx_ = std::move(*ctx);
        sim.devices_ = std::make_unique<std::vector<const RiDeviceClass *>>(std::move(opening.devices));
        opening.options.devices = sim.devices_->data();
        opening.options.device_count = static_cast<int>(sim.devices_->size());
        RiContext *c = sim.ctx_.get();
        RiScene *scene = nullptr;
        std::vector<char> found(RI_PATH_SIZE);
        RiStatus status = text ? RI_OK : ri_paths_find_scene(c, opening.paths.get(), path.c_str(), found.data());
        if (status == RI_OK)
            status = text ? ri_scene_parse(c, path.c_str(), text->data(), text->size(), &opening.options, &scene)
                          : ri_scene_load(c, found.data(), &opening.options, &scene);
        sim.scene_.reset(scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        if (status != RI_OK)
            return inside::error_of(c, status);
        return sim;
    }
    inside::Context ctx_;
    std::unique_ptr<std::vector<const RiDeviceClass *>> devices_; // borrowed by the scene
    std::unique_ptr<RiScene, inside::Deleter<ri_scene_destroy>> scene_;
};

// --- many robots ---------------------------------------------------------------------------------

/// Many robots of one scene, stepped by threads.
class Batch
{
  public:
    static Result<Batch> load(const std::string &scene, int count, const Options &options = {})
    {
        auto ctx = inside::make_context();
        if (!ctx)
            return ctx.error();
        inside::Opening opening(options);
        Batch b;
        b.ctx_ = std::move(*ctx);
        b.devices_ = std::make_unique<std::vector<const RiDeviceClass *>>(std::move(opening.devices));
        opening.options.devices = b.devices_->data();
        opening.options.device_count = static_cast<int>(b.devices_->size());
        RiBatch *batch = nullptr;
        std::vector<char> found(RI_PATH_SIZE);
        RiStatus status = ri_paths_find_scene(b.ctx_.get(), opening.paths.get(), scene.c_str(), found.data());
        if (status == RI_OK)
            status = ri_batch_create(b.ctx_.get(), found.data(), &opening.options, count, &batch);
        b.batch_.reset(batch);
        if (status != RI_OK)
            return inside::error_of(b.ctx_.get(), status);
        return b;
    }
    Batch(Batch &&) noexcept = default;
    Batch &operator=(Batch &&other) noexcept
    {
        batch_ = std::move(other.batch_);
        ctx_ = std::move(other.ctx_);
        devices_ = std::move(other.devices_);
        return *this;
    }

    int size() const
    {
        return ri_batch_count(batch_.get());
    }
    RiSim *sim(int robot) const
    {
        return ri_batch_sim(batch_.get(), robot);
    } ///< borrowed
    Result<void> step(int ticks, int threads)
    {
        return inside::result_of(ctx_.get(), ri_batch_step(batch_.get(), ticks, threads));
    }
    Result<void> reset()
    {
        return inside::result_of(ctx_.get(), ri_batch_reset(batch_.get()));
    }
    RiBatch *c() const
    {
        return batch_.get();
    }

  private:
    Batch() = default;
    inside::Context ctx_;
    std::unique_ptr<std::vector<const RiDeviceClass *>> devices_;
    std::unique_ptr<RiBatch, inside::Deleter<ri_batch_destroy>> batch_;
};

// --- logs ----------------------------------------------------------------------------------------

/// A signal of a log.
struct Series {
    std::vector<double> times, values; ///< [s], SI
    std::string unit;
};

/// A log file (MCAP) of a run.
class Log
{
  public:
    static Result<Log> open(const std::string &path)
    {
        auto ctx = inside::make_context();
        if (!ctx)
            return ctx.error();
        Log log;
        RiLog *file = nullptr;
        const RiStatus status = ri_log_open(ctx->get(), path.c_str(), &file);
        if (status != RI_OK)
            return inside::error_of(ctx->get(), status);
        log.ctx_ = std::move(*ctx);
        log.log_.reset(file);
        return log;
    }
    Log(Log &&) noexcept = default;
    Log &operator=(Log &&other) noexcept
    {
        log_ = std::move(other.log_);
        ctx_ = std::move(other.ctx_);
        return *this;
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (int i = 0; i < ri_log_signal_count(log_.get()); i++)
            out.emplace_back(ri_log_signal_name(log_.get(), i));
        return out;
    }
    Result<Series> read(const std::string &name) const
    {
        const int signal = ri_log_find_signal(log_.get(), name.c_str());
        if (signal < 0)
            return Error{RI_ERR_NOT_FOUND, "the log has no signal '" + name + "'"};
        double *times = nullptr, *values = nullptr;
        int count = 0;
        const RiStatus status =
            ri_log_read(log_.get(), signal, ri_log_start(log_.get()), ri_log_end(log_.get()), &times, &values, &count);
        if (status != RI_OK)
            return inside::error_of(ctx_.get(), status);
        Series s{{times, times + count}, {values, values + count}, ri_log_signal_unit(log_.get(), signal)};
        ri_log_release(log_.get(), times);
        ri_log_release(log_.get(), values);
        return s;
    }
    RiLog *c() const
    {
        return log_.get();
    }

  private:
    Log() = default;
    inside::Context ctx_;
    std::unique_ptr<RiLog, inside::Deleter<ri_log_close>> log_;
};

} // namespace rille

#endif
