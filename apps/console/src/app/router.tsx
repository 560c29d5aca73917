import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { isId } from "../api/is-id.ts";
import { validateAudienceSearch } from "../pages/audience/search.ts";
import { validateComposeSearch } from "../pages/compose/search.ts";
import { askAhead } from "../pages/home/queries.ts";
import { validateLogInSearch } from "../pages/log-in/search.ts";
import { validateNoticesSearch } from "../pages/notices/search.ts";
import { validateAuditSearch } from "../pages/settings/audit-search.ts";
import { pageTitle } from "../parts/lost-focus.ts";
import { operatorQuery, projectOf } from "../session/operator.ts";
import type { Area } from "../texts/areas.ts";
import { loadAreas } from "../texts/texts.ts";
import { BrokenPage } from "./broken-page.tsx";
import { Frame } from "./frame.tsx";
import { MissingPage } from "./missing-page.tsx";
import { Waiting } from "./waiting.tsx";

/** What routes get beside the address. */
type RouterContext = { queries: QueryClient };

/** A page's chunk, with the words that it needs. */
async function withTexts<Module>(areas: readonly Area[], page: Promise<Module>): Promise<Module> {
  await loadAreas(areas);
  return page;
}

/*
 * The router keeps what a page's `validateSearch` leaves out of the address beside what it gives. So each page selects by it
 * once more.
 */
const root = createRootRouteWithContext<RouterContext>()({});

const logIn = createRoute({
  getParentRoute: () => root,
  path: "/entrar",
  validateSearch: validateLogInSearch,
  component: lazyRouteComponent(() => import("../pages/log-in/log-in-page.tsx"), "LogInPage"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/convite",
  component: lazyRouteComponent(
    () => import("../pages/invitation/invitation-page.tsx"),
    "InvitationPage",
  ),
});

/** Redirects to the log-in when no operator is logged in. The log-in leads back. */
async function needOperator({
  context,
  location,
}: {
  context: RouterContext;
  location: { href: string };
}): Promise<void> {
  const operator = await context.queries.ensureQueryData(operatorQuery);
  // oxlint-disable-next-line typescript/only-throw-error -- It is how this router is told to go elsewhere.
  if (operator === null) throw redirect({ to: "/entrar", search: { voltar: location.href } });
}

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Frame,
  beforeLoad: needOperator,
});

/** Any unknown address. Its page keeps the menu. */
const missing = createRoute({
  getParentRoute: () => inside,
  path: "$",
  component: MissingPage,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  // Not awaited: what is there is shown.
  loader: ({ context: { queries } }) => {
    const operator = queries.getQueryData(operatorQuery.queryKey);
    if (operator) askAhead(queries, projectOf(operator));
  },
  component: lazyRouteComponent(
    () => withTexts(["audience", "delivery"], import("../pages/home/home-page.tsx")),
    "HomePage",
  ),
});

const notices = createRoute({
  getParentRoute: () => inside,
  path: "/avisos",
  validateSearch: validateNoticesSearch,
  component: lazyRouteComponent(
    () => withTexts(["notices"], import("../pages/notices/notices-page.tsx")),
    "NoticesPage",
  ),
});

const drafts = createRoute({
  getParentRoute: () => inside,
  path: "/avisos/rascunhos",
  component: lazyRouteComponent(
    () => withTexts(["notices"], import("../pages/drafts/drafts-page.tsx")),
    "DraftsPage",
  ),
});

const notice = createRoute({
  getParentRoute: () => inside,
  path: "/avisos/$id",
  beforeLoad: ({ params }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- It is how this router is told that there is no such page.
    if (!isId(params.id)) throw notFound();
  },
  notFoundComponent: MissingPage,
  component: lazyRouteComponent(
    () => withTexts(["notices", "delivery"], import("../pages/notice/notice-page.tsx")),
    "NoticePage",
  ),
});

const compose = createRoute({
  getParentRoute: () => inside,
  path: "/avisos/novo",
  validateSearch: validateComposeSearch,
  component: lazyRouteComponent(
    () => withTexts(["compose", "delivery"], import("../pages/compose/compose-page.tsx")),
    "ComposePage",
  ),
});

const audience = createRoute({
  getParentRoute: () => inside,
  path: "/publico",
  validateSearch: validateAudienceSearch,
  component: lazyRouteComponent(
    () => withTexts(["audience"], import("../pages/audience/audience-page.tsx")),
    "AudiencePage",
  ),
});

