// The meaning of the command's exit status.

import GameConfCore

enum ExitStatus: Int32 {
  case done = 0
  case refused = 1
  case usage = 2
  case noDaemon = 3
  case notAllowed = 4
  case notFound = 5
  case conflict = 6
  case degraded = 7
}

extension ExitStatus {
  /// Maps the code of a problem to an exit status. No other table does this.
  init(_ code: ProblemCode) {
    self =
      switch code {
      case .malformedHTTP, .malformedPath, .malformedJSON, .malformedRequest, .unknownQueryParameter, .malformedQueryParameter,
        .malformedHeader, .malformedPlayerID, .playersDiffer, .twoIDs, .methodNotAllowed, .requestTimeout, .bodyTooLarge,
        .targetTooLong, .unsupportedMediaType, .expectationFailed, .headerTooLarge, .notImplemented, .versionNotSupported, .typeMismatch,
        .outOfRange, .notAllowed, .patternMismatch, .tooLong, .valueTooLarge, .schemaViolation, .constraintViolated, .windowEmpty,
        .windowPast, .duplicateRow, .rowsRefused, .idReused, .notRevertible, .notASetting, .backupRefused, .unknownEvent, .unknownMode,
        .modeMissing, .unknownReason, .scoreNotCarried, .scoreNotWhole, .scoreNegative, .scoreOverflow, .occurredTooEarly, .occursAhead,
        .notRewarded, .childDirected, .answerTooLarge, .evaluationTooLong, .unknownDetail, .detailMissing, .modeNotOfEvent, .eventTooLarge:
        .refused
      case .adminOnly, .notPermitted, .browserRefused, .secretKey: .notAllowed
      case .notFound, .unknownGame, .unknownKey, .unknownID, .unknownPlay, .unknownWindow, .unknownTheme,
        .unknownPlacement, .unknownDecision, .unknownLeaderboard:
        .notFound
      case .overlap, .alreadyReverted, .changedSince, .notQuarantined, .themeLocked, .decisionTooOld, .playClosed, .stateChanged,
        .reportContradicts, .adFree,
        .clockBackwards, .limitReached, .heldByScenario, .scenarioOver, .clientForgotten, .versionInForce, .revisionChanged,
        .leaderboardOff, .cursorGone, .fileExists, .storeElsewhere, .templateFromFile, .noTemplateSource:
        .conflict
      case .purchasesAdminsOnly, .purchasesNotSimulated, .storeClosed: .notAllowed
      case .unknownProduct, .unknownTransaction, .unknownGate: .notFound
      case .alreadyOwned, .purchaseOpen, .notPending, .notInterrupted, .notPurchased, .alreadyFinished, .alreadyRefunded, .alreadyRevoked,
        .notRefundable, .notASubscription, .subscriptionEnded, .renewalIsOff, .renewalIsOn, .inBillingRetry, .notInBillingRetry,
        .noPriceChange, .tooManyTransactions, .tooManyTransfers, .subscriptionConflict, .samePlayer:
        .conflict
      case .unknownEntitlement, .invalidPeriod, .invalidPrice, .invalidCurrency, .invalidBehaviour, .clockRate, .clockTooFar,
        .outsideCalendar, .missingArgument, .unknownArgument, .argumentType:
        .refused
      case .rateLimited, .tooManyConnections, .internalFault, .notTried, .degraded, .stopping, .serverFull, .storeUnavailable, .storeLate,
        .outcomeUnknown, .noSpace, .playerUnreadable, .rowUnreadable:
        .degraded
      }
  }

  /// Maps the HTTP status of a problem to an exit status, for codes that only a newer daemon knows.
  init(httpStatus: Int) {
    self =
      switch httpStatus {
      case 403: .notAllowed
      case 404: .notFound
      case 409, 412, 428: .conflict
      case 429, 500...: .degraded
      default: .refused
      }
  }
}
