/**
 * Runs in the page before its scripts. Redux Toolkit hands every store's enhancers to this hook, which exists for
 * the browser's Redux extension: so what is dispatched can be read without the page having a word of it.
 */
export function recordActions(): void {
  type Store = { dispatch: (action: unknown) => unknown };
  type CreateStore = (...args: unknown[]) => Store;
  const actions: unknown[] = [];
  const compose =
    () =>
    (...enhancers: ((next: CreateStore) => CreateStore)[]) =>
    (create: CreateStore): CreateStore =>
    (...args) => {
      const store = enhancers.reduceRight((next, enhance) => enhance(next), create)(...args);
      return {
        ...store,
        dispatch(action) {
          actions.push(action);
          return store.dispatch(action);
        },
      };
    };
  Object.assign(window, {
    recordedActions: actions,
    __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose,
  });
}

/** Runs in the page before its scripts: keeps what it sends to the server's registrations. */
export function recordRequests(): void {
  const requests: { method: string; url: string; body: unknown }[] = [];
  const real = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const { url } = new Request(input, init);
    if (url.includes("/registrations")) {
      const text = typeof init?.body === "string" ? init.body : null;
      // A look sends no JSON.
      const body = text?.startsWith("{") ? JSON.parse(text) : text;
      requests.push({ method: init?.method ?? "GET", url, body });
    }
    return real(input, init);
  };
  Object.assign(window, { recordedRequests: requests });
}