const topics = createRoute({
  getParentRoute: () => inside,
  path: "/publico/topicos",
  component: lazyRouteComponent(
    () => withTexts(["audience"], import("../pages/topics/topics-page.tsx")),
    "TopicsPage",
  ),
});

const registration = createRoute({
  getParentRoute: () => inside,
  path: "/publico/$token",
  component: lazyRouteComponent(
    () => withTexts(["audience", "notices"], import("../pages/registration/registration-page.tsx")),
    "RegistrationPage",
  ),
});

const install = createRoute({
  getParentRoute: () => inside,
  path: "/instalar",
  component: lazyRouteComponent(
    () => withTexts(["install", "firstRun"], import("../pages/install/install-page.tsx")),
    "InstallPage",
  ),
});

const firstRun = createRoute({
  getParentRoute: () => root,
  path: "/comecar",
  beforeLoad: needOperator,
  component: lazyRouteComponent(
    () =>
      withTexts(
        ["firstRun", "settings", "compose"],
        import("../pages/first-run/first-run-page.tsx"),
      ),
    "FirstRunPage",
  ),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: "/ajustes",
  component: lazyRouteComponent(
    () =>
      withTexts(
        ["settings", "firstRun", "delivery"],
        import("../pages/settings/settings-page.tsx"),
      ),
    "SettingsPage",
  ),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- It is how this router is told to go elsewhere.
    throw redirect({ to: "/ajustes/projeto", replace: true });
  },
});

const projectSettings = createRoute({
  getParentRoute: () => settings,
  path: "/projeto",
  component: lazyRouteComponent(() => import("../pages/settings/project-page.tsx"), "ProjectPage"),
});

const delivery = createRoute({
  getParentRoute: () => settings,
  path: "/envio",
  component: lazyRouteComponent(
    () => import("../pages/settings/delivery-page.tsx"),
    "DeliveryPage",
  ),
});

const doctor = createRoute({
  getParentRoute: () => settings,
  path: "/diagnostico",
  component: lazyRouteComponent(
    () => withTexts(["doctor"], import("../pages/settings/doctor-page.tsx")),
    "DoctorPage",
  ),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: "/chaves-de-api",
  component: lazyRouteComponent(() => import("../pages/settings/api-keys-page.tsx"), "ApiKeysPage"),
});

const operators = createRoute({
  getParentRoute: () => settings,
  path: "/operadores",
  component: lazyRouteComponent(
    () => import("../pages/settings/operators-page.tsx"),
    "OperatorsPage",
  ),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: "/conta",
  component: lazyRouteComponent(() => import("../pages/settings/account-page.tsx"), "AccountPage"),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: "/auditoria",
  validateSearch: validateAuditSearch,
  component: lazyRouteComponent(() => import("../pages/settings/audit-page.tsx"), "AuditPage"),
});

const routeTree = root.addChildren([
  logIn,
  invitation,
  firstRun,
  inside.addChildren([
    home,
    notices,
    drafts,
    notice,
    compose,
    audience,
    topics,
    registration,
    install,
    missing,
    settings.addChildren([
      settingsIndex,
      projectSettings,
      delivery,
      doctor,
      apiKeys,
      operators,
      account,
      audit,
    ]),
  ]),
]);

export function createConsoleRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    basepath: "/painel",
    context: { queries },
    scrollRestoration: true,
    defaultPreload: "intent",
    // Query keeps what was read; the router would keep it once more.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: BrokenPage,
    defaultPendingComponent: Waiting,
  });
  // Who cannot see that the page has changed hears its title.
  router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
    if (fromLocation !== undefined && pathChanged) pageTitle()?.focus();
  });
  return router;
}

/**
 * Begins to load what the page at the address needs, all at once: its own chunk, and who is logged in. The router itself asks for
 * the one after the other, and begins only when it is drawn.
 */
export function loadAhead(router: ReturnType<typeof createConsoleRouter>): void {
  const { queries } = router.options.context;
  const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of matched) {
    // What fails here fails again, and is told, where it is waited for.
    if (route.id === inside.id || route.id === firstRun.id)
      void queries.prefetchQuery(operatorQuery);
    void router.loadRouteChunk(route);
  }
}

declare module "@tanstack/react-router" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It adds to the router's own.
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
