// What may lie in a folder under the name of a file: named pipes, devices, links in circles, files of a gigabyte.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";

/** Whoever opens them as files waits for ever, reads for ever, or takes a gigabyte; by what they are. */
export const SPECIAL_FILES: Readonly<Record<string, (path: string) => void>> = {
  "a named pipe": (path) => {
    if (spawnSync("mkfifo", [path]).status !== 0) throw new Error("mkfifo failed");
  },
  "a device": (path) => symlinkSync("/dev/zero", path),
  "a device that never answers": (path) => symlinkSync("/dev/ptmx", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a folder": (path) => mkdirSync(path),
  "a gigabyte of nothing": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 30);
  },
};
