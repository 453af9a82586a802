// Parses the head of a request on a loopback connection without I/O, for the bridge and the panel.

import GameConfCore

/// The head of an HTTP request: the request line and the header fields.
struct LoopbackHead: Equatable {
  /// One header field; its name is in lower case.
  struct HeaderField: Equatable {
    var name: String
    var value: String
  }

  /// The maximum size of a head in bytes.
  static let bytesMax = 16 << 10

  var method: String
  var target: String
  var fields: [HeaderField]

  /// Parses a head, which is passed without the empty line at its end.
  init(_ head: String) throws(Fault) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    let request = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard request.count == 3, request[1].hasPrefix("/"), request[2] == "HTTP/1.1" || request[2] == "HTTP/1.0" else {
      throw Fault("This is not an HTTP/1.1 request.")
    }
    (method, target) = (request[0], request[1])
    fields = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, line.first != " ", line.first != "\t" else {
        throw Fault("A header line is malformed.")
      }
      fields.append(HeaderField(name: line[..<colon].lowercased(), value: String(line[line.index(after: colon)...]).trimmed))
    }
  }

  /// Returns the values of all header fields with this name, in their order.
  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// True if the head has exactly one `Host` field, and its value is one of these.
  func isFor(_ hosts: Set<String>) -> Bool {
    let named = values("host")
    return named.count == 1 && hosts.contains(named[0])
  }

  /// True if a browser reports that a page of another origin sent the request. Another port of the same host is `same-site`.
  var isOfAnotherOrigin: Bool { values("sec-fetch-site").contains { $0 != "same-origin" && $0 != "none" } }

  /// Returns the value of `Content-Length`; 0 without that field. Returns nil if the value is malformed or exceeds the limit, or if the
  /// body is sent in chunks.
  func bodyBytes(atMost most: Int) -> Int? {
    guard values("transfer-encoding").isEmpty else { return nil }
    let lengths = values("content-length")
    guard lengths.count <= 1 else { return nil }
    guard let text = lengths.first else { return 0 }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text), count <= most else { return nil }
    return count
  }
}

extension String {
  /// The text without blanks at its beginning and end.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
