// The compiled form of a JsonLogic expression: immutable arrays of nodes and operands, which all evaluations share.

/// A node of a compiled expression: an operation with its operands and a payload.
struct LogicNode: Sendable {
  var operation: LogicOperation
  /// A number whose meaning depends on the operation. It is the index of a literal, path, attribute or parameter; 1 for `==` of a variable
  /// with itself; the index of a constant version relation plus one; or the version of `fractional`.
  var payload: Int32 = 0
  /// The index of the node's first operand in ``LogicProgram/operands``.
  var first: Int32 = 0
  /// The number of the node's operands, which follow each other in ``LogicProgram/operands``.
  var count: Int32 = 0
}

final class LogicProgram: Sendable {
  let source: Value
  let options: LogicOptions
  let reads: LogicDependencies
  let nodes: ContiguousArray<LogicNode>
  let operands: ContiguousArray<Int32>
  let literals: ContiguousArray<Value>
  let paths: ContiguousArray<LogicPath>
  let names: ContiguousArray<String>
  let root: Int32
  let readsTime: Bool
  let readsParameters: Bool
  /// The times in seconds since 1970 at which the passing of time may change the result, ascending; nil if they cannot be determined.
  let timeEdges: [Int64]?

  init(compiled compiler: LogicCompiler, source: Value, root: Int32) {
    self.source = source
    self.options = compiler.options
    self.reads = compiler.reads
    self.readsTime = compiler.reads.time
    self.readsParameters = !compiler.reads.parameters.isEmpty
    self.timeEdges = compiler.timeEdges
    self.nodes = compiler.nodes
    self.operands = compiler.operands
    self.literals = compiler.literals
    self.paths = compiler.paths
    self.names = compiler.names
    self.root = root
  }

  /// True if the result may depend on the flag's key: the expression reads `$flagd.flagKey`, or `fractional` hashes the key with the
  /// `targetingKey`.
  var readsFlagKey: Bool {
    nodes.contains { node in
      switch node.operation {
      case .flagKey, .flagd, .wholeContext: true
      case .fractional: node.count > 0 && nodes[Int(operand(node, 0))].operation == .list
      default: false
      }
    }
  }

  @inline(__always)
  func operand(_ node: LogicNode, _ at: Int32) -> Int32 { operands[Int(node.first &+ at)] }
}

/// The path to a value that `var` reads, such as `pie.filling`, `1.1` or `name.length`.
struct LogicPath: Sendable, Hashable {
  struct LogicPathSegment: Sendable, Hashable {
    let name: String
    /// The segment as an index into a list or text; -1 if the segment is not a number.
    let index: Int
  }

  let text: String
  let segments: [LogicPathSegment]

  init(_ text: String) {
    self.text = text
    segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { part in
      let name = String(Substring(part))
      return LogicPathSegment(name: name, index: Self.index(name))
    }
  }

  /// Returns the index that a segment denotes by digits without a leading zero; -1 for any other segment.
  private static func index(_ name: String) -> Int {
    guard let number = Int(name), number >= 0, String(number) == name else { return -1 }
    return number
  }

  /// Returns the value that the path selects inside a value; nil if there is no such value.
  /// - Parameter start: The index of the first segment to follow.
  func value(in data: Value, from start: Int = 0) -> Value? {
    var found = data
    for at in start..<segments.count {
      let segment = segments[at]
      switch found {
      case .object(let object):
        guard let member = object[segment.name] else { return nil }
        found = member
      case .list(let elements):
        if segment.name == "length" {
          found = .integer(Int64(elements.count))
        } else {
          guard segment.index >= 0, segment.index < elements.count else { return nil }
          found = elements[segment.index]
        }
      case .string(let text):
        let scalars = text.unicodeScalars
        if segment.name == "length" {
          found = .integer(Int64(scalars.count))
        } else {
          guard segment.index >= 0, let place = scalars.index(scalars.startIndex, offsetBy: segment.index, limitedBy: scalars.endIndex),
            place < scalars.endIndex
          else { return nil }
          found = .string(String(scalars[place]))
        }
      default:
        return nil
      }
    }
    return found
  }
}
