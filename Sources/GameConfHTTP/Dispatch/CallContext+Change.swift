// The common path of all calls that change something. It handles author, reason and preconditions, idempotent repeats, and refusals.

internal import GameConfAPI
package import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer

/// The engine's refusal of a change. It can be converted to a problem for the client.
protocol WireError: StoreRefusal {
  var problem: Problem { get }
}

extension ChangeRefusal: WireError {
  var problem: Problem { Problem(self) }
}

extension CallContext {
  /// Returns the author, reason and time of a change of a game.
  /// - Parameters:
  ///   - player: The player whom the change concerns; nil for the whole game. For the whole game, even a call that testers may make for a
  ///     player requires an admin.
  ///   - reason: The reason in the body; if nil, the query's `reason`.
  ///   - isOwn: True if the author reverts a change of their own, which requires no role.
  func change(about player: String?, reason: String?, now: Instant, isOwn: Bool = false) throws(Problem) -> ChangeContext {
    if !isOwn { try endpoint.require(role, isAboutPlayer: player != nil) }
    return ChangeContext(
      author: request.author, reason: try checked(reason), now: now, isDryRun: flag(.dryRun), precondition: try condition(),
      session: try request.session())
  }

  /// Returns the author, reason and time of a change of a player. On the games socket the author is the bare uid, because looking up the
  /// name would take longer than the event itself.
  func playerChange(reason: String?, now: Instant) throws(Problem) -> ChangeContext {
    let isAdmin = request.peer.socket == .admin
    let author = isAdmin ? request.author : Author(uid: role.uid, name: String(role.uid), pid: role.pid)
    return ChangeContext(
      author: author, reason: try checked(reason), now: now, isDryRun: flag(.dryRun), precondition: try condition(), isAdmin: isAdmin,
      session: isAdmin ? try request.session() : nil,
      sequence: try request.sequenceMark().map { SequencedRequest($0, contentDigest: contentDigest(withRoute: true)) })
  }

  private func checked(_ reason: String?) throws(Problem) -> String? {
    guard let reason = reason ?? (endpoint.query.contains(.reason) ? text(.reason) : nil) else { return nil }
    do throws(ChangeRefusal) { try ChangeContext.check(reason: reason) } catch { throw Problem(error) }
    return reason
  }

  /// Parses the precondition in the header `If-Match`.
  ///
  /// `"42"` requires the game's revision, or the player's for a change of a player, to be 42. `"value-17"` requires that revision 17 last
  /// changed the key. For a template, the value is the number of the newest version. For the state of a play it is the state's tag, which
  /// is empty if the play has no state yet.
  private func condition() throws(Problem) -> ChangePrecondition? {
    guard let change = endpoint.changes, endpoint.hasPrecondition, let header = try request.header("if-match"),
      header != "*"
    else { return nil }
    if header.count >= 2, header.first == "\"", header.last == "\"" {
      let text = header.dropFirst().dropLast()
      if change == .playState { return .playState(tag: String(text)) }
      if let number = Int64(text) {
        switch change {
        case .player: return .playerRevision(number)
        case .template: return .newestTemplate(number)
        case .game, .firebaseTemplate, .playState, .subscriber, .scenarios, .daemon: return .gameRevision(number)
        }
      }
      if change == .game, text.hasPrefix("value-"), let revision = Int64(text.dropFirst(6)) { return .slotRevision(revision) }
    }
    let words =
      switch change {
      case .player: "If-Match is the player's revision in quotes, as Gameconf-Player-Revision had it: \"7\" for revision 7."
      case .playState: "If-Match is the state's tag in quotes, as “state_tag” had it; \"\" for a play without a state."
      case .template: "If-Match is the template's newest version in quotes: \"3\" for version 3, \"0\" before the first."
      case .game, .firebaseTemplate, .subscriber, .scenarios, .daemon:
        "If-Match is \"42\" for the game's revision 42, or \"value-17\" for a key that was last changed at revision 17."
      }
    throw .header("If-Match", words)
  }

