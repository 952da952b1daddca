// Special entries of a folder under the name of a file: named pipes, devices, circular links, files of a gigabyte.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";

/** By kind. A program that opens them as files waits forever, reads forever, or needs a gigabyte of memory. */
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
