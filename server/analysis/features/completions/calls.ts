// Completions inside the pack's calls other than the setters: connectionRequirement and scopes of formulas and sync tables, and domains for
// addNetworkDomain.
import { fieldValue, valueIn } from "../../configuration/config.ts";
import { enumText } from "../../configuration/starter-values.ts";
import { isUnder, ownDomainOf } from "../../domains/hosts.ts";
import { hostOf, staticPrefix } from "../../domains/url-value.ts";
import type { PackModel } from "../../model/pack.ts";
import { UNKNOWN } from "../../requests/partial-text.ts";
import { requestsOf } from "../../requests/requests.ts";
import { plain } from "../../text/markdown.ts";
import { type Completion, type CompletionPlace, innermostObject, literalCompletion } from "./completion.ts";
import { declaredDomains } from "./field-values.ts";
import { named } from "./fields.ts";
import { scopeCompletions } from "./scopes.ts";
import { choice, literally } from "./snippet.ts";
import { enumCompletions } from "./values.ts";

const DOCS = {
  docs: "Whether this formula or sync table needs a connected account: None, Optional or Required. By default, what defaultConnectionRequirement says.",
};

export function callCompletions(place: CompletionPlace): readonly Completion[] {
  const { frames, spot, text } = place.cursor;
  const call = frames.at(-1);
  if (call?.kind === "call" && call.callee?.endsWith(".addNetworkDomain")) return spot === "value" ? domainCompletions(place) : [];
  const at = innermostObject(frames);
  const definition = frames[at];
  const around = frames[at - 1];
  if (definition === undefined || around?.kind !== "call" || !/\.add(?:Formula|SyncTable|DynamicSyncTable)$/.test(around.callee ?? ""))
    return [];
  const requirements = offeredRequirements(place.pack);
  if (spot === "value" && definition.property === "connectionRequirement" && at === frames.length - 1)
    return enumCompletions(place, undefined, "ConnectionRequirement", DOCS, requirements);
  if (spot === "value" && definition.property === "extraOAuthScopes" && at < frames.length - 1) return scopeCompletions(place, undefined);
  if (spot !== "name" || text !== undefined || definition.members.includes("connectionRequirement") || requirements.length < 2) return [];
  const prefix = literally(enumText(place.pack, place.file, "ConnectionRequirement", ""));
  return [
    {
      ...named(place, "connectionRequirement", () => prefix + choice(1, requirements)),
      kind: "field",
      detail: "optional",
      sort: "3",
      docs: () => DOCS.docs,
    },
  ];
}

/** Only user authentication has accounts that can be required. */
function offeredRequirements(pack: PackModel): readonly string[] {
  const hasAccounts = pack.partial || pack.auths.some((auth) => auth.scope === "user" && auth.type !== "None");
  return hasAccounts ? ["Required", "Optional", "None"] : ["None"];
}

/** Completes the undeclared domains of requests, sign-ins, MCP servers and named URLs. The domain that covers most hosts comes first. */
function domainCompletions(place: CompletionPlace): readonly Completion[] {
  const { pack } = place;
  const declared = declaredDomains(pack);
  const hosts = [
    ...requestsOf(pack).all.flatMap(({ urls }) => urls.flatMap(({ host, text }) => host ?? BELOW_DOMAIN.exec(text)?.[1] ?? [])),
    ...pack.auths.flatMap((auth) =>
      ["tokenUrl", "authorizationUrl"].flatMap((name) => hostOf(staticPrefix(fieldValue(pack, auth, name)) ?? "") ?? []),
    ),
    ...pack.mcpServers.flatMap(({ definition }) => hostOf(staticPrefix(valueIn(pack, definition, "endpointUrl")) ?? "") ?? []),
    ...pack.facts.flatMap(({ text }) => [...text.matchAll(NAMED_URL)].map(([, host = ""]) => host.toLowerCase())),
  ].filter((host) => /^[^.\s]+(?:\.[^.\s]+)+$/.test(host) && !declared.some((domain) => isUnder(host, domain)));
  const covered = (domain: string): readonly string[] => [...new Set(hosts.filter((host) => isUnder(host, domain)))];
  return [...new Set(hosts.flatMap((host) => [ownDomainOf(host), host]))]
    .sort((one, other) => covered(other).length - covered(one).length)
    .map((domain, index) =>
      literalCompletion(place, literally(domain), {
        sort: String(index).padStart(2, "0"),
        docs: () => `The pack sends requests to ${plain(covered(domain).join(", "))}.`,
      }),
    );
}

/** Matches the domain of a URL whose subdomain is unknown: `https://${site}.acme.com/`. */
const BELOW_DOMAIN = new RegExp(`^https?://[^/?#]*${UNKNOWN}\\.([a-z0-9-]+(?:\\.[a-z0-9-]+)+)(?:[/?#]|$)`, "i");

/** Matches `BASE = "https://api.acme.com`, a URL to which the pack may send requests later. */
const NAMED_URL = /= ?["'`]https:\/\/([a-z0-9.-]{1,253})["'`/?#]/gi;
