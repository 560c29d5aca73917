import type { OperatorAnswer, SessionList } from "@sineta/protocol";
import { useEffect, useState } from "react";
import { ask } from "./ask.ts";
import { deviceName } from "./device-name.ts";
import { Complaint } from "./fields.tsx";
import { locale, texts } from "./texts.ts";

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });

/** Who is logged in, in which projects, and where else. */
export function Account({ operator, onLeft }: { operator: OperatorAnswer; onLeft: () => void }) {
  const [sessions, setSessions] = useState<SessionList["sessions"]>([]);
  const [complaint, setComplaint] = useState<string | null>(null);

  /** Counts up with each change, after which the list is asked for anew. */
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    let isHere = true;
    void ask<SessionList>("GET", "sessions").then((answer) => {
      if (!isHere) return;
      if (answer.ok) setSessions(answer.body.sessions);
      else if (answer.code === "session-ended") onLeft();
      else setComplaint(answer.code);
    });
    return () => {
      isHere = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- Each change makes the list another one.
  }, [changes, onLeft]);

  async function change(path: string, then: () => void): Promise<void> {
    const answer = await ask("DELETE", path);
    if (answer.ok || answer.code === "session-ended") then();
    else setComplaint(answer.code);
  }

  return (
    <>
      <h1>{texts.greeting(operator.name)}</h1>
      <section className="card" aria-labelledby="projects">
        <h2 id="projects">{texts.projects}</h2>
        <ul className="plain">
          {Object.entries(operator.roles).map(([project, role]) => (
            <li key={project}>
              {project} <span className="soft">{texts.roles[role]}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className="card" aria-labelledby="sessions">
        <h2 id="sessions">{texts.sessions}</h2>
        <ul className="plain">
          {sessions.map(({ id, device, address, lastUsedAt, current }) => (
            <li key={id} className="row">
              <div>
                {deviceName(device)} {current && <strong>({texts.thisSession})</strong>}
                <p className="soft">
                  {texts.lastUsed(moment.format(new Date(lastUsedAt)), address)}
                </p>
              </div>
              {!current && (
                <button
                  type="button"
                  className="quiet"
                  aria-label={texts.endSessionOf(deviceName(device))}
                  onClick={() => void change(`sessions/${id}`, () => setChanges(changes + 1))}
                >
                  {texts.endSession}
                </button>
              )}
            </li>
          ))}
        </ul>
      </section>
      <Complaint code={complaint} />
      <button type="button" className="quiet" onClick={() => void change("session", onLeft)}>
        {texts.logOut}
      </button>
    </>
  );
}
