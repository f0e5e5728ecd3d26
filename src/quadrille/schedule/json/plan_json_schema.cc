#include "quadrille/schedule/json/plan_json_schema.h"

#include <fmt/format.h>

#include <array>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"

namespace quadrille::plan_json {
namespace {

constexpr std::array kFileRules = {Rule{"", Key::kNone, kObject, In::kRoot}};
constexpr std::array kRootRules = {Rule{"format", Key::kFormat, kText, In::kNowhere, true},
                                   Rule{"version", Key::kVersion, kNumber, In::kNowhere, true},
                                   Rule{"topology", Key::kTopology, kObject, In::kTopology, true},
                                   Rule{"collective", Key::kCollective, kObject, In::kCollective, true},
                                   Rule{"model", Key::kModel, kObject, In::kModel},
                                   Rule{"algorithm", Key::kAlgorithm, kText | kNull},
                                   Rule{"claims", Key::kNone, kObject, In::kClaims},
                                   Rule{"bounds", Key::kNone, kArray, In::kBounds},
                                   Rule{"synchronisation", Key::kNone, kObject, In::kSynchronisation},
                                   Rule{"steps", Key::kSteps, kArray, In::kSteps, true}};
constexpr std::array kTopologyRules = {
    Rule{"spec", Key::kSpec, kText | kNull}, Rule{"nodes", Key::kNodes, kNumber},
    Rule{"endpoints", Key::kNone, kArray, In::kEndpoints}, Rule{"links", Key::kNone, kArray, In::kLinks},
    Rule{"labels", Key::kNone, kArray, In::kLabels}};
constexpr std::array kLabelsRules = {Rule{"", Key::kLabel, kText}};
constexpr std::array kEndpointsRules = {Rule{"", Key::kEndpoint, kNumber}};
constexpr std::array kLinksRules = {Rule{"", Key::kNone, kArray, In::kLink}};
constexpr std::array kLinkRules = {Rule{"", Key::kLinkNumber, kNumber}};
constexpr std::array kCollectiveRules = {
    Rule{"kind", Key::kKind, kText, In::kNowhere, true}, Rule{"root", Key::kRootNode, kNumber | kNull},
    Rule{"pieces", Key::kPieces, kNumber}, Rule{"counts", Key::kNone, kArray, In::kCounts}};
constexpr std::array kCountsRules = {Rule{"", Key::kNone, kArray, In::kCount}};
constexpr std::array kCountRules = {Rule{"", Key::kCountNumber, kNumber}};
constexpr std::array kModelRules = {Rule{"send_ports", Key::kSendPorts, kNumber | kText},
                                    Rule{"receive_ports", Key::kReceivePorts, kNumber | kText},
                                    Rule{"switching", Key::kSwitching, kText},
                                    Rule{"packets", Key::kPackets, kText},
                                    Rule{"duplex", Key::kDuplex, kText},
                                    Rule{"routing", Key::kRouting, kText},
                                    Rule{"operator", Key::kOperator, kText},
                                    Rule{"chunks", Key::kChunks, kText},
                                    Rule{"queues", Key::kQueues, kNumber},
                                    Rule{"queues_per", Key::kQueuesPer, kText},
                                    Rule{"ts", Key::kTs, kReal},
                                    Rule{"tx", Key::kTx, kReal},
                                    Rule{"tl", Key::kTl, kReal},
                                    Rule{"rho", Key::kRho, kReal},
                                    Rule{"to", Key::kMessageOverhead, kReal},
                                    Rule{"time", Key::kTimeUnit, kText}};
constexpr std::array kClaimsRules = {Rule{"steps", Key::kClaimedSteps, kNumber},
                                     Rule{"start_ups", Key::kClaimedStartUps, kNumber},
                                     Rule{"busiest_link", Key::kClaimedBusiestLink, kNumber},
                                     Rule{"critical_blocks", Key::kClaimedCriticalBlocks, kNumber}};
constexpr std::array kBoundsRules = {Rule{"", Key::kNone, kObject, In::kBound}};
constexpr std::array kBoundRules = {Rule{"name", Key::kBoundName, kText, In::kNowhere, true},
                                    Rule{"value", Key::kBoundValue, kNumber | kText, In::kNowhere, true},
                                    Rule{"witness", Key::kNone, kObject, In::kWitness}};
constexpr std::array kWitnessRules = {Rule{"cut", Key::kWitnessKind, kArray, In::kWitnessCut},
                                      Rule{"node", Key::kWitnessNode, kNumber},
                                      Rule{"informed", Key::kWitnessKind, kArray, In::kWitnessInformed},
                                      Rule{"weights", Key::kWitnessKind, kObject, In::kWitnessWeights},
                                      Rule{"refutation", Key::kWitnessKind, kObject, In::kRefutation},
                                      Rule{"times", Key::kWitnessKind, kArray, In::kWitnessTimes},
                                      Rule{"between", Key::kWitnessKind, kArray, In::kWitnessBetween},
                                      Rule{"order", Key::kWitnessKind, kArray, In::kWitnessOrder},
                                      Rule{"sends", Key::kWitnessSends, kNumber}};
constexpr std::array kWitnessCutRules = {Rule{"", Key::kCutNode, kNumber}};
constexpr std::array kWitnessInformedRules = {Rule{"", Key::kInformedNumber, kNumber}};
constexpr std::array kWitnessTimesRules = {Rule{"", Key::kTime, kNumber}};
constexpr std::array kWitnessBetweenRules = {Rule{"", Key::kBetweenNode, kNumber}};
constexpr std::array kWitnessOrderRules = {Rule{"", Key::kOrderNumber, kNumber}};
constexpr std::array kWitnessWeightsRules = {Rule{"links", Key::kNone, kArray, In::kLinkWeights},
                                             Rule{"senders", Key::kNone, kArray, In::kSenderWeights},
                                             Rule{"receivers", Key::kNone, kArray, In::kReceiverWeights}};
constexpr std::array kLinkWeightsRules = {Rule{"", Key::kNone, kArray, In::kLinkWeight}};
constexpr std::array kSenderWeightsRules = {Rule{"", Key::kNone, kArray, In::kSenderWeight}};
constexpr std::array kReceiverWeightsRules = {Rule{"", Key::kNone, kArray, In::kReceiverWeight}};
constexpr std::array kWeightRules = {Rule{"", Key::kWeightNumber, kNumber}};
constexpr std::array kRefutationRules = {Rule{"steps", Key::kRefutedSteps, kNumber, In::kNowhere, true},
                                         Rule{"lemmas", Key::kNone, kArray, In::kLemmas, true}};
constexpr std::array kLemmasRules = {Rule{"", Key::kNone, kArray, In::kLemma}};
constexpr std::array kLemmaRules = {Rule{"", Key::kLiteral, kNumber}};
constexpr std::array kSynchronisationRules = {Rule{"apart", Key::kApart, kText},
                                              Rule{"barriers", Key::kNone, kArray, In::kBarriers},
                                              Rule{"signals", Key::kNone, kArray, In::kSignals},
                                              Rule{"priorities", Key::kNone, kArray, In::kPriorities}};
constexpr std::array kBarriersRules = {Rule{"", Key::kBarrier, kNumber}};
constexpr std::array kSignalsRules = {Rule{"", Key::kNone, kObject, In::kSignal}};
constexpr std::array kSignalRules = {Rule{"from", Key::kSignalFrom, kNumber, In::kNowhere, true},
                                     Rule{"after_step", Key::kSignalAfter, kNumber, In::kNowhere, true},
                                     Rule{"to", Key::kSignalTo, kNumber, In::kNowhere, true},
                                     Rule{"before_step", Key::kSignalBefore, kNumber, In::kNowhere, true}};
constexpr std::array kPrioritiesRules = {Rule{"", Key::kNone, kObject, In::kPriority}};
constexpr std::array kPriorityRules = {Rule{"step", Key::kPriorityStep, kNumber, In::kNowhere, true},
                                       Rule{"level", Key::kPriorityLevel, kNumber, In::kNowhere, true},
                                       Rule{"from", Key::kPriorityFrom, kNumber},
                                       Rule{"to", Key::kPriorityTo, kNumber}};
constexpr std::array kStepsRules = {Rule{"", Key::kNone, kArray, In::kStep}};
constexpr std::array kStepRules = {Rule{"", Key::kNone, kObject, In::kTransfer}};
constexpr std::array kTransferRules = {
    Rule{"path", Key::kNone, kArray, In::kPath, true}, Rule{"blocks", Key::kNone, kArray, In::kBlocks, true},
    Rule{"op", Key::kOp, kText}, Rule{"from", Key::kNone, kArray, In::kFromSlots},
    Rule{"to", Key::kToSlot, kNumber}};
constexpr std::array kFromSlotsRules = {Rule{"", Key::kFromSlot, kNumber}};
constexpr std::array kPathRules = {Rule{"", Key::kPathNode, kNumber | kNull}};
constexpr std::array kBlocksRules = {Rule{"", Key::kNone, kArray, In::kBlock}};
constexpr std::array kBlockRules = {Rule{"", Key::kBlockPart, kNumber}};

}  // namespace

std::span<const Rule> rules_of(In in) {
  switch (in) {
    case In::kFile:
      return kFileRules;
    case In::kRoot:
      return kRootRules;
    case In::kTopology:
      return kTopologyRules;
    case In::kEndpoints:
      return kEndpointsRules;
    case In::kLinks:
      return kLinksRules;
    case In::kLabels:
      return kLabelsRules;
    case In::kLink:
      return kLinkRules;
    case In::kCollective:
      return kCollectiveRules;
    case In::kCounts:
      return kCountsRules;
    case In::kCount:
      return kCountRules;
    case In::kModel:
      return kModelRules;
    case In::kClaims:
      return kClaimsRules;
    case In::kBounds:
      return kBoundsRules;
    case In::kBound:
      return kBoundRules;
    case In::kWitness:
      return kWitnessRules;
    case In::kWitnessCut:
      return kWitnessCutRules;
    case In::kWitnessInformed:
      return kWitnessInformedRules;
    case In::kWitnessWeights:
      return kWitnessWeightsRules;
    case In::kWitnessTimes:
      return kWitnessTimesRules;
    case In::kWitnessBetween:
      return kWitnessBetweenRules;
    case In::kWitnessOrder:
      return kWitnessOrderRules;
    case In::kLinkWeights:
      return kLinkWeightsRules;
    case In::kSenderWeights:
      return kSenderWeightsRules;
    case In::kReceiverWeights:
      return kReceiverWeightsRules;
    case In::kLinkWeight:
    case In::kSenderWeight:
    case In::kReceiverWeight:
      return kWeightRules;
    case In::kRefutation:
      return kRefutationRules;
    case In::kLemmas:
      return kLemmasRules;
    case In::kLemma:
      return kLemmaRules;
    case In::kSynchronisation:
      return kSynchronisationRules;
    case In::kBarriers:
      return kBarriersRules;
    case In::kSignals:
      return kSignalsRules;
    case In::kSignal:
      return kSignalRules;
    case In::kPriorities:
      return kPrioritiesRules;
    case In::kPriority:
      return kPriorityRules;
    case In::kSteps:
      return kStepsRules;
    case In::kStep:
      return kStepRules;
    case In::kTransfer:
      return kTransferRules;
    case In::kPath:
      return kPathRules;
    case In::kFromSlots:
      return kFromSlotsRules;
    case In::kBlocks:
      return kBlocksRules;
    case In::kBlock:
      return kBlockRules;
    case In::kNowhere:
      break;
  }
  return {};
}

std::string name_of_types(unsigned types) {
  constexpr std::array kNames = {
      "a whole number from 0", "a number", "a text", "null", "an array", "an object", "true or false"};
  std::string out;
  for (size_t i = 0; i < kNames.size(); ++i) {
    if ((types >> i & 1U) == 0) continue;
    out += out.empty() ? kNames[i] : fmt::format(" or {}", kNames[i]);
  }
  return out;
}

uint32_t small_number(uint64_t value, std::string_view what) {
  if (value >= kMaxIds) throw InputError(fmt::format("{} is at most {}, not {}", what, kMaxIds - 1, value));
  return static_cast<uint32_t>(value);
}

}  // namespace quadrille::plan_json
