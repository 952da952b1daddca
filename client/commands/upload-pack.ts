// `packAuth.uploadPack`: builds and uploads a version of a pack, and shows what the platform then lists.
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { openApiOf } from "../../platform/public-api/api-token.ts";
import { publishedPack } from "../../platform/public-api/published-pack.ts";
import { buildWithToolkit } from "../../platform/upload/toolkit-build.ts";
import { notesOf, type UploadConsent, type UploadPlan, type UploadResult, upload } from "../../platform/upload/upload.ts";
import { folderOf } from "../packs/packs.ts";
import type { Services } from "../services.ts";
import { toolkitModules } from "../settings.ts";
import { askModal, offer, showInformation, showProgress } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import { uploadsFolder } from "../uploads-folder.ts";
import type { PackArgument } from "./choose-pack.ts";
import { inPack } from "./in-pack.ts";

const TITLE = "Upload pack";

/** Uploads a version after the person agreed. */
export async function uploadPack(services: Services, argument?: PackArgument): Promise<void> {
  await inPack(services, argument, "An upload", async (entry) => {
    const published = publishedPack(entry);
    const result = await showProgress(`Upload ${packName(entry)}`, async (reportStep, signal) => {
      const host = services.host(reportStep);
      // Opening the pack refuses files that are not the pack's own, before anything is built for the platform.
      await services.packs.saveAndOpen(entry);
      const program = join(services.context.extensionPath, "dist/toolkit-build.cjs");
      return upload({
        published,
        build: (signal) =>
          buildWithToolkit(entry, {
            program,
            toolkitModules: toolkitModules(),
            signal,
            ...defined({ folder: folderOf(entry)?.uri.fsPath }),
          }),
        validate: (bundle, signal) => services.packs.validateBundle(entry, bundle, signal),
        openApi: () => openApiOf(host, published, { title: TITLE, signal }),
        confirm: (plan) => agree(plan, signal),
        host: { ...host, storageFolder: uploadsFolder(host) },
        signal,
      });
    });
    // The upload has ended, so the message may stay for as long as the person likes.
    void showResult(services, result);
  });
}

/** Asks for the notes, and then for the upload itself. */
async function agree(
  { origin, packId, version, findings, newerToolkit }: UploadPlan,
  signal: AbortSignal,
): Promise<UploadConsent | undefined> {
  const notes = await prompter.input({
    title: TITLE,
    prompt: `Notes of version ${version}`,
    value: notesOf(findings).replaceAll("\n", " "),
    signal,
  });
  if (notes === undefined) return undefined;
  const older = newerToolkit === undefined ? "" : ` The last version was built with the newer Packs SDK ${newerToolkit}.`;
  const button = newerToolkit === undefined ? "Upload" : "Upload with the older SDK";
  const answer = await askModal(
    `Upload version ${version} of pack ${packId} to ${new URL(origin).host}?`,
    `The platform gets the built pack and its source map.${older}`,
    button,
  );
  return answer === button ? { notes, allowOlderSdkVersion: newerToolkit !== undefined } : undefined;
}

async function showResult(services: Services, result: UploadResult): Promise<void> {
  if (!result.isUploaded) {
    void showInformation(`The upload was cancelled. ${result.sent}`);
    return;
  }
  const { version, findings, deprecationWarnings, link, mapProblem } = result;
  const deprecated = deprecationWarnings.map(({ path, message }) => ` Deprecated: ${path === undefined ? "" : `${path}: `}${message}`);
  const map = mapProblem === undefined ? "" : ` The source map was not stored: ${mapProblem}`;
  await offer(showInformation, `Version ${version} is uploaded, and the platform lists it.${deprecated.join("")}${map}`, {
    "Open pack": () => openWebPage(link),
    ...(findings.length === 0 ? {} : { "Copy release notes": () => services.host().copy(notesOf(findings)) }),
  });
}
