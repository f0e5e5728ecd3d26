// program-json: the same as program, for people and for programs that translate it.
#include <memory>
#include <utility>

#include "quadrille/exporters/program_of_schedule.h"

namespace quadrille::exporters {
namespace program_json_parts {
namespace {

std::string write(const ScheduleToExport& what) { return write_program_json(smallest_program_of(what)); }

class StreamedJson final : public StreamedExport {
 public:
  explicit StreamedJson(std::unique_ptr<StreamedExport> words) : words_(std::move(words)) {}

  void push(const StepView& step) override { words_->push(step); }
  [[nodiscard]] SymmetricSink* symmetric() override { return words_->symmetric(); }
  std::string finish(std::string_view algorithm) override {
    return write_program_json(read_program(words_->finish(algorithm), algorithm));
  }

 private:
  std::unique_ptr<StreamedExport> words_;
};

std::unique_ptr<StreamedExport> stream(const Problem& problem) {
  std::unique_ptr<StreamedExport> words = stream_program(problem);
  return words == nullptr ? nullptr : std::make_unique<StreamedJson>(std::move(words));
}

}  // namespace
}  // namespace program_json_parts

extern const Exporter program_json;

constinit const Exporter program_json{.name = "program-json",
                                      .summary = "the same as JSON, an action a line",
                                      .extension = ".json",
                                      .write = program_json_parts::write,
                                      .stream = program_json_parts::stream};

}  // namespace quadrille::exporters
