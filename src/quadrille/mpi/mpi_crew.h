// The ranks of an MPI program as a crew (base/crew/crew.h): they share the parts of a job, whoever is free takes the next one, and in the
// end each knows what came of all.
//
// Parts are done by a second thread of every rank; the first one speaks MPI, says every second that it is still there, and
// naps in between. Rank 0 deals out the parts, and does some itself. A rank that works on a part and has not been heard of for
// a while is lost: rank 0 says which, and what it was working on, and the job ends. Where ranks wait for all others, who is stopped is seen by their counts (pulse.h).
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/mpi/pulse.h"

namespace quadrille {

class MpiCrew final : public Crew {
 public:
  /// Of all ranks. Collective. `silence`: how long a rank that works may not be heard of.
  explicit MpiCrew(std::chrono::milliseconds silence);
  ~MpiCrew() override;
  MpiCrew(const MpiCrew&) = delete;
  MpiCrew& operator=(const MpiCrew&) = delete;

  [[nodiscard]] uint32_t size() const override { return size_; }
  [[nodiscard]] uint32_t me() const override { return me_; }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  /// How many machines the ranks are on.
  [[nodiscard]] uint32_t machines() const { return machines_; }

  [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override;
  [[nodiscard]] std::string_view from_first(std::string_view mine) override;
  [[nodiscard]] std::vector<std::string> share(size_t count, const std::function<std::string(size_t)>& part,
                                               const std::function<void(size_t)>& done) override;

  /// After the last of these: with what this rank ends, and what it had to say about it. Rank 0 returns the largest status of all,
  /// and says which rank ended otherwise than it did; a rank that ends while others wait for it stops the job.
  [[nodiscard]] int end(int status, const std::string& words);

 private:
  struct Outcome;
  class Hand;
  class Dealer;

  void serve(const std::function<std::string(size_t)>& part);
  [[nodiscard]] std::string from_rank_0(std::string text) const;
  void await(int rank, int tag) const;
  void complete(MPI_Request& request) const;
  void stop_if_lost(Pulse::Watch& watch, bool only_first = false) const;
  void keep_room(uint64_t bytes);
  void stop_if_one_has_ended() const;

  MPI_Comm all_ = MPI_COMM_NULL;    // nobody else speaks there
  MPI_Comm here_ = MPI_COMM_NULL;   // of the ranks of this machine
  MPI_Comm heads_ = MPI_COMM_NULL;  // of the first rank of each machine; null at others
  // Memory that the ranks of a machine share, for what rank 0 says: nobody has a copy of his own.
  MPI_Win window_ = MPI_WIN_NULL;
  char* said_ = nullptr;
  uint64_t room_ = 0;
  uint32_t size_ = 1;
  uint32_t me_ = 0;
  unsigned threads_ = 1;
  uint32_t machines_ = 1;
  std::chrono::milliseconds silence_;
  std::unique_ptr<Pulse> pulse_;
};

}  // namespace quadrille
