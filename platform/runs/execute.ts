// One execution of a target of a pack. Invariant: whatever leaves here (values, traces, console, errors) can be masked by one redactor
// that knows every secret of the execution.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { ParameterValue, RunContext, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import type { Executed } from "../process/process.ts";
import { createRedactor } from "../secrets/redact.ts";
import { authenticationInForce } from "./authentication-in-force.ts";
import { resolveDates } from "./date-range.ts";
import { describePlatformDifference } from "./describe-platform-difference.ts";
import { openRequests } from "./pack-requests.ts";
import { ownTimezone } from "./read-date.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Executes one target, with the account's credentials applied by the broker. Returns undefined if the run was stopped. Throws PackAuthError
 * with a masked message. Connection names, options and each page of a table use this function too.
 */
export async function execute(
  pack: Pack,
  target: RunTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<Executed | undefined> {
  const { authentication, requirement } = authenticationInForce(pack, target, options.account);
  const redactor = options.redactor ?? createRedactor();
  if (options.account !== undefined) redactor.addCredential(options.account.credential);
  const context: RunContext = {
    invocationToken: randomUUID(),
    timezone: options.timezone ?? ownTimezone,
    invocationLocation: { protocolAndHost: "https://coda.io", source: options.source ?? "Doc" },
    ...defined({
      endpoint: options.account?.endpoint,
      previousAttemptError: target.kind === "syncTable" ? options.previousAttemptError : undefined,
    }),
  };
  const isSync = target.kind === "syncTable" || target.kind === "update";
  const requests = openRequests(pack, { authentication, requirement, context, redactor, isSync }, options);
  try {
    const executed = await pack.execute(
      target.kind === "autocomplete" && target.values !== undefined
        ? {
            ...target,
            values: Object.fromEntries(Object.entries(target.values).map(([name, value]) => [name, resolveDates(value, context.timezone)])),
          }
        : target,
      parameters,
      context,
      {
        fetch: requests.fetch,
        storeBlob: requests.storeBlob,
        console: (entry) => options.onConsole?.(redactor.redactValue(entry)),
        noticed: (platformDifference) => options.onPlatformDifference?.(describePlatformDifference(platformDifference, pack)),
        echoRead: (request, field) => options.onEchoRead?.(request, redactor.redact(field)),
      },
      defined({ signal: options.signal, timeLimit: options.timeLimit, run: options.run, debug: options.debug }),
    );
    for (const stack of executed?.unawaited ?? []) {
      const location = pack.locate(stack);
      options.onPlatformDifference?.({
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
