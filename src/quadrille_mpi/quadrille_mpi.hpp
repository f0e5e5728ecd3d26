// quadrille_mpi.h for C++20: contexts and requests that free themselves, spans of values instead of addresses, counts and types, and
// exceptions instead of codes. Nothing but inline functions; the library is the same.
//
//     quadrille::mpi::Context context(MPI_COMM_WORLD, "torus_4_4");
//     context.alltoall(std::span<const double>(from), std::span(to));
//     context.allreduce(quadrille::mpi::in_place, std::span(sums), MPI_SUM);
//     auto request = context.ibcast(std::span(values), 0);   // the values stay where they are until it is over
//     request.wait();
//
// Sizes are those of spans: what does not fit is a std::invalid_argument, which names the call and both sizes; it is thrown before
// anything is sent, so all ranks must give the same. An Error is what MPI or the library says: it comes only where the communicator's error
// handler returns (MPI_ERRORS_RETURN).
#ifndef QUADRILLE_MPI_HPP
#define QUADRILLE_MPI_HPP

#include <quadrille_mpi.h>

#include <complex>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace quadrille::mpi {

/// What MPI_Error_string() says of a code.
class Error : public std::runtime_error {
 public:
  explicit Error(int code) : std::runtime_error(text_of(code)), code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  static std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return {text, static_cast<std::size_t>(length)};
  }
  int code_;
};

namespace detail {

inline void require(int code) {
  if (code != MPI_SUCCESS) throw Error(code);
}

template <typename T>
constexpr bool is_always_false = false;

template <typename T>
[[nodiscard]] MPI_Datatype type_of() {
  using U = std::remove_const_t<T>;
  if constexpr (std::is_same_v<U, std::byte>)
    return MPI_BYTE;
  else if constexpr (std::is_same_v<U, char>)
    return MPI_CHAR;
  else if constexpr (std::is_same_v<U, signed char>)
    return MPI_SIGNED_CHAR;
  else if constexpr (std::is_same_v<U, unsigned char>)
    return MPI_UNSIGNED_CHAR;
  else if constexpr (std::is_same_v<U, bool>)
    return MPI_C_BOOL;
  else if constexpr (std::is_same_v<U, short>)
    return MPI_SHORT;
  else if constexpr (std::is_same_v<U, unsigned short>)
    return MPI_UNSIGNED_SHORT;
  else if constexpr (std::is_same_v<U, int>)
    return MPI_INT;
  else if constexpr (std::is_same_v<U, unsigned int>)
    return MPI_UNSIGNED;
  else if constexpr (std::is_same_v<U, long>)
    return MPI_LONG;
  else if constexpr (std::is_same_v<U, unsigned long>)
    return MPI_UNSIGNED_LONG;
  else if constexpr (std::is_same_v<U, long long>)
    return MPI_LONG_LONG;
  else if constexpr (std::is_same_v<U, unsigned long long>)
    return MPI_UNSIGNED_LONG_LONG;
  else if constexpr (std::is_same_v<U, float>)
    return MPI_FLOAT;
  else if constexpr (std::is_same_v<U, double>)
    return MPI_DOUBLE;
  else if constexpr (std::is_same_v<U, long double>)
    return MPI_LONG_DOUBLE;
  else if constexpr (std::is_same_v<U, std::complex<float>>)
    return MPI_C_FLOAT_COMPLEX;
  else if constexpr (std::is_same_v<U, std::complex<double>>)
    return MPI_C_DOUBLE_COMPLEX;
  else
    static_assert(is_always_false<T>,
                  "no type of MPI is like this one: use quadrille_mpi.h with a derived datatype");
}

}  // namespace detail

