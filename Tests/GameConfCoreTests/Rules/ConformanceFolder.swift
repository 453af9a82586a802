// Where the conformance data of other projects stands, when it is there.

import FoundationEssentials
import GameConfCore

/// The conformance data named by `GAMECONF_CONFORMANCE`; tests that need it skip, and say so, when it is not set.
enum ConformanceFolder {
  static let path: String? = {
    let path = ProcessInfo.processInfo.environment["GAMECONF_CONFORMANCE"]
    if path == nil { print("GAMECONF_CONFORMANCE is not set: the conformance suites of JsonLogic and flagd are NOT run") }
    return path
  }()

  static let isThere = path != nil

  /// The JSON of one of its files.
  static func json(_ name: String) throws -> Value {
    try value(text(name))
  }

  /// The JSON of one of its files, with a number that no value holds put in quotes.
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
