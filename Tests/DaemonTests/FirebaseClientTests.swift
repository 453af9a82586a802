// Google's published library for servers, and a plain HTTP client, through gameconfctl bridge.

import GameConfCore
import Glibc
import Testing

/// Needs `GAMECONF_FIREBASE_PYTHON`, a Python with firebase-admin and requests.
@Suite("Firebase's clients", .serialized)
struct FirebaseClientTests {
  private static let python: String? = getenv("GAMECONF_FIREBASE_PYTHON").map { String(cString: $0) }

  /// The common part of both scripts: a bridge, and a credential with the bridge's token.
  private static let common = """
    import asyncio, json, subprocess, sys
    import requests
    control = sys.argv[1]

    class Bridge:
        def __init__(self, *more):
            self.process = subprocess.Popen([control, "bridge", *more], stdout=subprocess.PIPE, text=True)
            self.url = self.process.stdout.readline().strip()
            self.base, self.token = self.url.split("/t/")
        def __enter__(self): return self
        def __exit__(self, *_):
            self.process.kill()
            self.process.wait()

    """

  private static let adminSDK =
    common + """
      import firebase_admin
      from firebase_admin import credentials, remote_config
      from google.auth import credentials as google

      with Bridge() as bridge:
          class Token(google.Credentials):
              def refresh(self, request): self.token = bridge.token
          class Credential(credentials.Base):
              def get_credential(self): return Token()
          app = firebase_admin.initialize_app(Credential(), {"projectId": "mine"})
          template = remote_config.init_server_template(app)
          # The library has no setting for its base; the object that sends has one.
          template._rc_service._client._base_url = bridge.base
          asyncio.run(template.load())
          for number in range(40):
              config = template.evaluate({"randomization_id": f"p{number}", "platform": "ios" if number % 2 else "mac"})
              print(json.dumps([config.get_float("speed"), config.get_int("lives"), config.get_value_source("speed")]))
      """

  private static let rest =
    common + """
      with Bridge("--admin") as bridge:
          session = requests.Session()
          session.headers["Authorization"] = f"Bearer {bridge.token}"
          url = f"{bridge.base}/v1/projects/mine/remoteConfig"
          got = session.get(url)
          template = got.json()
          template["parameters"]["speed"]["defaultValue"]["value"] = "2.5"
          template["version"] = {"description": "from a script"}
          put = session.put(url, json=template, headers={"If-Match": got.headers["ETag"]})
          late = session.put(url, json=template, headers={"If-Match": got.headers["ETag"]})
          rolled = session.post(url + ":rollback", json={"versionNumber": "1"})
          listed = session.get(url + ":listVersions", params={"pageSize": 2})
          print(json.dumps([got.status_code, put.status_code, put.headers["ETag"], late.status_code, late.json()["error"]["status"],
                            rolled.headers["ETag"], [v["versionNumber"] for v in listed.json()["versions"]],
                            put.json()["version"]["description"]]))
          install = f"{bridge.url}/v1/projects/mine/installations"
          made = requests.post(install, json={"fid": "cAAAAAAAAAAAAAAAAAAAAA", "appId": "1:7:web:a"}).json()
          renewed = requests.post(install + "/" + made["fid"] + "/authTokens:generate", json={}).json()
          print(json.dumps([made["fid"], made["authToken"]["expiresIn"], renewed["token"] == made["authToken"]["token"]]))
          fetched = requests.post(f"{bridge.url}/v1/projects/mine/namespaces/firebase:fetch?key=AIza",
                                  data=json.dumps({"app_instance_id": made["fid"], "sdk_version": "1"}),
                                  headers={"Content-Type": "application/json", "Content-Encoding": "gzip", "If-None-Match": "*"})
          print(json.dumps([fetched.json()["entries"], fetched.json()["state"]]))
      """

  private static let template = """
    {"conditions": [
       {"name": "ios", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES", "customSignalKey": "platform",
        "targetCustomSignalValues": ["ios"]}}},
       {"name": "half", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [
        {"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": "s", "microPercent": 50000000}}]}}]}}}],
     "parameters": {"speed": {"defaultValue": {"value": "3"}, "valueType": "NUMBER",
       "conditionalValues": {"ios": {"value": "3.5"}, "half": {"value": "1.5"}}}}}
    """

  /// Runs a script; prints a note and returns nil without such a Python.
  private func run(_ script: String, _ daemon: RunningDaemon) throws -> [Value]? {
    guard let python = Self.python else {
      print("GAMECONF_FIREBASE_PYTHON is not set: Firebase's clients are NOT run")
      return nil
    }
    try daemon.folder.write(script, to: "script.py")
    let ending = try ChildProcess(
      python, [daemon.folder.path + "/script.py", Built.control],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    ).waitForEnd()
    #expect(ending.status == 0, "\(ending.errors)")
    return try ending.output.split(separator: "\n").map { try JSONReader.value(from: String($0)) }
  }

  private func daemon() throws -> RunningDaemon {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    try daemon.folder.write(Self.template, to: "template.json")
    let pushed = try daemon.control("template", "push", "mine", daemon.folder.path + "/template.json")
    #expect(pushed.status == 0, "\(pushed.errors)")
    return daemon
  }

  @Test("firebase-admin for Python loads a server template and evaluates it as the daemon does")
  func adminSDK() throws {
    let daemon = try daemon()
    #expect(try daemon.put("lives", 9).status == 201)
    guard let lines = try run(Self.adminSDK, daemon) else { return }
    try #require(lines.count == 40)
    for (number, line) in lines.enumerated() {
      let body: Value = ["player": .string("p\(number)"), "context": ["platform": number % 2 == 1 ? "ios" : "mac"]]
      let ours = try daemon.ask("POST", "/v1/games/mine/config/speed", body: body).json["value"]
      #expect(line == [ours ?? .null, 9, "remote"], "p\(number): \(line)")
    }
    #expect(Set(lines).count == 3, "every branch is met")
  }

  @Test("a Python client reads, publishes, rolls back and lists templates over Firebase's REST API, and fetches values")
  func rest() throws {
    let daemon = try daemon()
    guard let lines = try run(Self.rest, daemon) else { return }
    try #require(lines.count == 3)
    #expect(lines[0] == [200, 200, "etag-mine-2", 400, "FAILED_PRECONDITION", "etag-mine-3", ["3", "2"], "from a script"])
    #expect(lines[1] == ["cAAAAAAAAAAAAAAAAAAAAA", "604800s", true])
    #expect(lines[2].listValue?.last == "UPDATE" && lines[2].listValue?.first?["speed"] != nil, "\(lines[2])")
  }
}
