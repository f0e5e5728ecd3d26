// The shape of the JSON form: which key may stand where, and what it holds. docs/plan_format.md in tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace quadrille::plan_json {

/// What a value may be: a set of bits.
inline constexpr unsigned kNumber = 1;  ///< a whole number, not negative
inline constexpr unsigned kReal = 2;
inline constexpr unsigned kText = 4;
inline constexpr unsigned kNull = 8;
inline constexpr unsigned kArray = 16;
inline constexpr unsigned kObject = 32;
inline constexpr unsigned kBoolean = 64;  ///< never wanted

/// The objects and arrays of the form.
enum class In : uint8_t {
  kFile,
  kRoot,
  kTopology,
  kEndpoints,
  kLinks,
  kLabels,
  kLink,
  kCollective,
  kCounts,
  kCount,
  kModel,
  kClaims,
  kBounds,
  kBound,
  kWitness,
  kWitnessCut,
  kWitnessInformed,
  kWitnessWeights,
  kWitnessTimes,
  kWitnessBetween,
  kWitnessOrder,
  kLinkWeights,
  kLinkWeight,
  kSenderWeights,
  kSenderWeight,
  kReceiverWeights,
  kReceiverWeight,
  kRefutation,
  kLemmas,
  kLemma,
  kSynchronisation,
  kBarriers,
  kSignals,
  kSignal,
  kPriorities,
  kPriority,
  kSteps,
  kStep,
  kTransfer,
  kPath,
  kFromSlots,
  kBlocks,
  kBlock,
  kNowhere,  ///< of a value that holds no others
};

/// The values.
enum class Key : uint8_t {
  kNone,
  kFormat,
  kVersion,
  kTopology,
  kCollective,
  kModel,
  kAlgorithm,
  kSteps,
  kSpec,
  kNodes,
  kEndpoint,
  kLinkNumber,
  kLabel,
  kKind,
  kRootNode,
  kPieces,
  kCountNumber,
  kSendPorts,
  kReceivePorts,
  kSwitching,
  kPackets,
  kOperator,
  kChunks,
  kDuplex,
  kRouting,
  kQueues,
  kQueuesPer,
  kTs,
  kTx,
  kTl,
  kRho,
  kMessageOverhead,
  kTimeUnit,
  kClaimedSteps,
  kClaimedStartUps,
  kClaimedBusiestLink,
  kClaimedCriticalBlocks,
  kBoundName,
  kBoundValue,
  kWitnessKind,
  kCutNode,
  kWitnessNode,
  kWitnessSends,
  kInformedNumber,
  kTime,
  kBetweenNode,
  kOrderNumber,
  kWeightNumber,
  kRefutedSteps,
  kLiteral,
  kApart,
  kBarrier,
  kSignalFrom,
  kSignalAfter,
  kSignalTo,
  kSignalBefore,
  kPriorityStep,
  kPriorityLevel,
  kPriorityFrom,
  kPriorityTo,
  kPathNode,
  kBlockPart,
  kOp,
  kFromSlot,
  kToSlot,
};

/// One key of an object, or the elements of an array.
struct Rule {
  std::string_view word;  ///< empty: every element of an array
  Key key = Key::kNone;
  unsigned types = 0;
  In inside = In::kNowhere;
  bool required = false;
};

/// What may stand in an object or an array.
[[nodiscard]] std::span<const Rule> rules_of(In in);

/// "a number or null".
[[nodiscard]] std::string name_of_types(unsigned types);

/// A number that must fit an id; an InputError, without a place, says of what it is the number.
[[nodiscard]] uint32_t small_number(uint64_t value, std::string_view what);

}  // namespace quadrille::plan_json
