// An example request of a call, for the OpenAPI document and for tests.

public import GameConfCore

/// An example request that succeeds on a daemon with the shipped games. The OpenAPI document shows it, and the tests over all calls send
/// it.
///
/// ``usual`` has the variables that most calls share, and each request type has an example body. A call declares only the values that
/// differ:
///
///     Call<ReasonRequest?, ShopActAnswer>("renew", …, example: CallExample(["game": "kidsdoku2"]))
public struct CallExample: Sendable, Hashable {
  /// The variables of the path, by name, that differ from ``usual``.
  public var variables: [String: String]
  /// The query parameters by name; empty if the example has no query.
  public var query: [String: String]
  /// The headers by name that the example needs, such as `If-Match`.
  public var headers: [String: String]
  /// The JSON body; nil if the example of the request's type is sent.
  public var body: Value?

  /// Creates an example from the values that differ from those of most calls.
  public init(_ variables: [String: String] = [:], query: [String: String] = [:], headers: [String: String] = [:], body: Value? = nil) {
    self.variables = variables
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The values of path variables in the example of a call, such as `wheresthedot` for `{game}`, unless the call declares others.
  public static let usual: [String: String] = [
    "game": "wheresthedot", "player": "p1", "key": "arcade_difficulty_step", "theme": "forest", "placement": "game_over",
    "scenario": "9b1de0c74f2a", "play": "5f0c6f3e9ad14b6f8a7e21c4d0b93e17", "transaction": "482915036671000001", "id": "1", "version": "1",
    "project": "wheresthedot", "namespace": "firebase", "name": "gameconfd.db.replaced-2026-11-22T08-10-31.052Z",
  ]

  /// Returns the value of a path variable in this example, or its usual value; nil if the name is unknown.
  public func variable(_ name: String) -> String? { variables[name] ?? Self.usual[name] }
}

extension Endpoint {
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

  /// The path and query of the call's example request.
  package var exampleTarget: String {
    let variables = Dictionary(uniqueKeysWithValues: pathParameters.map { ($0, example.variable($0) ?? "") })
    return target(variables, query: example.query.sorted { $0.key < $1.key })
  }

  /// Returns the text in single quotes, in which a shell interprets no character but the quote itself.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
