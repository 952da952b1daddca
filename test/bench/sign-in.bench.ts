// Signing in: from the click on “approve” to the account in the tree, and one refresh under its lock, each beside the bare requests
// that it cannot do without.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openAccounts, packKey } from "../../platform/accounts/accounts.ts";
import { connect } from "../../platform/connect/connect.ts";
import { refreshAccount } from "../../platform/oauth/refresh.ts";
import { openPack } from "../../platform/process/pack.ts";
import { oauthDefinition, storeAccount } from "../support/oauth-account.ts";
import { makeHost } from "../support/platform-host.ts";
import { openRotatingServer } from "../support/rotating-server.ts";
import { openTokenServer } from "../support/token-server.ts";
import { interleave, median, printRows, quantile } from "./statistics.ts";
import { makeWorkplace, root } from "./workplace.ts";

const RUNS = 9;

export async function benchSignIn(): Promise<void> {
  await signIn();
  await refresh();
}

async function signIn(): Promise<void> {
  const workplace = makeWorkplace();
  const server = await openTokenServer();
  server.answers = [{ body: '{"access_token":"the-access-token","refresh_token":"the-refresh-token","expires_in":3600,"name":"alice"}' }];
  const entry = workplace.write(
    "pack.ts",
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2, authorizationUrl: "${server.base}/authorize", tokenUrl: "${server.base}/token",
  getConnectionName: async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "${server.base}/me" })).body.name,
});
`,
  );
  const pack = await openPack(entry, { process: { runner: join(root, "dist/runner.cjs"), node: process.execPath } });
  const waits: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      let approved = 0;
      const host = makeHost({
        answers: { "address to register at": "open", "Where may": "all" },
        openBrowser: async (url) => {
          const { searchParams } = new URL(url);
          const back = new URL(searchParams.get("redirect_uri") ?? "");
          back.search = new URLSearchParams({ code: "the-code", state: searchParams.get("state") ?? "" }).toString();
          // A person takes their time; what is asked of the provider meanwhile is done by then.
          setTimeout(() => {
            approved = performance.now();
            void fetch(back);
          }, 200);
          return true;
        },
      });
      const accounts = openAccounts(host);
      const seen = new Promise<number>((resolve) =>
        accounts.onDidChange(async () => (await accounts.list()).length > 0 && resolve(performance.now())),
      );
      await accounts.saveClientCredentials(packKey(pack.entry), "user", { clientId: "client" });
      await connect(pack, {
        scope: "user",
        packName: "bench",
        host,
        accounts,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
        run: { allowLoopback: true },
      });
      waits.push((await seen) - approved);
      rmSync(host.storageFolder, { recursive: true, force: true });
      const start = performance.now();
      await (await fetch(`${server.base}/token`, { method: "POST", body: "grant_type=authorization_code" })).text();
      await (await fetch(`${server.base}/me`)).text();
      bare.push(performance.now() - start);
    }
  } finally {
    pack.dispose();
    server.close();
    workplace.remove();
  }
  printRows("Signing in with OAuth2, from approve to the account in the tree", [
    { what: "with getConnectionName, median", ours: median(waits), peer: "the two requests alone", theirs: median(bare) },
    { what: "the slowest", ours: Math.max(...waits), peer: "the two requests alone", theirs: Math.max(...bare) },
  ]);
}

async function refresh(): Promise<void> {
  const server = await openRotatingServer({ lifetime: 3_600 });
  const host = makeHost();
  try {
    const accounts = openAccounts(host);
    const auth = oauthDefinition(server.tokenUrl);
    const { account } = await storeAccount(accounts, auth, server.issue());
    const ours: number[] = [];
    const bare: number[] = [];
    await interleave(30, {
      ours: async () => {
        const credential = await accounts.credential(account.id);
        if (credential?.kind !== "oauth2") throw new Error("the credential is lost");
        const start = performance.now();
        await refreshAccount(account, auth, credential, { ...host, accounts });
        ours.push(performance.now() - start);
      },
      bare: async () => {
        const start = performance.now();
        await (
          await fetch(server.tokenUrl, { method: "POST", body: new URLSearchParams({ refresh_token: server.issue().refresh }) })
        ).text();
        bare.push(performance.now() - start);
      },
    });
    printRows("Refreshing a token, locked, marked on disk and stored before use", [
      { what: "p50", ours: median(ours), peer: "the request alone", theirs: median(bare) },
      { what: "p95", ours: quantile(ours, 0.95), peer: "the request alone", theirs: quantile(bare, 0.95) },
    ]);
  } finally {
    server.close();
    rmSync(host.storageFolder, { recursive: true, force: true });
  }
}
