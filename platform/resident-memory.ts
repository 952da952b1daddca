// How much memory another process holds: V8's own limit does not count ArrayBuffers, so the host looks from outside.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

const PAGE = 4096;

/** Bytes of resident memory of a process; undefined where it cannot be known. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === "linux") {
    const pages = Number((await readFile(`/proc/${pid}/statm`, "utf8")).split(" ")[1]);
    return Number.isFinite(pages) ? pages * PAGE : undefined;
  }
  const [command, args] =
    process.platform === "win32"
      ? ["powershell.exe", ["-NoProfile", "-Command", `(Get-Process -Id ${pid}).WorkingSet64 / 1024`]]
      : ["ps", ["-o", "rss=", "-p", String(pid)]];
  return new Promise((resolve) => {
    execFile(command as string, args as string[], (error, stdout) => {
      const kilobytes = Number(stdout?.trim());
      resolve(error || !Number.isFinite(kilobytes) ? undefined : kilobytes * 1024);
    });
  });
}
