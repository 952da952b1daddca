// An API in a process of its own: `/page/<n>` gives a page of a table after the milliseconds of `?wait=`, `/filled/<n>` one row in a large page,
// everything else a small object.
import { createServer } from "node:http";

const PAGES = 100;
const PAGE_ROWS = 100;
const pages = Array.from({ length: PAGES }, (_, number) =>
  JSON.stringify({
    items: Array.from({ length: PAGE_ROWS }, (_row, row) => ({
      id: number * PAGE_ROWS + row,
      name: `Item ${row}`,
      price: row * 1.5,
      tags: ["a", "b"],
      done: row % 2 === 0,
    })),
    next: number + 1 < PAGES ? number + 1 : null,
  }),
);
const filling = JSON.stringify(Array.from({ length: 4_000 }, (_, id) => ({ id, name: `Item ${id}`, tags: ["a", "b"] })));

const server = createServer((request, response) => {
  const [, kind, number, wait] = /^\/(page|filled)\/(\d+)(?:\?wait=(\d+))?/.exec(request.url ?? "") ?? [];
  response.setHeader("content-type", "application/json");
  const body =
    kind === "page" ? pages[Number(number)] : kind === "filled" ? `{"items":[{"id":${number}}],"filling":${filling}}` : '{"ok":true}';
  if (wait === undefined) response.end(body);
  else setTimeout(() => response.end(body), Number(wait));
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
