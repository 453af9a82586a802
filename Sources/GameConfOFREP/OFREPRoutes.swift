// OpenFeature's remote evaluation protocol (OFREP): one flag, all flags, and the stream of change notifications.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
package import GameConfHTTP
internal import GameConfServer

typealias Request = GameConfServer.Request<DaemonApp>
typealias Reply = GameConfServer.Reply<DaemonApp>
typealias Route = GameConfServer.Route<DaemonApp>

/// The routes for OpenFeature providers. Requests, responses and refusals have OFREP's form.
package struct OFREPRoutes: Sendable {
  private let services: DaemonServices

  package init(services: DaemonServices) { self.services = services }

  /// The routes for the daemon's list of other protocols. In the OpenAPI document they follow the call `watchAll`.
  package var face: FaceRoutes { FaceRoutes(routes, after: Calls.watchAll.endpoint.id) }

  private var routes: [CallRoute] {
    [
      route(Calls.ofrepFlag) { request throws(Problem) in try one(request, request.game()) },
      route(Calls.ofrepFlagAtRoot) { request throws(Problem) in try one(request, request.selectedGame()) },
      route(Calls.ofrepFlags) { request throws(Problem) in try all(request, request.game()) },
      route(Calls.ofrepFlagsAtRoot) { request throws(Problem) in try all(request, request.selectedGame()) },
      route(Calls.ofrepEvents) { request throws(Problem) in try events(request, request.game()) },
    ]
  }

  /// Creates a route whose last path segments are the flag's key, because some clients do not escape slashes in keys.
  private func route<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, _ handler: @escaping @Sendable (Request) throws(Problem) -> Reply
  ) -> CallRoute {
    let endpoint = call.endpoint
    var route = Route(
      endpoint, path: endpoint.path.hasSuffix("{key}") ? String(endpoint.path.dropLast(5)) + "{key...}" : endpoint.path, handler)
    route.ignoresUnknownQuery = true
    route.refusing = { problem, path in problem.ofrep(key: path["key"]) }
    if endpoint.path.hasPrefix("/ofrep/") { route.refusingBelow = "/ofrep/" }
    return CallRoute(call, by: route)
  }

  private func one(_ request: Request, _ served: ServedGame) throws(Problem) -> Reply {
    let game = served.snapshot
    let context = try request.ofrepContext()
    let name = request.path("key")
    let key = game.table.entry(named: name)?.parameter.key ?? name
    let readsSecrets = services.secrets.admits(request.role, to: game.game)
    let showsAuthor = request.peer.socket == .admin
    return try services.reply(context, of: game, for: request.role.uid) { seen throws(Problem) in
      guard seen.play?.values[key] != nil || game.table.entry(key) != nil else {
        throw Problem(.unknownKey, "\(game.game) has no flag “\(name)”.")
      }
      guard let answer = seen.answer(for: key) else { throw Problem(.internalFault, "\(key) has no value.") }
      if answer.isSecret, !readsSecrets {
        throw services.secrets.refusal(of: key, to: request.role)
      }
      services.tallies.count(game: game.game, layer: answer.layer)
      services.reads.note(answer, seen, by: request)
      return .ofrep(answer.ofrep(as: name, showsAuthor: showsAuthor), seen)
    }
  }

  private func all(_ request: Request, _ served: ServedGame) throws(Problem) -> Reply {
    let game = served.snapshot
    let context = try request.ofrepContext()
    let prefix = try request.forwardedPrefix()
    let readsSecrets = services.secrets.admits(request.role, to: game.game)
    let showsAuthor = request.peer.socket == .admin
    let known = request.listHeader("if-none-match") ?? ""
    let takesGzip = request.acceptsGzip
    let clock = services.clock
    let epoch = services.watches.epoch
    return try services.reply(context, of: game, for: request.role.uid) { seen throws(Problem) in
      let host = clock.now
      let state = OFREPResponseState(seen, context, epoch: epoch, prefix: prefix, marks: [readsSecrets, showsAuthor])
      services.reads.noteAll(seen, by: request)
      if let tag = state.tag(amongst: known, host: host) { return .notModified(tag) }
      var flags: [Value] = []
      var until: Instant?
      var isTimeDependent = false
      for key in RequestCaller.keys(nil, of: seen).known {
        guard let answer = seen.answer(for: key), readsSecrets || !answer.isSecret else { continue }
        services.tallies.count(game: game.game, layer: answer.layer)
        if answer.resolution.isTimeDependent { isTimeDependent = true }
        if let next = answer.resolution.nextChangeAt.flatMap(seen.host) { until = until.map { min($0, next) } ?? next }
        let name = game.table.entry(key)?.parameter.foreignName ?? key
        flags.append(.object(answer.ofrep(as: name, showsAuthor: showsAuthor)))
      }
      // A value that may change at any time gets one second of validity. Watchers' values are checked at the same interval.
      if isTimeDependent { until = Instant(milliseconds: host.milliseconds + 1000) }
      let position = WatchPosition(epoch: epoch, revision: game.revision, playerRevision: seen.playerRevision ?? 0, instant: host)
      var answer = Answer.ofrep(OFREPEncoder.bulk(flags, seen, context, position, prefix: prefix), seen)
      let tag = state.tag(until: until)
      // `If-None-Match: *` matches any present representation (RFC 9110), so it needs no comparison of tags.
      if known.filter({ $0 != " " }) == "*" { return .notModified(tag) }
      answer.fields.append(Answer.Field("ETag", tag))
      if takesGzip { answer.compress() }
      return answer
    }
  }

  private func events(_ request: Request, _ served: ServedGame) throws(Problem) -> Reply {
    let game = served.snapshot
    let player = try RequestCaller.player(request.query("player"))
    let resumed = (try request.header("last-event-id") ?? request.query("etag")).flatMap(WatchPosition.init(parsing:))
    let selection = WatchSelection(showsSecrets: services.secrets.admits(request.role, to: game.game))
    let scope = WatchScope(EvaluationContext(player: player), selection)
    let watch = FaceWatch(request, services)
    return .stream(
      StreamedAnswer(.eventStream) { stream in watch.add(stream, scope, of: game, resumed: resumed, OFREPEncoder.notice) })
  }
}

