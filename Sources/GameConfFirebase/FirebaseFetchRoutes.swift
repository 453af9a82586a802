// Firebase's calls for apps and servers: fetch values, and receive a notification when new values are available.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfHTTP
internal import GameConfServer
internal import NIOCore
internal import Synchronization

/// The routes by which Firebase's clients fetch values.
///
/// They return only values from the template or from an override. The app has its own defaults, and the player's settings are in the app.
/// The routes never return secret parameters.
struct FirebaseFetchRoutes {
  let services: DaemonServices
  private let servers = FirebaseServerTemplates()

  init(services: DaemonServices) { self.services = services }

  var routes: [CallRoute] {
    [
      CallRoute(firebase: Calls.firebaseFetch) { call throws(Problem) in try fetch(call.request) },
      CallRoute(firebase: Calls.firebaseServerTemplate) { call throws(Problem) in try serverTemplate(call.request) },
      CallRoute(firebase: Calls.firebaseInvalidations) { call throws(Problem) in try invalidations(call.request) },
    ]
  }

  private func fetch(_ request: Request) throws(Problem) -> Reply {
    let game = try request.firebaseGame().snapshot
    let known = request.listHeader("if-none-match") ?? ""
    let isClients = request.path("namespace") == FirebaseLimits.clients
    let user = request.role.uid
    let fetched = fetched(from: game, for: request, known: known, isClients)
    if !request.isPacked {
      return try services.reply(FirebaseContext.context(FirebaseJSON.object(request.body)), of: game, for: user, fetched)
    }
    return .task { () async throws(Problem) in
      let body = try await services.slice(for: user) { () throws(Problem) in try request.unpacked() }
      return try await services.answer(FirebaseContext.context(FirebaseJSON.object(body)), of: game, for: user, fetched)
    }
  }

  /// Returns a function that converts an evaluation of the game's parameters to the response to a fetch.
  private func fetched(
    from game: GameSnapshot, for request: Request, known: String, _ isClients: Bool
  ) -> @Sendable (Evaluation) throws(Problem) -> Answer {
    let tallies = services.tallies
    return { seen throws(Problem) in
      if isClients { services.reads.noteAll(seen, by: request) }
      var entries = ObjectValue()
      for (at, entry) in game.table.entries.enumerated() where isClients && entry.isFetched {
        guard let answer = seen.answer(at: at), answer.layer.isFetched else { continue }
        tallies.count(game: game.game, layer: answer.layer)
        entries[entry.parameter.foreignName] = .string(answer.value.firebase)
      }
      return Self.fetched(entries, of: game, known: known, isClients)
    }
  }

  private static func fetched(
    _ entries: ObjectValue, of game: GameSnapshot, known: String, _ isClients: Bool
  ) -> Answer {
    let revision = String(game.revision)
    let digest = SHA256.hex(SHA256.digest(of: CBOR.bytes([.object(entries), .string(revision)])).prefix(8))
    let tag = "etag-\(game.game)-firebase-fetch-\(digest)"
    var members = ObjectValue()
    if known.split(separator: ",").contains(where: { $0.filter { $0 != " " && $0 != "\"" } == tag }) {
      members["state"] = "NO_CHANGE"
    } else if !entries.isEmpty {
      members = ObjectValue([("entries", .object(entries)), ("state", "UPDATE")])
    } else {
      members["state"] = isClients && game.template != nil ? "EMPTY_CONFIG" : "NO_TEMPLATE"
    }
    members["templateVersion"] = .string(revision)
    return .firebase(members, tag: tag, revision: game.revision)
  }

  private func serverTemplate(_ request: Request) throws(Problem) -> Reply {
    let game = try request.firebaseGame().snapshot
    guard request.path("namespace") == FirebaseLimits.servers else {
      throw Problem(.unknownID, "Only the namespace \(FirebaseLimits.servers) has a template for servers.")
    }
    let tag = FirebaseTemplateRoutes.tag(game.game, game.revision)
    if let known = servers.known(game) { return .now(.firebase(known, tag: tag, revision: game.revision)) }
    return .task { () async throws(Problem) in
      try await services.slice(for: request.role.uid) { () throws(Problem) in
        .firebase(try servers.made(game), tag: tag, revision: game.revision)
      }
    }
  }

  private func invalidations(_ request: Request) throws(Problem) -> Reply {
    let game = try request.firebaseGame().snapshot
    let eventLoop = request.eventLoop
    let watch = FaceWatch(request, services, isGame: true)
    @Sendable func stream(_ body: [UInt8]) throws(Problem) -> StreamedAnswer {
      let context = try FirebaseContext.context(FirebaseJSON.object(body))
      let scope = WatchScope(EvaluationContext(player: context.player))
      var head = Answer(contentType: "application/json; charset=UTF-8", body: [])
      head.revision = UInt64(clamping: game.revision)
      head.fields.append(Answer.Field("Cache-Control", "no-store"))
      return StreamedAnswer(
        head,
        begin: { stream in
          stream.write(ByteBuffer(bytes: Self.chunk(game.revision)))
          watch.add(stream, scope, of: game, Self.notice)
          let closed = stream.onClosed
          let alarm = eventLoop.assumeIsolated().scheduleTask(in: .seconds(FirebaseLimits.streamSecondsMax)) { stream.finish() }
          stream.onClosed = {
            alarm.cancel()
            closed?()
          }
          stream.onDrain = { [weak stream] in stream?.finish() }
        })
    }
    if !request.isPacked { return .stream(try stream(request.body)) }
    return .streamTask { () async throws(Problem) in
      try stream(try await services.slice(for: request.role.uid) { () throws(Problem) in try request.unpacked() })
    }
  }

