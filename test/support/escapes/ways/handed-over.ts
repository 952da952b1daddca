// Attempts to escape through values from the host: globals, the context, and the results or errors of a fetch.
import { caught, NOT_FOUND, own, probe, REFUSED_REQUEST } from "../probe.ts";
import { CONTAINED, reach, reachThrown } from "../reach.ts";

probe("through what is global", () => reach(own));
probe("through the context", (context) => reach(context));
probe("through the promise of a fetch", (context) => {
  const promise = context.fetcher.fetch(REFUSED_REQUEST);
  promise.catch(() => {});
  return reach(promise);
});
probe("through the error of a fetch", (context) => reachThrown(() => context.fetcher.fetch(REFUSED_REQUEST)));
probe("through the error of a fetch that makes no sense", (context) => reachThrown(() => context.fetcher.fetch(Symbol("request"))));
probe("through a StatusCodeError", (context) => reachThrown(() => context.fetcher.fetch(NOT_FOUND)));
probe("through the response of a StatusCodeError", async (context) => {
  const error = await context.fetcher.fetch(NOT_FOUND).catch((thrown: unknown) => thrown);
  return reach([error.response, error.options, error.body]);
});
probe("through the blob storage", async (context) => {
  const { temporaryBlobStorage } = context;
  const thrown = [
    await reachThrown(() => temporaryBlobStorage.storeBlob("no buffer", "text/plain")),
    await reachThrown(() => temporaryBlobStorage.storeUrl("https://example.com/404")),
  ];
  return thrown.find((verdict) => verdict !== CONTAINED) ?? reach(temporaryBlobStorage);
});
probe("through the logger and the console", (context) => reach([context.logger, console]));
probe("through Buffer", () => reach([Buffer, Buffer.from("a")]));
probe("through crypto", () => reach([own.crypto, own.crypto.getRandomValues(new Uint8Array(4))]));
probe("through the errors of crypto", () =>
  reach(
    [70_000, 0, -1]
      .map((size) => caught(() => own.crypto.getRandomValues(size < 0 ? "no array" : new Uint8Array(size))))
      .concat(caught(() => own.crypto.getRandomValues(0))),
  ),
);
probe("what the toolkit's script left behind", () =>
  own.__packAuthToolkit === undefined && own.__packAuthExports === undefined ? CONTAINED : "left",
);
