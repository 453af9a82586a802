// The texts of each kind of degradation. Guides/Degraded.md and the journal's catalog are generated from them.

extension DegradationKind.KindDeclaration {
  static let storeFull = Self(
    .store, .error, "There is no space for the database",
    effect: "reads go on; writes get 507 with “Retry-After”",
    remedy:
      "make space on the file system of “/var/lib/gameconfd”, with PostgreSQL on the server's. “gameconfctl store copies” lists copies that you may remove",
    end: "the next write fits; the daemon tries each second", messageID: "2ed7b91b220d4d6f9cac99e2f5788fab")

  static let storeReadOnly = Self(
    .store, .error, "The database cannot be written",
    effect: "reads go on; writes get 503",
    remedy:
      "look at “dmesg”: a file system that becomes read-only often means a failing disk. Remount it, or correct the rights of the folder",
    end: "the folder can be written again", messageID: "018cb14c8cf74b818c81bc75fc1dfb15")

  static let storeFailing = Self(
    .store, .error, "The database fails",
    effect: "reads go on; writes get 503",
    remedy: "the text behind it is the database's own. On PostgreSQL look at the server; on SQLite look at the disk",
    end: "the database answers again", messageID: "3c1d9a58e0b64b1fa7f2d4680c95e713")

  static let storeLost = Self(
    .store, .critical, "The database is lost",
    effect: "configuration and overrides are served from “last-good.json”; writes, scores and purchases get 503",
    remedy:
      "look at the disk first (“dmesg”, “smartctl”), then restore a backup: “gameconfctl store restore FILE”. A damaged file stays in the folder; “gameconfctl store copies” lists it",
    end: "the restore is done", messageID: "f115e57e67b34c539374e9b7c84b9a95")

  static let storeNewer = Self(
    .store, .critical, "A newer version wrote the database",
    effect: "configuration and overrides are served from “last-good.json”; writes, scores and purchases get 503",
    remedy:
      "run that version again. The database is whole and nothing was moved: do not restore a backup over it. To stay with the older version, stop the daemon and put the copy that “gameconfctl store copies” lists as before the upgrade in its place",
    end: "the newer version runs", messageID: "70ce5d13b9a64f8e82d7c41f06a9b352")

  static let lastGoodFailing = Self(
    .store, .warning, "last-good.json cannot be written or read",
    effect: "no; if the database were damaged now, the games could not be served from it",
    remedy: "correct the disk or the rights of the state directory",
    end: "it is written again, within a second", messageID: "8e40b7c2d5134a6f9b1c7fd9620e3a84")

  static let rowsUnreadable = Self(
    .store, .error, "A row of the database cannot be read",
    effect: "only the player of that row: 503 “PLAYER_UNREADABLE”",
    remedy:
      "“gameconfctl status” names the row. Upgrade if a later version wrote it; else “gameconfctl player export GAME PLAYER” and then “gameconfctl player forget GAME PLAYER”",
    end: "the row is readable or gone", messageID: "5d0c8f2ab1f44f0c9a3e6c4b7d215e90")

  static let imagesFailing = Self(
    .daemon, .warning, "The images that games map cannot be written",
    effect: "games that map images keep the values that they have; every other call goes on",
    remedy: "correct the rights of the images' folder, or the space on its file system",
    end: "an image is written again", messageID: "b65f02e97a8d4c31a0d94e7f1c82d5b6")

  static let catalogRefused = Self(
    .game, .error, "A game's new catalog is refused",
    effect: "no: the last accepted catalog stays in force",
    remedy: "“gameconfctl catalog validate FILE” names each fault with line and column; correct it, then “gameconfctl reload”",
    end: "the file is accepted", messageID: "64f313c3fef04ee5a4a0d5ffa01eb8ca")

  static let notServed = Self(
    .game, .error, "A game is not served",
    effect: "yes: a new game gets 404 until its first catalog is accepted, another game 503",
    remedy: "“gameconfctl catalog validate FILE”, then “gameconfctl reload”; “make run” reloads a saved file by itself",
    end: "the file is accepted", messageID: "d27a4f6c913e4b58b8c06a15fe4790d2")

  static let catalogVanished = Self(
    .game, .error, "A game's catalog file is missing",
    effect: "no: the last accepted catalog stays in force",
    remedy: "put the file back and reload. To stop serving the game: “gameconfctl catalog forget GAME”",
    end: "the file is accepted, or the game forgotten", messageID: "e0937b5dc4f2416ca85d12b93f67ca08")

  static let catalogDrift = Self(
    .game, .warning, "A game's file still has a reverted change",
    effect: "no: the catalog you went back to stays in force",
    remedy: "change the file so that it says what you want, then reload",
    end: "the file changes and is accepted", messageID: "4a7cd8e1650b4f0d93e27b38c1f5a69e")

  static let catalogNotStored = Self(
    .game, .error, "A game's catalog is not stored for the next start",
    effect: "no, until the next start",
    remedy: "correct the disk or the rights of the state directory, then reload",
    end: "the catalog is stored", messageID: "97e1f3042bd84c7ea6f8519d0cb2473f")

  static let catalogWaits = Self(
    .game, .warning, "A game's new catalog waits for the store",
    effect: "no: the catalog in force stays",
    remedy: "nothing: the store cannot take the new catalog now, and the daemon tries again",
    end: "the store takes writes", messageID: "1fb89c47d3654ea2b90c6d7e42a5f810")

  static let templateRefused = Self(
    .game, .error, "A game's template is refused",
    effect: "no: the values in force stay",
    remedy: "“gameconfctl template validate GAME FILE”, or correct the source",
    end: "a template is accepted", messageID: "c5d0a2e9748b4f13967e0f3b8d61c24a")

  static let templateOverdue = Self(
    .game, .warning, "A template's source is not reported",
    effect: "no: the values in force stay, and new ones do not come",
    remedy: "“systemctl status gameconf-fetch”: it reads the source, and reports each time",
    end: "gameconf-fetch reports again", messageID: "6b28f7d0ce914a35bf40d8e6517c3a92", shownAfterMilliseconds: 600_000)

  static let zoneMissing = Self(
    .game, .error, "A template names a time zone that this host does not have",
    effect: "a condition with that zone never holds here; another host may answer otherwise",
    remedy: "install or update “tzdata” to the version of the other hosts, then “systemctl restart gameconfd”; or correct the zone's name",
    end: "the daemon starts with the zone, or another template is in force", messageID: "9d14e6b7f0384c25a86d3b50c7f29e14")

  static let overridesQuarantined = Self(
    .game, .warning, "Stored overrides do not fit the catalog",
    effect: "they get the value beneath: an override in quarantine is stored and not served",
    remedy:
      "“gameconfctl config list GAME” shows them. Set a value that fits, remove the override, or restore the catalog that admitted it and “gameconfctl config release GAME KEY”",
    end: "no override is in quarantine", messageID: "ce552e667609423093082138dc5bd4ab")

  static let clockHeld = Self(
    .game, .warning, "A simulated clock is stopped",
    effect: "the game's own time is stopped: trials and daily rewards do not go on",
    remedy: "the host's clock stepped back. Correct it, or start the game's clock again: “gameconfctl iap clock GAME rate 1”",
    end: "the host's clock has caught up", messageID: "fa3e61b80d974c2e8a15c09d7b46e2f3")
}
