// The answer of a server.

/// The status line and headers of an answer.
public struct ResponseHead: Sendable, Hashable {
  /// One header, as it came.
  public struct Field: Sendable, Hashable {
    /// Its name; upper and lower case are the same.
    public let name: String
    /// Its value without surrounding blanks.
    public let value: String

    /// A header.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status, 200 to 599.
  public var status: Int
  /// The headers, in order.
  public var fields: [Field]

  /// A head.
  public init(status: Int, fields: [Field] = []) {
    self.status = status
    self.fields = fields
  }

  /// The value of the first header of that name.
  public subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }
}

/// A whole answer.
public struct Response: Sendable, Hashable {
  /// Status and headers.
  public var head: ResponseHead
  /// The body.
  public var body: [UInt8]

  /// An answer.
  public init(head: ResponseHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The status.
  public var status: Int { head.status }

  /// The value of the first header of that name.
  public subscript(name: String) -> String? { head[name] }
}
