// Signs in to a pack's account.

import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import type { ConnectOptions } from "../../platform/connect/connect.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { scopesWith } from "../../platform/runs/scopes.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { onlyCalled } from "../accounts/named-account.ts";
import { input, packInput } from "../inputs.ts";
import { operation } from "../operation.ts";
import { sandboxSignIn } from "../sandbox/sandbox-sign-in.ts";
import { signIn } from "./sign-in.ts";

export const connect = operation({
  about: "Signs in with the pack's authentication, and saves the account. Only the person at this machine sees and enters its secrets.",
  input: z.strictObject({
    pack: packInput,
    system: input(
      z.boolean().optional(),
      "Connect the system authentication instead of a user's. By default a user's, if the pack has it.",
    ),
    again: input(z.string().optional(), "The label or ID of an account to sign in to again.", { argument: "LABEL" }),
    scopesOf: input(
      z.string().optional(),
      "Sign in again for the scopes that this formula or table also\nneeds (its extraOAuthScopes), and for those that the account has.",
      { argument: "NAME" },
    ),
    sandbox: input(z.boolean().default(false), "Sign in at the sandbox that the person started."),
  }),
  missing: {
    agents: {
      scopesOf: "The person decides how much an account may do.",
      sandbox: "A run without an account signs in at a sandbox of its own.",
    },
  },
  async run({ pack: path, system, again, scopesOf, sandbox }, world, person) {
    const pack = await world.openPack(world.entryOf(path));
    const scope = scopeOf(pack.definition, system);
    const { accounts } = await world.openStore();
    const ofPack = (await accounts.list(packKey(pack.entry))).filter((account) => account.scope === scope);
    const labels = `There are: ${ofPack.map(({ label }) => quoteName(label)).join(", ") || "none"}.`;
    const existing = again === undefined ? undefined : onlyCalled(again, ofPack, `There is no ${scope} account ${again}.`, labels);
    const more = scopesOf === undefined ? defined({ existing }) : moreAccess(pack.definition, scopesOf, existing, ofPack);
    const side = sandbox ? await sandboxSignIn(world, pack, scope) : undefined;
    return signIn(pack, { scope, ...defined({ sandbox: side }), ...more }, world, person);
  },
});

/** Throws type-unavailable if the pack does not have the authentication. */
function scopeOf(definition: PackDefinition, system: boolean | undefined): AuthScope {
  const { userAuthentication: user, systemAuthentication } = definition;
  const scope = (system ?? (user === undefined && systemAuthentication !== undefined)) ? "system" : "user";
  if (definition[`${scope}Authentication`] !== undefined) return scope;
  throw new PackAuthError("type-unavailable", `The pack has no ${scope} authentication.`, {
    hint: "Add setUserAuthentication or setSystemAuthentication. A pack without authentication needs no account.",
  });
}

/** Returns the account that gets more access, and all scopes of its new sign-in. Throws invalid-parameter. */
export function moreAccess(
  definition: PackDefinition,
  name: string,
  chosen: Account | undefined,
  accounts: readonly Account[],
): Pick<ConnectOptions, "existing" | "scopes"> {
  const kinds = [
    ...definition.formulas.flatMap((formula) => (formula.name === name ? (["formula"] as const) : [])),
    ...definition.syncTables.flatMap((table) => (table.name === name ? (["syncTable", "update"] as const) : [])),
  ];
  if (kinds.length === 0) throw new PackAuthError("invalid-parameter", `The pack has no formula or table ${name}.`);
  const [existing = undefined, ...otherAccounts] = chosen === undefined ? accounts : [chosen];
  if (otherAccounts.length > 0)
    throw new PackAuthError("invalid-parameter", "The pack has several accounts. Choose one by its label.", { field: "again" });
  const grantedScopes = existing?.scopesGranted ?? existing?.scopesRequested ?? [];
  const scopes = kinds.reduce<readonly string[]>(
    (all, kind) => scopesWith(all, definition, kind === "update" ? { kind, name, updates: [] } : { kind, name }),
    grantedScopes,
  );
  return { scopes, ...defined({ existing }) };
}
