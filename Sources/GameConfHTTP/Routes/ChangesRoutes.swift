// The routes that list all differences of a game or a player from the game's catalog.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ChangesRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.changes) { call throws(Problem) in try ofGame(call) },
      CallRoute(Calls.playerChanges) { call throws(Problem) in try ofPlayer(call) },
    ]
  }

  /// The maximum number of rows of the audit log that are searched for a player's changes.
  private static let linesMax = 500

  private func ofGame(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ChangesAnswer> {
    let served = try call.game
    let game = served.snapshot
    let hidden = services.secrets.hidden(from: call.role, in: game)
    let showsPlayers = call.text(.allPlayers) != nil
    return .task { () async throws(Problem) in
      let now = services.clock.now
      let live = try await services.liveScenarios()
      let readers = await services.watches.readers(of: game.game)
      func things(in slot: KeyOverrides) -> [ChangedThing] { self.things(in: slot, of: served, hidden, live, readers) }
      var changes = game.overrides.game.values.sorted { $0.slot.key < $1.slot.key }.flatMap(things)
      if showsPlayers {
        let slots = game.overrides.players.values.flatMap { $0.slots.values }.sorted { $0.slot < $1.slot }
        changes += slots.flatMap(things)
      }
      if game.clock != .host {
        var thing = ChangedThing("clock", value: .string(game.now(host: now).text), detail: game.clock.pace)
        thing.copyAuthor(of: try await newest(.clockSet, in: game.game))
        changes.append(thing)
      }
      if let template = game.template {
        var thing = ChangedThing("template", value: .integer(template.number))
        var lines: [AuditRecord] = []
        for action in [AuditAction.templatePushed, .templateActivated, .templateRolledBack] {
          if let line = try await newest(action, in: game.game) { lines.append(line) }
        }
        thing.copyAuthor(of: lines.max { $0.id < $1.id })
        changes.append(thing)
      }
      for dropIn in game.catalog.dropIns {
        changes += dropIn.fields.sorted { $0.key < $1.key }.map { key, fields in
          ChangedThing("drop_in", key: key, detail: "\(dropIn.file): \(fields.joined(separator: ", "))")
        }
        if !dropIn.header.isEmpty {
          changes.append(ChangedThing("drop_in", detail: "\(dropIn.file): \(dropIn.header.joined(separator: ", "))"))
        }
      }
      for degraded in game.degraded where degraded.kind == .catalogDrift {
        var thing = ChangedThing("catalog", detail: degraded.details.joined(separator: "; "))
        thing.copyAuthor(of: try await newest(.catalogReverted, in: game.game))
        changes.append(thing)
      }
      let answer = ChangesAnswer(
        game: game.game, revision: game.revision, changes: changes, playerOverrides: Int64(game.overrides.counts.players))
      return .ok(answer, sameAs: answer.withoutReads, game.revisions)
    }
  }

  private func ofPlayer(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ChangesAnswer> {
    let served = try call.game
    let game = served.snapshot
    let id = try call.request.playerID()
    let hidden = services.secrets.hidden(from: call.role, in: game)
    return .task { () async throws(Problem) in
      let view: PlayerView
      do throws(ChangeRefusal) { view = try await services.players.view(id, host: services.clock.now) } catch {
        throw Problem(error)
      }
      let live = try await services.liveScenarios()
      let slots = game.overrides.player(id.player).slots.values.sorted { $0.slot.key < $1.slot.key }
      let readers = await services.watches.readers(of: game.game)
      var changes = slots.flatMap { things(in: $0, of: served, hidden, live, readers) }
      let own = live.first { $0.has(player: id.player) }?.figures
      for line in try await standing(of: id) {
        guard var thing = view.thing(of: line, hiding: hidden) else { continue }
        // If the player belongs to a scenario, the end of the scenario undoes all changes of the player, even those by another author.
        thing.scenario = own
        changes.append(thing)
      }
      let answer = ChangesAnswer(game: id.game, player: id.player, revision: game.revision, changes: changes)
      return .ok(answer, sameAs: answer.withoutReads, view.revisions)
    }
  }

  private func things(
    in slot: KeyOverrides, of served: ServedGame, _ hidden: HiddenKeys, _ live: [StoredScenario], _ readers: [WatchingReader]
  ) -> [ChangedThing] {
    slot.records.map { record in
      var thing = ChangedThing("override", key: record.slot.key, player: record.slot.player)
      thing.value = hidden.contains(record.slot.key) ? .some(.null) : record.value
      thing.isInForce = slot.inForce == record
      if thing.isInForce { thing.read = services.reads.read(record, in: served, watchers: readers) }
      thing.author = record.author.wire
      thing.at = record.at
      thing.reason = record.reason
      thing.from = record.window?.from
      thing.until = record.window?.until
      thing.scenario = live.first { $0.holds(record) }?.figures
      if record.quarantined != nil { thing.detail = "in quarantine: the catalog does not admit it" }
      return thing
    }
  }

  private func newest(_ action: AuditAction, in game: String) async throws(Problem) -> AuditRecord? {
    var selection = AuditSelection(game: game, limit: 1)
    selection.action = action
    do throws(StoreError) { return try await services.store.audits(selection).first } catch { throw Problem(error) }
  }

  /// Returns the rows of the audit log about admins' acts on a player since the player's last reset. Of several acts of one kind on one
  /// thing, such as a key, it returns only the newest.
  private func standing(of id: PlayerID) async throws(Problem) -> [AuditRecord] {
    let lines: [AuditRecord]
    do throws(StoreError) {
      lines = try await services.store.audits(AuditSelection(game: id.game, player: id.player, limit: Self.linesMax))
    } catch { throw Problem(error) }
    var seen: Set<String> = []
    let since = lines.prefix { $0.action != .playerReset }
    return since.filter { line in
      // Overrides are listed from the game's snapshot, so their rows are skipped.
      if line.action.rawValue.hasPrefix("override.") { return false }
      let about =
        line.detail?["transaction"]?.stringValue ?? line.detail?["key"]?.stringValue ?? line.detail?["placement"]?.stringValue ?? ""
      return seen.insert(line.action.rawValue + " " + about).inserted
    }
  }
}

extension PlayerView {
  /// Returns the change that a row of the audit log describes; nil if it is no longer in effect.
  fileprivate func thing(of line: AuditRecord, hiding hidden: HiddenKeys) -> ChangedThing? {
    let detail = line.detail?.objectValue ?? ObjectValue()
    var thing = ChangedThing(line.action.rawValue)
    switch line.action.act {
    case .playerClockSet:
      if stored.clock == .game { return nil }
      let ahead = DurationText.text(milliseconds: stored.clock.offsetMilliseconds)
      thing = ChangedThing("clock", value: .string(now.text), detail: "\(ahead) ahead of the game's")
    case .adForce:
      guard let placement = detail["placement"]?.stringValue, state.ads.placements[placement]?.isForced == true else { return nil }
      thing = ChangedThing("ad_force", key: placement)
    case .playerScores: thing.value = line.after
    case .playerSetting:
      guard let key = detail["key"]?.stringValue, let value = state.settings[key] else { return nil }
      thing.key = key
      thing.value = hidden.contains(key) ? .some(.null) : value
    case .playerContext: thing.value = state.context.isEmpty ? nil : .object(state.context)
    case nil where line.action == AuditAction(.behave(ShopBehaviour())):
      if ledger.behaviour == ShopBehaviour() { return nil }
      thing = ChangedThing("behaviour", value: line.after)
    case .premiumSwitched, .purchasesTransferred, nil:
      guard line.action.isOfShop else { return nil }
      if let id = detail["transaction"]?.stringValue {
        // The transaction no longer exists, so the change is no longer in effect.
        guard ledger.transaction(id) != nil else { return nil }
        thing.key = id
      }
      thing.value = (detail["product"] ?? detail["entitlement"])
    // These acts leave no changed state of the player, or a state that the list takes from elsewhere, such as an override.
    case .playerEvent, .playerVisit, .playOpened, .playClosed, .playerReset, .playerForgotten, .playerCopied, .playerAliased, .bestsRemoved,
      .rowsRemoved, .adReport, .adReset, .overrideSet, .windowAdded, .windowChanged, .windowOpened, .windowEnded, .windowPostponed,
      .overrideRemoved, .overrideCleared, .overrideImported, .overrideQuarantined, .overrideReleased, .overrideReverted:
      return nil
    // These acts change a game or the store, not a player.
    case .catalogAccepted, .catalogReverted, .catalogForgotten, .templatePushed, .templateActivated, .templateRolledBack,
      .templateFetchRequested, .storeRestored, .storeRebuilt, .clockSet, .clockReset, .scenarioBegun, .scenarioEnded:
      return nil
    }
    thing.copyAuthor(of: line)
    return thing
  }
}

extension StoredScenario {
  /// True if the end of the scenario removes this override: an override window of the scenario, or any override of its players.
  fileprivate func holds(_ record: OverrideRecord) -> Bool {
    if let player = record.slot.player { return has(player: player) }
    return record.window.map { window in hold(on: record.slot.key, in: record.slot.game)?.window == window.id } ?? false
  }
}

extension ChangesAnswer {
  /// The answer as it is hashed for the ETag. It leaves out each change's `read`, because a read by a game must not change the ETag of the
  /// list.
  fileprivate var withoutReads: ChangesAnswer {
    var answer = self
    for at in answer.changes.indices { answer.changes[at].read = nil }
    return answer
  }
}

extension ChangedThing {
  /// Copies the author, time and reason from a row of the audit log.
  fileprivate mutating func copyAuthor(of line: AuditRecord?) {
    guard let line else { return }
    author = line.author.wire
    at = line.at
    reason = line.reason
  }
}

extension SimulatedClock {
  /// A phrase for the clock's rate; nil if the clock runs at the host's rate.
  fileprivate var pace: String? {
    switch rateThousandths {
    case 0: "it is stopped"
    case 1_000: nil
    default: "it runs \(Double(rateThousandths) / 1_000) times as fast as the host's clock"
    }
  }
}
