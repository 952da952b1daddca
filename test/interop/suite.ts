// Opens what a suite of these tests needs: the servers installed, an authority, and each server when it is first asked for.

import { errorMessage } from "../../base/error-message.ts";
import type { Fetch } from "../../platform/host.ts";
import { trustingFetch } from "../../platform/requests/trusting-fetch.ts";
import { installPackagesNow } from "../../scripts/npm-packages.ts";
import { notRunOutsideCi } from "../support/not-run.ts";
import { closePacks } from "../support/open-packs.ts";
import { removePackFiles } from "../support/pack-file.ts";
import { type Authority, createAuthority } from "./authority.ts";
import { packages } from "./install.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { ServerName } from "./servers.ts";
import { forgetSharedPacks } from "./trial.ts";

export interface Interop {
  readonly authority: Authority;
  /** Trusts the test's authority, by the setting that an author has for it. */
  readonly fetch: Fetch;
  /** Does not. */
  readonly untrusting: Fetch;
  /** One of each name, or a further one by `which`. */
  server(name: ServerName, which?: string): Promise<ServerProcess>;
}

/** Undefined where the servers cannot be installed; then the suite says NOT RUN, and why. In CI that is a failure. */
export function interopOfSuite(): Interop | undefined {
  try {
    installPackagesNow(packages);
  } catch (error) {
    notRunOutsideCi(errorMessage(error));
    return undefined;
  }
  let authority: Authority | undefined;
  let fetch: Fetch | undefined;
  let untrusting: Fetch | undefined;
  const servers = new Map<string, Promise<ServerProcess>>();
  before(async () => {
    authority = await createAuthority();
    fetch = await trustingFetch([authority.ca]);
    untrusting = await trustingFetch([]);
  });

  after(async () => {
    closePacks();
    forgetSharedPacks();
    for (const server of servers.values()) (await server.catch(() => undefined))?.close();
    authority?.remove();
    removePackFiles();
  });
  const now = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("no test is running");
    return value;
  };
  return {
    get authority() {
      return now(authority);
    },
    get fetch() {
      return now(fetch);
    },
    get untrusting() {
      return now(untrusting);
    },
    server: (name, which = "") => {
      const key = `${name} ${which}`;
      const server = servers.get(key) ?? startServer(name, now(authority));
      servers.set(key, server);
      return server;
    },
  };
}
