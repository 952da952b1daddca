// What pack code must never be able to do, as a pack that tries it (security.md 1): the one table of probes for every Node and for the
// extension host of the real VS Code. Each formula gives "kept" unless it got out; its description says what it tried.
import "./ways/handed-over.ts";
import "./ways/code-and-modules.ts";
import "./ways/language.ts";
import "./ways/stacks.ts";
import "./ways/taken-from-pack.ts";

export { pack } from "./probe.ts";