extension Answer {
  /// Returns a response in OFREP's form, with the revisions at which the flags were evaluated.
  fileprivate static func ofrep(_ members: ObjectValue, _ seen: Evaluation) -> Answer {
    .json(
      .object(members), revision: UInt64(clamping: seen.game.revision), playerRevision: seen.playerRevision.map { UInt64(clamping: $0) })
  }

  /// Returns the response 304 with an entity tag that is still valid.
  fileprivate static func notModified(_ tag: String) -> Answer {
    var answer = Answer(status: 304, contentType: nil, body: [])
    answer.fields.append(Field("ETag", tag))
    return answer
  }
}

/// The state on which the response for all flags depends, so that an unchanged response is recognized without evaluating any flag.
///
/// The tag is a hash of epoch, revisions, clock, context and the stream's path prefix, followed by the instant until which no value changes
/// by itself. It is a weak tag: two responses with one tag may differ in the position from which their event stream begins, and in
/// compression.
struct OFREPResponseState {
  private let hash: String

  init(_ seen: Evaluation, _ context: EvaluationContext, epoch: UInt64, prefix: String, marks: [Bool]) {
    let clock = seen.game.clock
    let parts: Value = [
      .string(seen.game.game), .string(String(epoch)), .integer(seen.game.revision), .integer(seen.playerRevision ?? -1),
      .integer(clock.anchor.milliseconds), .integer(clock.hostAnchor.milliseconds), .integer(clock.rateThousandths),
      .string(context.player ?? ""), .object(context.attributes), .list(marks.map(Value.bool)), .string(context.playID ?? ""),
      .string(prefix),
    ]
    hash = SHA256.hex(SHA256.digest(of: CBOR.bytes(parts)).prefix(12))
  }

