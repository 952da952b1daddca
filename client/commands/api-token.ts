// `packAuth.addApiToken` and `packAuth.removeApiToken`: the tokens of the platform's public API, one for each host.

import { apiOrigin, hostOf } from "../../platform/public-api/api-origin.ts";
import { addApiToken, apiTokenOrigins, removeApiToken } from "../../platform/public-api/api-token.ts";
import { DEFAULT_ORIGIN } from "../../spec/pack-file.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";

type Host = Pick<Services, "host">;

const ADD = "Add API token of the platform";
const REMOVE = "Remove API token of the platform";

/** Asks for a host and its token, and stores the token. */
export async function addToken({ host }: Host): Promise<void> {
  const { prompter, secrets, globalState } = host();
  const typed = await prompter.input({
    title: ADD,
    prompt: "Host of the platform. It is coda.io unless your organization has its own.",
    value: hostOf(DEFAULT_ORIGIN),
    validate: (value) => (originFrom(value) === undefined ? "Enter a host such as coda.io, without path and port." : undefined),
  });
  const origin = typed === undefined ? undefined : originFrom(typed);
  if (origin === undefined) return;
  if ((await addApiToken({ prompter, secrets, globalState }, origin, { title: ADD })) !== undefined)
    void showInformation(`The API token of ${hostOf(origin)} is stored. It is not tried yet.`);
}

/** Removes the token that the person chooses. */
export async function removeToken({ host }: Host): Promise<void> {
  const stores = host();
  const origins = await apiTokenOrigins(stores);
  if (origins.length === 0) {
    void showInformation("No API token is stored. Choose Add API token of the platform to store one.");
    return;
  }
  const origin = await stores.prompter.pick({
    title: REMOVE,
    placeholder: "Whose token?",
    items: origins.map((each) => ({ label: hostOf(each), value: each })),
  });
  if (origin === undefined) return;
  await removeApiToken(stores, origin);
  void showInformation(`The API token of ${hostOf(origin)} is removed here. Delete it there too: it stays valid.`);
}

function originFrom(text: string): string | undefined {
  try {
    return apiOrigin(text.trim(), "The host");
  } catch {
    return undefined;
  }
}
