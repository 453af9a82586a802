// Compares the JSON of requests and answers, and their schemas, with the recorded ones in Tests/Fixtures.

import Foundation
import GameConfAPI
import GameConfCore
import Testing

@Suite("The JSON of requests and answers, compared with recorded fixtures")
struct WireFormatTests {
  @Test("every sample is written byte for byte as in Tests/Fixtures/wire-bodies.txt")
  func bodies() throws {
    let expected = try Self.fixture("wire-bodies.txt").split(separator: "\n").map(String.init)
    let written = Samples.every.map { "\(type(of: $0).schemaName) \(JSONWriter.text($0.wire))" }
    if let folder = ProcessInfo.processInfo.environment["GAMECONF_RECORD"] {
      try Data((written.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + "/wire-bodies.txt"))
    }
    #expect(written.count == expected.count)
    for (left, right) in zip(written, expected) { #expect(left == right) }
  }

  @Test("every component schema is compatible with Tests/Fixtures/wire-schemas.json, apart from descriptions")
  func schemas() throws {
    let present = OpenAPIDocument.build(version: "1", endpoints: [])["components"]?["schemas"] ?? .null
    if let folder = ProcessInfo.processInfo.environment["GAMECONF_RECORD"] {
      try Data(JSONWriter.text(present, pretty: true).utf8).write(to: URL(filePath: folder + "/wire-schemas.json"))
    }
    let expected = try JSONReader.value(from: Array(Self.fixture("wire-schemas.json").utf8))
    #expect(present.object.names == expected.object.names)
    for name in expected.object.names {
      let (left, right) = (Self.bare(present[name] ?? .null), Self.bare(expected[name] ?? .null))
      #expect(left == right, "\(name)")
    }
  }

  private static func fixture(_ name: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(decoding: Data(contentsOf: tests.appending(path: "Fixtures/\(name)")), as: UTF8.self)
  }

  /// Returns a schema without its descriptions, and with the names of its required members sorted.
  private static func bare(_ schema: Value, isNames: Bool = false) -> Value {
    switch schema {
    case .object(let object):
      var bare = ObjectValue()
      for member in object.members where isNames || member.name != "description" {
        if member.name == "required", let names = member.value.listValue?.compactMap(\.stringValue) {
          bare[member.name] = .list(names.sorted().map(Value.string))
        } else {
          bare[member.name] = self.bare(member.value, isNames: member.name == "properties" && !isNames)
        }
      }
      return .object(bare)
    case .list(let elements): return .list(elements.map { bare($0) })
    default: return schema
    }
  }
}
