// What status says of a store that several hosts share.

package import GameConfCore

/// A PostgreSQL database and the hosts that share it.
public struct StatusFleet: WireObject {
  package var database = ""
  package var schema = ""
  package var role = ""
  package var server = ""
  package var durability = ""
  package var standbys: Int64?
  package var lagMilliseconds: Int64?
  package var lookMilliseconds: Int64 = 0
  package var announcedAt: Instant?
  package var connections: Int64 = 0
  package var aheadMilliseconds: Int64?
  package var hosts: [StatusHost] = []

  package init() {}

  package init(database: String, schema: String, hosts: [StatusHost] = []) {
    self.database = database
    self.schema = schema
    self.hosts = hosts
  }

  package static var about: String { "A PostgreSQL database and the hosts that share it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("database", &database, "The database's name; empty while the server has told nothing.")
    fields.required("schema", &schema, "The schema.")
    fields.required("role", &role, "The role that this daemon is to the server.")
    fields.required("server", &server, "The server's version.")
    fields.required(
      "synchronous_commit", &durability, "What the server's synchronous_commit is; below on, what was acknowledged may be lost.")
    fields.optional("standbys", &standbys, "How many standbys the server feeds, where it says so.")
    fields.optional("lag_milliseconds", &lagMilliseconds, "How far the last of them is behind, where the server says so.")
    fields.required("look_milliseconds", &lookMilliseconds, "How long the newest look at the database took.")
    fields.optional("announced_at", &announcedAt, "When a change was announced last, by this host or another.")
    fields.required("connections", &connections, "How many connections this daemon has.")
    fields.optional(
      "ahead_milliseconds", &aheadMilliseconds, "By how much this host's clock is ahead of the database's, negative when behind.")
    fields.required("hosts", &hosts, "The hosts that were there within a day, by name.")
  }
}

/// A host of a fleet.
public struct StatusHost: WireObject {
  package var name = ""
  package var seenAt = Instant.unread
  package var version = ""
  package var aheadMilliseconds: Int64 = 0

  package init() {}

  package init(name: String, seenAt: Instant, version: String, aheadMilliseconds: Int64) {
    self.name = name
    self.seenAt = seenAt
    self.version = version
    self.aheadMilliseconds = aheadMilliseconds
  }

  package static var about: String { "A host of a fleet." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("name", &name, "By what it is known: its host name, and of what its machine and state folder are a part.")
    fields.required("seen_at", &seenAt, "When it was there last, by the database's clock.")
    fields.required("version", &version, "The version of its daemon.")
    fields.required("ahead_milliseconds", &aheadMilliseconds, "By how much its clock is ahead of the database's, negative when behind.")
  }
}
