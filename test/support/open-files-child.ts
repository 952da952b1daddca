// A host with open files that its children could inherit. Prints the files that its pack process has open, apart from the standard three.
import { readdirSync, readlinkSync } from "node:fs";
import { startPackProcess } from "../../platform/process/process.ts";
import { runner } from "./open-packs.ts";
import { packProcesses } from "./pack-processes.ts";

void startPackProcess({ runner, node: process.execPath }).then((pack) => {
  const folders = packProcesses().map((pid) => `/proc/${pid}/fd`);
  console.log(folders.flatMap((folder) => readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`))).join("\n"));
  pack.dispose();
});
