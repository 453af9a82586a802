// Firebase's calls for publishers: the stored template and its versions.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfHTTP
internal import GameConfServer
internal import GameConfStorage

/// The routes by which Firebase's admin libraries and REST clients read and publish templates.
///
/// A game has one template, which both of Firebase's namespaces name. Overrides are not in it, because a client would publish them back as
/// values of the template.
struct FirebaseTemplateRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(firebase: Calls.firebaseTemplate) { call throws(Problem) in try show(call) },
      CallRoute(firebase: Calls.firebaseNamespaceTemplate) { call throws(Problem) in try show(call) },
      CallRoute(firebase: Calls.putFirebaseTemplate, bodyBytesMax: TemplateLimits.documentBytesMax) { call throws(Problem) in
        try put(call)
      },
      CallRoute(firebase: Calls.putFirebaseNamespaceTemplate, bodyBytesMax: TemplateLimits.documentBytesMax) { call throws(Problem) in
        try put(call)
      },
      CallRoute(firebase: Calls.rollbackFirebaseTemplate) { call throws(Problem) in try rollback(call) },
      CallRoute(firebase: Calls.firebaseVersions) { call throws(Problem) in try versions(call) },
      CallRoute(firebase: Calls.firebaseDefaults) { call throws(Problem) in try defaults(call) },
    ]
  }

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let game = try call.request.firebaseGame().snapshot
    let isClients = try call.request.firebaseNamespace() != FirebaseLimits.servers
    let wanted = call.number(.firebaseVersion)
    return .task { () async throws(Problem) in
      let (stored, active) = try await read { view in
        let active = try view.activation(of: game.game)?.active
        return (try (wanted ?? active).flatMap { try view.template($0, of: game.game) }, active)
      }
      guard let stored else {
        if let wanted { throw TemplateError.unknownVersion(wanted).problem }
        // A Firebase project without a template returns an empty one too.
        return .firebase(["conditions": [], "parameters": [:]], tag: Self.tag(game.game, active ?? 0), revision: game.revision)
      }
      try services.admit(call.role, to: services.documents.fitting(stored.document, for: game.catalog), of: game)
      var document = try FirebaseDocument(stored.document)
      if isClients { document = try document.forClients() }
      return .firebase(document.bytes(as: stored.firebase), tag: Self.tag(game.game, stored.number), revision: game.revision)
    }
  }

  private func defaults(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let game = try call.request.firebaseGame().snapshot
    let file = call.text(.defaultsFormat).flatMap(FirebaseDefaultsFormat.init(rawValue:)) ?? .json
    return .task { () async throws(Problem) in
      try await services.slice(for: call.role.uid) { () throws(Problem) in
        guard let template = game.template else {
          return .firebase(file.bytes([]), tag: Self.tag(game.game, 0), revision: game.revision, contentType: file.mediaType)
        }
        try services.admit(call.role, to: template.template, of: game)
        let values = try FirebaseDocument(template.document).parameters.compactMap { member in
          member.value["defaultValue"]?["value"]?.stringValue.map { (key: member.name, value: $0) }
        }
        return .firebase(
          file.bytes(values), tag: Self.tag(game.game, template.number), revision: game.revision, contentType: file.mediaType)
      }
    }
  }

  private func put(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let request = call.request
    let game = try request.firebaseGame().snapshot
    _ = try request.firebaseNamespace()
    let precondition = try inForce(call.request.header("if-match"), of: game.game)
    let now = services.clock.now
    let isValidation = call.flag(.validateOnly) || call.flag(.validateOnlyInCamelCase)
    let isDryRun = call.flag(.dryRun) || isValidation
    return .task { () async throws(Problem) in
      let document = try await services.slice(for: request.role.uid) { () throws(Problem) in
        let document = try FirebaseDocument(request.unpacked())
        // A validation is as strict as Firebase's, so that Firebase accepts each template that the daemon has validated.
        if isValidation { try Self.admit(.object(document.members)) }
        return document
      }
      let said = document.members["version"]?["description"]?.stringValue
      let reason = said.flatMap { (try? ChangeContext.check(reason: $0)) == nil ? nil : $0 }
      await request.learnAuthor()
      let context = ChangeContext(
        author: request.author, reason: reason, now: now, isDryRun: isDryRun, precondition: precondition)
      let outcome: ChangeAnswer<TemplateOutcome>
      do throws(TemplateError) {
        outcome = try await services.templates.push(
          document.bytes, for: game.game, .now, context)
      } catch { throw error.problem }
      return try answer(outcome, of: game, isDryRun, to: call.role)
    }
  }

  /// Throws the template's faults if Firebase would refuse it.
  private static func admit(_ document: Value) throws(Problem) {
    let faults = FirebaseAcceptance.faults(of: document)
    if !faults.isEmpty { throw TemplateError.faults(Array(faults.prefix(Faults.reportedMax))).problem }
  }

  private func rollback(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let request = call.request
    let game = try request.firebaseGame().snapshot
    // Firebase's command line sends the version in the query, without a body.
    let members = try FirebaseJSON.object(request.unpacked())
    let text = members["versionNumber"] ?? members["version_number"]
    let inQuery = call.number(.rollbackVersion)
    guard let number = text == nil ? inQuery : text?.integerValue ?? text?.stringValue.flatMap({ Int64($0) }), number > 0,
      inQuery == nil || inQuery == number
    else {
      throw Problem(.malformedRequest, "versionNumber names the version to go back to, such as \"3\".", pointer: "/versionNumber")
    }
    let isDryRun = call.flag(.dryRun)
    let now = services.clock.now
    return .task { () async throws(Problem) in
      await request.learnAuthor()
      let context = ChangeContext(author: request.author, now: now, isDryRun: isDryRun)
      let stored = try await read { try $0.template(number, of: game.game) }
      // Firebase's calls can only return templates in Firebase's form, so they refuse a rollback to a template in another form.
      if let stored { _ = try FirebaseDocument(stored.document) }
      let outcome: ChangeAnswer<TemplateOutcome>
      do throws(TemplateError) {
        outcome = try await services.templates.rollback(to: number, of: game.game, context)
      } catch { throw error.problem }
      return try answer(outcome, of: game, isDryRun, to: call.role)
    }
  }

  private func versions(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let game = try call.request.firebaseGame().snapshot
    let size = Int(min(call.number(.pageSize) ?? 10, Self.pageSizeMax))
    let before = min(call.number(.pageToken) ?? .max, call.number(.endVersion).map { $0 == .max ? .max : $0 + 1 } ?? .max)
    let (from, until) = (try instant(call, .startTime), try instant(call, .endTime))
    return .task { () async throws(Problem) in
      let all = try await read {
        try $0.templates(of: game.game, before: before == .max ? nil : before, limit: Self.versionsListedMax)
      }
      let meant = all.filter { version in from.map { $0 <= version.at } ?? true && until.map { version.at < $0 } ?? true }
      var members = ObjectValue()
      if !meant.isEmpty { members["versions"] = .list(meant.prefix(size).map(\.firebase)) }
      if meant.count > size { members["nextPageToken"] = .string(String(meant[size - 1].number)) }
      return Answer(
        contentType: "application/json; charset=UTF-8", body: JSONWriter.bytes(.object(members)), revision: UInt64(clamping: game.revision))
    }
  }

  private static let versionsListedMax = 10_000
  /// The maximum number of versions on a page. A larger request is reduced to it, as by Google.
  private static let pageSizeMax: Int64 = 300

  private func instant(_ call: CallContext<NoBody>, _ parameter: QueryParameter) throws(Problem) -> Instant? {
    guard let text = call.text(parameter) else { return nil }
    guard let instant = try? Instant(parsing: text) else {
      throw .query(.malformedQueryParameter, parameter.name, "\(parameter.name) is “\(text)”; write 2026-12-01T00:00:00Z.")
    }
    return instant
  }

  /// Parses `If-Match`: the ETag of the template in force, with or without quotes, or `*` for no precondition.
  private func inForce(_ header: String?, of game: String) throws(Problem) -> ChangePrecondition? {
    guard let header else {
      throw Problem(.malformedHeader, "Send If-Match with the ETag of the template that you read, or * for any.")
    }
    if header == "*" { return nil }
    var text = header[...]
    if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    let prefix = "etag-\(game)-"
    // A text that is not an ETag of this game becomes -1, which is the number of no version, so that the precondition fails.
    return .templateInForce(text.hasPrefix(prefix) ? Int64(text.dropFirst(prefix.count)) ?? -1 : -1)
  }

  static func tag(_ game: String, _ number: Int64) -> String { "etag-\(game)-\(number)" }

  private func read<Found: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Found
  ) async throws(Problem) -> Found {
    do throws(StoreError) { return try await services.store.read(body) } catch { throw Problem(error) }
  }

  private func answer(
    _ outcome: ChangeAnswer<TemplateOutcome>, of game: GameSnapshot, _ isDryRun: Bool, to role: PeerRole
  ) throws(Problem) -> Answer {
    guard case .fresh(let outcome) = outcome else { throw Problem(.internalFault, "The call was answered as a repeated one.") }
    let version = outcome.version
    // In Google's service too, the ETag of a validated template ends in `-0`.
    let tag = isDryRun ? Self.tag(game.game, outcome.activation.active ?? 0) + "-0" : Self.tag(game.game, version.number)
    let document = try FirebaseDocument(version.document)
    return .firebase(document.bytes(as: version.firebase), tag: tag, revision: outcome.revision)
  }
}

extension StoredTemplate {
  /// The version's description in Google's form, where numbers are strings.
  var firebase: Value {
    var members = ObjectValue([
      ("versionNumber", .string(String(number))), ("updateTime", .string(at.text)),
      ("updateUser", ["name": .string(author.name), "email": .string(author.name + "@localhost")]),
      ("updateOrigin", "REST_API"), ("updateType", rollbackOf == nil ? "INCREMENTAL_UPDATE" : "ROLLBACK"),
    ])
    if let rollbackOf { members["rollbackSource"] = .string(String(rollbackOf)) }
    if let reason { members["description"] = .string(reason) }
    return .object(members)
  }
}
