// `pack-auth`: runs the command of this process.
import { runCommand } from "./command.ts";
import { forgiveReaders, processTerminal } from "./terminal/process-terminal.ts";

const terminal = processTerminal();
forgiveReaders(terminal);

runCommand(process.argv.slice(2), terminal).then((code) => {
  process.exitCode ??= code;
});
