// Builds, validates and uploads a version of a pack.
import { z } from "zod";
import { publishedPack } from "../../platform/public-api/published-pack.ts";
import { notesOf, upload as send, type UploadOptions, type UploadResult } from "../../platform/upload/upload.ts";
import { input, packInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import type { World } from "../world.ts";

/** No tool of agents: only a person decides that the platform gets a version. */
export const upload = operation({
  about: "Builds the pack with the Packs SDK, validates and uploads it, and asks the platform whether the version is there.",
  input: z.strictObject({
    pack: packInput,
    notes: input(z.string().optional(), "The notes of the version (default: what changed, in the platform's words)."),
    allowOlderSdk: input(z.boolean().default(false), "Upload although the last version was built with a newer Packs SDK."),
    yes: input(z.boolean().default(false), "Do not ask before the upload."),
  }),
  missing: {
    editor: {
      notes: "The editor asks for them once the changes are known.",
      allowOlderSdk: "The button of the question says it.",
      yes: "The editor shows what it uploads.",
    },
  },
  run: ({ pack, notes: ownNotes, allowOlderSdk, yes }, world, person, { step }) =>
    uploadVersion(world.entryOf(pack), world, step, async ({ origin, packId, version, findings, newerToolkit }) => {
      const notes = ownNotes ?? notesOf(findings);
      const consent = { notes, allowOlderSdkVersion: allowOlderSdk };
      if (yes) return consent;
      const answer = await person.ask(
        {
          title: `Upload version ${version} of pack ${packId} to ${new URL(origin).host}?`,
          facts: notes === "" ? [] : [{ label: "Notes", text: notes }],
          warnings: newerToolkit === undefined ? [] : [`The last version was built with the newer Packs SDK ${newerToolkit}.`],
          agree: "Upload",
        },
        world.signal,
      );
      return answer === "agreed" ? consent : undefined;
    }),
});

/** Uploads a version after `confirm` asked the person. Throws PackAuthError; a cancel is a result. */
export async function uploadVersion(
  entry: string,
  world: World,
  step: Observer<never>["step"],
  confirm: UploadOptions["confirm"],
): Promise<UploadResult> {
  const published = publishedPack(entry);
  // Opening the pack refuses files that are not the pack's own, before anything is built for the platform.
  await world.openPack(entry);
  const builder = await world.openBuilder(entry);
  const { platform, uploadsFolder } = await world.openStore();
  return send({
    ...builder,
    published,
    openApi: () => world.openApi(published, "Upload pack"),
    confirm,
    host: { ...platform, storageFolder: uploadsFolder, progress: (message) => step(message.replace("…", "")) },
    signal: world.signal,
  });
}