/// An operation under way, or a persistent one. A destructor waits for what is under way.
class Request {
 public:
  Request() = default;
  Request(Request&& other) noexcept
      : request_(std::exchange(other.request_, nullptr)), persistent_(other.persistent_) {}
  Request& operator=(Request&& other) noexcept {
    if (this != &other) {
      release();
      request_ = std::exchange(other.request_, nullptr);
      persistent_ = other.persistent_;
    }
    return *this;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() { release(); }

  /// Of a persistent one.
  void start() { detail::require(quadrille_start(&request_)); }
  void wait() { detail::require(quadrille_wait(&request_)); }
  /// Moves it on; true when it is over.
  [[nodiscard]] bool test() {
    int done = 0;
    detail::require(quadrille_test(&request_, &done));
    return done != 0;
  }

 private:
  friend class Context;
  explicit Request(bool persistent) : persistent_(persistent) {}

  void release() noexcept {
    if (request_ == nullptr) return;
    quadrille_wait(&request_);
    if (persistent_) quadrille_request_free(&request_);
  }

  quadrille_request request_ = nullptr;
  bool persistent_ = false;
};

struct InPlace {};
/// Instead of what is sent: it lies where the result will be, as with MPI_IN_PLACE.
inline constexpr InPlace in_place{};

class Context {
 public:
  /// Collective. `programs`: the folder of a set, or empty: what QUADRILLE_PROGRAMS names at rank 0. `topology`: what they
  /// must be for; empty: any. `node_of_rank`: on which endpoint each rank sits; empty: rank r on endpoint r.
  explicit Context(MPI_Comm communicator, const std::string& programs = {}, const std::string& topology = {},
                   std::span<const int> node_of_rank = {}) {
    detail::require(MPI_Comm_size(communicator, &ranks_));
    detail::require(MPI_Comm_rank(communicator, &rank_));
    if (!node_of_rank.empty()) require_size("Context", "node_of_rank", node_of_rank.size(), ranks());
    detail::require(quadrille_context_create(communicator, topology.empty() ? nullptr : topology.c_str(),
                                             programs.empty() ? nullptr : programs.c_str(),
                                             node_of_rank.empty() ? nullptr : node_of_rank.data(),
                                             &context_));
  }
  Context(Context&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)), ranks_(other.ranks_), rank_(other.rank_) {}
  Context& operator=(Context&& other) noexcept {
    if (this != &other) {
      release();
      context_ = std::exchange(other.context_, nullptr);
      ranks_ = other.ranks_;
      rank_ = other.rank_;
    }
    return *this;
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { release(); }

  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(ranks_); }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] quadrille_context* get() const { return context_; }

  /// What a call of that many bytes would use, or why the MPI library does it.
  [[nodiscard]] std::string explain(const std::string& collective, MPI_Count bytes, int root = 0) const {
    char text[512] = "";
    detail::require(quadrille_context_explain(context_, collective.c_str(), bytes, root, text, sizeof text));
    return text;
  }
  [[nodiscard]] quadrille_statistics statistics() const {
    quadrille_statistics out{};
    detail::require(quadrille_context_statistics(context_, &out));
    return out;
  }

  // --- blocking

  void barrier() { detail::require(quadrille_barrier(context_)); }

  template <typename T>
  void bcast(std::span<T> values, int root) {
    detail::require(quadrille_bcast(values.data(), count(values), detail::type_of<T>(), root, context_));
  }
  /// `from` is read at the root alone: as many values for each rank as `to` has room for.
  template <typename T>
  void scatter(std::span<const T> from, std::span<T> to, int root) {
    if (rank_ == root) require_size("scatter", "from", from.size(), to.size() * ranks());
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(
        quadrille_scatter(from.data(), count(to), type, to.data(), count(to), type, root, context_));
  }
  /// `to` is written at the root alone.
  template <typename T>
  void gather(std::span<const T> from, std::span<T> to, int root) {
    if (rank_ == root) require_size("gather", "to", to.size(), from.size() * ranks());
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(
        quadrille_gather(from.data(), count(from), type, to.data(), count(from), type, root, context_));
  }
  template <typename T>
  void allgather(std::span<const T> from, std::span<T> to) {
    detail::require(begin_allgather(quadrille_allgather, from, to));
  }
  template <typename T>
  void allgather(InPlace, std::span<T> to) {
    const MPI_Count block = part(to, "allgather");
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(
        quadrille_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to.data(), block, type, context_));
  }
  template <typename T>
  void alltoall(std::span<const T> from, std::span<T> to) {
    detail::require(begin_alltoall(quadrille_alltoall, from, to));
  }
  template <typename T>
  void alltoall(InPlace, std::span<T> to) {
    const MPI_Count block = part(to, "alltoall");
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(quadrille_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to.data(), block, type, context_));
  }
  /// `to` is written at the root alone.
  template <typename T>
  void reduce(std::span<const T> from, std::span<T> to, MPI_Op op, int root) {
    if (rank_ == root) require_size("reduce", "to", to.size(), from.size());
    detail::require(
        quadrille_reduce(from.data(), to.data(), count(from), detail::type_of<T>(), op, root, context_));
  }
  template <typename T>
  void reduce_scatter_block(std::span<const T> from, std::span<T> to, MPI_Op op) {
    detail::require(begin_reduce_scatter_block(quadrille_reduce_scatter_block, from, to, op));
  }
  template <typename T>
  void allreduce(std::span<const T> from, std::span<T> to, MPI_Op op) {
    detail::require(begin_allreduce(quadrille_allreduce, from, to, op));
  }
  template <typename T>
  void allreduce(InPlace, std::span<T> values, MPI_Op op) {
    detail::require(
        quadrille_allreduce(MPI_IN_PLACE, values.data(), count(values), detail::type_of<T>(), op, context_));
  }

  // --- blocks of different sizes, one behind the other: counts[r] values for or from rank r

  template <typename T>
  void allgatherv(std::span<const T> from, std::span<T> to, std::span<const MPI_Count> to_counts) {
    require_counts("allgatherv", "to", to.size(), to_counts);
    require_size("allgatherv", "from", from.size(), size_of(to_counts[place()]));
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(quadrille_allgatherv(from.data(), count(from), type, to.data(), to_counts.data(), nullptr,
                                         type, context_));
  }
  template <typename T>
  void alltoallv(std::span<const T> from, std::span<const MPI_Count> from_counts, std::span<T> to,
                 std::span<const MPI_Count> to_counts) {
    require_counts("alltoallv", "from", from.size(), from_counts);
    require_counts("alltoallv", "to", to.size(), to_counts);
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(quadrille_alltoallv(from.data(), from_counts.data(), nullptr, type, to.data(),
                                        to_counts.data(), nullptr, type, context_));
  }
  /// `to` and its counts mean something at the root alone.
  template <typename T>
  void gatherv(std::span<const T> from, std::span<T> to, std::span<const MPI_Count> to_counts, int root) {
    if (rank_ == root) require_counts("gatherv", "to", to.size(), to_counts);
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(quadrille_gatherv(from.data(), count(from), type, to.data(), to_counts.data(), nullptr,
                                      type, root, context_));
  }
  /// `from` and its counts mean something at the root alone.
  template <typename T>
  void scatterv(std::span<const T> from, std::span<const MPI_Count> from_counts, std::span<T> to, int root) {
    if (rank_ == root) require_counts("scatterv", "from", from.size(), from_counts);
    const MPI_Datatype type = detail::type_of<T>();
    detail::require(quadrille_scatterv(from.data(), from_counts.data(), nullptr, type, to.data(), count(to),
                                       type, root, context_));
  }
  template <typename T>
  void reduce_scatter(std::span<const T> from, std::span<T> to, std::span<const MPI_Count> counts,
                      MPI_Op op) {
    require_counts("reduce_scatter", "from", from.size(), counts);
    require_size("reduce_scatter", "to", to.size(), size_of(counts[place()]));
    detail::require(
        quadrille_reduce_scatter(from.data(), to.data(), counts.data(), detail::type_of<T>(), op, context_));
  }

  // --- the same without waiting: what the spans show stays where it is until the request is over

  [[nodiscard]] Request ibarrier() {
    Request out(false);
    detail::require(quadrille_ibarrier(context_, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request ibcast(std::span<T> values, int root) {
    Request out(false);
    detail::require(
        quadrille_ibcast(values.data(), count(values), detail::type_of<T>(), root, context_, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request iallgather(std::span<const T> from, std::span<T> to) {
    Request out(false);
    detail::require(begin_allgather(quadrille_iallgather, from, to, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request ialltoall(std::span<const T> from, std::span<T> to) {
    Request out(false);
    detail::require(begin_alltoall(quadrille_ialltoall, from, to, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request ireduce_scatter_block(std::span<const T> from, std::span<T> to, MPI_Op op) {
    Request out(false);
    detail::require(begin_reduce_scatter_block(quadrille_ireduce_scatter_block, from, to, op, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request iallreduce(std::span<const T> from, std::span<T> to, MPI_Op op) {
    Request out(false);
    detail::require(begin_allreduce(quadrille_iallreduce, from, to, op, &out.request_));
    return out;
  }

  // --- persistent: made once, started as often as wanted

  template <typename T>
  [[nodiscard]] Request bcast_init(std::span<T> values, int root) {
    Request out(true);
    detail::require(quadrille_bcast_init(values.data(), count(values), detail::type_of<T>(), root, context_,
                                         MPI_INFO_NULL, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request allgather_init(std::span<const T> from, std::span<T> to) {
    Request out(true);
    detail::require(begin_allgather(quadrille_allgather_init, from, to, MPI_INFO_NULL, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request alltoall_init(std::span<const T> from, std::span<T> to) {
    Request out(true);
    detail::require(begin_alltoall(quadrille_alltoall_init, from, to, MPI_INFO_NULL, &out.request_));
    return out;
  }
  template <typename T>
  [[nodiscard]] Request allreduce_init(std::span<const T> from, std::span<T> to, MPI_Op op) {
    Request out(true);
    detail::require(begin_allreduce(quadrille_allreduce_init, from, to, op, MPI_INFO_NULL, &out.request_));
    return out;
  }

 private:
  static void require_size(const char* call, const char* what, std::size_t given, std::size_t wanted) {
    if (given == wanted) return;
    throw std::invalid_argument(std::string("quadrille::mpi: ") + call + ": " + what + " has " +
                                std::to_string(given) + " values; " + std::to_string(wanted) + " are needed");
  }
  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(rank_); }
  static std::size_t size_of(MPI_Count count) { return static_cast<std::size_t>(count); }
  // As many counts as ranks, and as many values as they say.
  void require_counts(const char* call, const char* what, std::size_t values,
                      std::span<const MPI_Count> counts) const {
    require_size(call, "counts", counts.size(), ranks());
    std::size_t all = 0;
    for (const MPI_Count one : counts) all += size_of(one);
    require_size(call, what, values, all);
  }
  template <typename T>
  static MPI_Count count(std::span<T> values) {
    return static_cast<MPI_Count>(values.size());
  }
  // The share of each rank.
  template <typename T>
  MPI_Count part(std::span<T> values, const char* call) const {
    require_size(call, "to", values.size(), values.size() / ranks() * ranks());
    return static_cast<MPI_Count>(values.size() / ranks());
  }

  template <typename Call, typename T, typename... Rest>
  int begin_allgather(Call call, std::span<const T> from, std::span<T> to, Rest... rest) {
    require_size("allgather", "to", to.size(), from.size() * ranks());
    const MPI_Datatype type = detail::type_of<T>();
    return call(from.data(), count(from), type, to.data(), count(from), type, context_, rest...);
  }
  template <typename Call, typename T, typename... Rest>
  int begin_alltoall(Call call, std::span<const T> from, std::span<T> to, Rest... rest) {
    require_size("alltoall", "from", from.size(), to.size());
    const MPI_Count block = part(to, "alltoall");
    const MPI_Datatype type = detail::type_of<T>();
    return call(from.data(), block, type, to.data(), block, type, context_, rest...);
  }
  template <typename Call, typename T, typename... Rest>
  int begin_reduce_scatter_block(Call call, std::span<const T> from, std::span<T> to, MPI_Op op,
                                 Rest... rest) {
    require_size("reduce_scatter_block", "from", from.size(), to.size() * ranks());
    return call(from.data(), to.data(), count(to), detail::type_of<T>(), op, context_, rest...);
  }
  template <typename Call, typename T, typename... Rest>
  int begin_allreduce(Call call, std::span<const T> from, std::span<T> to, MPI_Op op, Rest... rest) {
    require_size("allreduce", "to", to.size(), from.size());
    return call(from.data(), to.data(), count(from), detail::type_of<T>(), op, context_, rest...);
  }

  void release() noexcept {
    if (context_ == nullptr) return;
    int over = 0;
    MPI_Finalized(&over);  // MPI_Finalize has freed it
    if (over == 0) quadrille_context_free(&context_);
  }

  quadrille_context* context_ = nullptr;
  int ranks_ = 0;
  int rank_ = 0;
};

}  // namespace quadrille::mpi

#endif
