// The OpenAPI document and the routes of the running daemon tell of the same calls.

import GameConfCore
import Testing

@Suite("The contract", .serialized)
struct ContractTests {
  /// A path of the document with something in the place of its variables.
  private func filled(_ path: String) -> String {
    path.replacing("{game}", with: "wheresthedot").replacing("{key}", with: "arcade_difficulty_step")
      .replacing("{player}", with: "p1").replacing("{id}", with: "1")
  }

  /// Whether a path of the document stands for this target.
  private func matches(_ path: String, _ target: String) -> Bool {
    let (template, segments) = (path.split(separator: "/"), target.split(separator: "/"))
    return template.count == segments.count && zip(template, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
  }

  @Test("every call of the document is routed, and every other method on its path is a 405 that names those")
  func routed() throws {
    let daemon = try RunningDaemon()
    let document = try daemon.ask("GET", "/openapi.json").json
    let paths = try #require(document["paths"]?.objectValue)
    #expect(paths.count > 20)
    for path in paths.members {
      // `…/overrides/clear` is also the key “clear” of `…/overrides/{key}`: what either takes is taken.
      let methods = Set(
        paths.members.filter { matches($0.name, filled(path.name)) }.flatMap { $0.value.objectValue?.names ?? [] }
          .filter { ["get", "put", "post", "patch", "delete"].contains($0) })
      for method in ["get", "put", "post", "patch", "delete"] {
        let answer = try daemon.ask(method.uppercased(), filled(path.name), headers: ["Expect-Nothing": "1"], admin: true)
        if methods.contains(method) {
          #expect(answer.status != 405 && answer.code != "NOT_FOUND", "\(method) \(path.name) answered \(answer.status)")
        } else {
          #expect(answer.status == 405, "\(method) \(path.name) answered \(answer.status)")
          let allowed = Set((answer.headers["allow"] ?? "").split(separator: ", ").map { $0.lowercased() })
          #expect(allowed.subtracting(["head"]) == methods)
        }
      }
    }
  }

  @Test("a call that is not for games is refused on the games socket, whatever its method")
  func adminOnly() throws {
    let daemon = try RunningDaemon()
    for (method, target) in [
      ("PUT", "/v1/games/wheresthedot/overrides/arcade_difficulty_step"), ("GET", "/v1/games/wheresthedot/overrides"),
      ("GET", "/v1/games/wheresthedot/audit"), ("GET", "/v1/store/backup"), ("POST", "/v1/games/wheresthedot/overrides/clear"),
      ("GET", "/v1/games/wheresthedot/config/arcade_difficulty_step/explain"),
    ] {
      let answer = try daemon.ask(method, target)
      #expect(answer.status == 403, "\(method) \(target)")
      #expect(answer.code == "ADMIN_ONLY")
    }
  }
}
