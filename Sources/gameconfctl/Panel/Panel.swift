// The panel: a web page on a loopback port, and the calls of the daemon that the page makes.

import CPanel
import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// Serves the panel's page to this user's browser, and makes the page's calls to the daemon with this user's rights.
final class Panel: Sendable {
  let gate: PanelGate
  let codes = PanelCodes()
  /// The bridge with which phones are paired. While it runs, the panel counts as used.
  let phone: NetworkBridgeProcess
  /// The session of the panel's changes, for the audit log.
  let session = "panel-\(RandomText.hexadecimal().prefix(12))"
  private let listener: LoopbackListener
  private let daemon: UnixHTTPClient
  private let console: Console
  private let lastSeen = Mutex(ContinuousClock.now)
  private let openStreams = Atomic(0)
  private let secrets: PanelSecrets

  init(_ listener: LoopbackListener, port: Int, adminSocket: String, console: Console) {
    self.listener = listener
    let daemon = UnixHTTPClient(socketPath: adminSocket, program: "panel")
    self.daemon = daemon
    secrets = PanelSecrets { target, tag in
      let condition = tag.map { [(name: "If-None-Match", value: $0)] } ?? []
      guard let response = try? daemon.sendWaiting(OutgoingRequest(.get, target, headers: condition)) else { return nil }
      return PanelSecrets.CatalogResponse(status: response.status, tag: response["ETag"], body: Self.value(response.body))
    }
    self.console = console
    phone = NetworkBridgeProcess(gamesSocket: console.daemon.gamesSocket(beside: adminSocket))
    gate = PanelGate(token: RandomText.hexadecimal(), host: "127.0.0.1:\(port)")
  }

  /// Returns the address that a browser opens, with a one-time code in its fragment.
  func address(_ code: String) -> String { "http://\(gate.host)/#\(code)" }

  /// Accepts connections and serves them until the process ends.
  func run() { listener.run { [self] in serve($0) } }

  /// Returns the time since a page was open the last time; zero while a page is open or the bridge runs.
  func unusedFor(now: ContinuousClock.Instant = .now) -> Duration {
    openStreams.load(ordering: .relaxed) > 0 || phone.isRunning ? .zero : now - lastSeen.withLock { $0 }
  }

  private func serve(_ arrival: LoopbackListener.PendingConnection) {
    let verdict = gate.judge(arrival.head)
    switch verdict {
    case .answer(let answer): send(answer, arrival)
    case .file(let path): send(Self.file(path), arrival)
    case .exchange(let bodyBytes):
      guard let body = body(arrival, bodyBytes) else { return }
      send(exchange(body), arrival)
    case .present, .caller, .call, .stream, .live, .phone, .orderPhone:
      lastSeen.withLock { $0 = .now }
      guard arrival.admit() else {
        return send(
          .problem(503, "Service Unavailable", "The panel has reached its limit of connections. Close some, or try again."), arrival)
      }
      switch verdict {
      case .call(let call):
        guard let body = body(arrival, call.bodyBytes) else { return }
        send(answer(to: call, body), arrival)
      case .stream(let game, let player):
        openStreams.add(1, ordering: .relaxed)
        defer {
          lastSeen.withLock { $0 = .now }
          openStreams.subtract(1, ordering: .relaxed)
        }
        PanelStream(client: arrival.client, daemon: daemon, game: game, player: player, filter: secrets.filter(for:)).run()
      case .live(let game, let player):
        PanelStream(client: arrival.client, daemon: daemon, game: game, player: player, filter: secrets.filter(for:)).runLive()
      case .caller: send(caller(), arrival)
      case .phone(let number): send(.json(phone.shown(after: number)), arrival)
      case .orderPhone(let bodyBytes):
        guard let body = body(arrival, bodyBytes) else { return }
        send(orderPhone(body), arrival)
      default: send(.json([:]), arrival)
      }
    }
  }

  private func send(_ answer: PanelAnswer, _ arrival: LoopbackListener.PendingConnection) {
    BlockingSocket.send(answer.bytes, to: arrival.client)
  }

  private func body(_ arrival: LoopbackListener.PendingConnection, _ count: Int) -> [UInt8]? {
    var body = arrival.rest
    while body.count < count {
      guard let piece = BlockingSocket.receive(arrival.client) else { return nil }
      body += piece
    }
    return Array(body.prefix(count))
  }

  private func exchange(_ body: [UInt8]) -> PanelAnswer {
    guard let code = (try? JSONReader.value(from: body))?["code"]?.stringValue, codes.use(code) else {
      return .problem(
        403, "Forbidden", "This address was used already or has expired. Press Enter in the terminal of the panel for another.")
    }
    lastSeen.withLock { $0 = .now }
    return .json(["token": .string(gate.token), "version": .string(ReleaseVersion.version)])
  }

  private func orderPhone(_ body: [UInt8]) -> PanelAnswer {
    guard let order = (try? JSONReader.value(from: body)).flatMap(NetworkBridgeProcess.BridgeCommand.init) else {
      return .problem(400, "Bad Request", "The panel knows no such order.")
    }
    do throws(Fault) { try phone.obey(order) } catch { return .problem(409, "Conflict", error.message) }
    return .json([:])
  }

