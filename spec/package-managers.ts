// Which package manager a folder is kept with, and how it installs a package: told alike by the analysis, the platform and the editor.

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

/** What one folder says: the field of its manifest, else its lock file. `read` gives the text of a file of the folder. */
export const managerOfFolder = (read: (name: string) => string | undefined): PackageManager | undefined =>
  (NAMED.exec(read("package.json") ?? "")?.[1] as PackageManager | undefined) ?? LOCK_FILES.find(([name]) => read(name) !== undefined)?.[1];

/** Whether Yarn keeps the packages of a folder in archives, and not in node_modules (Plug'n'Play). */
export const usesPlugAndPlay = (read: (name: string) => string | undefined): boolean =>
  [".pnp.cjs", ".pnp.js"].some((name) => read(name) !== undefined);

const ADD: Readonly<Record<PackageManager, { readonly verb: string; readonly forDevelopment: string }>> = {
  npm: { verb: "install", forDevelopment: "--save-dev" },
  pnpm: { verb: "add", forDevelopment: "--save-dev" },
  yarn: { verb: "add", forDevelopment: "--dev" },
  bun: { verb: "add", forDevelopment: "--dev" },
};

/** No option, no path, nothing that a shell reads: names may come from the settings of a folder that nobody trusts yet. */
const PACKAGE_NAME = /^(?:@\w[\w.-]*\/)?\w[\w.-]*$/;

/** The words of the command, npm's where no folder tells; undefined where the name is none of a package. */
export function installWords(
  name: string,
  { manager = "npm", forDevelopment = false }: { readonly manager?: PackageManager | undefined; readonly forDevelopment?: boolean } = {},
): readonly [PackageManager, ...string[]] | undefined {
  if (!PACKAGE_NAME.test(name)) return undefined;
  const add = ADD[manager];
  return forDevelopment ? [manager, add.verb, add.forDevelopment, name] : [manager, add.verb, name];
}
