import { ActionIcon, Menu } from "@mantine/core";
import {
  mdiCancel,
  mdiContentDuplicate,
  mdiDotsVertical,
  mdiOpenInNew,
  mdiPencilOutline,
} from "@mdi/js";
import type { MessageState, MessageSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icon.tsx";
import titles from "../../parts/row-title.module.css";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { useLateDialog } from "../../parts/use-late-dialog.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { useEdit } from "../drafts/use-edit.ts";
import { funnelOf } from "../notice/funnel.ts";
import { LateCancelNotice } from "../notice/late-cancel-notice.tsx";
import { StateBadge } from "../notice/state-badge.tsx";
import { goesOn, usePublisherText, useTargetText } from "../notice/words.ts";
import classes from "./notices.module.css";
import { isolated } from "../../parts/isolated.ts";

/** A notice with its figures, and what can be done with it. */
export function NoticeRow({
  notice,
  heading: Heading,
  onState,
}: {
  notice: MessageSummary;
  /** Of its title. */
  heading: "h2" | "h3";
  onState: (id: string, state: MessageState) => void;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  const publisherText = usePublisherText();
  const { id, title, state, publisher } = notice;
  const targetText = useTargetText(notice.target);
  const hasFigures = state !== "scheduled" && notice.replacedBy === undefined;
  return (
    <article className={classes.row} data-state={state}>
      <div className={classes.what}>
        <Heading className={titles.title} dir="auto">
          <Link to="/avisos/$id" params={{ id }}>
            {title}
          </Link>
        </Heading>
        <p className={classes.about}>
          <StateBadge notice={notice} />
          <span className={classes.target}>
            {[targetText, publisherText(publisher)].filter(Boolean).join(" · ")}
          </span>
        </p>
      </div>
      <p className={classes.when}>
        {notice.scheduleAtLocal === undefined ? (
          <When at={notice.scheduleAt} />
        ) : (
          <Sentence of={notices.scheduledLocal}>
            <When at={notice.scheduleAtLocal} />
          </Sentence>
        )}
      </p>
      <dl className={classes.figures}>
        {funnelOf(notice).map(({ name, count, share }) => (
          <div key={name} className={classes.number}>
            <dt>{notices[name]}</dt>
            <dd>{hasFigures ? format.number(count) : "–"}</dd>
            {hasFigures && share !== undefined && (
              <dd className={classes.rate}>{format.rate(share)}</dd>
            )}
          </div>
        ))}
      </dl>
      <RowActions notice={notice} onState={onState} />
    </article>
  );
}

function RowActions({
  notice,
  onState,
}: {
  notice: MessageSummary;
  onState: (id: string, state: MessageState) => void;
}) {
  const { notices } = useTexts();
  const project = useProject();
  const cancelling = useLateDialog();
  const { id, title, state } = notice;
  const edit = useEdit(id);
  const mayPublish = project.may("editor");
  return (
    <div className={classes.actions}>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" size={44} aria-label={notices.actionsOf(isolated(title))}>
            <Icon path={mdiDotsVertical} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            renderRoot={(props) => <Link {...props} to="/avisos/$id" params={{ id }} />}
            leftSection={<Icon path={mdiOpenInNew} size={18} />}
          >
            {notices.open}
          </Menu.Item>
          {mayPublish && state === "scheduled" && (
            <Menu.Item
              renderRoot={(props) => <Link {...props} to="/avisos/novo" search={edit.search} />}
              leftSection={<Icon path={mdiPencilOutline} size={18} />}
            >
              {edit.isBegun ? notices.continueEdit : notices.edit}
            </Menu.Item>
          )}
          {mayPublish && (
            <Menu.Item
              renderRoot={(props) => <Link {...props} to="/avisos/novo" search={{ copiar: id }} />}
              leftSection={<Icon path={mdiContentDuplicate} size={18} />}
            >
              {notices.duplicate}
            </Menu.Item>
          )}
          {mayPublish && goesOn(state) && (
            <Menu.Item
              color="red"
              leftSection={<Icon path={mdiCancel} size={18} />}
              onClick={cancelling.open}
            >
              {notices.cancelNotice}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <LateCancelNotice
        notice={notice}
        dialog={cancelling}
        onState={(shown) => onState(id, shown)}
      />
    </div>
  );
}