  /// Returns a chunk of the notification stream that makes clients fetch again unless they have this revision or a newer one.
  private static func chunk(_ revision: Int64) -> [UInt8] { Array("{\"latestTemplateVersionNumber\":\"\(revision)\"}\n".utf8) }

  /// Returns the chunk that notifies of a revision. Without a position it returns an empty line, which is the stream's heartbeat.
  private static func notice(_ position: WatchPosition?) -> [UInt8] { position.map { chunk($0.revision) } ?? [UInt8(ascii: "\n")] }
}

extension Layer {
  /// True if Firebase's clients receive values from this layer.
  fileprivate var isFetched: Bool { self == .remote || self == .gameOverride || self == .playerOverride }
}

extension ParameterEntry {
  /// True if a template or an override may set the parameter and it is not secret.
  fileprivate var isFetched: Bool {
    !parameter.isSecret && (layers.override != nil || layers.remote != nil || layers.hasPlayerOverrides)
  }
}

extension Value {
  /// The value as text. Firebase sends every value as text.
  fileprivate var firebase: String {
    switch self {
    case .string(let text): text
    case .null: ""
    case .bool, .integer, .double, .list, .object: JSONWriter.text(self)
    }
  }
}

/// Converts a Firebase client's description of its user and app to an evaluation context.
enum FirebaseContext {
  /// Returns the context of a fetch; `app_instance_id` is the player. Browsers send names in snake case, other clients in camel case.
  static func context(_ body: ObjectValue) throws(Problem) -> EvaluationContext {
    func text(_ snake: String, _ camel: String) -> String? {
      guard let text = (body[snake] ?? body[camel])?.stringValue, !text.isEmpty else { return nil }
      return text
    }
    var attributes = ObjectValue()
    for signals in [
      body["analytics_user_properties"] ?? body["analyticsUserProperties"], body["custom_signals"] ?? body["customSignals"],
    ] {
      for member in signals?.objectValue?.members ?? [] { attributes[member.name] = member.value }
    }
    // Attributes that the client library sets take precedence over the app's custom signals of the same name.
    for (name, snake, camel) in [
      ("app_version", "app_version", "appVersion"), ("app_build", "app_build", "appBuild"), ("app_id", "app_id", "appId"),
      ("country", "country_code", "countryCode"), ("os_version", "platform_version", "platformVersion"),
      ("time_zone", "time_zone", "timeZone"),
    ] {
      if let text = text(snake, camel) { attributes[name] = .string(text) }
    }
    // The app id has the form 1:PROJECT:ios:HASH.
    if let parts = text("app_id", "appId")?.split(separator: ":"), parts.count >= 4 { attributes["platform"] = .string(String(parts[2])) }
    let locale = text("language_code", "languageCode").flatMap(LocaleTag.canonical)
    attributes["locale"] = locale.map(Value.string)
    attributes["targetingKey"] = nil
    let player = try RequestCaller.player((body["app_instance_id"] ?? body["appInstanceId"])?.stringValue, pointer: "/app_instance_id")
    return EvaluationContext(player: player, attributes: attributes, locale: locale)
  }
}

/// Caches the template for servers of each game until the game changes.
private final class FirebaseServerTemplates: Sendable {
  private let held = Mutex<[String: (of: GameSnapshot, bytes: [UInt8])]>([:])

  func known(_ game: GameSnapshot) -> [UInt8]? {
    held.withLock { held in held[game.game].flatMap { $0.of === game ? $0.bytes : nil } }
  }

  /// Returns a game's template for servers. A parameter that is overridden for the game has the override as its default value, and no
  /// conditional values.
  /// - Throws: `SCHEMA_VIOLATION` if the template has a condition that Firebase's server libraries cannot evaluate.
  func made(_ game: GameSnapshot) throws(Problem) -> [UInt8] {
    let bytes = JSONWriter.bytes(.object(try Self.members(game)))
    held.withLock { $0[game.game] = (game, bytes) }
    return bytes
  }

  private static func members(_ game: GameSnapshot) throws(Problem) -> ObjectValue {
    var written: [String: Value] = [:]
    var conditions: [Value] = []
    if let template = game.template {
      let document = try FirebaseDocument(template.document)
      for member in document.parameters {
        guard let key = game.table.entry(named: member.name)?.parameter.key, template.template.layers[key] != nil else { continue }
        written[key] = member.value
      }
      conditions = document.members["conditions"]?.listValue ?? []
      for (index, condition) in conditions.enumerated() where condition["condition"] == nil {
        throw Problem(
          .schemaViolation,
          "The template's conditions are those of a client, which a server does not evaluate; publish one whose conditions are objects.",
          pointer: "/conditions/\(index)")
      }
    }
    var parameters = ObjectValue()
    for entry in game.table.entries where !entry.parameter.isSecret {
      let (key, name) = (entry.parameter.key, entry.parameter.foreignName)
      guard let value = entry.layers.override else {
        parameters[name] = written[key]
        continue
      }
      var overridden = written[key]?.objectValue ?? ObjectValue([("valueType", .string(entry.parameter.type.firebase))])
      overridden["defaultValue"] = ["value": .string(value.firebase)]
      overridden["conditionalValues"] = nil
      parameters[name] = .object(overridden)
    }
    return ObjectValue([
      ("parameters", .object(parameters)), ("conditions", .list(conditions)),
      ("version", ["versionNumber": .string(String(game.revision))]),
    ])
  }
}

extension ParameterType {
  fileprivate var firebase: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer, .double: "NUMBER"
    case .string: "STRING"
    case .list, .object, .localized: "JSON"
    }
  }
}
