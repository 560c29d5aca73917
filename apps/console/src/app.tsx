import type { OperatorAnswer } from "@sineta/protocol";
import { useCallback, useEffect, useState } from "react";
import { Account } from "./account.tsx";
import { ask } from "./ask.ts";
import { Invitation } from "./invitation.tsx";
import { LogIn } from "./log-in.tsx";
import { problemText, texts } from "./texts.ts";

/** Who is logged in; undefined until that is known, null: nobody. */
type Who = OperatorAnswer | null | undefined;

/** The token of an invitation stands behind the #, which browsers send to nobody. */
function invitationToken(): string | null {
  const isInvitation = /\/convite\/?$/.test(window.location.pathname);
  const token = window.location.hash.slice(1);
  return isInvitation && token !== "" ? token : null;
}

export function App() {
  const [who, setWho] = useState<Who>();
  const [problem, setProblem] = useState<string | null>(null);
  const [invitation, setInvitation] = useState(invitationToken);

  useEffect(() => {
    let isHere = true;
    void ask<OperatorAnswer>("GET", "session").then((answer) => {
      if (!isHere) return;
      if (answer.ok) setWho(answer.body);
      else if (answer.code === "server-unreachable") setProblem(answer.code);
      else setWho(null);
    });
    return () => {
      isHere = false;
    };
  }, []);

  function enter(operator: OperatorAnswer): void {
    // What stood in the address has been used up.
    if (invitation !== null) window.history.replaceState(null, "", "/painel/");
    setInvitation(null);
    setWho(operator);
  }

  const leave = useCallback(() => setWho(null), []);

  return (
    <>
      <header className="app-bar">
        <div className="app-bar-content">
          <span className="product-name">{texts.productName}</span>
          <span className="soft">{texts.console}</span>
        </div>
      </header>
      <main>
        {problem !== null && <p role="alert">{problemText(problem)}</p>}
        {problem === null && who === undefined && <output>{texts.loading}</output>}
        {who !== undefined && invitation !== null && (
          <Invitation token={invitation} operator={who} onEntered={enter} />
        )}
        {who === null && invitation === null && <LogIn onEntered={enter} />}
        {who && invitation === null && <Account operator={who} onLeft={leave} />}
      </main>
    </>
  );
}
