// Installs the packages of a folder: `tsx scripts/install-packages.ts test/interop`.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage } from "../base/error-message.ts";
import { installPackages, type NpmPackages } from "./npm-packages.ts";

try {
  const folder = resolve(process.argv[2] ?? "");
  const { packages } = (await import(pathToFileURL(join(folder, "install.ts")).href)) as { readonly packages: NpmPackages };
  await installPackages(packages);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
