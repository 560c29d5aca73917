import type { Router } from "hono/router";
import { METHOD_NAME_ALL } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * Hono's routers, chosen for each method by itself. Its fastest one takes no route beside which a name and a parameter stand at the same
 * place, as `GET .../messages/export` and `GET .../messages/:id`; so it would be given up for all methods, and with it for what visitors send.
 */
export class RouterOfEachMethod<Handler> implements Router<Handler> {
  readonly name = "RouterOfEachMethod";
  readonly #routes: [method: string, path: string, handler: Handler][] = [];
  readonly #routers = new Map<string, SmartRouter<Handler>>();

  add(method: string, path: string, handler: Handler): void {
    this.#routes.push([method, path, handler]);
    this.#routers.clear();
  }

  match(method: string, path: string) {
    return this.#routerOf(method).match(method, path);
  }

  /** As Hono names it, which of its routers has a method's routes. */
  nameOf(method: string): string {
    return this.#routerOf(method).activeRouter.name;
  }

  #routerOf(method: string): SmartRouter<Handler> {
    const made = this.#routers.get(method);
    if (made !== undefined) return made;
    // Whoever asks names the method: those without a route of their own share one.
    const isKnown = this.#routes.some(([each]) => each === method);
    if (!isKnown && method !== METHOD_NAME_ALL) return this.#routerOf(METHOD_NAME_ALL);
    const router = new SmartRouter<Handler>({ routers: [new RegExpRouter(), new TrieRouter()] });
    for (const [each, path, handler] of this.#routes) {
      if (each === method || each === METHOD_NAME_ALL) router.add(each, path, handler);
    }
    this.#routers.set(method, router);
    return router;
  }
}
