// Unfinished files: those that must not outlive the program when Ctrl-C or a termination ends it.
//
// Who writes a file under a passing name says so here, before the file is there, until it has its own name.
// SIGINT, SIGTERM and the other signals that end a program then remove what is listed and do what they would have done: the program ends,
// and whoever waits for it sees by which signal. The handlers are there only while something is listed, and
// only for signals that would end the program: one that somebody ignores or handles is left alone.
#pragma once

#include <string>

namespace quadrille {

/// Lists the file `name` of an open folder for as long as it lives. At most kMost at once; of more than that
/// the signals know nothing. Any thread may make one.
class UnfinishedFile {
 public:
  static constexpr int kMost = 16;

  /// `folder` is a descriptor that stays open as long as this lives, `name` one of at most 63 bytes.
  UnfinishedFile(int folder, const std::string& name);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace quadrille
