// One execution: its context, its result in parts, or what it threw. Part of REALM_SOURCE.
export const EXECUTION = `  const execute = async (message) => {
    current = message.id;
    seen = create(null);
    seenCount = 0;
    try {
      const call = lookUp(message.target);
      const given = message.context;
      const context = {
        fetcher: fetcherOf(message.id), temporaryBlobStorage: blobsOf(message.id), endpoint: given.endpoint,
        invocationLocation: { protocolAndHost: given.invocationLocation.protocolAndHost, source: given.invocationLocation.source }, timezone: given.timezone, invocationToken: given.invocationToken,
      };
      defineProperty(context, "logger", TOLD_LOGGER);
      // JSON has no undefined: an optional parameter that was left out arrives as null.
      isPackRunning = true;
      const value = await call(message.parameters.map((item) => (item === null ? undefined : revive(item))), context);
      isPackRunning = false;
      const unawaited = [];
      for (const entry of waiting.values()) if (entry.executionId === message.id && unawaited.length < 5) unawaited.push(framesOf(entry.calledFrom).slice(0, 4000));
      // Long lists go in parts, so that the host can do something else between reading two of them.
      const list = isArray(value) ? value : value !== null && typeof value === "object" && isArray(value.result) ? value.result : undefined;
      const sending = (lost) => {
        let sent = value === undefined ? null : value, parts;
        if (list !== undefined && list.length > PART) {
          for (let at = 0; at < list.length; at += PART) if (!post({ type: "part", id: message.id, items: slice(list, at, at + PART) })) return false;
          parts = list === value ? "value" : "result";
          sent = list === value ? [] : { ...value, result: [] };
        }
        // The members are turned into text in this order: what tells of the lost ones comes when all of them were met.
        return post({
          type: "succeeded", id: message.id, value: sent, parts, unawaited: unawaited.length === 0 ? undefined : unawaited,
          dates: { toJSON: lost.dates }, promises: { toJSON: lost.promises }, collections: { toJSON: lost.collections },
        });
      };
      if (!noteLost(sending, value)) {
        post({ type: "failed", id: message.id, error: { name: "TypeError", message: "The result cannot be sent as JSON: " + thrown(unwritten).message } });
      }
    } catch (error) {
      post({ type: "failed", id: message.id, error: thrown(error) });
    }
  };`;
