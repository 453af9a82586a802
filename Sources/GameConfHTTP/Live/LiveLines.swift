// Converts an answer to the lines that viewers of live requests see: usually one line, but one for each event and for each ad that it
// decided.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The sender of a request as viewers of live requests see it: a game, a program of this project, or another client of the admin socket.
struct LiveReader: Sendable, Hashable {
  /// The name of the sender if it is a game.
  static let game = "game"
  /// The programs that are shown by name. Any other program name in the header `Gameconf-Program` is ignored.
  private static let programs: Set<String> = ["gameconfctl", "panel", "mcp"]

  let text: String

  /// The sender of requests on the games socket that do not name a program.
  static let ofGame = LiveReader(text: game)

  private init(text: String) { self.text = text }

  /// - Parameter program: The value of the request's header `Gameconf-Program`; nil without that header.
  init(_ peer: Peer<PeerRole>, program: String?) {
    if let program, Self.programs.contains(program) {
      text = program
    } else {
      text = peer.socket == .admin ? "admin" : Self.game
    }
  }

  /// True if the sender is a game, so that its reads count as reads by the game.
  var isGame: Bool { text == Self.game }
}

extension Request {
  /// The sender of the request, from its socket and its header `Gameconf-Program`.
  var liveReader: LiveReader { LiveReader(peer, program: (try? header("gameconf-program")) ?? nil) }
}

/// The game and the player of an answered request, from its path, its query or its body.
struct LiveRequest {
  /// The maximum size in bytes of a request body that is parsed for viewers. The players in a longer body are not shown.
  private static let bodyBytesMax = 64 << 10

  let game: String
  let player: String?
  /// The request's body as JSON; null if it is empty, too long or not JSON.
  let body: Value

  init?(_ answer: ObservedAnswer<DaemonApp>) {
    guard let request = answer.request else {
      // Without a matching route only the path of the request can name the game.
      let parts = answer.target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count > 3, parts[1] == "v1", parts[2] == "games" else { return nil }
      (game, player, body) = (String(parts[3]), nil, .null)
      return
    }
    let named = [request.path("game"), request.path("project")].first { !$0.isEmpty }
    guard let game = named ?? (try? request.selectedGame())?.snapshot.game else { return nil }
    self.game = game
    body =
      request.body.isEmpty || request.body.count > Self.bodyBytesMax
      ? .null : (try? JSONReader.value(from: request.body)) ?? .null
    let inPath = request.path("player")
    player =
      inPath.isEmpty
      ? request.query("player") ?? body["player"]?.stringValue ?? body["context"]?["targetingKey"]?.stringValue
        ?? body["app_instance_id"]?.stringValue ?? body["appInstanceId"]?.stringValue ?? body["app_user_id"]?.stringValue
      : inPath
  }
}

struct LiveLines {
  private let seen: LiveRequest
  private let answer: ObservedAnswer<DaemonApp>
  private let secrets: SecretReaders
  private let now: Instant
  private let reader: LiveReader

  init(_ seen: LiveRequest, _ answer: ObservedAnswer<DaemonApp>, secrets: SecretReaders, now: Instant) {
    (self.seen, self.answer, self.secrets, self.now) = (seen, answer, secrets, now)
    reader = LiveReader(answer.peer, program: answer.program)
  }

  /// The lines about the answer; empty for a successful call that games do not make, such as a change in the panel.
  var lines: [LiveLine] {
    if answer.status >= 400 { return refusal.map { [$0] } ?? [] }
    guard let request = answer.request else { return [] }
    let id = request.route.id
    switch LiveCallKind.of[id] {
    case .value?: return [read("value", key: request.path("key"))]
    case .config?: return [read("config", key: nil)]
    case .image?: return [image]
    case .ofrep?: return [read("ofrep", key: request.path("key").isEmpty ? nil : request.path("key"))]
    case .firebase?: return [read("firebase", key: nil)]
    case .revenueCat?: return id == "revenueCatReceipt" ? [purchase("revenuecat")] : [read("revenuecat", key: nil)]
    case .watch?: return answer.isStream ? [watch(LiveCallKind.doorOfWatch[id] ?? "watch")] : [read("firebase", key: nil)]
    case .event?: return events
    case .report?: return [report]
    case .purchase?: return [purchase("api")]
    case nil: return []
    }
  }

