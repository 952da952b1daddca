// The person's yes to references of an account file. A reference is text from outside: whoever changes the repository could name another
// secret, or send one to another host.
// Invariant: the yes is stored outside of the repository, and ends when a reference, an endpoint, the authentication or a host changes.

import { createHash } from "node:crypto";
import { isRecord } from "../../base/is-record.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { ACCOUNT_FILE, type FileAccount } from "../../spec/account-file.ts";
import { PackAuthError } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import type { StateStore } from "../host.ts";
import { accountFileOf } from "./account-file.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";

/** Characters of a domain name (RFC 1035, section 2.3.4). */
const LONGEST_DOMAIN = 255;

/** What the person sees before the first use. */
export interface ReferenceQuestion {
  /** A question in one sentence. */
  readonly title: string;
  /** Facts, one a line: references, hosts, and what the answer covers. */
  readonly lines: readonly string[];
}

/** The two parts of a yes; each is a digest. */
interface Approval {
  readonly account: string;
  readonly configuration: string;
}

/** Returns whether the person accepted the account. Without a definition, only the file's side is compared. Throws as {@link deliveryOf}. */
export function isApproved(state: StateStore, entry: string, account: FileAccount, definition?: PackDefinition): boolean {
  const configuration = definition === undefined ? undefined : configurationDigest(deliveryOf(account, definition), definition);
  const stored = state.get(keyOf(entry, account));
  if (!isRecord(stored) || stored.account !== accountDigest(account)) return false;
  return configuration === undefined || stored.configuration === configuration;
}

/** How a host asks for a yes. */
interface Asking {
  readonly state: StateStore;
  /** Absent where nobody can be asked. */
  readonly ask?: (question: ReferenceQuestion) => Promise<boolean>;
  /** What the person has to do to be asked again, in a sentence. */
  readonly nextStep: string;
}

/** Returns the delivery that the person has accepted, asking if needed. Throws reference-unapproved, and as {@link deliveryOf}. */
export async function approvedDelivery(
  { state, ask, nextStep }: Asking,
  entry: string,
  account: FileAccount,
  definition: PackDefinition,
): Promise<Delivery> {
  const delivery = deliveryOf(account, definition);
  if (isApproved(state, entry, account, definition)) return delivery;
  const hasFormerYes = state.get(keyOf(entry, account)) !== undefined;
  if (ask === undefined || !(await ask(questionOf(delivery, definition, hasFormerYes))))
    throw new PackAuthError("reference-unapproved", `The secrets of the account ${account.label} were not read: nobody accepted that.`, {
      hint: nextStep,
    });
  const approval: Approval = { account: accountDigest(account), configuration: configurationDigest(delivery, definition) };
  await state.set(keyOf(entry, account), approval);
  return delivery;
}

function questionOf({ account, hosts }: Delivery, { networkDomains }: PackDefinition, hasFormerYes: boolean): ReferenceQuestion {
  return {
    title: `Read the secrets of the account ${account.label} from where ${ACCOUNT_FILE} says?`,
    lines: [
      ...Object.entries(account.secrets).map(([name, reference]) => `${name}: ${reference}`),
      `Their values go to: ${hosts.join(", ") || "no host"}`,
      `The pack sends requests to: ${networkDomains.map(oneLine).join(", ") || "its endpoint only"}`,
      hasFormerYes
        ? "Something changed since your last yes: a reference, an endpoint, the authentication or a host."
        : "Your yes ends when a reference, the endpoint, the authentication or a host changes.",
    ],
  };
}

/** A pack writes its domains, and in a line of its own one could pass for another fact. */
const oneLine = (domain: string): string => domain.replaceAll(/\s+/g, " ").slice(0, LONGEST_DOMAIN);

const keyOf = (entry: string, { scope, label }: FileAccount): string =>
  `packAuth.references.${digest([canonicalPath(accountFileOf(entry)), canonicalPath(entry), scope, label])}`;

const accountDigest = ({ label, scope, endpoint, secrets }: FileAccount): string =>
  digest([label, scope, endpoint ?? null, Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1))]);

/** The whole authentication counts: its URLs, domains, prefixes and names decide where a value goes, and in which form. */
const configurationDigest = ({ auth, endpoint, hosts }: Delivery, { networkDomains, mcpServers = [] }: PackDefinition): string =>
  digest([auth, endpoint ?? null, hosts, networkDomains, mcpServers]);

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
