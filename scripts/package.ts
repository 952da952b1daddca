// Makes the .vsix: only what runs, everything bundled.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const vsix = join(import.meta.dirname, "..", "pack-auth.vsix");

export function packageExtension(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "node_modules/@vscode/vsce/vsce",
      "package",
      "--no-dependencies",
      "--skip-license",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "-o",
      vsix,
    ],
    {
      cwd: join(vsix, ".."),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  if (status !== 0) throw new Error(`vsce failed:\n${stdout}\n${stderr}`);
}

if (process.argv[1]?.endsWith("package.ts")) {
  const { build } = await import("./build.ts");
  await build({ watch: false });
  packageExtension();
  console.log(vsix);
}
