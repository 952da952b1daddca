// The fields of package.json that a release needs and only its publisher can fill in: `repository` and `author`. The links on the
// Marketplace and npm are derived from them. Run directly, as before `npm publish`, the script reports missing fields.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../base/error-message.ts";

export interface ReleaseFields {
  /** An https URL without a trailing slash. */
  readonly repository: string;
  readonly bugs: string;
  readonly homepage: string;
  /** The addresses of this version's pages and pictures. */
  readonly pages: string;
  readonly pictures: string;
}

interface Manifest {
  readonly version: string;
  readonly repository?: string;
  readonly author?: string;
}

export const readManifest = (): Manifest => JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as Manifest;

/** Returns the derived fields. Throws an error that names the empty fields. */
export function releaseFields({ version, repository = "", author = "" }: Manifest): ReleaseFields {
  const address = repository.replace(/^git\+|\.git$|\/$/g, "");
  const missing = [
    ...(/^https:\/\/[^\s/]+\/\S+$/.test(address)
      ? []
      : ['Fill in "repository" in package.json: the https address of the public repository.']),
    ...(/\S+@\S+/.test(author) ? [] : ['Fill in "author" in package.json: the name and e-mail address that security reports go to.']),
  ];
  if (missing.length > 0) throw new Error(missing.join("\n"));
  return {
    repository: address,
    bugs: `${address}/issues`,
    homepage: `${address}#readme`,
    pages: `${address}/blob/v${version}`,
    pictures: `${address}/raw/v${version}`,
  };
}

if (process.argv[1]?.endsWith("release-fields.ts")) {
  try {
    releaseFields(readManifest());
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = 1;
  }
}
