// How long a run under the debugger stands still: until the debugger has attached, and at breakpoints and steps, by what it tells the
// editor (Debug Adapter Protocol).

interface Pauses {
  /** The run waits for the debugger from now on. */
  wait(): void;
  /** A message of the debugger: an event, or the response to a command. */
  hear(message: { readonly event?: string; readonly command?: string }): void;
  /** Milliseconds so far. */
  time(): number;
}

export function createPauses(onChange: (isPaused: boolean) => void, now: () => number = Date.now): Pauses {
  let since: number | undefined;
  let before = 0;
  let isPaused = false;
  const pause = (paused: boolean): void => {
    if (isPaused !== paused) onChange(paused);
    isPaused = paused;
  };
  const goOn = (): void => {
    if (since !== undefined) before += now() - since;
    since = undefined;
    pause(false);
  };
  return {
    wait() {
      since ??= now();
    },
    hear({ event, command }) {
      if (event === "stopped") {
        since ??= now();
        pause(true);
      } else if (event === "continued" || event === "terminated") goOn();
      // The answer to it lets the process go, which may stop at once.
      else if (command === "configurationDone" && !isPaused) goOn();
    },
    time: () => before + (since === undefined ? 0 : now() - since),
  };
}
