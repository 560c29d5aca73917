import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { mdiCheck } from "@mdi/js";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ask } from "../api/ask.ts";
import { copiesOf } from "../pages/compose/logic/local-copies.ts";
import { Icon } from "../parts/icon.tsx";
import { useLateDialog } from "../parts/use-late-dialog.ts";
import { operatorQuery, useOperator } from "../session/operator.ts";
import { languages } from "../texts/language.ts";
import { useLanguage, useTexts } from "../texts/use-texts.tsx";
import classes from "./account-menu.module.css";

// Comes when it is wanted.
const LogOutDialog = lazy(() =>
  import("./log-out-dialog.tsx").then((module) => ({ default: module.LogOutDialog })),
);

const check = (isChosen: boolean) => (isChosen ? <Icon path={mdiCheck} size={18} /> : null);

/** The first letters of the first and of the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const [first = ""] = words;
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  const letters = [first, last].map((word) => /./u.exec(word)?.[0] ?? "");
  return letters.join("").toLocaleUpperCase();
}

/** Who is logged in, and how they like to see the console. */
export function AccountMenu() {
  const { frame } = useTexts();
  const { id, name, email } = useOperator();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme({
    // Mantine would hold them back by an inline style, which the page's policy forbids.
    keepTransitions: true,
  });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asking = useLateDialog();
  const leave = useMutation({
    mutationFn: () => ask("DELETE", "session"),
    onSuccess: async () => {
      asking.close();
      await navigate({ to: "/entrar", search: { voltar: "/" } });
      // Behind the page that may still have kept something as it was left.
      copiesOf(window.localStorage, id).remove();
      queries.clear();
      queries.setQueryData(operatorQuery.queryKey, null);
    },
  });
  const schemes = [
    ["auto", frame.colorsAuto],
    ["light", frame.colorsLight],
    ["dark", frame.colorsDark],
  ] as const;
  return (
    <>
      <Menu
        position="bottom-end"
        width={240}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <span className={classes.initials} aria-hidden="true">
              {initialsOf(name)}
            </span>
            <span className={classes.name} dir="auto">
              {name}
            </span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {/* Whole: there is no room for every name in the button. */}
          <Menu.Label className={classes.who}>
            <bdi>{name}</bdi>
            <br />
            {email}
          </Menu.Label>
          <Menu.Item component={Link} to="/ajustes/conta">
            {frame.account}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{frame.language}</Menu.Label>
          {languages.map(([each, label]) => (
            <Menu.Item
              key={each}
              lang={each}
              aria-current={each === language}
              rightSection={check(each === language)}
              onClick={() => choose(each)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{frame.colors}</Menu.Label>
          {schemes.map(([scheme, label]) => (
            <Menu.Item
              key={scheme}
              aria-current={scheme === colorScheme}
              rightSection={check(scheme === colorScheme)}
              onClick={() => setColorScheme(scheme)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            onClick={() => {
              if (copiesOf(window.localStorage, id).count === 0) return leave.mutate();
              asking.open();
            }}
          >
            {frame.logOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {asking.isWanted && (
          <LogOutDialog
            isOpen={asking.isOpen}
            isBusy={leave.isPending}
            onLogOut={() => leave.mutate()}
            onClose={asking.close}
          />
        )}
      </Suspense>
    </>
  );
}
