// One execution of a target of a pack. Invariant: whatever leaves here (values, traces, console, errors) can be masked by one redactor
// that knows every secret of the execution.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { RunContext, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { Executed } from "../process/process.ts";
import { authenticationInForce } from "./authentication-in-force.ts";
import { resolveDates } from "./date-range.ts";
import { describePlatformDifference } from "./describe-platform-difference.ts";
import { PackRequests } from "./pack-requests.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import { inProcess, type OpenWorld, type RunWorld } from "./run-world.ts";

/**
 * Executes one target, with the account's credentials applied by the broker. Returns undefined if the run was stopped. Throws PackAuthError
 * with a masked message. Connection names, options and each page of a table use this function too.
 */
export async function execute(input: RunInput, world: OpenWorld, observer: RunObserver): Promise<Executed | undefined> {
  const { target, parameters, timezone, source } = input;
  const { pack, account, redactor, signal, timeLimit } = world;
  const authority = authenticationInForce(pack, target, account);
  if (account !== undefined) redactor.addCredential(account.credential);
  const context: RunContext = {
    invocationToken: randomUUID(),
    timezone,
    invocationLocation: { protocolAndHost: "https://coda.io", source },
    ...defined({ endpoint: account?.endpoint }),
  };
  const isSync = target.kind === "syncTable" || target.kind === "update";
  const requests = new PackRequests({ ...authority, invocationToken: context.invocationToken, isSync, broker: {} }, world, observer);
  try {
    const executed = await pack.execute(
      withDates(target, timezone),
      parameters,
      context,
      {
        fetch: requests.fetch,
        storeBlob: requests.storeBlob,
        console: (entry) => observer.onConsole(redactor.redactValue(entry)),
        noticed: (platformDifference) => observer.onPlatformDifference(describePlatformDifference(platformDifference, pack)),
        echoRead: (request, field) => observer.onEchoRead(request, redactor.redact(field)),
      },
      { signal, timeLimit, run: world.process, ...defined({ debug: world.debug }) },
    );
    for (const stack of executed?.unawaited ?? []) {
      const location = pack.locate(stack);
      observer.onPlatformDifference({
        message: "Await this request. The formula returned before it was answered, and the platform then ends the execution.",
        unawaited: true,
        ...defined({ location }),
      });
    }
    return executed;
  } catch (error) {
    if (error instanceof PackAuthError) error.message = redactor.redact(error.message);
    throw error;
  }
}

/** Executes one target in a process of its own; see {@link execute}. */
export const executeAlone = (input: RunInput, world: RunWorld, observer: RunObserver): Promise<Executed | undefined> =>
  inProcess(world, (openWorld) => execute(input, openWorld, observer));

/** Returns the target with the dates among the other parameters of an autocomplete as moments. */
function withDates(target: RunTarget, timezone: string): RunTarget {
  if (target.kind !== "autocomplete" || target.values === undefined) return target;
  const values = Object.entries(target.values).map(([name, value]) => [name, resolveDates(value, timezone)] as const);
  return { ...target, values: Object.fromEntries(values) };
}
