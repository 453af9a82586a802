// Refuses, before any routing, what no game and no tool sends.

/// Keeps browsers out.
///
/// A page in a browser can be made to send requests to a port of this host; it cannot hide `Origin` and `Sec-Fetch-…`. On a Unix socket
/// any `Host` will do, because no browser reaches one and every client invents a name. On TCP the name must be this host's, or a foreign
/// name could be pointed here (DNS rebinding).
enum BrowserGuard {
  static func refusal(of text: HeadText, from peer: PeerCredentials?) -> ServerFault? {
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
