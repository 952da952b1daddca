// What a release needs of package.json and only its publisher knows: `repository` and `author`. Links that the Marketplace and npm show are
// derived from them. Run by itself, as before `npm publish`, it says what is missing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../base/error-message.ts";

export interface ReleaseFields {
  /** https, without a slash at the end. */
  readonly repository: string;
  readonly bugs: string;
  readonly homepage: string;
  /** Where the files of this version are: pages, and pictures. */
  readonly pages: string;
  readonly pictures: string;
}

interface Manifest {
  readonly version: string;
  readonly repository?: string;
  readonly author?: string;
}

export const readManifest = (): Manifest => JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as Manifest;

/** Throws where a field is empty, with what to fill in. */
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
