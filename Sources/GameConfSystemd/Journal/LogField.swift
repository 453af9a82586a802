// The metadata keys of the daemon's log, with their names as journal fields.

public import Logging

/// A metadata key of the daemon's log. Each key becomes a journal field.
public enum LogField: String, CaseIterable, Sendable, Hashable {
  /// The game's id, in the journal field `GAME`.
  case game
  /// A parameter's key, in the journal field `KEY`.
  case key
  /// A player's id. The log never contains the id itself, but its hash in the journal field `PLAYER`.
  case player
  /// The name of a game's event, in the journal field `EVENT`.
  case event
  /// The game's revision, in the journal field `REVISION`.
  case revision
  /// The uid of the user who made the request, in the journal field `ACTOR_UID`.
  case actorUID = "actor_uid"
  /// The code of the problem as in HTTP answers, in the journal field `ERROR_CODE`.
  case errorCode = "error_code"
  /// The code of a degradation, in the journal field `DEGRADATION`.
  case degradation
  /// The id of the kind of log entry, such as a ``MessageID``, in the journal field `MESSAGE_ID`.
  case messageID = "message_id"

  /// The name of the journal field: the raw value in capitals.
  public var journalName: String { rawValue.uppercased() }
}

extension Logger.Metadata {
  /// Returns log metadata whose keys are the raw values of the fields. ``JournalLogHandler`` writes these keys as journal fields.
  public static func fields(_ fields: [LogField: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: fields.map { ($0.key.rawValue, .string($0.value)) })
  }

  /// Returns log metadata with these fields, and with the id of a log entry that an operator may act on.
  public static func fields(_ message: MessageID, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    Self.fields(message: message.rawValue, fields)
  }

  /// Returns metadata with these fields and a message id that is not a ``MessageID``, such as the id of a degradation.
  public static func fields(message id: String, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    var metadata = Self.fields(fields)
    metadata[LogField.messageID.rawValue] = .string(id)
    return metadata
  }
}
