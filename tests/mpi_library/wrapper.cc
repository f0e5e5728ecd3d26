// quadrille_mpi.hpp over real ranks, against the MPI library's own collectives: wrapper SET
#include <quadrille_mpi.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using quadrille::mpi::Context;
using quadrille::mpi::in_place;
using quadrille::mpi::Request;

int wrong = 0;
void check(bool good, const char* what) {
  if (!good && wrong++ < 5) std::printf("FAILED: %s\n", what);
}

template <typename T>
std::vector<T> numbers(std::size_t count, int from) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int number = from + static_cast<int>(i % 50);
    if constexpr (requires { typename T::value_type; })
      out[i] = T(static_cast<typename T::value_type>(number));
    else
      out[i] = static_cast<T>(number);
  }
  return out;
}
template <typename T>
std::span<const T> seen(const std::vector<T>& values) {
  return values;
}

template <typename T>
void move_values(Context& context, MPI_Datatype type) {
  constexpr int kBlock = 30;
  const std::size_t all = kBlock * context.ranks();
  const auto mine = numbers<T>(all, context.rank());
  const std::span<const T> block = seen(mine).first(kBlock);
  std::vector<T> ours(all), theirs(all);
  context.alltoall(seen(mine), std::span(ours));
  MPI_Alltoall(mine.data(), kBlock, type, theirs.data(), kBlock, type, MPI_COMM_WORLD);
  check(ours == theirs, "alltoall");
  auto swapped = mine;
  context.alltoall(in_place, std::span(swapped));
  check(swapped == theirs, "alltoall in place");
  context.allgather(block, std::span(ours));
  MPI_Allgather(mine.data(), kBlock, type, theirs.data(), kBlock, type, MPI_COMM_WORLD);
  check(ours == theirs, "allgather");
  auto gathered = theirs;
  context.allgather(in_place, std::span(gathered));
  check(gathered == theirs, "allgather in place");
  std::vector<T> at_root(context.rank() == 0 ? all : 0);
  context.gather(block, std::span(at_root), 0);
  check(context.rank() != 0 || at_root == theirs, "gather");
  std::vector<T> back(kBlock);
  context.scatter(seen(at_root), std::span(back), 0);
  check(std::equal(back.begin(), back.end(), block.begin()), "scatter");
  auto sent = mine;
  context.bcast(std::span(sent), 0);
  check(sent == numbers<T>(all, 0), "bcast");
}

