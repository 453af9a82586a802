// The HTTP responses of the panel, with headers that isolate its page from other origins.

import GameConfCore

struct PanelAnswer: Equatable, Sendable {
  var status: Int
  var title: String
  var mediaType: String
  var headers: [PanelCall.Header] = []
  /// The response's body; nil if it is streamed and ends with the connection.
  var body: [UInt8]?

  /// The headers that every response has.
  private static let fixed = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        + "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ("Connection", "close"),
  ]

  var bytes: [UInt8] {
    var head = "HTTP/1.1 \(status) \(title)\r\nContent-Type: \(mediaType)\r\n"
    for (name, value) in Self.fixed { head += "\(name): \(value)\r\n" }
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (body ?? [])
  }

  /// Adds a header whose value is percent-encoded; does nothing if the text is nil.
  mutating func add(_ name: String, _ text: String?) {
    guard let text else { return }
    headers.append(PanelCall.Header(name: name, value: PercentEncoding.encode(text)))
  }

  static func json(_ value: Value) -> PanelAnswer {
    PanelAnswer(status: 200, title: "OK", mediaType: "application/json", body: JSONWriter.bytes(value))
  }

  static func problem(_ status: Int, _ title: String, _ detail: String) -> PanelAnswer {
    let body: Value = [
      "type": "about:blank", "title": .string(title), "status": .integer(Int64(status)), "code": "PANEL", "detail": .string(detail),
    ]
    return PanelAnswer(status: status, title: title, mediaType: "application/problem+json", body: JSONWriter.bytes(body))
  }
}
