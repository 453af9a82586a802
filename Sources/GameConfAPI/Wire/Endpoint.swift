// One call of the wire contract: what the server routes, the client asks, and the OpenAPI document tells of.

/// Which of the daemon's sockets a call is answered on.
public enum SocketKind: String, Sendable, Hashable, CaseIterable { case games, admin, metrics }

/// The methods the contract uses; HEAD is answered wherever GET is.
public enum Method: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// One call: a method on a path.
public struct Endpoint: Sendable, Hashable {
  /// The call's name, unique, in lower camel case; OpenAPI's `operationId`.
  public let id: String
  /// The method.
  public let method: Method
  /// The path with `{name}` for each variable segment, such as `/v1/games/{game}/config/{key}`.
  public let path: String
  /// Where it is answered.
  public let sockets: Set<SocketKind>
  /// The query parameters it takes; any other is a 400.
  public let query: [QueryParameter]
  /// What it does, in a sentence.
  public let summary: String

  /// A query parameter; always text.
  public struct QueryParameter: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What it means, in a sentence.
    public let summary: String

    /// A query parameter.
    public init(_ name: String, _ summary: String) {
      self.name = name
      self.summary = summary
    }
  }

  /// A call.
  public init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, query: [QueryParameter] = [], summary: String
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.sockets = sockets
    self.query = query
    self.summary = summary
  }
}
