// Runs evaluators of other projects in a Python that the environment names.

import GameConfCore
import Glibc
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
    var template = Array("/tmp/gameconf-oracle-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { for name in ["/in", "/out", ""] { remove(folder + name) } }
    let file = try #require(fopen(folder + "/in", "w"))
    for question in questions {
      var line: [UInt8] = []
      JSONWriter.append(question, to: &line)
      line.append(UInt8(ascii: "\n"))
      try #require(fwrite(line, 1, line.count, file) == line.count)
    }
    try #require(fclose(file) == 0)
    try #require(system("\(command ?? "false") < \(folder)/in > \(folder)/out") == 0)
    return try Self.lines(of: folder + "/out").map { try JSONReader.value(from: $0) }
  }

  private static func lines(of path: String) throws -> [[UInt8]] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
  }
}
