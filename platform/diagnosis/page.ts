// The page of a diagnosis as Markdown: the content of docs/failures/, of the link beside an error, and of `pack-auth explain`.
import type { Diagnosis, DiagnosisExample } from "./diagnosis.ts";
import type { AccountFacts, McpFacts, RunFacts, SignInFacts } from "./failure.ts";
import type { OAuthPhase } from "./oauth-codes.ts";

export function diagnosisPage({ id, docs, examples }: Diagnosis): string {
  const shown = examples.flatMap((example) =>
    example.says === undefined
      ? []
      : `${circumstancesOf(example)}${example.exchange === undefined ? "" : `\`\`\`http\n${example.exchange}\n\`\`\`\n\n`}> … ${example.says} …`,
  );
  return `# ${id}

${docs}

## ${shown.length === 1 ? "Example" : "Examples"}

${shown.join("\n\n")}
`;
}

const STEPS: Readonly<Record<OAuthPhase, string>> = {
  authorization: "On the authorization page",
  code: "At the exchange of the code",
  refresh: "At a refresh",
  "client-credentials": "With client credentials",
  revocation: "At the revocation",
  registration: "At the registration",
  resource: "In a request",
};

/** The facts that an exchange does not show. */
const FACTS: Readonly<Partial<Record<keyof (AccountFacts & SignInFacts & RunFacts & McpFacts), string>>> = {
  isFresh: "with a token that was issued for this request",
  hasRunOut: "with a token that has expired and cannot be refreshed",
  isRenewable: "with a stored refresh token",
  wasAccepted: "with a credential that the host accepted before",
  client: "by a client that registered itself",
  isOnPage: "with the error shown there",
  metadata: "with PKCE in the provider's metadata",
  lackingScopes: "without a granted scope",
};

/** Returns the step, the configuration and the account's facts as a line: the same exchange means another thing with others. */
function circumstancesOf({ phase = "resource", auth = {}, account, signIn, run, mcp, disablesAuthentication }: DiagnosisExample): string {
  const fields = Object.entries(auth).map(([name, value]) =>
    name === "type" ? `\`AuthenticationType.${String(value)}\`` : `\`${name}: ${JSON.stringify(value)}\``,
  );
  const facts = Object.entries({ ...account, ...signIn, ...run, ...mcp }).map(([name]) => FACTS[name as keyof typeof FACTS]);
  const circumstances = [
    fields.length === 0 ? undefined : `with ${fields.join(" and ")}`,
    ...facts,
    disablesAuthentication && "with `disableAuthentication: true`",
  ].filter((circumstance) => circumstance !== undefined);
  return phase === "resource" && circumstances.length === 0 ? "" : `${[STEPS[phase], ...circumstances].join(", ")}:\n\n`;
}
