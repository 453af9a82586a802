// What every change of a player needs from its request: who, why, on which conditions, and how a repeat is answered.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

extension Request {
  /// What comes with a change of a player.
  /// - Parameters:
  ///   - rank: what it takes on the admin socket; on the games socket nobody is asked.
  ///   - act: what is to be done, in words.
  ///   - reason: as the body said it; the query's `reason` counts where the body has none.
  func playerChange(_ rank: PeerRole.Rank = .tester, to act: String, reason: String?, host: Instant) throws(Problem) -> PlayerChange {
    let isAdmin = peer.socket == .admin
    if isAdmin { try role.require(rank, to: act) }
    // The name is for the audit log, which events of games are not in; looking it up for each would cost more than deciding it.
    let author = isAdmin ? self.author : Author(uid: role.uid, name: String(role.uid), pid: role.pid)
    return PlayerChange(
      author: author, reason: reason ?? query("reason"), isDryRun: try flag("dry_run"), host: host, precondition: try playerPrecondition(),
      isAdmin: isAdmin, sequence: try sequenced())
  }

  /// `If-Match: "7"` asks that the player's revision still is 7.
  private func playerPrecondition() throws(Problem) -> ChangePrecondition? {
    guard let header = try header("if-match"), header != "*" else { return nil }
    guard header.count > 2, header.first == "\"", header.last == "\"", let revision = Int64(header.dropFirst().dropLast()) else {
      throw .header("If-Match", "If-Match is \"7\" for the player's revision 7, as Gameconf-Player-Revision had it.")
    }
    return .playerRevision(revision)
  }

  /// Makes a change of a player, once when it is repeated, and renders what came of it.
  func reply<Outcome: Sendable>(
    changing id: PlayerID, _ change: PlayerChange, problem: @escaping @Sendable (PlayerRefusal) -> Problem = { Problem($0) },
    render: @escaping @Sendable (PlayerChanged<Outcome>) -> Answer,
    perform:
      @escaping @Sendable (Remembering<PlayerChanged<Outcome>, PlayerRefusal>?) async throws(PlayerRefusal) -> Answered<
        PlayerChanged<Outcome>
      >
  ) throws(Problem) -> Reply {
    let remembering: Remembering<PlayerChanged<Outcome>, PlayerRefusal>? = try remembering(
      in: id.game, player: id.player, now: change.host
    ) { result in
      switch result {
      case .success(let changed): render(changed)
      case .failure(let refusal): problem(refusal).answer
      }
    }
    return .task { () async throws(Problem) in
      do throws(PlayerRefusal) {
        switch try await perform(remembering) {
        case .fresh(let changed): return render(changed)
        case .remembered(let answer): return Answer(answer).repeated
        }
      } catch {
        if case .alreadyDone(let revision) = error { return .done(playerRevision: revision) }
        throw problem(error)
      }
    }
  }
}

extension PlayerChanged {
  /// An answer with the revisions that every answer about a player carries.
  func answer(_ wire: Value, of game: GameSnapshot) -> Answer {
    .json(wire, revision: UInt64(clamping: game.revision), playerRevision: UInt64(clamping: player.revision))
  }

  /// The same of JSON that is text already.
  func answer(json: [UInt8], of game: GameSnapshot) -> Answer {
    Answer(
      contentType: "application/json", body: json, revision: UInt64(clamping: game.revision),
      playerRevision: UInt64(clamping: player.revision))
  }

  /// 204 with the same revisions.
  func noContent(of game: GameSnapshot) -> Answer {
    .noContent(revision: UInt64(clamping: game.revision), playerRevision: UInt64(clamping: player.revision))
  }
}
