// Finds the package manager of a folder, and its command that installs a package. The analysis, the platform and the editor share it.

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

const NAMED = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/;

/**
 * Returns the package manager from the manifest's `packageManager` field, else from the lock file. `read` returns the text of a file of the
 * folder.
 */
export const managerOfFolder = (read: (name: string) => string | undefined): PackageManager | undefined =>
  (NAMED.exec(read("package.json") ?? "")?.[1] as PackageManager | undefined) ?? LOCK_FILES.find(([name]) => read(name) !== undefined)?.[1];

/** Returns whether Yarn keeps the folder's packages in archives instead of node_modules (Plug'n'Play). */
export const usesPlugAndPlay = (read: (name: string) => string | undefined): boolean =>
  [".pnp.cjs", ".pnp.js"].some((name) => read(name) !== undefined);

const ADD: Readonly<Record<PackageManager, { readonly verb: string; readonly forDevelopment: string }>> = {
  npm: { verb: "install", forDevelopment: "--save-dev" },
  pnpm: { verb: "add", forDevelopment: "--save-dev" },
  yarn: { verb: "add", forDevelopment: "--dev" },
  bun: { verb: "add", forDevelopment: "--dev" },
};

/** Package names without options, paths or shell syntax. Names may come from the settings of an untrusted folder. */
const PACKAGE_NAME = /^(?:@\w[\w.-]*\/)?\w[\w.-]*$/;

/** Returns the words of the install command, npm's by default. Returns undefined if `name` is not the name of a package. */
export function installWords(
  name: string,
  { manager = "npm", forDevelopment = false }: { readonly manager?: PackageManager | undefined; readonly forDevelopment?: boolean } = {},
): readonly [PackageManager, ...string[]] | undefined {
  if (!PACKAGE_NAME.test(name)) return undefined;
  const add = ADD[manager];
  return forDevelopment ? [manager, add.verb, add.forDevelopment, name] : [manager, add.verb, name];
}
