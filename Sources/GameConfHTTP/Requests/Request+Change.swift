// What comes with every change of an admin: author, reason, dry run, precondition, and the id of a repeat.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

extension Request {
  /// Who asks, for the audit log.
  var author: Author {
    let role = role
    return Author(uid: role.uid, name: UserNames.name(of: role.uid), pid: role.pid)
  }

  /// The context of a change.
  /// - Parameter reason: as the body said it; the query's `reason` counts where the body has none.
  func change(reason: String?, now: Instant) throws(Problem) -> ChangeContext {
    ChangeContext(
      author: author, reason: reason ?? query("reason"), now: now, isDryRun: try flag("dry_run"), precondition: try ifMatch())
  }

  /// `If-Match: "42"` asks that the game's revision still is 42, `"value-17"` that the key was last changed at 17.
  private func ifMatch() throws(Problem) -> ChangePrecondition? {
    guard let header = try header("if-match"), header != "*" else { return nil }
    if header.count > 2, header.first == "\"", header.last == "\"" {
      let text = header.dropFirst().dropLast()
      if let revision = Int64(text) { return .gameRevision(revision) }
      if text.hasPrefix("value-"), let revision = Int64(text.dropFirst(6)) { return .slotRevision(revision) }
    }
    throw .header("If-Match", "If-Match is \"42\" for the game's revision 42, or \"value-17\" for a key that was last changed at 17.")
  }

  /// The name the request gives itself by `Idempotency-Key`.
  func idempotencyKey() throws(Problem) -> String? {
    guard let key = try header("idempotency-key") else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .header("Idempotency-Key", "An Idempotency-Key has 1 to 255 printable ASCII characters without spaces.")
    }
    return key
  }

  private var routeName: String { route.method.rawValue + " " + route.path }

  /// A digest of all that is asked, for telling a repeat from another request of the same name.
  func contentDigest(withRoute: Bool) -> [UInt8] {
    var asked = SHA256()
    for part in [
      path("key"), path("id"), path("placement"), path("transaction"), query("window") ?? "", query("force") ?? "", query("reason") ?? "",
    ] + (withRoute ? [routeName] : []) {
      asked.update(part.utf8)
      asked.update([0])
    }
    asked.update(body)
    return asked.digest()
  }

  /// How the answer is remembered, when the request names itself by `Idempotency-Key`, or by a place in a client's queue.
  func remembering<Outcome: Sendable, Refusal: StoreRefusal>(
    in game: String, player: String?, now: Instant, _ render: @escaping @Sendable (Result<Outcome, Refusal>) -> Answer
  ) throws(Problem) -> Remembering<Outcome, Refusal>? {
    let id: RepeatID
    let digest: String
    if let key = try idempotencyKey() {
      id = RepeatID(game: game, player: player, route: routeName, id: key)
      digest = SHA256.hex(contentDigest(withRoute: false))
    } else if player != nil, let mark = try sequenceMark() {
      // A number names one request of a queue, whatever its route is.
      id = RepeatID(game: game, player: player, route: "sequence", id: mark.text)
      digest = SHA256.hex(contentDigest(withRoute: true))
    } else {
      return nil
    }
    return Remembering(id: id, contentDigest: digest) { result in
      let answer = render(result)
      var headers: [String: String] = [:]
      if let revision = answer.revision { headers["Gameconf-Revision"] = String(revision) }
      if let revision = answer.playerRevision { headers["Gameconf-Player-Revision"] = String(revision) }
      for field in answer.fields { headers[field.name] = field.value }
      if let type = answer.contentType { headers["Content-Type"] = type }
      return RememberedAnswer(
        contentDigest: digest, status: answer.status, headers: headers, body: String(decoding: answer.body, as: UTF8.self),
        at: now)
    }
  }
}

extension Answer {
  /// An answer that was given before.
  init(_ remembered: RememberedAnswer) {
    self.init(
      status: remembered.status, contentType: remembered.headers["Content-Type"], body: Array(remembered.body.utf8),
      revision: remembered.headers["Gameconf-Revision"].flatMap(UInt64.init),
      playerRevision: remembered.headers["Gameconf-Player-Revision"].flatMap(UInt64.init))
    let own: Set<String> = ["Content-Type", "Gameconf-Revision", "Gameconf-Player-Revision"]
    for (name, value) in remembered.headers.sorted(by: { $0.key < $1.key }) where !own.contains(name) { fields.append(Field(name, value)) }
  }
}
