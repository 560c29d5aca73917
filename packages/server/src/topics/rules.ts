import type { Membership, MembershipDecision, MembershipRequest, Topic } from "../store/port.ts";

/** What a browser brings along with its registration; see `asBrowser`. */
export type BrowserWish = {
  /** Names of topics that the visitor joins. */
  joins: readonly string[];
  /** What the site's backend says of the user, by a user token; null: none. Undefined: it says nothing. */
  user: { id: string; topics: readonly string[] | undefined } | null | undefined;
};

/**
 * A browser's own wish, for itself. Pure:
 *
 * - A visitor joins open topics. A kept one is refused, unless the registration is in it anyway: so a page may name
 *   all its topics each time, also after the operator has closed one.
 * - The topics that a user token names are joined whatever their policy. Kept ones that it does not name end; open
 *   ones are the visitor's and stay. A token without `topics` changes none.
 * - When the user changes to another one or to none, the kept topics end: they were granted to the user who was.
 * - One topic that the project does not have refuses all.
 */
export function asBrowser({ joins, user }: BrowserWish): MembershipRequest {
  return {
    topicNames: [...joins, ...(user?.topics ?? [])],
    decide({ current, named }) {
      const byName = new Map(named.map((topic) => [topic.name, topic]));
      const granted = user?.topics?.map((name) => byName.get(name)) ?? [];
      const wished = joins.map((name) => byName.get(name));
      if (!granted.every(isKnown) || !wished.every(isKnown)) {
        return unknown([...joins, ...(user?.topics ?? [])].filter((name) => !byName.has(name)));
      }

      const userId = user === undefined ? current.userId : (user?.id ?? null);
      const userLeft = current.userId !== null && current.userId !== userId;
      const keptEnd = userLeft || user?.topics !== undefined;
      const stays = new Set(granted.map(({ id }) => id));
      for (const topic of current.topics) {
        if (topic.policy === "open" || !keptEnd) stays.add(topic.id);
      }
      const kept = wished.filter(({ id, policy }) => policy === "kept" && !stays.has(id));
      if (kept.length > 0) {
        return { kind: "refuse", code: "topic-kept", topics: kept.map(({ name }) => name) };
      }
      for (const { id } of wished) stays.add(id);
      return difference(current, userId, stays);
    },
  };
}

/** What everybody may do: leave any topic. Leaving one that it is not in changes nothing. */
export function leaveTopic(topicName: string): MembershipRequest {
  return {
    topicNames: [topicName],
    decide({ current, named: [topic] }) {
      if (topic === undefined) return unknown([topicName]);
      const ids = new Set(current.topics.map(({ id }) => id));
      ids.delete(topic.id);
      return difference(current, current.userId, ids);
    },
  };
}

function unknown(topics: readonly string[]): MembershipDecision {
  return { kind: "refuse", code: "topic-unknown", topics };
}

function isKnown(topic: Topic | undefined): topic is Topic {
  return topic !== undefined;
}

function difference(
  current: Membership,
  userId: string | null,
  topicIds: ReadonlySet<number>,
): MembershipDecision {
  const before = new Set(current.topics.map(({ id }) => id));
  return {
    kind: "change",
    userId,
    joins: [...topicIds].filter((id) => !before.has(id)),
    leaves: [...before].filter((id) => !topicIds.has(id)),
  };
}
