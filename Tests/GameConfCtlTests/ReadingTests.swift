// The parsing of typed values and windows.

import GameConfAPI
import GameConfCore
import Glibc
import Testing

@testable import gameconfctl

@Suite("Values typed on a command line")
struct ValueTextTests {
  @Test(
    "a value on the command line is parsed by the key's declared type",
    arguments: [
      ("true", .boolean, true), ("yes", .boolean, true), ("5", .integer, 5), ("2.5", .integer, 2.5),
      ("-9223372036854775808", .integer, .integer(.min)),
      ("five", .integer, "five"), ("4", .double, 4.0), ("2.50", .double, 2.5), ("1e3", .double, 1000.0), ("NaN", .double, "NaN"),
      ("true", .double, "true"), ("true", .string, "true"), ("5", .string, "5"), ("", .string, ""), ("@x", .string, "@x"),
      ("[1, 2.0]", .list, [1, 2.0]), (#"{"a": 1}"#, .object, ["a": 1]), ("Bonjour", .localized, "Bonjour"),
      (#"{"en": "x"}"#, .localized, ["en": "x"]),
    ] as [(String, ParameterType, Value)])
  func typed(text: String, type: ParameterType, value: Value) throws {
    #expect(try ValueText.value(text, type: type) == value)
  }

  @Test("a number out of its type's range is refused", arguments: [("9223372036854775808", ParameterType.integer), ("1e400", .double)])
  func tooGreat(text: String, type: ParameterType) {
    #expect(throws: CtlFailure.self) { try ValueText.value(text, type: type) }
  }

  @Test("the argument @FILE is read for lists and objects, and invalid JSON is reported with its position")
  func files() throws {
    let file = { (path: String) throws(CtlFailure) -> [UInt8] in
      #expect(path == "layout.json")
      return Array("[1".utf8)
    }
    #expect(throws: CtlFailure.self) { try ValueText.value("@layout.json", type: .list, file: file) }
    #expect(try ValueText.value("@layout.json", type: .object, file: { _ in Array("{}".utf8) }) == .object(ObjectValue()))
  }
}

@Suite("Time windows typed on a command line")
struct WindowTextTests {
  static let now = Instant(seconds: 1_000_000_000)

  @Test("--for counts from the time of the daemon's clock, or from --from")
  func lengths() throws {
    let plain = try WindowText(duration: "2h", from: nil, until: nil, now: Self.now)
    #expect(plain.from == nil)
    #expect(plain.until == Instant(seconds: 1_000_007_200))
    let later = try WindowText(duration: "90s", from: "2026-12-01T00:00:00Z", until: nil, now: Self.now)
    #expect(later.until == later.from?.adding(milliseconds: 90_000))
    let relative = try WindowText(duration: nil, from: "+10m", until: "+1h", now: Self.now)
    #expect(relative.from == Instant(seconds: 1_000_000_600))
    #expect(relative.until == Instant(seconds: 1_000_003_600))
    // Now is 2001-09-09T01:46:40Z. The window must end in the evening of the day on which it begins.
    let evening = try WindowText(duration: nil, from: "tomorrow 9:00", until: "18:00", now: Self.now, zone: .utc)
    #expect(evening.from?.text == "2001-09-10T09:00:00Z" && evening.until?.text == "2001-09-10T18:00:00Z")
  }

  @Test(
    "an invalid time window is a usage error",
    arguments: [
      ("0s", nil, nil), ("2h", nil, "2026-12-01T00:00:00Z"), (nil, "2026-12-01T00:00:00Z", nil), ("-1h", nil, nil), ("soon", nil, nil),
      (nil, "2026-12-02T00:00:00Z", "2026-12-01T00:00:00Z"), (nil, nil, "someday"), (nil, "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
      ("9999999w", nil, nil),
    ] as [(String?, String?, String?)])
  func refused(duration: String?, from: String?, until: String?) {
    let failure = #expect(throws: CtlFailure.self) { try WindowText(duration: duration, from: from, until: until, now: Self.now) }
    #expect(failure?.status == .usage)
  }
}

@Suite("The choice of the socket")
struct SocketChoiceTests {
  private func paths(_ candidates: [SocketChoice.Candidate]) -> [String] { candidates.map(\.path) }

  @Test("with --socket only that socket is tried")
  func option() {
    let choice = SocketChoice(option: "/x.sock", environment: ["GAMECONF_SOCKET": "/y.sock"])
    #expect(choice.candidates == [SocketChoice.Candidate(kind: nil, path: "/x.sock")])
  }

  @Test("the environment variable of one socket determines the folder of both, so that two daemons are never mixed")
  func folder() {
    let games = SocketChoice(option: nil, environment: ["GAMECONF_SOCKET": "/d/games.sock", "XDG_RUNTIME_DIR": "/run/user/1"])
    #expect(paths(games.candidates) == ["/d/admin.sock", "/d/games.sock"])
    let admin = SocketChoice(option: nil, environment: ["GAMECONF_ADMIN_SOCKET": "/d/a", "GAMECONF_SOCKET": ""])
    #expect(paths(admin.candidates) == ["/d/a", "/d/games.sock"])
  }

  @Test("without an environment variable the system's sockets are tried first, and then the user's")
  func places() {
    let choice = SocketChoice(option: nil, environment: ["XDG_RUNTIME_DIR": "/run/user/1"])
    #expect(
      paths(choice.candidates) == [
        "/run/gameconfd/admin.sock", "/run/gameconfd/games.sock", "/run/user/1/gameconfd/admin.sock", "/run/user/1/gameconfd/games.sock",
      ])
  }
}

@Suite("Sets of overrides in files")
struct OverrideFileTests {
  @Test("only keys of a property list that begin with rc.override. are imported, by their declared types")
  func propertyList() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>rc.override.speed</key><integer>4</integer>
      <key>rc.override.lives</key><real>5</real>
      <key>rc.override.sound</key><integer>1</integer>
      <key>rc.override.unknown</key><string>x</string>
      <key>lastLaunch</key><date>2026-01-01T00:00:00Z</date>
      </dict></plist>
      """
    let members = try OverrideFile.members(ofPropertyList: Array(text.utf8), path: "p")
    let rows = try OverrideFile.rows(of: members, path: "p", declared: Sample.config)
    #expect(
      rows == [
        ImportRow(key: "lives", value: 5), ImportRow(key: "sound", value: true), ImportRow(key: "speed", value: 4.0),
        ImportRow(key: "unknown", value: "x"),
      ])
  }

  @Test("a property list without keys for overrides, and an export of another game, are refused")
  func refused() {
    #expect(throws: CtlFailure.self) { try OverrideFile.rows(of: ObjectValue([("a", 1)]), path: "p", declared: Sample.config) }
    #expect(throws: CtlFailure.self) {
      try OverrideFile.request(ofJSON: Array(#"{"game": "other", "overrides": []}"#.utf8), path: "p", game: "g")
    }
    #expect(throws: CtlFailure.self) { try OverrideFile.request(ofJSON: Array("{".utf8), path: "p", game: "g") }
  }
}

@Suite("Listing folders")
struct FolderNameTests {
  @Test("file names of the greatest length are listed whole, and hidden files are not listed")
  func longNames() throws {
    let path = "/tmp/gameconfctl-names-\(getpid())"
    #expect(mkdir(path, 0o700) == 0)
    let names = ["a", String(repeating: "n", count: 255), String(repeating: "é", count: 127)]
    defer {
      for name in names + [".hidden"] { unlink(path + "/" + name) }
      rmdir(path)
    }
    for name in names + [".hidden"] {
      let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT, 0o600)
      #expect(descriptor >= 0)
      close(descriptor)
    }
    #expect(try FileBytes.names(in: path) == names.sorted())
  }
}

@Suite("Exported overrides")
struct ExportTests {
  @Test("config export escapes a player's id that would reorder a terminal's line, and the document has the same value")
  func escaped() async throws {
    let player = "p\u{202E}1"
    var answer = ExportAnswer(
      game: "g", revision: 3, exportedAt: Instant(seconds: 0),
      overrides: [
        WireOverride(key: "speed", player: player, value: "\u{9B}2J", author: Sample.author, at: Instant(seconds: 0), revision: 3)
      ])
    answer.omitted = [ExportOmission(key: "token", player: player, because: .secret)]
    let outcome = await run("config", "export", "g", admin: RecordedDaemon(["GET /v1/games/g/overrides/export": .json(answer)]))
    #expect(outcome.status == 0)
    for text in [outcome.out, outcome.err] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{9B}" }, "\(text.debugDescription)")
    }
    #expect(try JSONReader.value(from: outcome.out.utf8) == answer.wire)
    #expect(outcome.err.contains("p\\u{202E}1"))
  }
}
