// Whether a real account was connected since the authentication last changed.
import type { AccountStateName } from "../../../protocol/account-state.ts";
import type { PreflightLine } from "../../../protocol/preflight.ts";
import type { AuthScope } from "../../../protocol/run.ts";
import { hasSignIn } from "../../../spec/auth-types.ts";
import { labelInText } from "../../accounts/account-name.ts";
import { atSetter, authenticationsOf, type PreflightFacts } from "../preflight-input.ts";

/** Returns a line for each authentication with a sign-in. */
export async function accounts(facts: PreflightFacts): Promise<readonly PreflightLine[]> {
  const signIns = authenticationsOf(facts.definition).filter(({ auth }) => hasSignIn(auth.type));
  if (signIns.length === 0) return [];
  const all = await facts.input.accounts.list();
  return Promise.all(
    signIns.map(async ({ scope }): Promise<PreflightLine> => {
      const line = { topic: "accounts", ...atSetter(facts, scope) } as const;
      const ofScope = all.filter((account) => account.scope === scope);
      const real = ofScope.filter(({ sandboxOrigin }) => sandboxOrigin === undefined);
      const connect = { verdict: "never-tried", action: { kind: "connect", scope } } as const;
      if (real.length === 0)
        return {
          ...line,
          ...connect,
          text:
            ofScope.length === 0
              ? `No ${NAMES[scope]} account was connected yet. Connect one.`
              : "Only the sandbox has an account, which is no real sign-in. Connect a real account.",
        };
      const states = await Promise.all(real.map((account) => facts.input.accounts.stateOf(account, facts.definition)));
      const tried = real.find((_, index) => WORKED[states[index]?.state ?? "changed"]);
      if (tried !== undefined)
        return {
          ...line,
          verdict: "fits",
          text:
            tried.inFile === undefined
              ? `A ${NAMES[scope]} account was connected with this authentication.`
              : `The references of ${labelInText(tried)} were accepted for this authentication.`,
        };
      const problems = real.flatMap((account, index) => {
        const state = states[index];
        return state === undefined || state.state === "ready" ? [] : [`${labelInText(account)}: ${state.reason}. ${state.nextStep}`];
      });
      // A store that does not return the credentials tells nothing about the sign-in.
      if (states.some(({ state }) => state === "sealed")) return { ...line, verdict: "not-judged", text: problems.join(" ") };
      return { ...line, ...connect, text: problems.join(" ") };
    }),
  );
}

const NAMES: Readonly<Record<AuthScope, string>> = { user: "test", system: "system" };

/** An expired credential worked with this configuration, too. A person accepts references for one configuration, to run with it. */
const WORKED: Readonly<Record<AccountStateName, boolean>> = {
  ready: true,
  renewable: true,
  expired: true,
  refused: false,
  changed: false,
  sealed: false,
  unaccepted: false,
};
