import { PLATFORM_PARAMS, type RequestParam, requestParams } from "../configuration/authorization-request.ts";
import { fieldValue, fix, isAbsent, isTrue, propertyOf, type ResolvedAuth } from "../configuration/config.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { oauth2, rule, user } from "../rule.ts";
import { insertProperty, isOwn, quoteIn, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-reserved-param",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.5",
  docs: `\`additionalParams\`, or the query of \`authorizationUrl\`, sets a parameter that the platform sets.

\`client_id\`, \`redirect_uri\`, \`response_type\`, \`state\`, \`scope\` and the PKCE challenge are set by the platform. A second value breaks the sign-in or its protection. Remove it. Write scopes into \`scopes\`, and switch PKCE on with \`useProofKeyForCodeExchange\`. If the value equals the platform's own, such as \`response_type: "code"\`, this is only information.`,
  examples: [
    {
      bad: oauth2`
        additionalParams: {
          prompt: "consent",
          «redirect_uri»: "https://acme.example/callback",
        },`,
      change: ['redirect_uri: "https://acme.example/callback",', ""],
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize?«client_id=abc»",
        tokenUrl: "https://login.acme.example/token",`,
      fixed: oauth2``,
    },
    { bad: oauth2`additionalParams: { «code_challenge_method»: "S256" },`, fixed: oauth2`useProofKeyForCodeExchange: true,` },
    {
      bad: oauth2`additionalParams: { «scope»: "read write", prompt: "consent" },`,
      change: ['scope: "read write", prompt: "consent" }', 'prompt: "consent" },\n  scopes: ["read", "write"]'],
    },
    { bad: oauth2`additionalParams: { «response_type»: "code" },`, fixed: oauth2`` },
    {
      good: oauth2`
        scopeParamName: "user_scope",
        scopes: ["users:read"],
        additionalParams: { scope: "chat:write", response_mode: "query" },`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      for (const param of requestParams(pack, auth)) {
        const isScopes = param.name === scopeParam(pack, auth);
        if (!isScopes && (!PLATFORM_PARAMS.has(param.name) || isFree(pack, auth, param.name))) continue;
        const same = equalsPlatforms(pack, auth, param);
        const reservedName = isScopes ? "scope" : param.name;
        yield {
          place: param.place,
          ...(same ? { severity: "information" as const } : {}),
          message: same
            ? `You can remove ${param.name}. The platform sends it with this value itself.`
            : `${REMEDIES[reservedName] ?? `Remove ${param.name}.`} The platform sets ${param.name} itself, and a second value ${CONSEQUENCES[reservedName] ?? "breaks the sign-in"}.`,
          fixes: () => [...better(pack, auth, param), ...param.remove()],
        };
      }
    },
  },
});

const CONSEQUENCES: Readonly<Record<string, string>> = {
  state: "takes away the protection against forged sign-ins",
  redirect_uri: "sends the user to where no sign-in can end",
  code_challenge: "cannot match the secret that belongs to it",
  code_challenge_method: "has no challenge that belongs to it",
  scope: "leaves it to the provider which value is used",
};

const PKCE = "Remove it, and set useProofKeyForCodeExchange: true.";
const REMEDIES: Readonly<Record<string, string>> = {
  client_id: "Remove it, and enter the client ID in the pack's settings on the platform.",
  redirect_uri: "Remove it, and register the platform's redirect URL with the provider.",
  scope: "List the scopes in scopes.",
  code_challenge: PKCE,
  code_challenge_method: PKCE,
};

/** Returns the name under which the platform sends the scopes, if it is not the default. */
function scopeParam(pack: PackModel, auth: ResolvedAuth): string | undefined {
  const chosen = fieldValue(pack, auth, "scopeParamName");
  return chosen?.kind === "string" && chosen.value !== "" ? chosen.value : undefined;
}

/** Returns whether the author may use the name: with another scopeParamName, the platform does not set `scope`. */
function isFree(pack: PackModel, auth: ResolvedAuth, name: string): boolean {
  if (name !== "scope" || isAbsent(pack, auth, "scopeParamName")) return false;
  const chosen = fieldValue(pack, auth, "scopeParamName");
  return chosen?.kind !== "string" || (chosen.value !== "scope" && chosen.value !== "");
}

function equalsPlatforms(pack: PackModel, auth: ResolvedAuth, { name, value }: RequestParam): boolean {
  if (name === "response_type") return value === "code";
  if (name !== "code_challenge_method" || !isTrue(pack, auth, "useProofKeyForCodeExchange")) return false;
  const method = fieldValue(pack, auth, "pkceChallengeMethod");
  return value === (method?.kind === "string" ? method.value : "S256");
}

/** Returns a fix with the field that has the intended effect. */
function better(pack: PackModel, auth: ResolvedAuth, param: RequestParam): readonly Fix[] {
  const field = param.name.startsWith("code_challenge")
    ? { name: "useProofKeyForCodeExchange", text: "useProofKeyForCodeExchange: true", title: "Use useProofKeyForCodeExchange instead" }
    : (param.name === "scope" || param.name === scopeParam(pack, auth)) && param.value?.trim()
      ? { name: "scopes", text: `scopes: ${list(pack, auth, param.value)}`, title: "Move it into scopes" }
      : undefined;
  if (field === undefined || param.in !== "additionalParams" || !isAbsent(pack, auth, field.name)) return [];
  if (propertyOf(auth.config, field.name) !== undefined) return [];
  const holder = propertyOf(auth.config, "additionalParams");
  if (holder?.value.kind !== "object" || !isOwn(auth.config, holder)) return [];
  const [removal] = param.remove();
  if (removal === undefined) return [];
  // The field replaces additionalParams if this is its only parameter.
  if (holder.value.properties.length === 1) return [fix(field.title, replace(holder.span, field.text))];
  return [fix(field.title, ...removal.edits, insertProperty(pack, auth.config, field.text))];
}

function list(pack: PackModel, auth: ResolvedAuth, scopes: string): string {
  const delimiter = fieldValue(pack, auth, "scopeDelimiter");
  const parts = scopes.split(delimiter?.kind === "string" && delimiter.value.trim() !== "" ? delimiter.value : /\s+/);
  return `[${parts
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => quoteIn(pack, auth.config, part))
    .join(", ")}]`;
}
