// What was read for the facts of providers' pages. It is larger than the facts, and a check does not need it.

import type { FactSource, ProviderFacts, ProviderPage, ProviderReadings } from "./provider-page.ts";
import { READING_LINES } from "./provider-reading-lines.ts";
import { type ProviderAddress, providerOf } from "./providers.ts";

let readings: ReadonlyMap<string, string> | undefined;

/** Returns the facts with what was read for each. */
export function wholePage(facts: ProviderFacts): ProviderPage {
  readings ??= new Map(READING_LINES.split("\n").map((line) => line.split("\t") as [string, string]));
  return { ...facts, ...(JSON.parse(readings.get(facts.id) ?? NOTHING_READ) as ProviderReadings) };
}

const NOTHING_READ = JSON.stringify({ sources: [], sourcesOf: {}, disagreements: [] } satisfies ProviderReadings);

/** Returns the sources of a page's fact, the one that the value comes from first. */
export const sourcesOfFact = ({ sources, sourcesOf }: ProviderReadings, fact: string): ProviderReadings["sources"] =>
  (sourcesOf[fact] ?? []).flatMap((index) => sources[index] ?? []);

/** Returns whether the source is a documentation or a library of the provider. */
export const isRead = (source: FactSource | undefined): boolean => source?.kind === "documentation" || source?.kind === "sdk";

/** Returns whether documentations or libraries contradict each other. A table that differs from them is out of date. */
export const isDisputed = ({ disagreements, sources }: ProviderReadings, fact: string): boolean =>
  disagreements.some((item) => item.fact === fact && item.sources.some((index) => isRead(sources[index])));

/** Returns whether a documentation or a library of the provider says the fact, and no other one contradicts it. */
export const isDocumented = (page: ProviderReadings, fact: string): boolean =>
  sourcesOfFact(page, fact).some(isRead) && !isDisputed(page, fact);

/** Returns the address of what was read, or the text itself if it has none. */
export function sourceAddress({ read }: Pick<FactSource, "read">): string {
  const [, address] = /^(https:\S+)/.exec(read) ?? [];
  const [, repository, commit, path] = /^(?:github )?([\w.-]+\/[\w.-]+)@(\w+) ([^\s,]+)/.exec(read) ?? [];
  const [, name, version] = /^npm (\S+)@(\S+)/.exec(read) ?? [];
  if (repository !== undefined) return `https://github.com/${repository}/blob/${commit}/${path}`;
  return address ?? (name === undefined ? read : `https://www.npmjs.com/package/${name}/v/${version}`);
}

/** A verification that a provider demands before other people can sign in. */
interface ProviderVerification {
  /** A sentence of the provider's page. */
  readonly text: string;
  readonly source: string;
}

/** Returns what the documentation of the configuration's provider says, or undefined if that is not known. */
export function verificationOf(address: ProviderAddress): ProviderVerification | undefined {
  const facts = providerOf(address);
  const page = facts && wholePage(facts);
  const [source] = page === undefined ? [] : sourcesOfFact(page, "verification");
  if (page?.verification === undefined || source === undefined || !isDocumented(page, "verification")) return undefined;
  return { text: page.verification, source: sourceAddress(source) };
}
