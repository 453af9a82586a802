// Templates in the memory store.
public import GameConfCore

extension MemoryTurn {
  /// A version of a template.
  public func template(_ number: Int64, of game: String) -> StoredTemplate? {
    state.templateVersions[game]?.first { $0.number == number }
  }

  /// Versions, the newest first.
  public func templates(of game: String, before: Int64?, limit: Int) -> [StoredTemplate] {
    let earlier = (state.templateVersions[game] ?? []).reversed().filter { version in before.map { version.number < $0 } ?? true }
    return earlier.prefix(limit).map { version in
      var listed = version
      listed.document = []
      return listed
    }
  }

  /// The newest version's number.
  public func lastTemplate(of game: String) -> Int64 { state.templateVersions[game]?.last?.number ?? 0 }

  /// What is in force and what is to be.
  public func activation(of game: String) -> TemplateActivation? { state.stored.activations[game] }

  /// The same of every game.
  public func activations() -> [String: TemplateActivation] { state.stored.activations }

  /// Adds a version.
  public func append(_ template: StoredTemplate) { state.templateVersions[template.game, default: []].append(template) }

  /// Brings a version into force.
  public func activate(_ template: TemplateInForce, changing keys: Set<String>, at revision: Int64, of game: String) {
    publish(.template(game: game, template, changed: keys, revision: revision))
  }

  /// Changes which version comes into force later.
  public func schedule(_ activation: TemplateActivation, of game: String) { publish(.scheduled(game: game, activation)) }

  /// Removes versions that are not kept any longer.
  public func dropTemplates(of game: String, now: Instant) -> Int {
    let versions = (state.templateVersions[game] ?? []).reversed().map { (number: $0.number, at: $0.at, bytes: $0.document.count) }
    let dropped = Set(
      TemplateLimits.dropped(versions, spared: TemplateLimits.spared(state.stored.activations[game], versions.map(\.number)), now: now))
    state.templateVersions[game]?.removeAll { dropped.contains($0.number) }
    return dropped.count
  }
}
