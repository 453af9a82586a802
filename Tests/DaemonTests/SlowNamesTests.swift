// A user directory that does not answer: the daemon continues, and a change that needs a name does not wait for long.

import GameConfCore
import Glibc
import Testing

@Suite("A slow directory of users", .serialized)
struct SlowNamesTests {
  /// A preloaded library that blocks user lookups while a file exists.
  private static let shim = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <pwd.h>
    #include <stdlib.h>
    #include <unistd.h>
    int getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t count, struct passwd **found) {
      static __typeof__(getpwuid_r) *real;
      const char *held = getenv("GAMECONF_NAMES_HELD"), *asked = getenv("GAMECONF_NAMES_ASKED");
      if (!real) real = (__typeof__(getpwuid_r) *)dlsym(RTLD_NEXT, "getpwuid_r");
      if (held && asked && access(held, F_OK) == 0) {
        close(open(asked, O_CREAT | O_WRONLY, 0644));
        while (access(held, F_OK) == 0) usleep(1000);
      }
      return real(uid, entry, buffer, count, found);
    }
    """

  private func shim(in folder: TemporaryFolder) throws -> [String: String]? {
    guard access("/usr/bin/cc", X_OK) == 0 else {
      print("SKIPPED: a slow directory of users was not tried, since there is no /usr/bin/cc")
      return nil
    }
    try folder.write(Self.shim, to: "names.c")
    let made = try ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", folder.path + "/names.so", folder.path + "/names.c", "-ldl"]
    ).waitForEnd()
    try #require(made.status == 0, "\(made.errors)")
    return [
      "LD_PRELOAD": folder.path + "/names.so", "GAMECONF_NAMES_HELD": folder.path + "/held", "GAMECONF_NAMES_ASKED": folder.path + "/asked",
    ]
  }

  private func author(_ daemon: RunningDaemon) throws -> Value? {
    try daemon.read(at: "/v1/games/mine/overrides/speed", admin: true)["overrides"]?.listValue?.first?["author"]?["name"]
  }

  @Test(
    "while the user directory blocks, games are answered, and a change's author is a uid; later it is a name",
    arguments: ["PUT", "GET"])
  func held(method: String) throws {
    let folder = try TemporaryFolder()
    guard let environment = try shim(in: folder) else { return }
    let daemon = try RunningDaemon(
      catalogs: ["mine.yaml": Mine.catalog], folder: folder, arguments: ["--loops", "1"], environment: environment)
    try folder.write("", to: "held")
    let change = try RawConnection(daemon.adminSocket)
    if method == "PUT" {
      let body = "{\"value\":3}"
      change.send(
        "PUT /v1/games/mine/overrides/speed HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          + body)
    } else {
      change.send("GET /v1/games/mine/products?player=p HTTP/1.1\r\nHost: x\r\n\r\n")
    }
    try #require(daemon.waits { access(folder.path + "/asked", F_OK) == 0 }, "the name is looked up")
    // The only event loop continues: these requests are answered while the lookup blocks.
    for _ in 0..<10 { #expect(try daemon.read("speed", game: "mine")["value"] != nil) }
    #expect(try daemon.ask("GET", "/v1/status", admin: true).status == 200)
    #expect(access(folder.path + "/held", F_OK) == 0)
    let answer = try #require(change.answer())
    #expect(answer.status == (method == "PUT" ? 201 : 200), "\(answer.text)")
    guard method == "PUT" else {
      unlink(folder.path + "/held")
      return
    }
    #expect(try author(daemon) == .string(String(getuid())))
    unlink(folder.path + "/held")
    let name = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
    // The blocked lookup ends, and later changes have the name as their author.
    #expect(
      try daemon.waits {
        _ = try daemon.ask("PUT", "/v1/games/mine/overrides/speed", body: ["value": 4], admin: true)
        return try author(daemon) == .string(name)
      })
  }
}