  func tag(until: Instant?) -> String { "W/\"\(hash)-\(until.map { String($0.milliseconds) } ?? "")\"" }

  /// Returns the tag of an `If-None-Match` list that is still valid; nil if no tag in the list is.
  func tag(amongst list: String, host: Instant) -> String? {
    for part in list.split(separator: ",") {
      var text = part.drop { $0 == " " }
      if text.hasPrefix("W/") { text = text.dropFirst(2) }
      while text.last == " " { text.removeLast() }
      let pieces = text.drop { $0 == "\"" }.prefix { $0 != "\"" }.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2, pieces[0] == hash else { continue }
      if pieces[1].isEmpty { return tag(until: nil) }
      if let until = Int64(pieces[1]), host.milliseconds < until { return tag(until: Instant(milliseconds: until)) }
    }
    return nil
  }
}

/// Renders OFREP's responses and events.
enum OFREPEncoder {
  /// The number of seconds without activity after which a client may close its event stream.
  static let inactivityDelaySeconds: Int64 = 45

  /// Returns the members of the response for all flags.
  /// - Parameter prefix: The path under which a gateway offers the daemon to this client.
  static func bulk(
    _ flags: [Value], _ seen: Evaluation, _ context: EvaluationContext, _ position: WatchPosition, prefix: String
  ) -> ObjectValue {
    var query = "?etag=\(position.text)"
    if let player = context.player { query += "&player=\(PercentEncoding.encode(player))" }
    let stream: Value = [
      "type": "sse", "endpoint": ["requestUri": .string(prefix + "/v1/games/\(seen.game.game)/ofrep/v1/events\(query)")],
      "inactivityDelaySec": .integer(inactivityDelaySeconds),
    ]
    var metadata = ObjectValue([("game", .string(seen.game.game)), ("revision", .integer(seen.game.revision))])
    if let revision = seen.playerRevision { metadata["player_revision"] = .integer(revision) }
    if !seen.degraded.isEmpty { metadata["degraded"] = .string(seen.degraded.map(\.rawValue).joined(separator: ",")) }
    return ObjectValue([("flags", .list(flags)), ("eventStreams", .list([stream])), ("metadata", .object(metadata))])
  }

  /// Returns an event that makes clients evaluate again. Without a position it returns a comment as a heartbeat.
  static func notice(_ position: WatchPosition?) -> [UInt8] {
    guard let position else { return Array(":\n\n".utf8) }
    let data = "{\"type\":\"refetchEvaluation\",\"etag\":\"\(position.text)\",\"lastModified\":\(position.instant.milliseconds / 1000)}"
    return Array("id: \(position.text)\nevent: message\ndata: \(data)\n\n".utf8)
  }
}

extension EvaluatedValue {
  /// Returns the flag's value in OFREP's form. It always has a variant, because clients fail without one.
  /// - Parameter name: The flag's name for the client.
  func ofrep(as name: String, showsAuthor: Bool) -> ObjectValue {
    var metadata = ObjectValue()
    for member in entry.parameter.flagd?.metadata.members ?? [] {
      switch member.value {
      case .bool, .string, .integer, .double: metadata[member.name] = member.value
      case .null, .list, .object: break
      }
    }
    metadata["source"] = .string(layer.rawValue)
    metadata["revision"] = .integer(revision)
    let override = override
    metadata["overridden"] = .bool(override != nil)
    if showsAuthor, let override { metadata["override_author"] = .string(override.author.name) }
    if !degraded.isEmpty { metadata["degraded"] = .string(degraded.map(\.rawValue).joined(separator: ",")) }
    return ObjectValue([
      ("key", .string(name)), ("value", value), ("reason", .string(resolution.reason.rawValue)),
      ("variant", .string(resolution.variant ?? "")), ("metadata", .object(metadata)),
    ])
  }
}

