// Runs evaluators of other projects in a Python that the environment names.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// An oracle of the conformance data: a program that reads one JSON value per line and writes one per line.
///
/// `GAMECONF_ORACLE_PYTHON` is a Python with the oracles' requirements, `GAMECONF_CONFORMANCE` the folder of the data. Optional are
/// `GAMECONF_ORACLE_CASES` (20 000) and `GAMECONF_ORACLE_SEED` (1).
struct Oracle: Sendable {
  private let command: String?

  init(_ file: String, called name: String) {
    guard let python = Self.setting("GAMECONF_ORACLE_PYTHON"), let folder = Self.setting("GAMECONF_CONFORMANCE") else {
      print("GAMECONF_ORACLE_PYTHON or GAMECONF_CONFORMANCE is not set: the comparison with \(name) is NOT run")
      command = nil
      return
    }
    command = "PYTHONUTF8=1 '\(python)' '\(folder)/oracles/\(file)'"
  }

  var isThere: Bool { command != nil }

  static func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  static var cases: Int { setting("GAMECONF_ORACLE_CASES").flatMap(Int.init) ?? 20_000 }
  static var seed: UInt64 { setting("GAMECONF_ORACLE_SEED").flatMap(UInt64.init) ?? 1 }

  /// Returns the answers to questions, in their order.
  func answers(to questions: [Value]) throws -> [Value] {
    let folder = try TemporaryFolder()
    var lines: [UInt8] = []
    for question in questions {
      JSONWriter.append(question, to: &lines)
      lines.append(UInt8(ascii: "\n"))
    }
    try folder.write(lines, to: "in")
    try #require(system("\(command ?? "false") < \(folder.path)/in > \(folder.path)/out") == 0)
    return try folder.read("out").split(separator: UInt8(ascii: "\n")).map { try JSONReader.value(from: Array($0)) }
  }
}
