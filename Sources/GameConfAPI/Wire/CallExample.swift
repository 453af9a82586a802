// An example request of a call, for readers of the contract.

public import GameConfCore

/// An example request that succeeds on a daemon with the shipped games. The OpenAPI document shows it, and the tests over all calls send
/// it.
///
/// Variables and bodies that most calls share are in ``usual`` and beside each request's shape, so that a call declares only its
/// differences:
///
///     Call<ReasonRequest?, ShopActAnswer>("renew", …, example: CallExample(["game": "kidsdoku2"]))
public struct CallExample: Sendable, Hashable {
  /// The variables of the path and the query, by name, that differ from the usual ones.
  public var variables: [String: String]
  /// The query parameters by name; empty if the example has no query.
  public var query: [String: String]
  /// The headers by name that the call needs, such as `If-Match`.
  public var headers: [String: String]
  /// The JSON body; nil for the example of the request's shape.
  public var body: Value?

  /// Creates an example that differs from the shared values only in these.
  public init(_ variables: [String: String] = [:], query: [String: String] = [:], headers: [String: String] = [:], body: Value? = nil) {
    self.variables = variables
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The values of a path's variables for calls that do not give others.
  public static let usual: [String: String] = [
    "game": "wheresthedot", "player": "p1", "key": "arcade_difficulty_step", "theme": "forest", "placement": "game_over",
    "scenario": "9b1de0c74f2a", "play": "5f0c6f3e9ad14b6f8a7e21c4d0b93e17", "transaction": "482915036671000001", "id": "1", "version": "1",
    "project": "wheresthedot", "namespace": "firebase", "name": "gameconfd.db.replaced-2026-11-22T08-10-31.052Z",
  ]

  /// Returns the value of a variable; nil if it has none.
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

  /// The example's path with its variables filled in, and its query.
  package var exampleTarget: String {
    let variables = Dictionary(uniqueKeysWithValues: pathParameters.map { ($0, example.variable($0) ?? "") })
    return target(variables, query: example.query.sorted { $0.key < $1.key })
  }

  /// Returns a word in single quotes, in which a shell reads every character but a quote literally.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
