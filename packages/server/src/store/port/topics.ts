import type { TopicPolicy } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

export type Topic = { id: number; name: string; policy: TopicPolicy };

/** What the audit is to say of it, and when. */
export type AuditAt = { entry: AuditEntry; nowMs: number };

export type TopicStore = {
  /**
   * Puts the registrations with these tokens into the topic, or takes them out, in one transaction. A registration that
   * is so already stays so.
   * @returns the tokens that belong to no registration of the project, or to one that has left
   */
  changeMany(
    topic: { projectId: number; topicId: number },
    change: "join" | "leave",
    tokens: readonly string[],
    nowMs: number,
  ): Promise<{ changed: number; unknown: string[] }>;
  /** The project's topics by name, each with its live registrations. */
  list(projectId: number): Promise<(Topic & { liveCount: number })[]>;
  find(projectId: number, name: string): Promise<Topic | null>;
  /** Only if the project has none of this name, and fewer than `limits.topicsPerProject`. */
  add(
    projectId: number,
    topic: Omit<Topic, "id">,
    nowMs: number,
    audit?: AuditEntry,
  ): Promise<"added" | "exists" | "full">;
  /** Whoever is in it stays. Only if there is such a topic; changes nothing if it is so already. */
  setPolicy(
    projectId: number,
    name: string,
    policy: TopicPolicy,
    audit?: AuditAt,
  ): Promise<boolean>;
  /** Takes registrations out of the topic, at most so many; tells how many. */
  empty(topicId: number, limit: number): Promise<number>;
  /** Removes the topic from all who are in it, and then itself. Only if there is such a topic. */
  remove(topicId: number, audit?: AuditAt): Promise<boolean>;
};
