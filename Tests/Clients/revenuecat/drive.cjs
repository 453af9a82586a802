// Does steps with RevenueCat's own library for JavaScript and prints what it makes of each, a line of JSON a step.
//
//   node drive.cjs BUNDLE BASE KEY STEPS     STEPS is a file with a list of {"as": USER, "do": STEP}, or {"run": [PROGRAM, ARGUMENT, …]}
//
// The library is configured once, as in an app; another user comes by changeUser, or by identifyUser where the step says so.
const { readFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
globalThis.window = undefined;

const [bundle, base, apiKey, list] = process.argv.slice(2);
const { Purchases } = require(bundle);
const steps = JSON.parse(readFileSync(list, 'utf8'));
let library;

function entitlement(each) {
  return {
    isActive: each.isActive, willRenew: each.willRenew, periodType: each.periodType, product: each.productIdentifier,
    store: each.store, isSandbox: each.isSandbox, expires: each.expirationDate?.toISOString() ?? null,
    billingIssue: each.billingIssueDetectedAt !== null, unsubscribed: each.unsubscribeDetectedAt !== null,
  };
}

function info(customer) {
  const all = Object.fromEntries(Object.entries(customer.entitlements.all).map(([id, each]) => [id, entitlement(each)]));
  return {
    user: customer.originalAppUserId, active: Object.keys(customer.entitlements.active).sort(), all,
    subscriptions: [...customer.activeSubscriptions].sort(),
    others: customer.nonSubscriptionTransactions.map((each) => each.productIdentifier),
  };
}

function product(each) {
  return {
    id: each.identifier, type: each.productType, price: each.price.amountMicros, currency: each.price.currency,
    period: each.normalPeriodDuration, trial: each.freeTrialPhase?.periodDuration ?? null,
    intro: each.introPricePhase ? [each.introPricePhase.periodDuration, each.introPricePhase.cycleCount] : null,
  };
}

async function find(id) {
  const offerings = await library.getOfferings();
  for (const offering of Object.values(offerings.all)) {
    for (const each of offering.availablePackages) if (each.webBillingProduct.identifier === id) return each.webBillingProduct;
  }
  throw new Error(`no offering has ${id}`);
}

async function step({ as: user, do: what, run }) {
  if (run) return { ran: execFileSync(run[0], run.slice(1), { encoding: 'utf8' }).trim() };
  const [verb, argument] = what.split(/:(.*)/s);
  if (!library) {
    library = Purchases.configure({ apiKey, appUserId: user, httpConfig: { proxyURL: base } });
  } else if (verb !== 'identify' && library.getAppUserId() !== user) {
    await library.changeUser(user);
  }
  switch (verb) {
    case 'info': return info(await library.getCustomerInfo());
    case 'offerings': {
      const offerings = await library.getOfferings();
      const all = Object.entries(offerings.all).map(([id, each]) => [id, {
        description: each.serverDescription, metadata: each.metadata,
        packages: each.availablePackages.map((one) => [one.identifier, product(one.webBillingProduct)]),
      }]);
      return { current: offerings.current?.identifier ?? null, all: Object.fromEntries(all) };
    }
    case 'buy': return info((await library._postSimulatedStoreReceipt(await find(argument))).customerInfo);
    case 'identify': {
      const { customerInfo, wasCreated } = await library.identifyUser(user);
      return { ...info(customerInfo), wasCreated };
    }
    case 'attributes': return { answer: await library.setAttributes({ colour: 'blue' }) };
    case 'currencies': return { currencies: await library.getVirtualCurrencies() };
    default: throw new Error(`no such step: ${verb}`);
  }
}

(async () => {
  for (const each of steps) {
    let line;
    try { line = await step(each); } catch (error) {
      line = { error: error.errorCode ?? null, message: error.message, underlying: error.underlyingErrorMessage ?? null };
    }
    console.log(JSON.stringify(line));
  }
  process.exit(0);
})();
