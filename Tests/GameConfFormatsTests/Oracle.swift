// Runs evaluators of other projects as Python programs, so that tests can compare results.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// An evaluator of another project, as a Python program. The program reads one JSON value on each line, and writes its answer as one line.
///
/// `GAMECONF_ORACLE_PYTHON` is a Python that has the programs' requirements. `GAMECONF_CONFORMANCE` is the folder of the conformance data,
/// which has the programs. Optional are `GAMECONF_ORACLE_CASES` (default 20 000) and `GAMECONF_ORACLE_SEED` (default 1).
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

  /// Returns the program's answers to these questions, in their order.
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
