// Run by Node for Windows: what the system refuses while somebody else has a file open, and what comes of it all the same.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PackAuthError } from "../../platform/errors.ts";
import { withLock } from "../../platform/files/file-lock.ts";
import { retryWhileBusy } from "../../platform/files/retry-while-busy.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import { encryptedFileStore } from "../../platform/secrets/encrypted-file-store.ts";

/** UV_FS_O_EXLOCK: shared with nobody, as some virus scanners and backups open files. */
const FOR_NOBODY_ELSE = 0x10000000;

const folder = join(process.env.PACK_AUTH_HOME ?? "", "open-files");
mkdirSync(folder, { recursive: true });
const file = join(folder, "account.json");
const beside = join(folder, "beside.json");

const refusalOf = (call: () => unknown): string => {
  try {
    call();
    return "none";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
};

/** Begins the work while the file is open, and closes that a moment later. */
async function whileOpen<T>(path: string, flags: string | number, work: () => Promise<T>): Promise<T> {
  const handle = openSync(path, flags);
  const result = work();
  await new Promise((resolve) => setTimeout(resolve, 100));
  closeSync(handle);
  return result;
}

async function main(): Promise<void> {
  writeFileSync(file, "old");
  writeFileSync(beside, "new");
  const handle = openSync(file, FOR_NOBODY_ELSE);
  const refusals = {
    rename: refusalOf(() => renameSync(beside, file)),
    read: refusalOf(() => readFileSync(file)),
    remove: refusalOf(() => rmSync(file)),
  };
  closeSync(handle);

  await whileOpen(file, FOR_NOBODY_ELSE, () => writeWhole(file, "new"));
  const replaced = readFileSync(file, "utf8");

  const store = encryptedFileStore(join(folder, "secrets"), "open sesame");
  await store.set("one", "secret");
  const [sealed = ""] = readdirSync(join(folder, "secrets")).filter((name) => name.endsWith(".sealed"));
  const secret = await whileOpen(join(folder, "secrets", sealed), FOR_NOBODY_ELSE, () => store.get("one"));

  await whileOpen(file, FOR_NOBODY_ELSE, () => retryWhileBusy(() => rmSync(file)));
  const removed = !existsSync(file);

  const lock = join(folder, "account.lock");
  const locked = (task: () => Promise<void>): Promise<void> =>
    withLock(join(folder, "account"), task, { patience: 5_000, busy: () => new PackAuthError("storage-failed", "busy") });
  let reader = 0;
  const release = locked(async () => {
    reader = openSync(join(lock, "owner"), "r");
    setTimeout(() => closeSync(reader), 100);
  });
  await release;
  const released = !existsSync(lock);
  await locked(async () => {});

  console.log(JSON.stringify({ refused: refusals, replaced, secret, removed, released }));
}

void main();
