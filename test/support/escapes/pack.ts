// A pack that attempts everything pack code must never be able to do (security.md 1). All Node versions and the extension host of the real
// VS Code run these probes. Each formula returns "kept" unless it escaped; its description names the attempt.
import "./ways/handed-over.ts";
import "./ways/code-and-modules.ts";
import "./ways/language.ts";
import "./ways/stacks.ts";
import "./ways/taken-from-pack.ts";

export { pack } from "./probe.ts";
