// Resolves the references of an accepted account, for one run. Invariant: a value is neither stored nor logged, and stands in no argument.

import { execFile } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import { defined } from "../../base/defined.ts";
import { ACCOUNT_FILE, parseReference } from "../../spec/account-file.ts";
import { credentialForm } from "../accounts/credential-fields.ts";
import { checkedValue } from "../accounts/pasted-value.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import { programEnvironment, THIS_MACHINE } from "../files/programs.ts";
import type { Delivery } from "./delivery.ts";

/** Where references are resolved. */
export interface SecretSources {
  readonly environment: NodeJS.ProcessEnv;
  /** The absolute path of 1Password's program, from the person's own settings. */
  readonly program: string | undefined;
  /** The name of that setting, for messages. */
  readonly programSetting: string;
  /** Milliseconds for one call of the program. */
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/** Milliseconds: the program may ask the person for a fingerprint. */
const DEADLINE = 60_000;
/** Bytes of a value. */
const LARGEST_VALUE = 64 * 1024;

/**
 * The program's own variables. Without the desktop application it signs in with a service account's token, or with a session of
 * `op signin`. OP_ACCOUNT and OP_CONFIG_DIR choose among several accounts.
 */
const PROGRAM_VARIABLES = /^OP_(?:SERVICE_ACCOUNT_TOKEN|SESSION_\w+|ACCOUNT|CONFIG_DIR)$/;

/** Returns the account for a run. Throws reference-unresolved, and credentials-missing if a value is not a possible credential. */
export async function resolveAccount({ account, auth, endpoint }: Delivery, sources: SecretSources): Promise<RunAccount> {
  const { fields, credential } = credentialForm(auth);
  const values = new Map<string, string>();
  // One after the other, since the program may ask the person for each.
  for (const { name, isPassword } of fields) {
    const reference = Object.hasOwn(account.secrets, name) ? account.secrets[name] : undefined;
    if (reference === undefined) continue;
    const what = `The secret ${name} of the account ${account.label} in ${ACCOUNT_FILE}`;
    values.set(name, checkedValue(await resolve(reference, what, sources), what, isPassword));
  }
  return { scope: account.scope, credential: credential(({ name }) => values.get(name) ?? ""), ...defined({ endpoint }) };
}

async function resolve(text: string, what: string, sources: SecretSources): Promise<string> {
  const reference = parseReference(text);
  if (reference === undefined) throw unresolved(what, "its reference may not be resolved", `Correct ${ACCOUNT_FILE}.`);
  if (reference.kind === "op") return readFromProgram(reference.text, what, sources);
  const value = sources.environment[reference.variable];
  if (!value)
    throw unresolved(
      what,
      `${reference.variable} is not set`,
      `Set ${reference.variable} in the environment. An editor or a server reads it when it starts.`,
    );
  return value;
}

function readFromProgram(reference: string, what: string, sources: SecretSources): Promise<string> {
  const { program, programSetting, environment, deadline = DEADLINE, signal } = sources;
  const setProgram = `Set ${programSetting} to the absolute path of 1Password's program op.`;
  if (program === undefined || !isAbsolute(program))
    throw unresolved(
      what,
      program === undefined ? `${programSetting} is not set` : `${programSetting} is not an absolute path`,
      setProgram,
    );
  const own = Object.entries(environment).filter(([name]) => PROGRAM_VARIABLES.test(name));
  return new Promise((fulfil, reject) => {
    const child = execFile(
      program,
      ["read", "--no-newline", reference],
      {
        env: { ...programEnvironment({ ...THIS_MACHINE, environment }), ...Object.fromEntries(own) },
        // A folder of the workspace could contain configuration or libraries.
        cwd: dirname(program),
        timeout: deadline,
        killSignal: "SIGKILL",
        maxBuffer: LARGEST_VALUE,
        windowsHide: true,
        ...defined({ signal }),
      },
      (error, stdout) => {
        // A stopped run sends SIGTERM, whatever killSignal is, and the program may ignore that.
        child.kill("SIGKILL");
        if (error === null && stdout.trim() !== "") return fulfil(stdout);
        // Neither its output nor the error's message, which contains all of stderr, is shown: both may contain the secret.
        const hint = `Check that op is signed in, and that it can read ${reference}.`;
        reject(unresolved(what, reasonOf(error, deadline), child.pid === undefined ? setProgram : hint));
      },
    );
    child.stdin?.on("error", () => {}).end();
  });
}

function reasonOf(error: (Error & { code?: unknown; killed?: boolean }) | null, deadline: number): string {
  if (error === null) return "op returned an empty value";
  if (error.name === "AbortError") return "the run was stopped";
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `op returned more than ${LARGEST_VALUE / 1024} KiB`;
  if (error.killed === true) return `op did not end within ${deadline / 1000} s`;
  return typeof error.code === "number" ? `op ended with code ${error.code}` : "op could not be started";
}

const unresolved = (what: string, reason: string, hint: string): PackAuthError =>
  new PackAuthError("reference-unresolved", `${what} could not be read: ${reason}.`, { hint });
