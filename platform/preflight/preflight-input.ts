// What the page Ready for upload? is made from. The editor and the command line provide it; the platform knows neither.

import { dirname, join } from "node:path";
import type { AccountState } from "../../protocol/account-state.ts";
import type { CheckedSources, OutlinedPack, ReportedFinding } from "../../protocol/agents.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { NextStepWords } from "../../protocol/next-step.ts";
import type { PreflightLine } from "../../protocol/preflight.ts";
import type { AuthScope, SourceLocation } from "../../protocol/run.ts";
import type { MetadataPath, UploadValidation } from "../../protocol/validation.ts";
import type { Account } from "../accounts/accounts.ts";
import { isIn, openedFolder, realPath } from "../bundle/bundle-files.ts";
import type { PackAuthError } from "../errors.ts";
import type { Runnable, RunRecord } from "../evidence/run-record.ts";
import { isSameFile } from "../files/file-names.ts";
import type { Pack } from "../process/pack.ts";
import type { PublicApi } from "../public-api/public-api.ts";
import type { PublishedPack } from "../public-api/published-pack.ts";
import type { ClientCredentials } from "../secrets/credential.ts";

export interface PreflightInput {
  /** Absolute path of the file that builds the pack. */
  readonly entry: string;
  /** Builds and loads the pack. The caller disposes it. */
  open(): Promise<Pack>;
  /** The analysis of the sources in a folder, see {@link sourcesFolder}. It throws PackAuthError. */
  readonly sources: {
    readonly folder: string;
    check(paths: readonly string[], signal: AbortSignal): Promise<CheckedSources>;
    /** Returns undefined if the file builds no pack, as far as the source shows it. */
    outline(entry: string, signal: AbortSignal): Promise<OutlinedPack | undefined>;
  };
  /** Returns the members in the sources that the paths of the metadata mean. */
  locate(paths: readonly MetadataPath[]): Promise<readonly (SourceLocation | undefined)[]>;
  readonly accounts: {
    /** Returns the accounts of the pack, those of a sandbox and of its account file included. Throws if they cannot be read. */
    list(): Promise<readonly Account[]>;
    stateOf(account: Account, definition: PackDefinition): Promise<AccountState>;
    /** Returns the stored OAuth client of the pack. */
    clientOf(scope: AuthScope): Promise<ClientCredentials | undefined>;
  };
  /** The folder of the record of runs. */
  readonly storageFolder: string | undefined;
  /** The saved tests in the pack's folder, as absolute paths; tests of another pack among them are skipped. */
  findTests(): Promise<readonly string[]>;
  /** Opens the API of the pack's platform if a token is stored for it, else returns undefined. It never asks. */
  publishedApi(pack: PublishedPack): Promise<PublicApi | undefined>;
  readonly signal: AbortSignal;
  /** The host's words for what to do next. */
  readonly words: NextStepWords;
  progress?(step: string): void;
}

/** What the analysis tells of the sources. */
export interface PackSources {
  /** The folder that the paths are relative to. */
  readonly folder: string;
  /** The findings, or why the sources could not be checked. */
  readonly findings: CheckedSources | PackAuthError;
  readonly outline: OutlinedPack | undefined;
}

/** What every topic reads. */
export interface PreflightFacts {
  readonly input: PreflightInput;
  readonly pack: Pack;
  readonly definition: PackDefinition;
  readonly sources: PackSources;
  /** Returns the verdict of the Packs SDK's validator, which runs once. */
  validate(): Promise<UploadValidation>;
  /** Returns what is recorded of the formula or table; undefined if it never ran here. */
  recordOf(runnable: Runnable): RunRecord | undefined;
}

/** Returns where a part of the outline, or a finding, begins. */
export const locationIn = (
  { folder }: Pick<PackSources, "folder">,
  { path, range }: Pick<ReportedFinding, "path" | "range">,
): SourceLocation => ({
  path: join(folder, path),
  ...range.start,
});

/** Returns the place of the setter; empty if the sources do not show it. */
export function atSetter({ sources }: PreflightFacts, scope: AuthScope): Pick<PreflightLine, "location"> {
  const setter = sources.outline?.authentications.find((authentication) => authentication.scope === scope);
  return setter === undefined ? {} : { location: locationIn(sources, setter) };
}

/** Returns the place of the formula or table; empty if the sources do not show it. */
export function atRunnable({ sources }: PreflightFacts, { kind, name }: Runnable): Pick<PreflightLine, "location"> {
  const part = sources.outline?.[kind === "formula" ? "formulas" : "syncTables"].find((each) => each.name === name);
  return part === undefined ? {} : { location: locationIn(sources, part) };
}

/** Returns the formulas and tables of the pack. */
export const runnablesOf = ({ formulas, syncTables }: PackDefinition): readonly Runnable[] => [
  ...formulas.map(({ name }) => ({ kind: "formula" as const, name })),
  ...syncTables.map(({ name }) => ({ kind: "syncTable" as const, name })),
];

/** Returns the authentications of the pack, each with its scope. */
export const authenticationsOf = (
  definition: PackDefinition,
): readonly { readonly scope: AuthScope; readonly auth: AuthenticationDefinition }[] =>
  (["user", "system"] as const).flatMap((scope) => {
    const auth = definition[`${scope}Authentication`];
    return auth === undefined ? [] : [{ scope, auth }];
  });

/** Returns the folder that contains the pack's sources: its package, or that of a workspace; else the entry's own folder. */
export function sourcesFolder(entry: string, named?: string): string {
  const folder = openedFolder(entry, named);
  // A pack directly in the home folder is only its one file.
  return isSameFile(folder, entry) ? dirname(folder) : folder;
}

/** Returns the files that are sources in the folder, without installed packages and links that leave it. */
export const sourcesIn = (folder: string, files: readonly string[]): readonly string[] =>
  files.filter((file) => !file.includes("node_modules") && /\.[cm]?[jt]sx?$/.test(file) && isIn(realPath(file) ?? file, folder));
