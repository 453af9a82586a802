// Refuses requests that web pages send from browsers, before a request is routed.

/// Refuses requests that a web page lets its visitor's browser send (cross-site request forgery).
///
/// A page can send requests to a port of this host, but it cannot suppress `Origin` and `Sec-Fetch-…`. Over TCP, `Host` must name this
/// host, because a page's own domain name could resolve to it (DNS rebinding). Over a Unix socket any `Host` is accepted, because no
/// browser connects to one, and each client invents its own name.
enum BrowserGuard {
  static func refusal(of text: RequestHeadBytes, from peer: PeerCredentials?) -> ServerFault? {
    if text.head.traits.contains(.browser) {
      return ServerFault(.browserRefused, "Requests with Origin or Sec-Fetch headers, as browsers send them, are refused.")
    }
    if peer == nil, !text.head.isVersion10 || text.head.traits.contains(.host), !isLocal(text.bytes[text.head.host]) {
      return ServerFault(.browserRefused, "The Host must be localhost, 127.0.0.1 or [::1] on this socket.")
    }
    return nil
  }

  static func isLocal(_ host: ArraySlice<UInt8>) -> Bool {
    var name = String(decoding: host, as: UTF8.self).lowercased()
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber), !name.hasSuffix("]") {
      name = String(name[..<colon])
    }
    return name == "localhost" || name == "127.0.0.1" || name == "[::1]"
  }
}
