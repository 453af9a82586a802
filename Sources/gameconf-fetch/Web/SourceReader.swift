// Fetches a source once: follows redirects, gets access tokens, and interprets the response. The schedule of the source decides about
// retries.

import GameConfCore
import GameConfFormats
import GameConfSystemd
import Glibc
import Synchronization

struct FetchFault: Error, Hashable, Sendable {
  var message: String
  /// The pause that the server requested with `Retry-After`, in milliseconds.
  var retryAfterMilliseconds: Int64?

  init(_ message: String, retryAfterMilliseconds: Int64? = nil) {
    self.message = message
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}

enum FetchOutcome: Hashable, Sendable {
  /// A template document in JSON, and its ETag for the next conditional request.
  case document([UInt8], tag: String?)
  /// The template has not changed since the response whose ETag the request named.
  case unchanged
}

/// Fetches one source, for one thread at a time.
final class SourceReader: Sendable {
  typealias Send = @Sendable (WebRequest) throws(Fault) -> WebAnswer

  let source: FetchSource
  private let send: Send
  private let token = Mutex<AccessToken?>(nil)

  /// - Parameter send: The function that sends an HTTP request; tests replace it.
  init(_ source: FetchSource, send: @escaping Send = WebClient.send) {
    self.source = source
    self.send = send
  }

  /// Fetches the source; blocks the thread.
  /// - Parameter tag: The ETag of the last document, for a conditional request.
  func read(knowing tag: String?) throws(FetchFault) -> FetchOutcome {
    let conditions = tag.map { ["If-None-Match: \($0)"] } ?? []
    switch source.kind {
    case .web(let address): return try Self.fetched(try followed(address, conditions), knowing: tag)
    case .firebase(let firebase):
      let token = try accessToken(firebase)
      let address: WebAddress
      do throws(Fault) { address = try WebAddress(firebase.target) } catch { throw FetchFault(error.message) }
      // Redirects are not followed, because they would send the token to another server. Google's API uses none.
      let answer = try ask(address, ["Authorization: Bearer \(token)"] + conditions)
      if answer.status == 401 || answer.status == 403 { self.token.withLock { $0 = nil } }
      return try Self.fetched(answer, knowing: tag)
    }
  }

  private func followed(_ first: WebAddress, _ headers: [String]) throws(FetchFault) -> WebAnswer {
    var address = first
    for _ in 0...FetchLimits.redirectsMax {
      let answer = try ask(address, headers)
      guard [301, 302, 303, 307, 308].contains(answer.status), let next = answer.redirect else { return answer }
      do throws(Fault) { address = try WebAddress(next) } catch { throw FetchFault("it is redirected, and \(error.message)") }
      if first.isSecure, !address.isSecure { throw FetchFault("it is redirected from HTTPS to plain HTTP") }
    }
    throw FetchFault("it is redirected more than \(FetchLimits.redirectsMax) times")
  }

  private func ask(_ address: WebAddress, _ headers: [String], form: [UInt8]? = nil, bytesMax: Int? = nil) throws(FetchFault) -> WebAnswer {
    let request = WebRequest(
      address: address, headers: headers, form: form, timeoutMilliseconds: source.timeoutMilliseconds,
      bytesMax: bytesMax ?? source.bytesMax,
      authoritiesFile: source.authoritiesFile, proxy: source.proxy)
    do throws(Fault) { return try send(request) } catch { throw FetchFault(error.message) }
  }

  private func accessToken(_ firebase: FirebaseSource) throws(FetchFault) -> String {
    if let token = token.withLock({ $0 }), SteadyTime.now < token.renewAt { return token.text }
    // The key file is read for each token, so that a rotated key is used from the next token on.
    let assertion: String
    let key: ServiceAccountKey
    do throws(Fault) {
      key = try ServiceAccountKey(try KeyFile.read(firebase.keyFile, as: .key))
      let unsigned = TokenAssertion(key, now: Int64(time(nil)))
      assertion = unsigned.text(signature: try KeySignature.rs256(unsigned.signed, key: key.privateKey))
    } catch { throw FetchFault("the key \(firebase.keyFile) is refused: \(error.message)") }
    let address = firebase.tokenAddress ?? key.tokenAddress
    let answer = try ask(address, [], form: TokenAssertion.form(assertion), bytesMax: FetchLimits.keyBytesMax)
    guard answer.status == 200 else {
      throw FetchFault(
        "\(address.shown) gives no token for the key: \(Self.words(of: answer))", retryAfterMilliseconds: answer.retryAfterMilliseconds)
    }
    guard let token = AccessToken(answer: answer.body, now: SteadyTime.now) else {
      throw FetchFault("\(address.shown) answered without a token")
    }
    self.token.withLock { $0 = token }
    return token.text
  }

