// The arguments of a gate on the command line: `number=4`, `number=1..27`.

import GameConfAPI
import GameConfCore

enum GateArguments {
  /// Returns the sets of arguments that these words mean: one set, or one for each number of a range.
  /// - Parameter types: The types of the arguments that the gate declares, by name.
  static func sets(_ words: [String], types: ObjectValue) throws(CtlFailure) -> [ObjectValue] {
    var sets = [ObjectValue()]
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw .usage("\(word): arguments are written name=value")
      }
      let name = String(word[..<equals])
      let text = String(word[word.index(after: equals)...])
      if sets[0][name] != nil { throw .usage("\(name) is given more than once") }
      let values = try values(text, types[name]?.stringValue)
      guard sets.count * values.count <= GateRequest.checksMax else {
        throw .usage("these are more than \(GateRequest.checksMax) sets of arguments; split them into several calls")
      }
      sets = sets.flatMap { set in
        values.map { value in
          var set = set
          set[name] = value
          return set
        }
      }
    }
    return sets
  }

  private static func values(_ text: String, _ type: String?) throws(CtlFailure) -> [Value] {
    guard let type = type.flatMap(ParameterType.init) else { return [(try? JSONReader.value(from: text.utf8)) ?? .string(text)] }
    guard type == .integer, let range = range(text) else { return [try ValueText.value(text, type: type)] }
    let (more, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflows, more < Int64(GateRequest.checksMax) else {
      throw .usage("\(text) is more than \(GateRequest.checksMax) numbers; split them into several calls")
    }
    return range.map(Value.integer)
  }

  /// Parses a range of integers such as `1..27`; nil for any other text.
  private static func range(_ text: String) -> ClosedRange<Int64>? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let lower = Int64(parts[0]), let upper = Int64(parts[2]), lower <= upper else { return nil }
    return lower...upper
  }
}
