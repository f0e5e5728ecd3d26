#include "quadrille/schedule/plan_reader.h"

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/mapped_file.h"
#include "quadrille/schedule/plan_listener.h"

namespace quadrille {

namespace {

// Some editors mark the order of bytes.
size_t mark_of(std::string_view text) { return text.starts_with("\xef\xbb\xbf") ? 3 : 0; }

// What is passed need not be kept.
class LettingGo final : public PlanListener {
 public:
  LettingGo(MappedFile& file, PlanListener& listener) : file_(file), listener_(listener) {}

  StepSink* steps_of(const PlanHead& head) override { return listener_.steps_of(head); }
  void passed(size_t offset) override {
    if (file_.is_cut_short()) file_.require_unchanged();
    file_.let_go_before(offset);
    listener_.passed(offset);
  }

 private:
  MappedFile& file_;
  PlanListener& listener_;
};

}  // namespace

PlanFile read_plan(std::string_view text, std::string_view source, GraphFiles files) {
  text.remove_prefix(mark_of(text));
  return plan_format_behind(text).read(text, source, files, nullptr);
}

PlanFile read_plan_file(const std::string& path, GraphFiles files, PlanListener& listener) {
  MappedFile file(path);
  LettingGo letting_go(file, listener);
  const std::string_view text = file.text().substr(mark_of(file.text()));
  try {
    PlanFile out = plan_format_behind(text).read(text, path, files, &letting_go);
    file.require_unchanged();
    return out;
  } catch (const InputError&) {
    // What is wrong with it may be what another one has done to it meanwhile.
    file.require_unchanged();
    throw;
  }
}

PlanFile read_plan_file(const std::string& path, GraphFiles files) {
  return read_plan(read_file(path), path, files);
}

std::string write_plan(const PlanFile& file, const PlanFormat& format) {
  std::string out;
  const auto writer = format.writer(file, [&out](std::string_view part) { out += part; });
  file.plan.replay(*writer);
  writer->finish();
  return out;
}

void write_plan_file(const std::string& path, const PlanFile& file) {
  write_plan_file(path, file, file.plan);
}

void write_plan_file(const std::string& path, const PlanHead& head, const Plan& plan) {
  const PlanFormat& format = plan_format_of(path);
  FileWriter out(path);
  const auto writer = format.writer(head, [&out](std::string_view part) { out.write(part); });
  plan.replay(*writer);
  writer->finish();
  out.commit();
}

}  // namespace quadrille