  /// Interprets a server's response.
  /// - Parameter tag: The ETag that the request named.
  static func fetched(_ answer: WebAnswer, knowing tag: String? = nil) throws(FetchFault) -> FetchOutcome {
    if answer.headers.keys.contains(where: { $0.hasPrefix("gameconf-") }) {
      throw FetchFault("the source is gameconfd itself; name another source")
    }
    if answer.status == 304 {
      guard tag != nil else { throw FetchFault("it answered 304, not modified, to a request without a tag; there is no template to read") }
      return .unchanged
    }
    guard answer.status == 200 else {
      let retryAfter = answer.retryAfterMilliseconds
      let isCapped = (retryAfter ?? 0) > FetchLimits.retryAfterMillisecondsMax
      let most = isCapped ? "; its “Retry-After” is longer than six hours, which is the most that is respected" : ""
      throw FetchFault("it answered \(words(of: answer))\(most)", retryAfterMilliseconds: retryAfter)
    }
    let begin = answer.body.first { $0 > 0x20 }
    if begin == UInt8(ascii: "<") || answer.headers["content-type"]?.lowercased().hasPrefix("text/html") == true {
      throw FetchFault("it answered an HTML page instead of a template")
    }
    guard answer.isEndKnown || saysItsEnd(answer.body) else {
      throw FetchFault(
        "it may be cut: the answer has neither a length nor chunks. Let the server send “Content-Length”, or end the YAML with a line “...”"
      )
    }
    let document: [UInt8]
    do throws(FormatFault) { document = try TemplateText.json(of: answer.body) } catch {
      throw FetchFault("line \(error.line), column \(error.column): \(error.message)")
    }
    let value: Value
    do throws(JSONError) { value = try JSONReader.value(from: document, limits: limits) } catch {
      throw FetchFault("it is not a complete JSON document: \(error.message)")
    }
    // Firebase omits all values of a project that never published a template, and a broken service may do the same. Such a document must
    // not remove the values in force.
    if case .object = value, let fault = TemplateReader.silence(of: value) { throw FetchFault(fault.message) }
    return .document(document, tag: answer.headers["etag"].flatMap { isTag($0) ? $0 : nil })
  }

  /// True if the document is certainly complete: JSON ends with its last bracket, and YAML needs a final line “...”.
  private static func saysItsEnd(_ document: [UInt8]) -> Bool {
    let isBefore = { (byte: UInt8) in byte <= 0x20 || [0xEF, 0xBB, 0xBF].contains(byte) }  // white space and a byte order mark
    guard let first = document.first(where: { !isBefore($0) }), !"{[".utf8.contains(first) else { return true }
    let last = document.reversed().drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
    return last.elementsEqual("...".utf8) && document.last == UInt8(ascii: "\n")
  }

  private static let limits: JSONLimits = {
    var limits = JSONLimits()
    limits.bytesMax = FetchLimits.bytesMax
    return limits
  }()

  private static let tagBytesMax = 1_024
  private static func isTag(_ text: String) -> Bool {
    (1...tagBytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private static let wordsMax = 200

  /// Returns the response's status, with the error message if the response has one in Google's format.
  private static func words(of answer: WebAnswer) -> String {
    let value = try? JSONReader.value(from: answer.body)
    let message = value?["error"]?["message"]?.stringValue ?? value?["error_description"]?.stringValue ?? value?["error"]?.stringValue
    guard let message else { return "\(answer.status)" }
    let plain = String(String.UnicodeScalarView(message.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    return "\(answer.status): \(plain.prefix(wordsMax))"
  }
}

/// A monotonic clock in milliseconds, which also counts while the host sleeps.
enum SteadyTime {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The file of trusted certificate authorities that a setting names.
enum AuthoritiesFile {
  /// The maximum size of the file in bytes; the system's own file has some 200 KiB.
  static let bytesMax = 4 << 20

  /// Checks that the file contains a certificate in PEM. libcurl validates the certificate itself at the first request.
  static func check(_ path: String) throws(Fault) {
    let text = String(decoding: try KeyFile.read(path, as: .settings, bytesMax: bytesMax), as: UTF8.self)
    guard text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----") else {
      throw Fault("it has no certificate in PEM")
    }
  }
}

/// Reads files of settings and keys.
enum KeyFile {
  /// Reads a file that no other user may write; a key file may not be readable or replaceable by other users either. Errors do not quote
  /// its contents.
  static func read(_ path: String, as kind: FileAccess.CheckedFileKind, bytesMax: Int = FetchLimits.keyBytesMax) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Fault(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    let complaint =
      FileAccess.complaint(about: path, as: kind, descriptor: descriptor) ?? (kind == .key ? FileAccess.complaint(aroundKey: path) : nil)
    if let complaint { throw Fault(complaint) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Fault(String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > bytesMax { throw Fault("it is longer than \(bytesMax) bytes") }
    }
  }
}
