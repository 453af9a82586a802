// The HTTP proxy of a source. gameconf-fetch uses it with CONNECT, so that the proxy sees neither tokens nor documents.

import GameConfCore

/// The URL of an HTTP proxy without credentials. Credentials belong in the environment, because settings appear in the journal and in
/// `--check`.
struct ProxyAddress: Hashable, Sendable {
  /// The URL as it was written.
  let text: String

  init(_ text: String) throws(Fault) {
    guard (1...WebAddress.bytesMax).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Fault("a proxy has 1 to \(WebAddress.bytesMax) printable characters of ASCII without spaces")
    }
    guard let mark = text.firstRange(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased()) else {
      throw Fault("a proxy begins with “http://” or “https://”")
    }
    let rest = text[mark.upperBound...]
    if rest.contains("@") {
      throw Fault("a proxy has no user and no password here; give them with https_proxy in the unit's environment")
    }
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard !authority.contains(where: { "/?#".contains($0) }), !WebAddress.host(of: authority).isEmpty,
      WebAddress.hasGoodPort(authority)
    else {
      throw Fault("a proxy is a host, with its port unless that is 1080")
    }
    self.text = text
  }
}
