// Measures how long a run under the debugger pauses: until the debugger attaches, and at breakpoints and steps. It reads the debugger's
// messages to the editor (Debug Adapter Protocol).

interface Pauses {
  /** Starts to wait for the debugger. */
  wait(): void;
  /** Handles a message of the debugger: an event, or the response to a command. */
  hear(message: { readonly event?: string; readonly command?: string }): void;
  /** Returns the paused time so far, in milliseconds. */
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
      // After this response the process continues, and may stop again at once.
      else if (command === "configurationDone" && !isPaused) goOn();
    },
    time: () => before + (since === undefined ? 0 : now() - since),
  };
}
