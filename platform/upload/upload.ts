// Uploads a version of a pack, step by step, and asks the platform afterwards whether it is there. Invariant: nothing is called uploaded
// that the platform does not list, and every error and cancel says what was sent.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { printable } from "../../base/printable.ts";
import type { UploadValidation } from "../../protocol/validation.ts";
import { type Advice, PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import type { PlatformHost } from "../host.ts";
import { quoted } from "../public-api/client.ts";
import type { ApiValidationError, PackVersion, PublicApi, VersionFinding } from "../public-api/public-api.ts";
import type { PublishedPack } from "../public-api/published-pack.ts";
import { sendFile } from "./send-file.ts";
import { storeSourceMap } from "./source-maps.ts";
import type { ToolkitBuild } from "./toolkit-build.ts";

export interface UploadOptions {
  readonly published: PublishedPack;
  /** Builds the pack; undefined if the signal aborted. See buildWithToolkit. */
  build(signal: AbortSignal): Promise<ToolkitBuild | undefined>;
  /** Validates the built bundle in the pack process. */
  validate(bundle: string, signal: AbortSignal): Promise<UploadValidation>;
  /** Called when no code of the workspace runs any more. Undefined if the person cancelled. */
  openApi(): Promise<PublicApi | undefined>;
  /** Asks the person whether to upload this. Undefined if not. */
  confirm(plan: UploadPlan): Promise<UploadConsent | undefined>;
  readonly host: Pick<PlatformHost, "fetch" | "lookUp" | "storageFolder" | "progress">;
  readonly signal: AbortSignal;
}

export interface UploadPlan extends PublishedPack {
  readonly version: string;
  /** Proposed notes: what changed since the previous version, in the platform's words. */
  readonly findings: readonly VersionFinding[];
  /** The Packs SDK of the previous version, if it is newer than the installed one. */
  readonly newerToolkit?: string;
}

export interface UploadConsent {
  readonly notes: string;
  readonly allowOlderSdkVersion: boolean;
}

export type UploadResult =
  | {
      readonly isUploaded: true;
      readonly version: string;
      /** Proposed release notes: the differences from the previous version. */
      readonly findings: readonly VersionFinding[];
      readonly deprecationWarnings: readonly ApiValidationError[];
      /** The pack's page. */
      readonly link: string;
      /** Why stacks of this version will not lead to lines; absent if they will. */
      readonly mapProblem?: string;
    }
  /** The person cancelled. `sent` says what was sent: a whole sentence. */
  | { readonly isUploaded: false; readonly sent: string };

/** How far an upload came, in order. */
type Step = "started" | "registering" | "registered" | "sending" | "sent" | "completing" | "completed";

/** Versions of the list, the newest first, that are read. */
const MOST_VERSIONS = 500;
/** Milliseconds before each question whether the version is there. */
const QUESTIONS = [0, 1_000, 3_000];

/** Throws PackAuthError; a cancel is a result. */
export async function upload(options: UploadOptions): Promise<UploadResult> {
  const progress: Progress = { step: "started", version: "" };
  try {
    return (await alone(options, () => new Upload(options, progress).run())) ?? { isUploaded: false, sent: sentText(progress) };
  } catch (error) {
    if (options.signal.aborted) return { isUploaded: false, sent: sentText(progress) };
    throw error instanceof PackAuthError && progress.step !== "started" ? withSent(error, progress) : error;
  }
}

/**
 * Runs one upload of a pack at a time. Two would get the same version of the platform, and one would store its source map for the file of
 * the other.
 */
function alone<T>({ published: { origin, packId }, host }: UploadOptions, work: () => Promise<T>): Promise<T> {
  const { host: platform } = new URL(origin);
  return withLock(join(host.storageFolder, `upload-${platform}-${packId}`), work, {
    patience: 0,
    busy: (cause) =>
      new PackAuthError(
        "upload-rejected",
        `Another upload of pack ${packId} at ${platform} is in progress on this machine. Nothing was sent.`,
        { hint: "Upload again when it has ended.", cause },
      ),
  });
}

interface Progress {
  step: Step;
  version: string;
  /** Explains a refusal. */
  advice?: Advice;
}

class Upload {
  readonly #options: UploadOptions;
  readonly #progress: Progress;

  constructor(options: UploadOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Returns undefined if the person cancelled. */
  async run(): Promise<UploadResult | undefined> {
    const { published, host, signal } = this.#options;
    const { packId, origin } = published;
    host.progress("building the pack…");
    const build = await this.#options.build(signal);
    if (build === undefined) return undefined;
    host.progress("validating the pack…");
    const metadata = await this.#metadata(build);
    const api = await this.#options.openApi();
    if (api === undefined) return undefined;
    host.progress("asking for the version…");
    const previous = await this.#newest(api);
    const { version, findings } = await this.#version(api, metadata, build, previous);
    const newerToolkit = newerOf(previous?.sdkVersion, build.toolkitVersion);
    const consent = await this.#options.confirm({ packId, origin, version, findings, ...defined({ newerToolkit }) });
    if (consent === undefined || signal.aborted) return undefined;
    this.#progress.version = version;
    const deprecationWarnings = await this.#send(api, payloadOf(metadata, version, build), consent, newerToolkit);
    await this.#assertListed(api, version);
    const mapProblem = await storeSourceMap(host.storageFolder, { packId, origin, version }, build.sourceMap).then(
      () => undefined,
      (error: unknown) => errorMessage(error),
    );
    const changes =
      previous === undefined ? undefined : await api.versionDiffs(packId, previous.packVersion, version).catch(() => undefined);
    return {
      isUploaded: true,
      version,
      findings: changes ?? findings,
      deprecationWarnings,
      link: `${origin}/p/${packId}`,
      ...defined({ mapProblem }),
    };
  }

  /** Returns what the upload contains about the pack. Throws upload-rejected if the SDK's validator rejects it. */
  async #metadata({ bundle }: ToolkitBuild): Promise<Record<string, unknown>> {
    const { validate, signal } = this.#options;
    const validation = await validate(bundle, signal);
    if (!validation.isChecked)
      throw new PackAuthError("toolkit-build-failed", `The pack cannot be validated, so nothing was sent. ${validation.reason}`, {
        hint: "Install another version of the Packs SDK.",
      });
    const { errors, metadata } = validation;
    if (errors.length > 0)
      throw new PackAuthError("upload-rejected", `The Packs SDK rejects the pack: ${quoted(errors)}`, {
        hint: "Correct the pack, and upload it again. Nothing was sent.",
        validationErrors: errors.map(({ message, path }) => ({ message, ...defined({ path }) })),
      });
    return JSON.parse(metadata) as Record<string, unknown>;
  }

  async #newest(api: PublicApi): Promise<PackVersion | undefined> {
    for await (const version of api.versions(this.#options.published.packId, this.#options.signal)) return version;
    return undefined;
  }

  /** Returns the pack's own version, or the next one of the platform with what changed. */
  async #version(
    api: PublicApi,
    metadata: Record<string, unknown>,
    { toolkitVersion }: ToolkitBuild,
    previous: PackVersion | undefined,
  ): Promise<{ readonly version: string; readonly findings: readonly VersionFinding[] }> {
    const { published, signal } = this.#options;
    const own = metadata.version;
    const isOwn = typeof own === "string" && own !== "";
    const { nextVersion: version, findings } = isOwn
      ? { nextVersion: own, findings: [] }
      : await api.nextVersion(published.packId, JSON.stringify(metadata), toolkitVersion, signal);
    // Only a version that is not there yet can be confirmed afterwards.
    if (previous !== undefined && (await this.#isListed(api, version)))
      throw new PackAuthError("upload-rejected", `Version ${version} of the pack exists already. Nothing was sent.`, {
        hint: isOwn
          ? "Raise the version in the pack, or leave it out: the platform then chooses the next one."
          : "The platform chose it. Upload again, or give the pack a version of its own.",
      });
    return { version, findings };
  }

  async #send(
    api: PublicApi,
    payload: string,
    { notes, allowOlderSdkVersion }: UploadConsent,
    newerToolkit: string | undefined,
  ): Promise<readonly ApiValidationError[]> {
    const { published, host, signal } = this.#options;
    const { packId } = published;
    const progress = this.#progress;
    const { version } = progress;
    host.progress("registering the version…");
    progress.step = "registering";
    const target = await api.registerVersion(packId, version, createHash("sha256").update(payload).digest("hex"), signal);
    progress.step = "registered";
    signal.throwIfAborted();
    host.progress("sending the pack…");
    progress.step = "sending";
    await sendFile(target, payload, api.origin, host, signal);
    progress.step = "sent";
    signal.throwIfAborted();
    host.progress("completing the version…");
    progress.step = "completing";
    if (newerToolkit !== undefined && !allowOlderSdkVersion) progress.advice = olderAdvice(newerToolkit);
    const warnings = await api.completeUpload(packId, version, { notes, allowOlderSdkVersion }, signal);
    progress.step = "completed";
    delete progress.advice;
    return warnings;
  }

  /** Throws upload-unconfirmed if the platform does not list the version. */
  async #assertListed(api: PublicApi, version: string): Promise<void> {
    const { host, signal } = this.#options;
    host.progress("asking whether the version is there…");
    let problem = `${new URL(api.origin).host} does not list it.`;
    for (const wait of QUESTIONS) {
      await delay(wait, undefined, { signal });
      try {
        if (await this.#isListed(api, version)) return;
      } catch (error) {
        signal.throwIfAborted();
        problem = errorMessage(error);
      }
    }
    throw new PackAuthError("upload-unconfirmed", `The upload is not confirmed: ${problem}`, {
      hint: "Look at the versions on the pack's page before you upload again.",
    });
  }

  async #isListed(api: PublicApi, version: string): Promise<boolean> {
    let count = 0;
    for await (const { packVersion } of api.versions(this.#options.published.packId, this.#options.signal)) {
      if (packVersion === version) return true;
      if (++count === MOST_VERSIONS) return false;
    }
    return false;
  }
}

/** Returns the file of a version, exactly as the Packs SDK's own upload makes it. */
const payloadOf = (metadata: Record<string, unknown>, version: string, { toolkitVersion, bundle, sourceMap }: ToolkitBuild): string =>
  JSON.stringify({ metadata: { ...metadata, version }, sdkVersion: toolkitVersion, bundle, sourceMap });

/** Returns what was sent, for a person. */
function sentText({ step, version }: Progress): string {
  switch (step) {
    case "started":
      return "No version was sent.";
    case "registering":
      return `Version ${version} may be registered, but its file was not sent.`;
    case "registered":
      return `Version ${version} is registered, but its file was not sent.`;
    case "sending":
      return `Version ${version} is registered, and its file may have been sent. The version is not complete.`;
    case "sent":
      return `The file of version ${version} was sent, but the version is not complete.`;
    case "completing":
      return `The file of version ${version} was sent. It is unknown whether the version is complete.`;
    case "completed":
      return `Version ${version} was sent and completed, but the platform did not confirm it.`;
  }
}

/** Characters of proposed notes. */
const LONGEST_NOTES = 10_000;

/** Returns notes for a version, to be proposed or copied. The platform's words are text from outside. */
export function notesOf(findings: readonly VersionFinding[]): string {
  const notes = printable(findings.map(({ finding }) => finding.replaceAll(/\s+/g, " ")).join("\n"));
  return notes.length > LONGEST_NOTES ? `${notes.slice(0, LONGEST_NOTES).toWellFormed()}…` : notes;
}

/** An answer that refuses the completion leaves no doubt. */
const REFUSALS: readonly string[] = ["upload-rejected", "api-token-refused", "api-forbidden", "api-not-found", "api-limited"];

function withSent(error: PackAuthError, progress: Progress): PackAuthError {
  const isRefused = REFUSALS.includes(error.code);
  const step =
    progress.step === "completing" && isRefused ? "sent" : progress.step === "registering" && isRefused ? undefined : progress.step;
  const text = step === undefined ? "No version was sent." : sentText({ ...progress, step });
  return new PackAuthError(error.code, `${error.message} ${text}`, { ...error, ...progress.advice, cause: error });
}

const olderAdvice = (newerToolkit: string): Advice => ({
  hint: `The previous version was built with Packs SDK ${newerToolkit}, which is newer. Install it, or allow the older one.`,
  nextStep: { do: "allowOlderToolkit" },
});

/** Returns the first version if it is newer than the second. A part that is not a number counts as unknown. */
function newerOf(first: string | undefined, second: string): string | undefined {
  if (first === undefined) return undefined;
  const numbers = (text: string): readonly number[] => text.split(/[.+-]/, 3).map(Number);
  const secondNumbers = numbers(second);
  for (const [index, part] of numbers(first).entries()) {
    const other = secondNumbers[index] ?? 0;
    if (part !== other) return part > other ? first : undefined;
  }
  return undefined;
}
