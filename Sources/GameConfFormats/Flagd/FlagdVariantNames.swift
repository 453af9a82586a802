// Finds variants that a flag's targeting names although the flag does not have them.

import GameConfCore

extension FlagDefinition {
  /// The constant results of the flag's targeting that name no variant, in order and without duplicates. Computed results are ignored.
  var unknownVariants: [String] {
    var names: [String] = []
    for name in targeting.map({ Self.results($0.source) }) ?? [] where variants[name] == nil && !names.contains(name) { names.append(name) }
    return names
  }

  private static func results(_ rule: Value) -> [String] {
    switch rule {
    case .string(let name): return [name]
    case .bool(let flag): return [flag ? "true" : "false"]
    case .object(let members):
      guard members.count == 1, let operation = members.members.first, let arguments = operation.value.listValue else { return [] }
      switch operation.name {
      case "if":
        return arguments.enumerated().flatMap { at, argument in
          at % 2 == 1 || at == arguments.count - 1 ? results(argument) : []
        }
      case "fractional": return arguments.compactMap { $0.listValue?.first }.flatMap(results)
      default: return []
      }
    case .null, .integer, .double, .list: return []
    }
  }
}