void add_values(Context& context) {
  constexpr int kBlock = 40;
  const std::size_t all = kBlock * context.ranks();
  const auto mine = numbers<long>(all, context.rank());
  std::vector<long> ours(all), theirs(all);
  MPI_Allreduce(mine.data(), theirs.data(), static_cast<int>(all), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  context.allreduce(seen(mine), std::span(ours), MPI_SUM);
  check(ours == theirs, "allreduce");
  auto here = mine;
  context.allreduce(in_place, std::span(here), MPI_SUM);
  check(here == theirs, "allreduce in place");
  std::vector<long> part(kBlock);
  context.reduce_scatter_block(seen(mine), std::span(part), MPI_SUM);
  check(std::equal(part.begin(), part.end(), theirs.begin() + context.rank() * kBlock),
        "reduce_scatter_block");
  std::vector<long> at_root(context.rank() == 0 ? all : 0);
  context.reduce(seen(mine), std::span(at_root), MPI_SUM, 0);
  check(context.rank() != 0 || at_root == theirs, "reduce");

  // Several under way, one of which its destructor waits for.
  std::vector<long> first(all), second(all), third(all), fourth(kBlock);
  auto sent = numbers<long>(all, context.rank());
  {
    Request one = context.iallreduce(seen(mine), std::span(first), MPI_SUM);
    Request two = context.ialltoall(seen(mine), std::span(second));
    Request three = context.iallgather(seen(mine).first(kBlock), std::span(third));
    Request four = context.ireduce_scatter_block(seen(mine), std::span(fourth), MPI_SUM);
    Request five = context.ibcast(std::span(sent), 0);
    Request six = context.ibarrier();
    one.wait();
    while (!two.test()) continue;
    two = std::move(three);
    two.wait();
    four.wait();
    six.wait();
  }
  check(first == theirs && fourth == part && sent == numbers<long>(all, 0), "nonblocking");
  std::vector<long> again(all);
  context.alltoall(seen(mine), std::span(again));
  check(second == again, "nonblocking alltoall");
  context.allgather(seen(mine).first(kBlock), std::span(again));
  check(third == again, "nonblocking allgather");

  Request persistent = context.allreduce_init(seen(mine), std::span(ours), MPI_SUM);
  for (int turn = 0; turn < 3; ++turn) {
    std::fill(ours.begin(), ours.end(), 0);
    persistent.start();
    persistent.wait();
    check(ours == theirs, "persistent");
  }
}

void move_uneven(Context& context) {
  // One value for rank 0, two for rank 1 and so on; and as many from i to j as from j to i.
  std::vector<MPI_Count> counts(context.ranks()), pairs(context.ranks());
  std::size_t all = 0, in_pairs = 0;
  for (std::size_t r = 0; r < context.ranks(); ++r) {
    all += static_cast<std::size_t>(counts[r] = static_cast<MPI_Count>(r + 1));
    in_pairs += static_cast<std::size_t>(pairs[r] = static_cast<MPI_Count>(r + 1) + context.rank());
  }
  const auto here = static_cast<std::size_t>(context.rank());
  const auto values = numbers<long>(all, context.rank());
  std::vector<long> gathered(all), sums(here + 1), total(all);
  context.allgatherv(seen(values).first(here + 1), std::span(gathered), counts);
  std::size_t at = 0;
  for (std::size_t r = 0; r < context.ranks(); ++r) {
    const auto theirs = numbers<long>(all, static_cast<int>(r));
    check(std::equal(theirs.begin(), theirs.begin() + static_cast<long>(r) + 1,
                     gathered.begin() + static_cast<long>(at)),
          "allgatherv");
    at += r + 1;
  }
  context.reduce_scatter(seen(values), std::span(sums), counts, MPI_SUM);
  context.allreduce(seen(values), std::span(total), MPI_SUM);
  check(std::equal(sums.begin(), sums.end(), total.begin() + static_cast<long>(here * (here + 1) / 2)),
        "reduce_scatter");
  // What all have goes to the last rank, and back.
  const int root = static_cast<int>(context.ranks()) - 1;
  std::vector<long> at_root(context.rank() == root ? all : 0), back(here + 1);
  const std::span<const MPI_Count> counts_there(counts.data(), context.rank() == root ? counts.size() : 0);
  context.gatherv(seen(values).first(here + 1), std::span(at_root), counts_there, root);
  check(context.rank() != root || at_root == gathered, "gatherv");
  context.scatterv(seen(at_root), counts_there, std::span(back), root);
  check(std::equal(back.begin(), back.end(), values.begin()), "scatterv");
  std::vector<long> sent(in_pairs, context.rank()), got(in_pairs);
  context.alltoallv(seen(sent), pairs, std::span(got), pairs);
  at = 0;
  for (std::size_t r = 0; r < context.ranks(); ++r) {
    for (MPI_Count i = 0; i < pairs[r]; ++i) check(got[at++] == static_cast<long>(r), "alltoallv");
  }
  try {
    context.allgatherv(seen(values).first(here + 1), std::span(gathered).first(all - 1), counts);
    check(false, "counts that do not fit");
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    check(text == "quadrille::mpi: allgatherv: to has " + std::to_string(all - 1) + " values; " +
                      std::to_string(all) + " are needed",
          text.c_str());
  }
}

void refuse(Context& context) {
  std::vector<int> from(7 * context.ranks()), to(3);
  try {
    context.allgather(seen(from), std::span(to));
    check(false, "sizes that do not fit");
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    check(text == "quadrille::mpi: allgather: to has 3 values; " +
                      std::to_string(from.size() * context.ranks()) + " are needed",
          text.c_str());
  }
  try {
    Context none(MPI_COMM_WORLD, "/nowhere");
    check(false, "no set");
  } catch (const quadrille::mpi::Error& error) {
    check(std::string(error.what()).find("/nowhere/programs.txt") != std::string::npos, error.what());
    check(error.code() != MPI_SUCCESS, "a code");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::optional<Context> later;
  {
    Context context(MPI_COMM_WORLD, argc > 1 ? argv[1] : "");
    move_values<double>(context, MPI_DOUBLE);
    move_values<char>(context, MPI_CHAR);
    move_values<std::complex<float>>(context, MPI_C_FLOAT_COMPLEX);
    add_values(context);
    move_uneven(context);
    refuse(context);
    context.barrier();
    check(!context.explain("alltoall", 64).empty(), "explain");
    check(context.explain("alltoallv", 64) ==
              context.explain("alltoall", 64) + ", sizes of blocks in front of each message",
          "explain alltoallv");
    check(context.ranks() == 1 || context.statistics().served > 0, "nothing was served");
    later.emplace(std::move(context));
  }
  later->barrier();
  int bad = 0;
  MPI_Allreduce(&wrong, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (later->rank() == 0 && bad == 0) std::puts("all right");
  MPI_Finalize();
  return bad == 0 ? 0 : 1;  // `later` was freed in MPI_Finalize
}