  /// Makes a change and renders its outcome. A repeated request gets the stored answer of the first one.
  /// - Parameters:
  ///   - player: The player whom the change concerns. The answer to repeats is stored with the player.
  func changing<Outcome: Sendable, Refusal: WireError, Body: CallBody>(
    in game: String, player: String? = nil, at now: Instant,
    render: @escaping @Sendable (Outcome) -> TypedAnswer<Body>,
    perform: @escaping @Sendable (RepeatableChange<Outcome, Refusal>?) async throws(Refusal) -> ChangeAnswer<Outcome>
  ) throws(Problem) -> TypedReply<Body> {
    let remembering: RepeatableChange<Outcome, Refusal>? = try repeatID(in: game, player: player).map { id, digest in
      RepeatableChange(id: id, by: role.uid, contentDigest: digest) { result in
        switch result {
        case .success(let outcome): render(outcome).answer.remembered(digest, at: now)
        case .failure(let refusal): refusal.problem.answer.remembered(digest, at: now)
        }
      }
    }
    return .task { () async throws(Problem) in
      do throws(Refusal) {
        switch try await perform(remembering) {
        case .fresh(let outcome): return render(outcome)
        case .remembered(let answer): return TypedAnswer(repeating: answer)
        }
      } catch {
        if case .alreadyDone(let revision)? = error as? ChangeRefusal { return .done(playerRevision: revision) }
        throw error.problem
      }
    }
  }

  private var routeName: String { endpoint.method.rawValue + " " + endpoint.path }

  /// Returns the id by which a repeated request is recognized, from `Idempotency-Key` or its position in a client's queue, and a digest of
  /// its content.
  private func repeatID(in game: String, player: String?) throws(Problem) -> (RepeatID, String)? {
    if let key = try request.idempotencyKey() {
      return (
        RepeatID(game: game, player: player, route: routeName, id: key), SHA256.hex(contentDigest(withRoute: false))
      )
    }
    // Positions in a client's queue are stored in the player's state, which a change of a play's state does not write.
    guard let player, endpoint.changes != .playState, let mark = try request.sequenceMark() else { return nil }
    // A position in a queue identifies one request, whatever call it makes.
    return (RepeatID(game: game, player: player, route: "sequence", id: mark.text), SHA256.hex(contentDigest(withRoute: true)))
  }

  /// Performs a change of a player, and renders its outcome.
  /// - Parameters:
  ///   - player: The player to change; nil for the player in the path.
  ///   - made: Called once if the player was changed. It is not called for a dry run or a repeat.
  ///   - render: Returns the answer to the change's outcome.
  func changingPlayer<Outcome: Sendable, Body: CallBody>(
    _ act: PlayerAct<Outcome>, of player: PlayerID? = nil, _ services: DaemonServices, reason: String?,
    made: @escaping @Sendable (Outcome) -> Void = { _ in },
    render: @escaping @Sendable (PlayerChangeOutcome<Outcome>, PlayerID, ChangeContext) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let now = services.clock.now
    let id: PlayerID
    if let player { id = player } else { id = try request.playerID() }
    let change = try playerChange(reason: reason, now: now)
    return try changing(in: id.game, player: id.player, at: now) { (changed: PlayerChangeOutcome<Outcome>) in
      render(changed, id, change)
    } perform: { remembering async throws(ChangeRefusal) in
      let answered = try await services.players.change(id, act, change, remembering: remembering)
      if !change.isDryRun, let outcome = answered.fresh?.outcome { made(outcome) }
      return answered
    }
  }

  /// Performs a change of a player whose answer is the JSON of its outcome.
  func changingPlayer<Outcome: Sendable, Body: WireShape>(
    _ act: PlayerAct<Outcome>, _ services: DaemonServices, reason: String?,
    made: @escaping @Sendable (Outcome) -> Void = { _ in },
    answer: @escaping @Sendable (PlayerChangeOutcome<Outcome>, PlayerID, ChangeContext) -> Body
  ) throws(Problem) -> TypedReply<Body> {
    let game = try self.game.snapshot
    return try changingPlayer(
      act, services, reason: reason, made: made,
      render: { changed, id, change in .ok(answer(changed, id, change), changed.revisions(of: game)) })
  }

