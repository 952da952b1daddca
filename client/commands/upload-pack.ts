// `packAuth.uploadPack`: builds and uploads a version of a pack, and shows what the platform then lists.
import { uploadVersion } from "../../operations/publishing/upload.ts";
import { inWorld } from "../../operations/world.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { notesOf, type UploadConsent, type UploadPlan, type UploadResult } from "../../platform/upload/upload.ts";
import type { Services } from "../services.ts";
import { askModal, offer, showInformation, showProgress } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import type { PackArgument } from "./choose-pack.ts";
import { editorGround } from "./ground.ts";
import { inPack } from "./in-pack.ts";

const TITLE = "Upload pack";

/** Uploads a version after the person agreed. */
export async function uploadPack(services: Services, argument?: PackArgument): Promise<void> {
  await inPack(services, argument, "An upload", async (entry) => {
    const result = await showProgress(`Upload ${packName(entry)}`, (reportStep, signal) =>
      inWorld(editorGround(services, entry, reportStep), signal, (world) =>
        uploadVersion(
          entry,
          world,
          (step) => reportStep(`${step}…`),
          (plan) => agree(plan, signal),
        ),
      ),
    );
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
