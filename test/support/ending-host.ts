// A host that ends while a pack process of its own is only starting: what stays behind is looked at by whoever started it.
import { startPackProcess } from "../../platform/process/process.ts";
import { runner } from "./packs.ts";

void startPackProcess({ runner, node: process.execPath }).catch(() => {});
process.exit(0);
