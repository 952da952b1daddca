// The page of a provider as Markdown: what to do at its console, and where each fact was read.

import { durationInWords } from "../../base/duration.ts";
import { printable } from "../../base/printable.ts";
import type { FactSource, ProviderPage } from "../../spec/provider-page.ts";
import { isDocumented } from "../../spec/provider-readings.ts";
import type { PublishedRedirect } from "../../spec/published-redirect.ts";

/** The addresses to register. */
export interface RedirectAddresses {
  /** That of a sign-in with Pack Auth. */
  readonly here: string;
  readonly published: PublishedRedirect;
}

/** Returns a fact as text of one line: anyone may write a page, and no fact is markup, a link or a command. */
const plain = (text: string): string => printable(text.replace(/\s+/g, " ")).replace(/[\\`*_{}[\]<>#|~!&]/g, "\\$&");

/** Returns a fact as code. */
const code = (text: string): string => `\`${printable(text.replace(/[\s`]+/g, " "))}\``;

/** Returns a link that shows its address; an address of another scheme is text. */
const link = (address: string): string => (/^https:\/\/[^\s<>]+$/.test(address) ? `<${printable(address)}>` : plain(address));

/** Returns the page. Each fact ends with the numbers of its sources; a fact that no source says is "not known". */
export function providerText(page: ProviderPage, addresses: RedirectAddresses, origins: readonly string[] = []): string {
  const { title, console: registration, oauth2, verification } = page;
  const cite = (...facts: readonly string[]): string => citations(new Set(facts.flatMap((fact) => page.sourcesOf[fact] ?? [])));
  /** Returns the words that demand the first of the facts that the page has, or that no documentation says it. */
  const strength = (paths: readonly string[]): string => {
    const path = paths.find((each) => page.sourcesOf[each] !== undefined);
    if (path === undefined) return "";
    const words = page.demands[path]?.words;
    return words === undefined ? (isDocumented(page, path) ? "" : " (not verified)") : `: “${plain(words)}”`;
  };
  const fact = (label: string, value: string | undefined, ...paths: readonly string[]): string =>
    `- **${label}**: ${value ?? "not known"}${strength(paths)} ${cite(...paths)}`.trimEnd();
  const registering =
    oauth2 === undefined
      ? []
      : [
          "## Register an application",
          "",
          registration === undefined ? "Where: not known." : `1. Open ${link(registration.url)} ${cite("console.url")}`.trimEnd(),
          ...(registration?.creates === undefined
            ? []
            : [`1. Create: ${plain(registration.creates)} ${cite("console.creates")}`.trimEnd()]),
          `1. Enter as ${plain(registration?.redirectField ?? "the redirect address")}:`,
          "",
          "   ```text",
          ...addressLines(addresses).map((line) => `   ${line}`),
          "   ```",
          "",
          ...("whereToFind" in addresses.published ? [`   ${addresses.published.whereToFind}`, ""] : []),
          ...(registration?.steps ?? []).map((step) => `1. ${plain(step)} ${cite("console.steps")}`.trimEnd()),
          "Pack Auth asks for the client ID and the client secret when you connect.",
          "",
          "## What is known",
          "",
          ...(oauth2.unsupported === undefined
            ? []
            : [
                fact(
                  "This platform cannot sign in",
                  plain(`${oauth2.unsupported.reason} ${oauth2.unsupported.instead}`),
                  "oauth2.unsupported",
                ),
              ]),
          fact("Redirect addresses", oauth2.redirect && plain(oauth2.redirect), "oauth2.redirect"),
          fact("Scopes are separated by", delimiterText(page), "oauth2.scopeDelimiter"),
          fact("PKCE", oauth2.pkce, "oauth2.pkce"),
          fact("Access tokens", lifetimeText(oauth2.tokenLifetime), "oauth2.tokenLifetime"),
          fact("Refresh tokens", refreshText(page), "oauth2.refresh.params", "oauth2.refresh.scopes", "oauth2.refresh.rotates"),
          fact("Verification", verification && plain(verification), "verification"),
          "",
        ];
  const keys = page.keys.flatMap((key, index) => [
    `## ${oauth2 === undefined && index === 0 ? "" : "Or: "}${plain(key.name)}`,
    "",
    fact("Create one at", key.createUrl && link(key.createUrl), `keys.${index}.createUrl`),
    fact("Authentication type", `\`${key.type}\``, `keys.${index}.type`),
    "",
  ]);
  return [
    `# ${plain(title)}`,
    "",
    ...registering,
    ...keys,
    ...disagreementLines(page),
    ...(origins.length === 0 ? [] : ["## Where the configuration comes from", "", ...origins.map((line) => `- ${plain(line)}`), ""]),
    "## Sources",
    "",
    ...page.sources.map((source, index) => `${index + 1}. ${sourceText(source)}`),
    "",
  ].join("\n");
}

const disagreementLines = ({ disagreements }: ProviderPage): readonly string[] =>
  disagreements.length === 0
    ? []
    : [
        "## Sources that disagree",
        "",
        ...disagreements.map(({ fact, value, sources }) => `- ${code(fact)}: ${code(value)} ${citations(sources)}`),
        "",
      ];

/** Returns the numbers of sources, as they stand at the end of a fact. */
const citations = (sources: Iterable<number>): string => [...sources].map((index) => `\\[${index + 1}\\]`).join("");

const addressLines = ({ here, published }: RedirectAddresses): readonly string[] =>
  published.address === undefined ? [here] : [here, published.address];

const sourceText = ({ read, checked }: FactSource): string => `${link(read)}, read on ${plain(checked)}`;

function delimiterText({ oauth2, accepts }: ProviderPage): string | undefined {
  const delimiter = oauth2?.scopeDelimiter;
  const delimiters = accepts["oauth2.scopeDelimiter"] ?? (delimiter === undefined ? [] : [delimiter]);
  return delimiters.length === 0 ? undefined : delimiters.map((each) => (each === " " ? "a space" : `\`${each}\``)).join(" or ");
}

function lifetimeText(seconds: number | "none" | undefined): string | undefined {
  return seconds === "none" ? "do not expire" : seconds === undefined ? undefined : `expire after ${durationInWords(seconds)}`;
}

function refreshText({ oauth2 }: ProviderPage): string | undefined {
  const { params = [], scopes = [], rotates } = oauth2?.refresh ?? {};
  const texts = [
    ...params.map(({ name, value }) => `need ${code(`${name}=${value}`)}`),
    ...(scopes.length === 0 ? [] : [`need the scope ${scopes.map(code).join(" or ")}`]),
    ...(rotates === undefined ? [] : [rotates ? "change with each refresh" : "stay the same"]),
  ];
  return texts.length === 0 ? undefined : texts.join(", ");
}
