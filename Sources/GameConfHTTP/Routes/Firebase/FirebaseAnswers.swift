// The parts that all calls of Firebase Remote Config share: bodies that claim to be packed, ETags, and refusals in Google's words.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer

/// The bounds of what Firebase's clients may ask for.
enum FirebaseLimits {
  /// The most bytes that a packed body may unpack to: 1 MiB.
  static let unpackedBytesMax = 1 << 20
  /// The time for which a stream that says when to fetch again lasts: 5 minutes, as Google ends it.
  static let streamSecondsMax: Int64 = 300
  /// The namespace of the template for clients.
  static let clients = "firebase"
  /// The namespace of the template for servers.
  static let servers = "firebase-server"
}

extension CallRoute {
  /// A route for a call of Firebase's: our checks hold, unknown query parameters are let pass, and refusals are Google's.
  init<Ask: CallBody, Body: CallBody>(
    firebase call: Call<Ask, Body>, bodyBytesMax: Int? = nil, _ handler: @escaping @Sendable (CallContext<NoBody>) throws(Problem) -> Reply
  ) {
    self.init(checking: call, bodyBytesMax: bodyBytesMax, handler)
    route.ignoresUnknownQuery = true
    route.refusing = { problem, _ in problem.firebase }
    route.refusingBelow = "/v1/projects/"
  }
}

extension Request {
  /// The game whose id stands where a project's does.
  func firebaseGame() throws(Problem) -> ServedGame { try game(named: path("project")) }

  /// The namespace in the path, of a template that can be read and written.
  func firebaseNamespace() throws(Problem) -> String {
    let namespace = path("namespace")
    guard namespace.isEmpty || namespace == FirebaseLimits.clients || namespace == FirebaseLimits.servers else {
      throw Problem(.unknownID, "There is no namespace “\(namespace)”; there are \(FirebaseLimits.clients) and \(FirebaseLimits.servers).")
    }
    return namespace
  }

  /// True if the body says that it is packed, and is. Google's library for browsers says so of bodies that are not.
  var isPacked: Bool {
    guard let coding = listHeader("content-encoding"), coding.lowercased().contains("gzip") else { return false }
    return Gunzip.isGzip(body)
  }

  /// The body, unpacked.
  /// - Throws: `MALFORMED_REQUEST`, `BODY_TOO_LARGE`.
  func unpacked() throws(Problem) -> [UInt8] {
    guard isPacked else { return body }
    do throws(GunzipFault) { return try Gunzip.unpacked(body, bytesMax: FirebaseLimits.unpackedBytesMax) } catch {
      switch error {
      case .malformed(let words): throw Problem(.malformedRequest, "The body cannot be unpacked: \(words).")
      case .tooLong(let bytesMax): throw Problem(.bodyTooLarge, "A body may unpack to \(bytesMax) bytes.")
      }
    }
  }
}

/// JSON that came in a body.
enum FirebaseJSON {
  /// The members in which a client says what it knows of its user.
  private static let signals = ["custom_signals", "customSignals", "analytics_user_properties", "analyticsUserProperties"]

  /// - Throws: `MALFORMED_JSON`; nothing at all is an object without members.
  static func object(_ bytes: [UInt8]) throws(Problem) -> ObjectValue {
    if bytes.isEmpty { return ObjectValue() }
    guard case .object(let members) = try Request.json(bytes, wideIntegers: .within(signals)) else {
      throw Problem(.malformedRequest, "The body must be an object.", pointer: "")
    }
    return members
  }
}

extension TypedAnswer where Body == FirebaseBody {
  /// JSON with an ETag as Google writes them, which is without quotes.
  /// - Parameter revision: the game's. Google has no such header; by it gameconf-fetch knows that a source is gameconfd, which must not feed itself.
  static func firebase(
    _ bytes: [UInt8], tag: String, revision: Int64, contentType: String = "application/json; charset=UTF-8"
  ) -> Self {
    var answer = Self.written(bytes, contentType: contentType, Revisions(game: revision))
    answer.answer.fields += [Answer.Field("ETag", tag), Answer.Field("Cache-Control", "private")]
    return answer
  }

  /// The same for a value.
  static func firebase(_ value: ObjectValue, tag: String, revision: Int64) -> Self {
    firebase(JSONWriter.bytes(.object(value)), tag: tag, revision: revision)
  }
}

extension Problem {
  /// The problem as Google's APIs write one. What we answer 412 is 400 there.
  var firebase: Answer {
    let (status, word) = googleStatus
    let said: Value = [
      "error": ["code": .integer(Int64(status)), "message": .string(googleMessage), "status": .string(word)]
    ]
    var answer = Answer(status: status, contentType: "application/json; charset=UTF-8", body: JSONWriter.bytes(said))
    answer.fields = self.answer.fields
    return answer
  }

  private var googleStatus: (Int, String) {
    if code == .revisionChanged || code == .versionInForce { return (400, "FAILED_PRECONDITION") }
    return switch status {
    case 401: (401, "UNAUTHENTICATED")
    case 403: (403, "PERMISSION_DENIED")
    case 404: (404, "NOT_FOUND")
    case 405, 408, 413, 414, 415, 417, 431: (status, "INVALID_ARGUMENT")
    case 409: (409, "ABORTED")
    case 429: (429, "RESOURCE_EXHAUSTED")
    case 500: (500, "INTERNAL")
    case 501, 505: (501, "UNIMPLEMENTED")
    case 503, 507: (503, "UNAVAILABLE")
    default: (400, "INVALID_ARGUMENT")
    }
  }

  private var googleMessage: String {
    if code == .revisionChanged { return "[VERSION_MISMATCH]: \(detail)" }
    guard status == 422 else { return detail }
    func told(_ detail: String, _ pointer: String?) -> String { pointer.map { $0.isEmpty ? detail : "\($0): \(detail)" } ?? detail }
    let faults = errors.isEmpty ? [told(detail, pointer)] : errors.map { told($0.detail, $0.pointer) }
    return "[VALIDATION_ERROR]: " + faults.joined(separator: "; ")
  }
}
