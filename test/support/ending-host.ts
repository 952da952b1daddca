// A host that ends while its pack process is starting. The test checks whether the process stays behind.
import { startPackProcess } from "../../platform/process/process.ts";
import { runner } from "./open-packs.ts";

void startPackProcess({ runner, node: process.execPath }).catch(() => {});
process.exit(0);
