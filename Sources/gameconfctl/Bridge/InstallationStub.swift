// The responses that Google's client libraries need from the service Firebase Installations before they fetch values. The daemon does not
// check the ids and tokens in them.

import GameConfCore

/// A call to Firebase Installations that the bridge answers itself.
enum InstallationStub: Equatable {
  /// `POST /v1/projects/{project}/installations`: returns the id that the caller has chosen, or a new one, and a token.
  case create(project: String)
  /// `POST …/installations/{id}/authTokens:generate`: returns a token.
  case renew
  /// `DELETE …/installations/{id}`: nothing is stored, so nothing is removed.
  case forget

  /// The maximum size of a request's body in bytes.
  static let bodyBytesMax = 64 << 10
  /// The text that the bridge returns as a token. It names its origin, and the daemon does not check it.
  private static let token = "simulated-by-gameconfctl-bridge"
  /// The validity of a token: a week, as Google's tokens have.
  private static let expiresIn = "604800s"

  /// Returns the call to Firebase Installations that a request makes; nil if the request is for the daemon.
  init?(method: String, target: String) {
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard path.count >= 4, path[0] == "v1", path[1] == "projects", !path[2].isEmpty, path[3] == "installations" else { return nil }
    switch (method, path.count) {
    case ("POST", 4): self = .create(project: path[2])
    case ("POST", 6) where path[5] == "authTokens:generate": self = .renew
    case ("DELETE", 5): self = .forget
    default: return nil
    }
  }

  /// Returns the whole HTTP response to the call.
  /// - Parameter fields: Header fields for browsers (CORS).
  func answer(to body: [UInt8], _ fields: String) -> String {
    let said: Value
    let token: Value = ["token": .string(Self.token), "expiresIn": .string(Self.expiresIn)]
    switch self {
    case .create(let project):
      let wanted = (try? JSONReader.value(from: body))?["fid"]?.stringValue
      let id = wanted.flatMap { Self.isID($0) ? $0 : nil } ?? Self.newID()
      said = [
        "name": .string("projects/\(project)/installations/\(id)"), "fid": .string(id), "refreshToken": .string(Self.token),
        "authToken": token,
      ]
    case .renew: said = token
    case .forget: said = .object(ObjectValue())
    }
    let text = JSONWriter.text(said)
    return "HTTP/1.1 200 OK\r\n\(fields)Content-Type: application/json; charset=UTF-8\r\nContent-Length: \(text.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(text)"
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  /// True if the text is an id as Google's libraries create them: 22 letters of which the first is c, d, e or f.
  private static func isID(_ text: String) -> Bool {
    text.count == 22 && "cdef".contains(text.prefix(1)) && text.allSatisfy { letters.contains($0) }
  }

  private static func newID() -> String {
    String("cdef".randomElement() ?? "c") + String((0..<21).compactMap { _ in letters.randomElement() })
  }
}
