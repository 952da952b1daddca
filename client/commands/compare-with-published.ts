// `packAuth.compareWithPublished` and `packAuth.sendClientCredentials`: what the published pack has, and the hand-over of the client.
import * as vscode from "vscode";
import { type Comparison, comparePublished } from "../../operations/publishing/drift.ts";
import { handOver } from "../../operations/publishing/hand-over.ts";
import { inWorld } from "../../operations/world.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { driftText, driftTexts } from "../../platform/production/drift.ts";
import type { Services } from "../services.ts";
import { showDiff } from "../shown/items.ts";
import { offer, showCancellable, showForMoment, showInformation, showWarning } from "../shown/messages.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import type { PackArgument } from "./choose-pack.ts";
import { editorGround, PERSON } from "./ground.ts";
import { inPack } from "./in-pack.ts";

const RUNS = "Reading the definition of the pack";

export const compareWithPublished = (services: Services, texts: VirtualTexts, argument?: PackArgument): Promise<void> =>
  inPack(services, argument, RUNS, async (entry) => {
    const comparison = await showCancellable("Compare with the published pack", (_reportStep, signal) =>
      inWorld(editorGround(services, entry), signal, (world) => comparePublished(entry, world)),
    );
    if (comparison !== undefined) await showComparison(services, texts, entry, comparison);
  });

export const sendClientCredentials = (services: Services, argument?: PackArgument): Promise<void> =>
  inPack(services, argument, RUNS, async (entry) => {
    // A hand-over that was stopped says by its note what it knows of the platform.
    const result = await showCancellable("Send client ID and secret", (step, signal) =>
      inWorld(editorGround(services, entry), signal, (world) =>
        handOver.run({ pack: entry }, world, PERSON, { step, note: (text) => void showWarning(text), part: () => {} }),
      ),
    );
    const message = result?.answer === undefined ? result?.drift.summary : result.sent;
    if (message !== undefined) void showInformation(message);
  });

async function showComparison(services: Services, texts: VirtualTexts, entry: string, { drift, target }: Comparison): Promise<void> {
  if (target === undefined) return void showInformation(drift.summary);
  const { redirectAddress } = drift;
  await offer(drift.differs ? showWarning : showInformation, driftText(drift), {
    ["Show differences"]: () => {
      const { there, here } = driftTexts(drift);
      const name = `${packName(entry)}-${target.published.packId}`;
      return showDiff(
        texts.add(`${name}/published.txt`, there),
        texts.add(`${name}/source.txt`, here),
        `Published pack ↔ ${packName(entry)}`,
      );
    },
    // The source may have changed since the comparison, so the command reads it again.
    ...(target.isDynamic ? {} : { ["Send client ID…"]: () => sendClientCredentials(services, { entry }) }),
    ...(redirectAddress === undefined
      ? {}
      : {
          ["Copy redirect address"]: async () => {
            await vscode.env.clipboard.writeText(redirectAddress);
            showForMoment(`Copied ${redirectAddress}`);
          },
        }),
  });
}
