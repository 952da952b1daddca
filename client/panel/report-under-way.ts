// Reports the pending requests of a run to the panel at intervals, so that requests with a fast response never appear.
import type { Sending } from "../../platform/runs/run-observer.ts";
import type { RequestUnderWay } from "../../protocol/run.ts";

/** Milliseconds between two reports. */
const PERIOD = 200;

interface UnderWay {
  begin(request: Sending): void;
  end(id: number): void;
  stop(): void;
}

export function reportUnderWay(send: (requests: readonly RequestUnderWay[]) => void): UnderWay {
  const waiting = new Map<number, Sending & { readonly since: number }>();
  let isSent = true;
  const timer = setInterval(() => {
    if (isSent) return;
    isSent = true;
    const now = Date.now();
    send([...waiting.values()].map(({ since, ...request }) => ({ ...request, time: now - since })));
  }, PERIOD);
  return {
    begin(request) {
      waiting.set(request.id, { ...request, since: Date.now() });
      isSent = false;
    },
    end(id) {
      waiting.delete(id);
      isSent = false;
    },
    stop: () => clearInterval(timer),
  };
}
