// Stand-ins for npm, pnpm, yarn and bun in the terminals of an editor: they write down what they were asked, and install the real Packs SDK from
// this tree, without a network.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../../support/packs.ts";

export interface PackageManagers {
  /** Of a workspace: an editor on a server gives its terminals the PATH of a login shell. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** `<folder>$ <command>` for each call. */
  calls(): readonly string[];
  remove(): void;
}

/** A folder with a file named `offline` gets nothing. */
export function standInManagers(): PackageManagers {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-managers-"));
  const log = join(folder, "calls");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const name of ["npm", "pnpm", "yarn", "bun"]) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh
echo "$PWD\\$ ${name} $*" >> '${log}'
if [ -e offline ]; then echo "${name}: the registry does not answer" >&2; exit 1; fi
mkdir -p node_modules/@codahq node_modules/@types
ln -sfn '${root}/node_modules/@codahq/packs-sdk' node_modules/@codahq/packs-sdk
ln -sfn '${root}/node_modules/@types/node' node_modules/@types/node
[ -e package.json ] || echo '{}' > package.json
echo "added 1 package"
`,
    );
    chmodSync(join(bin, name), 0o755);
  }
  return {
    settings: { "terminal.integrated.env.linux": { PATH: `${bin}${delimiter}${process.env.PATH}` } },
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