  private func line(_ kind: LiveLineKind, door: String) -> LiveLine {
    var line = LiveLine(kind, at: now, game: seen.game)
    line.door = door
    line.reader = reader.text
    line.player = seen.player
    (line.uid, line.pid) = (Int64(answer.peer.role.uid), Int64(answer.peer.role.pid))
    return line
  }

  private var json: Value {
    guard answer.answer.fields.allSatisfy({ $0.name != "Content-Encoding" }) else { return .null }
    return (try? JSONReader.value(from: answer.answer.body, limits: JSONLimits(depthMax: 128, bytesMax: Answer.bodyBytesMax))) ?? .null
  }

  /// True if the value of a key must not be shown: the key is secret, or the client may read the game's secrets, so that any value may be
  /// secret.
  private func hides(_ key: String?) -> Bool {
    guard let served = answer.request?.served.games[seen.game] else { return true }
    if let key, served.snapshot.table.entry(named: key)?.parameter.isSecret == true { return true }
    return secrets.admits(answer.peer.role, to: seen.game)
  }

  private func read(_ door: String, key: String?) -> LiveLine {
    var line = line(.read, door: door)
    line.what = answer.request?.route.id
    if answer.status == 304 {
      line.detail = "unchanged"
      line.key = key
      line.revision = answer.answer.revision.map { Int64(clamping: $0) }
      return line
    }
    line.keys =
      answer.request?.query("keys")?.split(separator: ",").map(String.init)
      ?? (seen.body["keys"]?.listValue ?? []).compactMap(\.stringValue)
    let isOfValues = key != nil || door == "config"
    if isOfValues { line.fill(from: answer.answer.body, key: key, hides: hides(key)) }
    if line.revision == nil { line.revision = answer.answer.revision.map { Int64(clamping: $0) } }
    if key == nil, door != "revenuecat", line.count == nil {
      line.count = answer.request?.served.games[seen.game].map { Int64($0.snapshot.table.entries.count) }
    }
    return line
  }

  private var image: LiveLine {
    var line = line(.image, door: "image")
    line.what = answer.status == 304 ? "unchanged" : "sent"
    line.revision = answer.answer.revision.map { Int64(clamping: $0) }
    return line
  }

  private func watch(_ door: String) -> LiveLine {
    var line = line(.watch, door: door)
    line.what = "began"
    line.since = now
    return line
  }

  private var events: [LiveLine] {
    let answered = json
    let sent = seen.body.listValue ?? [seen.body]
    let answers = answered.listValue ?? [answered]
    return zip(sent, answers).flatMap { event, answer -> [LiveLine] in
      var line = line(.event, door: "api")
      line.event = event["event"]?.stringValue ?? (self.answer.request?.route.id == Calls.openVisit.endpoint.id ? "visit" : nil)
      line.score = event["score"]
      let result = answer["answer"] ?? answer
      if let problem = answer["problem"] {
        line.kind = LiveLineKind.refusal.rawValue
        (line.code, line.detail) = (problem["code"]?.stringValue, problem["detail"]?.stringValue)
      }
      let ads = (result["ads"]?.objectValue?.members ?? []).map { member -> LiveLine in
        var ad = self.line(.ad, door: "api")
        ad.placement = member.name
        ad.shows = member.value["show"]?.boolValue
        ad.reason = member.value["reason"]?.stringValue
        ad.event = line.event
        return ad
      }
      return [line] + ads
    }
  }

  private var report: LiveLine {
    let answered = json
    var line = line(.ad, door: "api")
    line.placement = answered["ad"]?["placement"]?.stringValue
    line.outcome = answered["outcome"]?.stringValue
    return line
  }

  private func purchase(_ door: String) -> LiveLine {
    let answered = json
    var line = line(.purchase, door: door)
    line.what = answer.request?.route.id
    line.product =
      answered["transaction"]?["product"]?.stringValue ?? seen.body["product"]?.stringValue ?? seen.body["product_id"]?.stringValue
    line.outcome = answered["error"]?.stringValue ?? answered["status"]?.stringValue ?? "done"
    return line
  }

