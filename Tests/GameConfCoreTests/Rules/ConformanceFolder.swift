// Locates the conformance data of other projects.

import FoundationEssentials
import GameConfCore

/// The folder of conformance data, from `GAMECONF_CONFORMANCE`. If it is not set, the tests that need it are skipped with a message.
enum ConformanceFolder {
  static let path: String? = {
    let path = ProcessInfo.processInfo.environment["GAMECONF_CONFORMANCE"]
    if path == nil { print("GAMECONF_CONFORMANCE is not set: the conformance suites of JsonLogic and flagd are NOT run") }
    return path
  }()

  static let isThere = path != nil

  /// Parses a file of the folder as JSON.
  static func json(_ name: String) throws -> Value {
    try value(text(name))
  }

  /// Parses a file of the folder as JSON, after quoting a number that exceeds 64 bits.
  static func json(_ name: String, asText number: String, forName member: String) throws -> Value {
    try value(text(name).replacing("\"\(member)\": \(number)", with: "\"\(member)\": \"\(number)\""))
  }

  private static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path ?? "").appending(path: name)), as: UTF8.self)
  }

  private static func value(_ text: String) throws -> Value {
    try JSONReader.value(from: text, limits: JSONLimits(depthMax: 256, bytesMax: 1 << 24))
  }
}
