// `packAuth.compareWithPublished` and `packAuth.sendClientCredentials`: what the published pack has, and the hand-over of the client.
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { type Drift, driftOf, driftText, driftTexts, oauthScopeOf } from "../../platform/production/drift.ts";
import { type HandOver, type HandOverQuestion, handOver } from "../../platform/production/hand-over.ts";
import { openApiOf } from "../../platform/public-api/api-token.ts";
import type { PublicApi } from "../../platform/public-api/public-api.ts";
import { type PublishedPack, publishedPack } from "../../platform/public-api/published-pack.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { Services } from "../services.ts";
import { showDiff } from "../shown/items.ts";
import { askModal, offer, showCancellable, showForMoment, showInformation, showProgress, showWarning } from "../shown/messages.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import type { PackArgument } from "./choose-pack.ts";
import { inPack } from "./in-pack.ts";

/** A pack with OAuth2, and the API of its platform. */
interface Target {
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly scope: AuthScope;
  readonly auth: AuthenticationDefinition;
  readonly published: PublishedPack;
  readonly api: PublicApi;
}

const TITLE = "Compare with the published pack";
const SEND = "Send client ID and secret";
const RUNS = "Reading the definition of the pack";

export const compareWithPublished = (services: Services, texts: VirtualTexts, argument?: PackArgument): Promise<void> =>
  inPack(services, argument, RUNS, async (entry) => {
    const target = await targetOf(services, entry, TITLE);
    if (target === undefined) return;
    const { api, published, definition, scope } = target;
    const drift = await showCancellable(TITLE, async (_reportStep, signal) => {
      const config = await api.oauthConfig(published.packId, signal);
      return driftOf(config, definition, await services.accounts.clientCredentials(packKey(entry), scope));
    });
    if (drift !== undefined) await showDrift(services, texts, target, drift);
  });

export const sendClientCredentials = (services: Services, argument?: PackArgument): Promise<void> =>
  inPack(services, argument, RUNS, async (entry) => {
    const target = await targetOf(services, entry, SEND);
    if (target === undefined) return;
    const { scope, auth, published, api } = target;
    const { accounts } = services;
    const whileSending: HandOver["whileSending"] = (requests) => showProgress(SEND, (_reportStep, signal) => requests(signal));
    const sent = await handOver({ entry, packName: packName(entry), scope, auth, accounts, api, published, agree, whileSending });
    if (sent !== undefined) void showInformation(sent);
  });

/** The first button is the one that Enter presses, so it is not the one that sends. */
const agree = async ({ message, detail }: HandOverQuestion): Promise<boolean> =>
  (await askModal(message, detail, "Do not send", "Send")) === "Send";

/** Returns undefined if the person cancelled, or if the pack has no OAuth2 configuration, which a message says. */
async function targetOf(services: Services, entry: string, title: string): Promise<Target | undefined> {
  const { definition } = await services.packs.saveAndOpen(entry);
  const scope = oauthScopeOf(definition);
  const auth = scope && definition[`${scope}Authentication`];
  if (scope === undefined || auth === undefined) {
    void showInformation(driftOf(undefined, definition, undefined).summary);
    return undefined;
  }
  const published = publishedPack(entry);
  const api = await openApiOf(services.host(), published, { title });
  return api && { entry, definition, scope, auth, published, api };
}

async function showDrift(services: Services, texts: VirtualTexts, target: Target, drift: Drift): Promise<void> {
  const { entry, published } = target;
  const { redirectAddress } = drift;
  await offer(drift.differs ? showWarning : showInformation, driftText(drift), {
    ["Show differences"]: () => {
      const { there, here } = driftTexts(drift);
      const name = `${packName(entry)}-${published.packId}`;
      return showDiff(
        texts.add(`${name}/published.txt`, there),
        texts.add(`${name}/source.txt`, here),
        `Published pack ↔ ${packName(entry)}`,
      );
    },
    // The source may have changed since the comparison, so the command reads it again.
    ...(target.auth.useDynamicClientRegistration === true ? {} : { ["Send client ID…"]: () => sendClientCredentials(services, { entry }) }),
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
