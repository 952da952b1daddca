// Called with `back`: puts each account's secret directly into the system's keyring, where earlier versions kept it. Called with `left`:
// prints how many are there.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openKeyring, openSecretStore } from "../../cli/terminal/secret-store.ts";
import { storageFolder } from "../../cli/terminal/storage-folder.ts";

const folder = storageFolder(process.env);
const keyring = await openKeyring();
const store = await openSecretStore(folder, process.env);
let left = 0;
for (const file of readdirSync(join(folder, "accounts")).filter((name) => name.endsWith(".json"))) {
  const name = `packAuth.account.${file.replace(".json", "")}`;
  if (process.argv[2] === "left") {
    if ((await keyring.get(name)) !== undefined) left++;
    continue;
  }
  const secret = await store.get(name);
  if (secret === undefined) throw new Error(`${name} is not stored`);
  await store.delete(name);
  await keyring.set(name, secret);
}
console.log(`${left} left`);
