/** A bakery's site, with its own log-in. Where it speaks to Sineta is `/user-token`, and there alone. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { signUserToken } from "./user-token.mjs";

const { SINETA_USER_KEY: userKey, PORT: port = "3000" } = process.env;
if (!/^[\w-]{43}$/.test(userKey ?? "")) {
  console.error(
    "SINETA_USER_KEY is not a user key: set it to what `sineta user-key` prints, 43 characters.",
  );
  process.exit(1);
}

/** Whoever works at the bakery is in the kept topic `equipe`. A real site has passwords, too. */
const users = new Map([
  ["baker", { id: "baker", topics: ["equipe"] }],
  ["guest", { id: "guest", topics: [] }],
]);
/** Who is logged in, by the value of the cookie. */
const logins = new Map();

const server = createServer((request, response) => {
  const cookie = /(?:^|; )login=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  switch (`${request.method} ${pathname}`) {
    case "POST /login": {
      const user = users.get(searchParams.get("user") ?? "");
      if (user === undefined) return answer(response, 403, { error: "There is no such user." });
      const login = randomBytes(32).toString("base64url");
      logins.set(login, user);
      response.setHeader("Set-Cookie", `login=${login}; HttpOnly; SameSite=Lax; Path=/`);
      return answer(response, 200, { user: user.id });
    }
    case "POST /logout":
      logins.delete(cookie);
      return answer(response, 200, {});
    case "GET /user-token": {
      // Whose token it is follows from who is logged in, never from what the page asks for.
      const user = logins.get(cookie);
      if (user === undefined) return answer(response, 401, { error: "Log in first." });
      return answer(response, 200, { userToken: signUserToken(userKey, user, Date.now()) });
    }
    default:
      return answer(response, 404, { error: "There is nothing here." });
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`The bakery is open: http://127.0.0.1:${server.address().port}/`);
});

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(body));
}