  static func file(_ path: String) -> PanelAnswer {
    for at in 0..<cpanel_file_count() {
      guard let file = cpanel_file(at)?.pointee, String(cString: file.path) == path else { continue }
      return PanelAnswer(
        status: 200, title: "OK", mediaType: String(cString: file.type),
        body: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
    return .problem(404, "Not Found", "The panel has no such file.")
  }

  func answer(to call: PanelCall, _ body: [UInt8]) -> PanelAnswer {
    let ours = call.endpoint.changes == nil ? [] : [PanelCall.Header(name: "Gameconf-Session", value: session)]
    let sentence = PanelOverrideReport(call, console)
    let before = sentence.flatMap { self.value($0.valueTarget) }
    let response: Response
    do throws(TransportError) {
      let request = OutgoingRequest(
        call.endpoint.method, call.target, headers: (call.headers + ours).map { ($0.name, $0.value) },
        body: body.isEmpty ? .none : .bytes(body, mediaType: "application/json"))
      response = try daemon.sendWaiting(request)
    } catch {
      guard error.isUnreached else {
        return .problem(504, "Gateway Timeout", "gameconfd's answer is incomplete. Check if the change was made before you repeat it.")
      }
      return .problem(502, "Bad Gateway", "gameconfd does not answer on \(daemon.socketPath). \(CtlFailure.startingLine.unescaped)")
    }
    guard response.body.isEmpty || response["Content-Type"]?.contains("json") == true else {
      return .problem(502, "Bad Gateway", "gameconfd's answer is not JSON.")
    }
    var answer = PanelAnswer(
      status: response.status, title: "Answer", mediaType: response["Content-Type"] ?? "application/json", body: response.body)
    for name in ["Gameconf-Revision", "Gameconf-Player-Revision"] {
      if let value = response[name] { answer.headers.append(PanelCall.Header(name: name, value: value)) }
    }
    // A refusal for lack of a role names the call's route. It is reworded for people.
    if response.status == 403, let problem = Self.value(response.body).flatMap({ try? Problem(member: $0) }) {
      answer.body = RoleRefusal.reworded(problem, of: call.endpoint).json
    }
    guard let filter = filter(for: call) else { return Self.withoutValues(call, response) }
    if response.status < 300 {
      answer.add("Gameconf-Line", PanelCommand(call.endpoint, target: call.target, body: Self.value(body), secrets: filter.keys)?.text)
      answer.add("Gameconf-Sentence", sentence?.text(Self.value(response.body), before: before, secrets: filter.keys))
    }
    if !filter.keys.isEmpty, let body = answer.body, !body.isEmpty {
      guard let value = Self.value(body) else { return .problem(502, "Bad Gateway", "gameconfd's answer is not JSON.") }
      answer.body = JSONWriter.bytes(filter.masked(value))
    }
    return answer
  }

  /// Returns the user who runs the panel, and the calls for which the user lacks a role, for the page.
  private func caller() -> PanelAnswer {
    guard let wire = value(Calls.status.target())?["caller"], let caller = try? StatusCaller(member: wire) else {
      return .json(["session": .string(session)])
    }
    return .json(["session": .string(session), "caller": wire, "refused": PanelCalls.refusals(for: caller)])
  }

  /// Reads a path of the daemon; returns nil if the daemon refuses or does not answer.
  private func value(_ target: String) -> Value? {
    guard let response = try? daemon.sendWaiting(OutgoingRequest(.get, target)), response.status == 200 else { return nil }
    return Self.value(response.body)
  }

  private static func value(_ body: [UInt8]) -> Value? {
    try? JSONReader.value(from: body, limits: JSONLimits(depthMax: 128, bytesMax: UnixHTTPClient.bodyBytesMax))
  }

  /// Returns an answer without values, for a page that must not see any while the secret keys are unknown: the status and the code of a
  /// refusal, or a sentence that says if a change is made.
  private static func withoutValues(_ call: PanelCall, _ response: Response) -> PanelAnswer {
    let body = value(response.body)
    let why = "gameconfd does not send a catalog, which says which values are secret, so its answer is not shown."
    if response.status >= 300 {
      var answer = PanelAnswer.problem(response.status, "Refused", why)
      if let code = body?["code"], case .object(var problem)? = value(answer.body ?? []) {
        (problem["code"], problem["title"]) = (code, body?["title"] ?? "Refused")
        answer.body = JSONWriter.bytes(.object(problem))
      }
      return answer
    }
    let isMade = call.endpoint.changes != nil && body?["dry_run"] != true
    return .problem(502, "Bad Gateway", why + (isMade ? " The change is made. Load the page again." : " Try again."))
  }

  /// Returns the filter that hides secret values in the answer to a call; nil if no value may be shown.
  private func filter(for call: PanelCall) -> SecretFilter? {
    if let game = PanelCalls.game(of: call.target) { return secrets.filter(for: game) }
    // The status and the list of games have no value of a key.
    let isWithoutValues = [Calls.status.endpoint.id, Calls.games.endpoint.id].contains(call.endpoint.id)
    return isWithoutValues ? SecretFilter(keys: []) : secrets.filterOfAllGames()
  }
}