  /// The line about a refusal. Its sentence is shown only if a game was refused and the key is not secret, because it may quote the sent
  /// value.
  private var refusal: LiveLine? {
    var line = line(.refusal, door: answer.request.flatMap { LiveCallKind.of[$0.route.id]?.name } ?? "api")
    line.what = answer.request?.route.id ?? answer.target
    line.status = Int64(answer.status)
    let key = answer.request?.path("key") ?? ""
    line.key = key.isEmpty ? nil : key
    let problem = json
    line.code = problem["code"]?.stringValue ?? problem["errorCode"]?.stringValue ?? problem["error"]?["status"]?.stringValue
    let isSecret = line.key.map { hides($0) } ?? false
    guard reader.isGame, !isSecret else { return line }
    line.detail =
      problem["detail"]?.stringValue ?? problem["errorDetails"]?.stringValue ?? problem["error"]?["message"]?.stringValue
      ?? problem["message"]?.stringValue
    return line
  }
}

/// A kind of call by which a game reads values or reports to the daemon.
enum LiveCallKind {
  case value, config, image, ofrep, firebase, revenueCat, watch, event, report, purchase

  var name: String {
    switch self {
    case .value: "value"
    case .config: "config"
    case .image: "image"
    case .ofrep: "ofrep"
    case .firebase: "firebase"
    case .revenueCat: "revenuecat"
    case .watch: "watch"
    case .event, .report, .purchase: "api"
    }
  }

  /// The kinds of the calls that games make, by the id of the route. Other calls are shown to viewers only if they are refused.
  static let of: [String: LiveCallKind] = {
    let doors: [(LiveCallKind, [Endpoint])] = [
      (.value, [Calls.value.endpoint, Calls.evaluateValue.endpoint]),
      (.config, [Calls.config.endpoint, Calls.evaluateConfig.endpoint]),
      (.image, [Calls.image.endpoint, Calls.evaluateImage.endpoint]),
      (
        .ofrep,
        [
          Calls.ofrepFlag.endpoint, Calls.ofrepFlags.endpoint, Calls.ofrepFlagAtRoot.endpoint, Calls.ofrepFlagsAtRoot.endpoint,
        ]
      ),
      (.firebase, [Calls.firebaseFetch.endpoint, Calls.firebaseServerTemplate.endpoint]),
      (
        .watch,
        [Calls.watch.endpoint, Calls.evaluateWatch.endpoint, Calls.ofrepEvents.endpoint, Calls.firebaseInvalidations.endpoint]
      ),
      (.event, [Calls.recordEvent.endpoint, Calls.openVisit.endpoint]),
      (.report, [Calls.reportAd.endpoint]),
      (.purchase, [Calls.purchase.endpoint, Calls.restorePurchases.endpoint, Calls.finishTransaction.endpoint]),
    ]
    var of = Dictionary(doors.flatMap { door, calls in calls.map { ($0.id, door) } }, uniquingKeysWith: { first, _ in first })
    // These routes are declared in GameConfRevenueCat, which this module does not import.
    for id in ["revenueCatSubscriber", "revenueCatOfferings", "revenueCatProducts", "revenueCatReceipt"] { of[id] = .revenueCat }
    return of
  }()

  static let doorOfWatch = [Calls.ofrepEvents.endpoint.id: "ofrep", Calls.firebaseInvalidations.endpoint.id: "firebase"]
}

extension LiveLine {
  /// The maximum size in bytes of an answer whose values viewers see. Of a longer answer they see only the size or the number of values.
  static let valueBytesMax = 2 << 10

  /// Sets the line's value, source and revision from an answer about one key, or its values from an answer about several keys.
  /// - Parameter hides: True if values are omitted because they may be secret.
  mutating func fill(from body: [UInt8], key: String?, hides: Bool) {
    self.key = key
    if key == nil, body.count > Self.valueBytesMax { return }
    guard let answered = try? JSONReader.value(from: body, limits: JSONLimits(depthMax: 128, bytesMax: body.count)) else { return }
    revision = answered["revision"]?.integerValue
    if key != nil {
      source = answered["source"]?.stringValue ?? answered["metadata"]?["source"]?.stringValue
      reason = answered["reason"]?.stringValue
      variant = answered["variant"]?.stringValue
      if hides || answered["masked"] == true {
        (value, variant, isMasked) = (.some(.null), nil, true)
      } else if body.count > Self.valueBytesMax {
        valueBytes = Int64(body.count)
      } else {
        value = answered["value"]
      }
      return
    }
    guard let all = answered["values"]?.objectValue else { return }
    count = Int64(all.count)
    if !hides { values = all }
  }
}
