// The access rule for settings and keys, on files in a temporary folder.

import Glibc
import TestSupport
import Testing

@testable import GameConfSystemd

@Suite("Access to files")
struct FileAccessTests {
  @Test(
    "every user may read a settings file, only its owner a key file, and no other user may write either",
    arguments: [
      (0o600, nil, nil), (0o644, nil, "every user may read it (mode 0644); chmod o= /k"),
      (0o666, "every user may write it (mode 0666); chmod o-w /k", "every user may write it (mode 0666); chmod o= /k"),
    ] as [(UInt32, String?, String?)])
  func modes(mode: UInt32, ofSettings: String?, ofKey: String?) {
    #expect(FileAccess.complaint(about: "/k", as: .settings, mode: mode) == ofSettings)
    #expect(FileAccess.complaint(about: "/k", as: .key, mode: mode) == ofKey)
  }

  @Test("a key file belongs to root or to the user of this process", arguments: [(0, true), (7, true), (8, false)] as [(UInt32, Bool)])
  func owners(owner: UInt32, isGood: Bool) {
    #expect((FileAccess.complaint(about: "/k", owner: owner, user: 7) == nil) == isGood)
    if !isGood { #expect(FileAccess.complaint(about: "/k", owner: owner, user: 7) == "the user 8 owns it, who may change it; chown 7 /k") }
  }

  @Test("a key file is refused in a folder where another user could replace it, also behind a symbolic link")
  func folders() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    try #require(mkdir(folder + "/open", 0o700) == 0 && symlink(folder + "/key", folder + "/open/link") == 0)
    for name in ["/key", "/open/key"] {
      let file = open(folder + name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      close(file)
    }
    let paths = ["/key", "/open/key", "/open/link"].map { folder + $0 }
    #expect(paths.allSatisfy { FileAccess.complaint(aroundKey: $0) == nil })
    try #require(chmod(folder + "/open", 0o777) == 0)
    let complaint = "its folder \(folder)/open is not safe: every user may write in it (mode 0777); chmod o-w \(folder)/open"
    #expect(paths.map { FileAccess.complaint(aroundKey: $0) } == [nil, complaint, complaint])
    try #require(geteuid() == 0 || chmod(folder + "/open", 0o700) == 0)
    guard geteuid() == 0 else { return }
    try #require(chmod(folder + "/open", 0o700) == 0 && chown(folder + "/open", 12_345, 0) == 0)
    #expect(FileAccess.complaint(aroundKey: paths[1])?.contains("the user 12345 owns it") == true)
  }
}
