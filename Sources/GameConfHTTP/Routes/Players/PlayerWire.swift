// Players, themes, milestones and ads in the form of the HTTP answers.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

extension PlayerView {
  func page(history: [HistoryEntry]) -> PlayerAnswer {
    let isKnown = stored.state != nil
    return PlayerAnswer(
      game: id.game, player: id.player, revision: game.revision, playerRevision: stored.revision,
      createdAt: isKnown ? .some(state.createdAt) : .none, changedAt: isKnown ? .some(state.changedAt) : .none, now: now,
      scores: state.scores, counters: state.counters, visits: state.visits.wire, settings: pageSettings, context: state.context,
      themes: themes, milestones: milestones, ads: game.catalog.placements.compactMap { try? ad(at: $0.id) },
      history: history.map(\.wire))
  }

  /// The game's themes, unlocked and locked, for this player.
  var themes: [ThemeAnswer] {
    game.catalog.themes.map { state.standing(of: $0, under: terms).wire(in: caller.locales, of: game.catalog) }
  }

  /// The milestones of the game that are enabled for the player.
  var milestones: [MilestoneAnswer] {
    game.catalog.milestones.filter { $0.enabled.isOn(terms.parameters) }.map { milestone in
      state.standing(of: milestone, under: terms).wire(in: caller.locales, of: game.catalog)
    }
  }

  /// Returns the status of an ad placement: if an event would show an ad now, and when the next ad is due.
  func ad(at placement: String) throws(Problem) -> AdStatusAnswer {
    do throws(Refusal) {
      return try state.adStatus(at: placement, under: terms).status(in: game.catalog)
    } catch { throw Problem(error) }
  }

  /// The parameters whose values players choose, in the catalog's order, followed by stored settings of other keys.
  private var pageSettings: [SettingAnswer] {
    let keys = game.catalog.parameters.filter(\.isPlayerSetting).map(\.key)
    let others = state.settings.keys.filter { !keys.contains($0) }.sorted()
    return (keys + others).map { standing(ofSetting: $0).wire() }
  }
}

extension SettingStatus {
  func wire(playerRevision: Int64? = nil, isDryRun: Bool = false) -> SettingAnswer {
    SettingAnswer(
      key: key, value: stored, effective: effective?.value, source: effective?.layer.rawValue, shadowedBy: shadowedBy?.rawValue,
      skipped: skipped, playerRevision: playerRevision, isDryRun: isDryRun)
  }
}

extension PlayerState {
  var scores: WireScores {
    WireScores(lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, bestScore: bestScore, bestScores: bestScores)
  }

  fileprivate var counters: [WireEventCount] {
    eventCounts.sorted { $0.key < $1.key }.map { WireEventCount(event: $0.key, count: $0.value, modes: modeCounts[$0.key] ?? [:]) }
  }
}

extension Visits {
  var wire: WireVisits { WireVisits(count: count, openedAt: openedAt, activeAt: activeAt) }
}

extension PlayerListItem {
  var wire: PlayerSummary {
    PlayerSummary(
      player: player, playerRevision: revision, createdAt: state?.createdAt, changedAt: state?.changedAt,
      lifetimeScore: state?.lifetimeScore ?? 0, gamesPlayed: state?.gamesPlayed ?? 0, visits: state?.visits.count ?? 0,
      isUnreadable: isUnreadable)
  }
}

extension HistoryEntry {
  var wire: HistoryLine { HistoryLine(number: number, at: at, kind: kind.rawValue, details: details) }
}

extension ThemeAvailability {
  /// Returns the theme for an answer, with its name in the first of these languages that it has.
  /// - Parameter catalog: The game's catalog, which has the products that unlock the theme.
  func wire(in locales: [String], of catalog: Catalog) -> ThemeAnswer {
    let (kind, by): (ThemeAnswer.ThemeUnlockKind, String?) =
      switch theme.unlock {
      case .free: (.free, nil)
      case .milestone(let id): (.milestone, id)
      case .entitlement(let name): (.entitlement, name)
      case .parameter(let key): (.parameter, key)
      }
    let progress = milestone.flatMap { standing in
      standing.target.map { WireProgress(value: standing.value, target: $0, isUnlocked: standing.isUnlocked) }
    }
    return ThemeAnswer(
      theme: theme.id, name: theme.name.first(in: locales) ?? theme.id, kind: kind, by: isByDefault ? "default" : by,
      unlocksWith: isUnlocked ? [] : theme.unlockers(in: catalog), isUnlocked: isUnlocked,
      unlockedAt: milestone?.unlockedAt, milestone: milestone?.target, progress: progress, attributes: theme.attributes)
  }
}

extension MilestoneProgress {
  /// Returns the milestone for an answer, with its name in the first of these languages that it has.
  fileprivate func wire(in locales: [String], of catalog: Catalog) -> MilestoneAnswer {
    let themes = catalog.themes.filter { $0.unlock == .milestone(milestone.id) }.map(\.id)
    return MilestoneAnswer(
      milestone: milestone.id, name: milestone.name.first(in: locales), count: CatalogDescription.metric(milestone.metric), value: value,
      target: target,
      isUnlocked: isUnlocked, unlockedAt: unlockedAt, isAchievement: milestone.isAchievement, isProgressive: milestone.isProgressive,
      themes: themes)
  }
}

extension Unlocks {
  /// The unlocked milestones, achievements and themes in the form of the HTTP answers.
  var wire: WireUnlocked { WireUnlocked(milestones: milestones.wire, achievements: achievements.wire, themes: themes.wire) }
}

extension [Unlocks.UnlockedItem] {
  var wire: [String: WireUnlockedItem] { isEmpty ? [:] : Dictionary(map { ($0.id, WireUnlockedItem(name: $0.name)) }) { $1 } }
}

extension AdDecision {
  /// The decision about an ad in the form of the answer to an event.
  var wire: AdDecisionAnswer {
    AdDecisionAnswer(
      placement: placement, format: format.rawValue, shows: shows, decisionID: decisionID, reason: refusal?.rawValue, isForced: isForced,
      counters: counters, next: next.wire)
  }

  /// Returns the placement's status in the form of the HTTP answers.
  func status(in catalog: Catalog) -> AdStatusAnswer {
    AdStatusAnswer(
      placement: placement, format: format.rawValue, event: catalog.placements.first { $0.id == placement }?.event ?? "",
      wouldShow: shows, reason: refusal?.rawValue, counters: counters, next: next.wire)
  }
}

extension EarliestAd {
  fileprivate var wire: WireAdNext {
    WireAdNext(events: events, visits: visits, notBefore: notBefore, blockedBy: blockedBy?.rawValue)
  }
}

extension EventOutcome {
  func wire(of event: String, _ id: PlayerID, isDryRun: Bool) -> EventAnswer {
    var answer = EventAnswer(
      game: id.game, player: id.player, event: event, occurredAt: occurredAt, simulatedAt: simulatedAt, lifetimeScore: lifetimeScore,
      gamesPlayed: gamesPlayed, bestScore: bestScore, isBest: isBest, count: count, visit: visit, opensVisit: opensVisit,
      unlocked: unlocked.wire, ads: ads.map(\.wire), best: best, isDryRun: isDryRun)
    answer.warnings = uncheckedBy.map { "The check \($0) took more steps than an event's checks may take together, so it passed." }
    return answer
  }
}
