// Builds the package where npm packs it, or installs it from its repository: dist/ is not kept there. In a checkout `npm ci` builds nothing.
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";

if (process.env.npm_package_resolved && !existsSync("dist/cli.cjs")) {
  // npm leaves the development dependencies out where the package is installed globally, as commit hooks do.
  const env = { ...process.env, npm_config_global: "false" };
  const run = (command) => execSync(command, { env, stdio: ["ignore", 2, 2] });
  if (!existsSync("node_modules/tsx")) run("npm ci --ignore-scripts --no-audit --no-fund");
  run("npm run build");
}
