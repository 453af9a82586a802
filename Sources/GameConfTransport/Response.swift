// The response of a server to a client's request.

/// The status line and headers of a response.
public struct ResponseHead: Sendable, Hashable {
  /// One header field as it arrived.
  public struct Field: Sendable, Hashable {
    /// The name, which is not case-sensitive.
    public let name: String
    /// The value without surrounding blanks.
    public let value: String

    /// Creates a header field. The case of its name makes no difference to lookups in ``ResponseHead``.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields, in order.
  public var fields: [Field]

  /// Creates a head, by default without fields.
  public init(status: Int, fields: [Field] = []) {
    self.status = status
    self.fields = fields
  }

  /// Returns the value of the first header with this name, in any case; nil if there is no such header.
  public subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }
}

/// A response with its whole body in memory.
public struct Response: Sendable, Hashable {
  /// The status and the headers; ``status`` and the subscript read them too.
  public var head: ResponseHead
  /// The body without chunk framing; empty if the response has no body.
  public var body: [UInt8]

  /// Creates a response from its head and its whole body.
  public init(head: ResponseHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The status code of ``head``, 200 to 599.
  public var status: Int { head.status }

  /// Returns the value of the first header with this name, in any case; nil if there is no such header.
  public subscript(name: String) -> String? { head[name] }
}