  /// Returns a digest of the request's content: the path's variables, the query, the precondition and the body.
  private func contentDigest(withRoute: Bool) -> [UInt8] {
    var hasher = SHA256()
    func add(_ part: String?) {
      hasher.update([part == nil ? 0 : 1])
      hasher.update((part ?? "").utf8)
      hasher.update([0])
    }
    if withRoute { add(routeName) }
    for name in endpoint.pathParameters { add(path(name)) }
    // `dry_run` is left out of the digest: a dry run neither stores an answer nor receives a stored one.
    for parameter in endpoint.query where parameter != .dryRun { add(text(parameter)) }
    add(try? request.header("if-match"))
    hasher.update(request.body)
    return hasher.digest()
  }
}

extension Answer {
  /// Returns the answer to store for repeats; nil for a temporary failure, so that a retry is processed again.
  fileprivate func remembered(_ digest: String, at now: Instant) -> StoredAnswer? {
    if isTooLarge || status == 412 || status == 429 || status >= 500 { return nil }
    var headers: [String: String] = [:]
    if let revision { headers["Gameconf-Revision"] = String(revision) }
    if let playerRevision { headers["Gameconf-Player-Revision"] = String(playerRevision) }
    for field in fields { headers[field.name] = field.value }
    if let contentType { headers["Content-Type"] = contentType }
    return StoredAnswer(
      contentDigest: digest, status: status, headers: headers, body: String(decoding: body, as: UTF8.self), at: now)
  }

  init(_ remembered: StoredAnswer) {
    self.init(
      status: remembered.status, contentType: remembered.headers["Content-Type"], body: Array(remembered.body.utf8),
      revision: remembered.headers["Gameconf-Revision"].flatMap(UInt64.init),
      playerRevision: remembered.headers["Gameconf-Player-Revision"].flatMap(UInt64.init))
    let own: Set<String> = ["Content-Type", "Gameconf-Revision", "Gameconf-Player-Revision"]
    for (name, value) in remembered.headers.sorted(by: { $0.key < $1.key }) where !own.contains(name) { fields.append(Field(name, value)) }
  }
}

extension OverrideOutcome {
  var revisions: AnswerRevisions { AnswerRevisions(game: revision, player: playerRevision) }
}

extension PlayerChangeOutcome {
  func revisions(of game: GameSnapshot) -> AnswerRevisions { AnswerRevisions(game: game.revision, player: player.revision) }
}

extension GameSnapshot {
  var revisions: AnswerRevisions { AnswerRevisions(game: revision) }
}

extension PlayerView {
  var revisions: AnswerRevisions { AnswerRevisions(game: game.revision, player: stored.revision) }
}

extension Request {
  /// Looks up the name of the request's user, so that ``author`` has it.
  package func learnAuthor() async { await UserNames.host.learn(role.uid) }

  /// The author of the request for the audit log, with the user's cached name.
  package var author: Author {
    let role = role
    return Author(uid: role.uid, name: UserNames.host.name(of: role.uid), pid: role.pid)
  }

  /// Returns the client's session from the header `Gameconf-Session`; nil without that header.
  func session() throws(Problem) -> String? {
    guard let session = try header("gameconf-session") else { return nil }
    guard (1...64).contains(session.utf8.count), session.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .header("Gameconf-Session", "A Gameconf-Session has 1 to 64 printable ASCII characters without spaces.")
    }
    return session
  }

  /// Returns the key from the header `Idempotency-Key`; nil without that header.
  func idempotencyKey() throws(Problem) -> String? {
    guard let key = try header("idempotency-key") else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .header("Idempotency-Key", "An Idempotency-Key has 1 to 255 printable ASCII characters without spaces.")
    }
    return key
  }
}
