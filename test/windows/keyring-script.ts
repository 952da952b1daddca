// Run by Node for Windows: the credential store as it is, and the command line's store behind it.
import { join } from "node:path";
import { processTerminal } from "../../cli/terminal/process-terminal.ts";
import { openKeyring, openSecretStore } from "../../cli/terminal/secret-store.ts";
import { makeStorageFolder } from "../../cli/terminal/storage-folder.ts";

async function main(): Promise<void> {
  const keyring = await openKeyring();
  const long = "eyJhbGciOiJSUzI1NiJ9".repeat(250);
  const refusal = await keyring.set("long", long).then(
    () => "none",
    (error: Error) => String(error.cause),
  );
  const terminal = processTerminal();
  const folder = join(makeStorageFolder(terminal), "of-the-script");
  const open = () => openSecretStore(folder, { ...terminal, environment: {} });
  await (await open()).set("long", long);
  const store = await open();
  const isWhole = (await store.get("long")) === long;
  console.log(JSON.stringify({ refusal, isWhole }));
}

void main();
