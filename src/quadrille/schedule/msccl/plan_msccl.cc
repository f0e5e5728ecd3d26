// The plan form of MSCCL's XML. It is read only: GPUs' programs are written from schedules (exporters/msccl.cc).
#include <array>

#include "quadrille/schedule/msccl/msccl_room.h"
#include "quadrille/schedule/msccl/msccl_steps.h"
#include "quadrille/schedule/plan_format.h"

namespace quadrille::plan_formats {
namespace msccl_parts {
namespace {

constexpr std::array kExtensions = {std::string_view(".xml")};

bool recognises(std::string_view start) {
  return start.starts_with('<') && start.substr(0, 4096).find("<algo") != std::string_view::npos;
}

PlanFile read(std::string_view text, std::string_view source, GraphFiles, PlanListener*) {
  const msccl::File file = msccl::read_file_of(text, source);
  PlanFile out = msccl::plan_of(file, text, source);
  msccl::require_room(file, text, source);
  return out;
}

}  // namespace
}  // namespace msccl_parts

extern const PlanFormat msccl;

const PlanFormat msccl{.name = "msccl",
                       .extensions = msccl_parts::kExtensions,
                       .readers = "GPUs",
                       .recognises = msccl_parts::recognises,
                       .read = msccl_parts::read};

}  // namespace quadrille::plan_formats
