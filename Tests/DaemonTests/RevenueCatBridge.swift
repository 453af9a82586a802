// A bridge with a game's key, through which RevenueCat's own library for JavaScript uses a daemon.

import GameConfCore
import Glibc
import Testing

/// The programs and files that RevenueCat's library needs, if they are available.
enum RevenueCatLibrary {
  /// The bundled library in the folder that `GAMECONF_CLIENTS` names.
  static let bundle: String? = getenv("GAMECONF_CLIENTS").map { String(cString: $0) + "/revenuecat-js/purchases.cjs" }.flatMap {
    access($0, R_OK) == 0 ? $0 : nil
  }
  /// The path of node; version 18 or later, which has `fetch`.
  static let node: String? = {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").map { $0 + "/node" }.first { access($0, X_OK) == 0 }
  }()

  static var isThere: Bool { bundle != nil && node != nil }
}

/// `gameconfctl bridge --revenuecat`, which runs as long as a test.
final class RevenueCatBridge {
  static let key = "test_0123456789abcdef0123456789abcdef"

  let daemon: RunningDaemon
  let port: Int
  private let process: ChildProcess

  init(_ daemon: RunningDaemon, game: String, arguments: [String] = []) throws {
    self.daemon = daemon
    try daemon.folder.write(Self.key + "\n", to: "key-\(game)")
    process = try ChildProcess(
      Built.control, ["bridge", "--revenuecat", "\(game)=\(daemon.folder.path)/key-\(game)"] + arguments,
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    let line = try #require(process.waitForLine(containing: "proxy URL")?.last)
    port = try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)")
  }

  deinit { process.signal(SIGKILL) }

  var base: String { "http://127.0.0.1:\(port)" }

  /// Sends a request with curl.
  func curl(_ path: String, _ arguments: String...) throws -> (status: Int, body: Value, text: String) {
    let words = ["-s", "-w", "\n%{http_code}", "--max-time", "30"] + arguments + [base + path]
    let lines = try ChildProcess("/usr/bin/curl", words).waitForEnd().output.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.dropLast().joined(separator: "\n")
    return (Int(lines.last ?? "") ?? 0, (try? JSONReader.value(from: text)) ?? .null, text)
  }

  /// Performs steps with the library; see `Tests/Clients/revenuecat/drive.cjs`.
  func library(_ steps: [Value]) throws -> [Value] {
    let (bundle, node) = (try #require(RevenueCatLibrary.bundle), try #require(RevenueCatLibrary.node))
    try daemon.folder.write(JSONWriter.text(.list(steps)), to: "steps.json")
    let ending = try ChildProcess(
      node, [Built.tree + "/Tests/Clients/revenuecat/drive.cjs", bundle, base, Self.key, daemon.folder.path + "/steps.json"],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    ).waitForEnd()
    let lines = try ending.output.split(separator: "\n").map { try JSONReader.value(from: String($0)) }
    try #require(ending.status == 0 && lines.count == steps.count, "\(ending.output)\(ending.errors)")
    return lines
  }
}

/// A row of the guide's table of subscription states, with the command that creates the state.
struct RevenueCatState: CustomTestStringConvertible, Sendable {
  let name: String
  /// The arguments of `gameconfctl`.
  let line: [String]
  let player: String
  /// True if the entitlement is active; nil if it is not listed.
  let isActive: Bool?
  let willRenew: Bool?
  let periodType: String?
  let product: String?

  var testDescription: String { name }

  static let guide = Built.tree + "/Sources/gameconfd/Documentation.docc/Guides/RevenueCat.md"

  /// The rows of the table in the guide.
  static let all: [RevenueCatState] = {
    let text = String(decoding: TemporaryFolder.read(guide) ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }.map { cell in
        String(cell.reversed().drop { $0.isWhitespace }.reversed()).replacing("`", with: "")
      }
      guard cells.count == 6, cells[1].hasPrefix("gameconfctl iap play ") else { return nil }
      let words = cells[1].split(separator: " ").dropFirst().map(String.init)
      func said(_ cell: String) -> Bool? { cell == "yes" ? true : cell == "no" ? false : nil }
      return RevenueCatState(
        name: cells[0], line: words, player: words[3], isActive: said(cells[2]), willRenew: said(cells[3]),
        periodType: cells[4] == "-" ? nil : cells[4], product: cells[5] == "-" ? nil : cells[5])
    }
  }()

  /// The catalog of the guide's examples.
  static var catalog: String {
    get throws {
      let text = String(decoding: try #require(TemporaryFolder.read(guide)), as: UTF8.self)
      return try #require(FileBlock.all(in: text).first { $0.name == "puzzles.yaml" }?.text)
    }
  }
}
