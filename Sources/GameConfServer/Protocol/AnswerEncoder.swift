// Encodes HTTP answers to bytes. Precomputed answers and all others are encoded by this code, so that their form cannot differ.

/// The parts of an HTTP answer's head that the connection decides, not the handler.
struct AnswerFrame: Sendable {
  var isHead = false
  var closes = false
  /// The value of Content-Length; nil for an answer without that field.
  var contentLength: Int?
  var isChunked = false
}

enum AnswerEncoder {
  /// The offset of the 29 bytes of the Date header's value, the same in every answer with status 200.
  static let okDateOffset = "HTTP/1.1 200 OK\r\nDate: ".utf8.count
  static let okRevisionOffset = okDateOffset + HTTPDate.length + "\r\nGameconf-Revision: ".utf8.count
  static let closeField: StaticString = "Connection: close\r\n"

  /// Appends the status line, all header fields, and the empty line that ends the head.
  static func appendHead(of answer: Answer, _ frame: AnswerFrame, date: [UInt8], to bytes: inout [UInt8]) {
    bytes += "HTTP/1.1 ".utf8
    appendDecimal(UInt64(answer.status), to: &bytes)
    bytes += " ".utf8
    bytes += reason(answer.status).utf8
    bytes += "\r\nDate: ".utf8
    bytes += date
    if let revision = answer.revision {
      bytes += "\r\nGameconf-Revision: ".utf8
      appendDecimal(revision, to: &bytes)
    }
    if let revision = answer.playerRevision {
      bytes += "\r\nGameconf-Player-Revision: ".utf8
      appendDecimal(revision, to: &bytes)
    }
    if let tag = answer.entityTag { appendField("ETag", tag.text, to: &bytes) }
    if let type = answer.contentType, answer.status != 304 { appendField("Content-Type", type, to: &bytes) }
    if let length = frame.contentLength {
      bytes += "\r\nContent-Length: ".utf8
      appendDecimal(UInt64(length), to: &bytes)
    }
    if frame.isChunked { bytes += "\r\nTransfer-Encoding: chunked".utf8 }
    for field in answer.fields { appendField(field.name, field.value, to: &bytes) }
    bytes += "\r\n".utf8
    if frame.closes { closeField.withUTF8Buffer { bytes += $0 } }
    bytes += "\r\n".utf8
  }

  private static func appendField(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += "\r\n".utf8
    bytes += name.utf8
    bytes += ": ".utf8
    // Header injection: a value may contain an id from outside, whose line break would begin another field.
    for byte in value.utf8 { bytes.append(LineReader.isControl(byte) ? UInt8(ascii: "?") : byte) }
  }

  static func appendDecimal(_ number: UInt64, to bytes: inout [UInt8]) {
    if number >= 10 { appendDecimal(number / 10, to: &bytes) }
    bytes.append(48 + UInt8(number % 10))
  }

  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Other"
    }
  }
}
