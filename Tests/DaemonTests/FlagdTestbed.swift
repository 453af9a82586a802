// A parser of the Gherkin features in flagd's testbed for evaluators.

import GameConfCore
import Glibc
import Testing

/// One scenario with its examples filled in.
struct TestbedScenario: Sendable, CustomStringConvertible {
  struct Step: Sendable {
    var text: String
    var table: [[String]] = []
  }

  var feature: String
  var name: String
  var tags: Set<String>
  var example: [String]
  var steps: [Step]

  var description: String { "\(feature): \(name) \(example)" }
}

enum FlagdTestbed {
  /// The folder `evaluator` of flagd's testbed in the conformance data; prints a note and is nil if it does not exist.
  static let folder: String? = {
    let path = getenv("GAMECONF_CONFORMANCE").map { String(cString: $0) + "/flagd/evaluator" }
    if let path, access(path + "/gherkin", R_OK) == 0 { return path }
    print("GAMECONF_CONFORMANCE has no flagd/evaluator: the features of flagd's testbed are NOT run")
    return nil
  }()

  /// Returns the scenarios of all features, in the order of the files' names.
  static func scenarios() throws -> [TestbedScenario] {
    let folder = try #require(folder) + "/gherkin"
    return try TemporaryFolder.names(in: folder).filter { $0.hasSuffix(".feature") }.sorted().flatMap { name in
      let bytes = try #require(TemporaryFolder.read(folder + "/" + name))
      return scenarios(in: String(decoding: bytes, as: UTF8.self), of: String(name.dropLast(8)))
    }
  }

  /// The part of a feature that is being parsed: background steps, a scenario's steps, or rows of examples.
  private enum Part { case background, steps, examples }

  static func scenarios(in text: String, of feature: String) -> [TestbedScenario] {
    var (background, outlines): ([TestbedScenario.Step], [TestbedScenario]) = ([], [])
    var examples: [[(tags: Set<String>, rows: [[String]])]] = []
    var (tags, part): (Set<String>, Part) = ([], .background)
    for line in text.split(separator: "\n").map({ $0.trimmingPrefix(while: \.isWhitespace) }) where !line.hasPrefix("#") {
      if line.hasPrefix("@") {
        tags.formUnion(line.split(separator: " ").map(String.init))
      } else if line.hasPrefix("Feature:") || line.hasPrefix("Background:") {
        (tags, part) = ([], .background)
      } else if let match = line.wholeMatch(of: /Scenario(?: Outline)?: (.*)/) {
        outlines.append(TestbedScenario(feature: feature, name: String(match.1), tags: tags, example: [], steps: []))
        examples.append([])
        (tags, part) = ([], .steps)
      } else if line.hasPrefix("Examples:") {
        examples[examples.count - 1].append((tags, []))
        (tags, part) = ([], .examples)
      } else if line.hasPrefix("|") {
        add(row: cells(of: line), to: part, &background, &outlines, &examples)
      } else if let match = line.wholeMatch(of: /(?:Given|When|Then|And|But) (.*)/) {
        let step = TestbedScenario.Step(text: String(match.1))
        if part == .background { background.append(step) } else { outlines[outlines.count - 1].steps.append(step) }
      }
    }
    return zip(outlines, examples).flatMap { filled($0, with: $1, after: background) }
  }

  private static func add(
    row: [String], to part: Part, _ background: inout [TestbedScenario.Step], _ outlines: inout [TestbedScenario],
    _ examples: inout [[(tags: Set<String>, rows: [[String]])]]
  ) {
    switch part {
    case .background: background[background.count - 1].table.append(row)
    case .steps:
      let last = outlines.count - 1
      outlines[last].steps[outlines[last].steps.count - 1].table.append(row)
    case .examples:
      let last = examples.count - 1
      examples[last][examples[last].count - 1].rows.append(row)
    }
  }

  private static func cells(of line: Substring) -> [String] {
    let masked = line.replacing("\\|", with: "\u{1}")
    return masked.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
      String(cell.trimmingPrefix(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()).replacing("\u{1}", with: "|")
    }
  }

  private static func filled(
    _ outline: TestbedScenario, with examples: [(tags: Set<String>, rows: [[String]])], after background: [TestbedScenario.Step]
  ) -> [TestbedScenario] {
    var whole = outline
    whole.steps = background + outline.steps
    if examples.isEmpty { return [whole] }
    return examples.flatMap { table in
      table.rows.dropFirst().map { row in
        var scenario = whole
        scenario.tags.formUnion(table.tags)
        scenario.example = row
        for (name, text) in zip(table.rows[0], row) {
          for at in scenario.steps.indices { scenario.steps[at].text = scenario.steps[at].text.replacing("<\(name)>", with: text) }
        }
        return scenario
      }
    }
  }
}