extension Request {
  /// The maximum length in bytes of the path prefix of a gateway (reverse proxy).
  private static var prefixBytesMax: Int { 256 }

  /// Returns the path prefix under which a gateway (reverse proxy) offers the daemon to this client; empty without a gateway.
  ///
  /// A client appends paths in responses to the gateway's origin, so they must begin with the prefix that the gateway removes.
  fileprivate func forwardedPrefix() throws(Problem) -> String {
    guard let prefix = try header("x-forwarded-prefix") else { return "" }
    let path = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard
      path.isEmpty
        || path.utf8.count <= Self.prefixBytesMax && steps.count > 1 && steps[0].isEmpty
          && steps.dropFirst().allSatisfy({ !$0.isEmpty && PercentEncoding.encode(String($0)) == $0 })
    else {
      throw .header(
        "x-forwarded-prefix",
        "X-Forwarded-Prefix must be one path of letters, digits, -, ., _ and ~, such as /games, of at most \(Self.prefixBytesMax) bytes.")
    }
    return path
  }

  /// Returns the evaluation context of an OFREP call; an anonymous one if the body, the context or `targetingKey` is missing.
  fileprivate func ofrepContext() throws(Problem) -> EvaluationContext {
    guard let body = try jsonIfPresent() else { return EvaluationContext() }
    guard case .object(let members) = body else { throw Problem(.malformedRequest, "The body must be an object.", pointer: "") }
    switch members["context"] {
    case nil, .null?: return EvaluationContext()
    case .object(let attributes)?:
      var attributes = attributes
      let key = attributes["targetingKey"]
      attributes["targetingKey"] = nil
      let play = try Self.play(takenFrom: &attributes)
      func context(_ player: String?) throws(Problem) -> EvaluationContext {
        var context = try RequestCaller.context(player, attributes)
        context.playID = try RequestCaller.play(play, of: player) { Problem(.malformedRequest, $0, pointer: "/context/play") }
        return context
      }
      switch key {
      case nil, .null?: return try context(nil)
      case .string(let player)?: return try context(try RequestCaller.player(player, pointer: "/context/targetingKey"))
      default: throw Problem(.malformedRequest, "targetingKey must be a string.", pointer: "/context/targetingKey")
      }
    default: throw Problem(.malformedRequest, "context must be an object.", pointer: "/context")
    }
  }

  /// Removes the member that names a play from a context's attributes and returns the play, because a play is not an attribute.
  private static func play(takenFrom attributes: inout ObjectValue) throws(Problem) -> String? {
    let play = attributes["play"]
    attributes["play"] = nil
    switch play {
    case nil, .null?: return nil
    case .string(let id)?: return id
    default: throw Problem(.malformedRequest, "play must be a string: the id of one of the player's plays.", pointer: "/context/play")
    }
  }
}

extension Problem {
  /// Returns the problem in OFREP's form, with its header fields.
  /// - Parameter key: The flag's key; nil if the call names no flag.
  fileprivate func ofrep(key: String?) -> Answer {
    var answer = answer
    let word: String =
      switch code {
      case .unknownKey: "FLAG_NOT_FOUND"
      case .malformedJSON: "PARSE_ERROR"
      case .malformedPlayerID, .unknownPlay: "INVALID_CONTEXT"
      case .malformedRequest where pointer?.hasPrefix("/context") == true: "INVALID_CONTEXT"
      case .malformedRequest where pointer == "": "PARSE_ERROR"
      default: "GENERAL"
      }
    // In OFREP 404 means an unknown flag, so an unknown play is a 400.
    if code == .unknownPlay { answer.status = 400 }
    var members = ObjectValue()
    if let key { members["key"] = .string(key) }
    members["errorCode"] = .string(word)
    members["errorDetails"] = .string(detail)
    answer.contentType = "application/json"
    answer.body = JSONWriter.bytes(.object(members))
    return answer
  }
}
