// Describes syntax trees of two YAML parsers as text, so that they can be compared, and generates random YAML documents.

import TestSupport
import Yams

@testable import GameConfFormats

/// Returns a syntax tree as one line: lists in [ ], mappings in { }, scalars in « ».
func shown(_ node: YAMLNode) -> String {
  switch node.content {
  case .scalar(let text, _): "«\(text)»"
  case .list(let elements): "[" + elements.map(shown).joined(separator: ",") + "]"
  case .mapping(let entries): "{" + entries.map { "«\($0.name)»:" + shown($0.value) }.joined(separator: ",") + "}"
  case .refused: "refused"
  }
}

/// Returns libYAML's syntax tree in the same notation.
func shown(_ node: Yams.Node) -> String {
  switch node {
  case .scalar(let scalar): "«\(scalar.string)»"
  case .sequence(let sequence): "[" + sequence.map { shown($0) }.joined(separator: ",") + "]"
  case .mapping(let mapping): "{" + mapping.map { shown($0.key) + ":" + shown($0.value) }.joined(separator: ",") + "}"
  case .alias: "alias"
  }
}

/// Returns the syntax tree that the project's parser reads from the text; nil if the text has a fault.
func ourTree(_ text: String) -> String? {
  var faults: [TextFault] = []
  let text = YAMLText(Array(text.utf8), file: 0, faults: &faults)
  var parser = YAMLParser(text)
  let root = parser.document()
  return faults.isEmpty && parser.faults.isEmpty ? root.map { shown($0) } ?? "empty" : nil
}

/// Returns the syntax tree that libYAML reads from the text; nil if libYAML rejects the text.
func theirTree(_ text: String) -> String? {
  do {
    return try Yams.compose(yaml: text).map { shown($0) } ?? "empty"
  } catch {
    return nil
  }
}

/// A generator of random YAML documents in every style that catalogs may use.
struct YAMLDocuments {
  var numbers: SeededGenerator

  private static let words = [
    "a", "grid", "5", "1.5", "it's", "x y", "http://a.b", "a#b", "true", "~", "-1", "né", "a:b", "a-b", "?q", "-x",
  ]

  mutating func document() -> String { block(depth: 0, indent: "") }

  private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int(numbers.next() % UInt64(choices.count))] }

  private mutating func block(depth: Int, indent: String) -> String {
    var text = ""
    let isList = pick([true, false, false])
    for count in 0..<Int(numbers.next() % 4 + 1) {
      if pick([true, false, false, false]) { text += pick(["\n", indent + "# a comment\n", "#c\n"]) }
      text += indent + (isList ? "-" : pick(["k\(count)", "\"k \(count)\"", "'k''\(count)'", "k \(count)"]) + ":")
      switch Int(numbers.next() % (depth < 4 ? 7 : 5)) {
      case 0: text += "\n"
      case 1: text += " " + pick(Self.words) + pick(["", " # c", "  "]) + "\n"
      case 2: text += " " + flow(depth: depth) + pick(["", " # c"]) + "\n"
      case 3: text += " " + quoted(indent) + "\n"
      case 4: text += " " + blockScalar(indent + "  ") + "\n"
      default: text += "\n" + block(depth: depth + 1, indent: indent + pick(["  ", " ", "    "]))
      }
    }
    return text
  }

  private mutating func flow(depth: Int) -> String {
    let space = pick(["", " ", "\n      "])
    if depth > 5 || pick([true, false]) { return pick(["w", "\"q, ]\"", "'s'", "5", "two words"]) }
    if pick([true, false]) { return "[" + space + flow(depth: depth + 1) + "," + space + " " + flow(depth: depth + 1) + space + "]" }
    return "{" + space + "a: " + flow(depth: depth + 1) + ", \"b\":" + space + flow(depth: depth + 1) + pick([",", ""]) + "}"
  }

  private mutating func quoted(_ indent: String) -> String {
    pick([
      "\"a\\nb\"", "\"\\u00e9 \\\"q\\\" \\x41\"", "'it''s'", "\"two\n\(indent)    lines\"", "'two\n\n\(indent)  paras'", "\"\"", "''",
      "\"esc \\\n\(indent)  aped\"", "\"# no comment: here\"",
    ])
  }

  private mutating func blockScalar(_ indent: String) -> String {
    let sign = pick(["|", ">", "|-", ">-", "|+", ">+"])
    let lines = (0..<Int(numbers.next() % 4 + 1)).map { line in
      line > 0 && pick([true, false, false]) ? "" : indent + (line > 0 ? pick(["", "", "  "]) : "") + pick(["text", "a: b", "# x", "- y"])
    }
    return sign + "\n" + lines.joined(separator: "\n")
  }
}
