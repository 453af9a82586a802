// The common parts of Firebase Remote Config's calls: compressed bodies, ETags, and refusals in Google's form.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfHTTP
internal import GameConfServer

/// The limits of Firebase's calls, and the names of its two template namespaces.
enum FirebaseLimits {
  /// The maximum size of a decompressed body: 1 MiB.
  static let unpackedBytesMax = 1 << 20
  /// The duration in seconds of a stream of fetch notifications: 5 minutes, as in Google's service.
  static let streamSecondsMax: Int64 = 300
  /// The namespace in Firebase's paths for the templates of clients.
  static let clients = "firebase"
  /// The namespace in Firebase's paths for the templates of servers.
  static let servers = "firebase-server"

  /// The limits with their names in the daemon's status.
  static var wire: [(String, Value)] {
    [
      ("firebase_unpacked_bytes_max", .integer(Int64(unpackedBytesMax))), ("firebase_stream_seconds_max", .integer(streamSecondsMax)),
    ]
  }
}

extension CallRoute {
  /// Creates the route of a Firebase call. The daemon's usual checks apply, but unknown query parameters are ignored and refusals have
  /// Google's form.
  init<Ask: CallBody, Body: CallBody>(
    firebase call: Call<Ask, Body>, bodyBytesMax: Int? = nil, _ handler: @escaping @Sendable (CallContext<NoBody>) throws(Problem) -> Reply
  ) {
    self.init(face: call, bodyBytesMax: bodyBytesMax, below: "/v1/projects/", refusing: { $0.firebase }, handler)
  }
}

extension Request {
  /// Returns the game that the path names at the place of a Firebase project.
  func firebaseGame() throws(Problem) -> ServedGame { try game(named: path("project")) }

  /// Returns the namespace in the path.
  /// - Throws: `unknownID` unless the namespace is absent, ``FirebaseLimits/clients`` or ``FirebaseLimits/servers``.
  func firebaseNamespace() throws(Problem) -> String {
    let namespace = path("namespace")
    guard namespace.isEmpty || namespace == FirebaseLimits.clients || namespace == FirebaseLimits.servers else {
      throw Problem(.unknownID, "There is no namespace “\(namespace)”; there are \(FirebaseLimits.clients) and \(FirebaseLimits.servers).")
    }
    return namespace
  }

  /// True if the body is gzip and its header says so. Google's library for browsers sends that header with uncompressed bodies too.
  var isPacked: Bool {
    guard let coding = listHeader("content-encoding"), coding.lowercased().contains("gzip") else { return false }
    return Gunzip.isGzip(body)
  }

  /// Returns the body, decompressed if it is gzip.
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

/// Parses JSON bodies of Firebase's clients.
enum FirebaseJSON {
  /// The members in which a client describes its user. Integers beyond 64 bits become doubles in these members, and are errors elsewhere.
  private static let signals = ["custom_signals", "customSignals", "analytics_user_properties", "analyticsUserProperties"]

  /// Parses a body as a JSON object. An empty body is an object without members.
  /// - Throws: `MALFORMED_JSON`; `MALFORMED_REQUEST` for JSON that is not an object.
  static func object(_ bytes: [UInt8]) throws(Problem) -> ObjectValue {
    if bytes.isEmpty { return ObjectValue() }
    guard case .object(let members) = try Request.json(bytes, wideIntegers: .within(signals)) else {
      throw Problem(.malformedRequest, "The body must be an object.", pointer: "")
    }
    return members
  }
}

extension Answer {
  /// Returns JSON bytes with an ETag in Google's form, which has no quotes.
  /// - Parameter revision: The game's revision, for a header that Google does not send. gameconf-fetch recognizes gameconfd by the header,
  ///   so that no daemon fetches from itself.
  static func firebase(
    _ bytes: [UInt8], tag: String, revision: Int64, contentType: String = "application/json; charset=UTF-8"
  ) -> Self {
    var answer = Answer(contentType: contentType, body: bytes, revision: UInt64(clamping: revision))
    answer.fields += [Field("ETag", tag), Field("Cache-Control", "private")]
    return answer
  }

  /// Returns a JSON object with an ETag in Google's form, which has no quotes.
  static func firebase(_ value: ObjectValue, tag: String, revision: Int64) -> Self {
    firebase(JSONWriter.bytes(.object(value)), tag: tag, revision: revision)
  }
}

extension Problem {
  /// The problem in the form of Google's APIs. Status 412 of the daemon's API becomes 400, which Google's APIs use instead.
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
    func located(_ detail: String, _ pointer: String?) -> String { pointer.map { $0.isEmpty ? detail : "\($0): \(detail)" } ?? detail }
    let faults = errors.isEmpty ? [located(detail, pointer)] : errors.map { located($0.detail, $0.pointer) }
    return "[VALIDATION_ERROR]: " + faults.joined(separator: "; ")
  }
}
