// One call of the wire contract: what the server routes, the client asks, and the OpenAPI document tells of.

internal import GameConfCore

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
  /// What it is asked with.
  public let request: Content
  /// What it answers when all is well.
  public let answer: Content
  /// The statuses of good answers.
  public let statuses: [Int]
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

  /// What a body holds.
  public enum Content: Sendable, Hashable {
    /// No body.
    case none
    /// JSON after the component schema of that name.
    case json(schema: String, required: Bool = true)
    /// Bytes of that media type, as many as there are.
    case bytes(mediaType: String)
  }

  /// A call.
  public init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, query: [QueryParameter] = [],
    request: Content = .none, answer: Content = .none, statuses: [Int] = [200], summary: String
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.sockets = sockets
    self.query = query
    self.request = request
    self.answer = answer
    self.statuses = statuses
    self.summary = summary
  }

  /// The names of the variable segments of ``path``, in order.
  public var pathParameters: [String] {
    path.split(separator: "/").compactMap { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}") ? String(segment.dropFirst().dropLast()) : nil
    }
  }

  /// The target of a request: the path with its variables filled in, percent-encoded, and a query.
  ///
  /// Variables that are not given stay empty, which no route answers.
  public func target(_ variables: [String: String] = [:], query: [(String, String)] = []) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return String(segment) }
      return PercentEncoding.encode(variables[String(segment.dropFirst().dropLast())] ?? "")
    }
    let path = segments.joined(separator: "/")
    if query.isEmpty { return path }
    return path + "?" + query.map { PercentEncoding.encode($0.0) + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
  }
}
