// Lists, stores and removes the tokens of the platform's public API.
import { z } from "zod";
import { apiOrigin, hostOf } from "../../platform/public-api/api-origin.ts";
import { apiTokenOrigins, addApiToken as askAndStore, removeApiToken as removeStored } from "../../platform/public-api/api-token.ts";
import { DEFAULT_ORIGIN } from "../../spec/pack-file.ts";
import { input } from "../inputs.ts";
import { operation } from "../operation.ts";

const hostInput = input(z.string().default(hostOf(DEFAULT_ORIGIN)), `The platform's host (default: ${hostOf(DEFAULT_ORIGIN)}).`, {
  argument: "HOST",
});

/** Throws api-host-unapproved. */
const originOf = (host: string): string => apiOrigin(host, "The host");

export const listApiTokens = operation({
  about: "Lists the hosts for which a token is stored.",
  input: z.strictObject({}),
  missing: {},
  async run(_input, world) {
    const { platform } = await world.openStore();
    return { hosts: (await apiTokenOrigins(platform)).map(hostOf) };
  },
});

export const addApiToken = operation({
  about: "Asks for the token of the host, and stores it.",
  input: z.strictObject({ host: hostInput }),
  missing: {},
  /** Returns undefined if the person cancelled. */
  async run({ host: name }, world, person) {
    const origin = originOf(name);
    const host = hostOf(origin);
    const { platform } = await world.openStore();
    await platform.secrets.assertStorable?.();
    const notice = { title: `Store an API token of ${host}?`, facts: [], warnings: [], agree: "Enter it" };
    const token = await person.withPrompts(notice, ({ prompter }) =>
      askAndStore({ ...platform, prompter }, origin, { title: "API token of the platform", signal: world.signal }),
    );
    return token === undefined ? undefined : { host };
  },
});

export const removeApiToken = operation({
  about: "Removes the token of the host from this machine.",
  input: z.strictObject({ host: hostInput }),
  missing: {},
  async run({ host }, world) {
    const origin = originOf(host);
    const { platform } = await world.openStore();
    return { host: hostOf(origin), isRemoved: await removeStored(platform, origin) };
  },
});
