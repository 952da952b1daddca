// The host for the escapes pack. Plain JavaScript, because tests inside an extension host load it too.

exports.escapeContext = {
  invocationToken: "00000000-0000-4000-8000-000000000000",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io" },
};

exports.escapeHandlers = {
  fetch: async ({ url }) =>
    url.endsWith("404")
      ? {
          name: "StatusCodeError",
          message: "404",
          response: { status: 404, headers: {}, body: { text: "no" } },
          options: { method: "GET", url },
        }
      : { name: "Error", message: "refused" },
  console: () => {},
};

/** Returns the result of a probe. Probes that do not change their process share one, by `shared`. */
exports.tryProbe = async (pack, name, secretFile, shared) => {
  const run = name.startsWith("Alone") ? {} : { run: shared };
  try {
    const executed = await pack.execute({ kind: "formula", name }, [secretFile], exports.escapeContext, exports.escapeHandlers, run);
    return executed?.value;
  } catch (error) {
    // The message of a deliberate error contains the result.
    return error.message;
  }
};
