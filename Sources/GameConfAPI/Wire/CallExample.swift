// One way to ask a call, for people who read the contract.

public import GameConfCore

/// A way to ask a call that a daemon with the shipped games answers well: the OpenAPI document shows it, and the tests over all calls send it.
///
/// What most calls have in common is said once, in ``usual`` and beside each request's shape, so that a call says only what it needs
/// otherwise:
///
///     Call<ReasonRequest?, ShopActAnswer>("renew", …, example: CallExample(["game": "kidsdoku2"]))
public struct CallExample: Sendable, Hashable {
  /// The variables of the path and the query, by name, where they are not the usual ones.
  public var variables: [String: String]
  /// Query parameters that it gives.
  public var query: [String: String]
  /// Headers that it needs.
  public var headers: [String: String]
  /// Its JSON body; where none is given, that of the request's shape stands here.
  public var body: Value?

  /// An example.
  public init(_ variables: [String: String] = [:], query: [String: String] = [:], headers: [String: String] = [:], body: Value? = nil) {
    self.variables = variables
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The values of a path's variables where a call does not say them.
  public static let usual: [String: String] = [
    "game": "wheresthedot", "player": "p1", "key": "arcade_difficulty_step", "theme": "forest", "placement": "game_over",
    "scenario": "9b1de0c74f2a", "play": "5f0c6f3e9ad14b6f8a7e21c4d0b93e17", "transaction": "482915036671000001", "id": "1", "version": "1",
    "project": "wheresthedot", "namespace": "firebase", "name": "gameconfd.db.replaced-2026-11-22T08-10-31.052Z",
  ]

  /// The value of a variable; nil where nobody has said it.
  public func variable(_ name: String) -> String? { variables[name] ?? Self.usual[name] }
}

extension Endpoint {
  /// The example as a line for a shell.
  package var exampleCommand: String {
    let socket = sockets.contains(.games) ? "games" : "admin"
    var words = ["curl", "--unix-socket", "/run/gameconfd/\(socket).sock"]
    if method != .get { words += ["-X", method.rawValue] }
    for (name, value) in example.headers.sorted(by: { $0.key < $1.key }) { words += ["-H", Self.quoted("\(name): \(value)")] }
    if let body = example.body {
      words += [
        "-H", Self.quoted("Content-Type: application/json"), "-d", Self.quoted(String(decoding: JSONWriter.bytes(body), as: UTF8.self)),
      ]
    }
    return (words + [Self.quoted("http://localhost" + exampleTarget)]).joined(separator: " ")
  }

  /// The example's target.
  package var exampleTarget: String {
    let variables = Dictionary(uniqueKeysWithValues: pathParameters.map { ($0, example.variable($0) ?? "") })
    return target(variables, query: example.query.sorted { $0.key < $1.key })
  }

  /// A word in single quotes, in which a shell takes everything but a quote as it stands.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
