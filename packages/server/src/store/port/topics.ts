import type { TopicPolicy } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

export type Topic = { id: number; name: string; policy: TopicPolicy };

/** `displayName`: what people read. It is the name where the topic has no other. */
export type NamedTopic = Topic & { displayName: string };

/** A change of a topic. An empty display name removes the display name. So does the topic's own name. */
export type TopicEdit = { policy?: TopicPolicy | undefined; displayName?: string | undefined };

/** What the audit is to say of it, and when. */
export type AuditAt = { entry: AuditEntry; nowMs: number };

/** The store adds what it has changed. */
export type AuditOfEdit = { entry: Omit<AuditEntry, "change">; nowMs: number };

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
  list(projectId: number): Promise<(NamedTopic & { liveCount: number })[]>;
  find(projectId: number, name: string): Promise<Topic | null>;
  /** Only if the project has none of this name, and fewer than `limits.topicsPerProject`. */
  add(
    projectId: number,
    topic: Omit<Topic, "id"> & { displayName?: string | undefined },
    nowMs: number,
    audit?: AuditEntry,
  ): Promise<"added" | "exists" | "full">;
  /**
   * The topic's registrations stay. A change leaves a line in the audit. The line has only what the store has changed.
   * @returns the topic as it is then; null if there is none of this name
   */
  edit(
    projectId: number,
    name: string,
    edit: TopicEdit,
    audit?: AuditOfEdit,
  ): Promise<NamedTopic | null>;
  /** Takes registrations out of the topic, at most so many; tells how many. */
  empty(topicId: number, limit: number): Promise<number>;
  /** Removes the topic from all who are in it, and then itself. Only if there is such a topic. */
  remove(topicId: number, audit?: AuditAt): Promise<boolean>;
};
