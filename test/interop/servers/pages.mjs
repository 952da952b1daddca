// The login and the consent of servers that leave these pages to the application that they are built into.
import { randomUUID } from "node:crypto";
import express from "express";

const escaped = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export const page = (title, action, fields, button) => `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>
<form method="post" action="${escaped(action)}">${fields}<button>${button}</button></form></body></html>`;

export function createPages() {
  const sessions = new Map();
  const router = express.Router();
  router.use(express.urlencoded({ extended: false }));
  router.post("/login", (request, response) => {
    const { username, password, next } = request.body;
    if (password !== "wonder-land") return response.status(403).send("wrong password");
    const session = randomUUID();
    sessions.set(session, { id: username });
    response.setHeader("set-cookie", `session=${session}; Path=/; HttpOnly; Secure`);
    response.redirect(303, next);
  });
  const userOf = (request) => sessions.get(/(?:^|;\s*)session=([^;]*)/.exec(request.headers.cookie ?? "")?.[1]);
  return {
    router,
    /** The person who has signed in and has agreed. */
    agreed: (request) => (request.body?.decision === "allow" ? userOf(request) : undefined),
    /** Sends the page that is to be answered next. */
    ask(request, response) {
      if (userOf(request) !== undefined) {
        response.send(page("Allow the access?", request.originalUrl, `<input type="hidden" name="decision" value="allow">`, "Allow"));
        return;
      }
      const fields = `<input name="username"><input name="password" type="password"><input type="hidden" name="next" value="${escaped(request.originalUrl)}">`;
      response.send(page("Sign in", "/login", fields, "Sign in"));
    },
  };
}

/** The API of a server's own tokens. `check` gives the user of a request, or answers it itself. */
export function createApi(check) {
  const router = express.Router();
  router.get("/api/me", async (request, response) => {
    const user = await check(request, response);
    if (user !== undefined) response.json({ name: user.id });
  });
  return router;
}
