// Builds dist/ if npm packs the package or installs it from its repository, which does not contain dist/. In a checkout, `npm ci` builds
// nothing.
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";

if (process.env.npm_package_resolved && !existsSync("dist/cli.cjs")) {
  // npm omits development dependencies in a global installation, as for commit hooks.
  const env = { ...process.env, npm_config_global: "false" };
  const run = (command) => execSync(command, { env, stdio: ["ignore", 2, 2] });
  if (!existsSync("node_modules/tsx")) run("npm ci --ignore-scripts --no-audit --no-fund");
  run("npm run build");
}
