/** The tables as Kysely sees them; migrations/ is where they are made and explained. */
import type { BrowserName, ReturnCause, SystemName } from "@sineta/protocol";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export type Tables = {
  projects: {
    id: Generated<number>;
    name: string;
    display_name: Generated<string>;
    created_at_ms: number;
    receipts: Generated<0 | 1>;
    /** JSON. */
    origins: Generated<string>;
    registrations_quota: Generated<number>;
    messages_per_hour_quota: Generated<number>;
    /** Kept by triggers. */
    live_registrations: Generated<number>;
    ended_registrations: Generated<number>;
    watermark: Generated<number>;
    receipts_from_ms: Generated<number>;
  };
  vapid_keys: {
    id: Generated<number>;
    project_id: number;
    public_key: string;
    sealed_private_key: Uint8Array;
    created_at_ms: number;
    retired_at_ms: number | null;
  };
  project_secrets: {
    project_id: number;
    purpose: "receipts" | "users";
    sealed_secret: Uint8Array;
    created_at_ms: number;
  };
  registrations: {
    id: Generated<number>;
    project_id: number;
    token: string;
    generation: Generated<number>;
    client_secret_hash: Uint8Array | null;
    endpoint: string | null;
    endpoint_hash: Uint8Array | null;
    p256dh: string | null;
    auth: string | null;
    vapid_key_id: number;
    push_service: string;
    push_origin: string;
    origin: string;
    locale: string | null;
    time_zone: string | null;
    user_id: string | null;
    created_at_ms: number;
    refreshed_at_ms: number;
    ended_at_ms: number | null;
    end_reason: "gone" | "left" | null;
    refused_at_ms: Generated<number | null>;
    browser: Generated<BrowserName>;
    system: Generated<SystemName>;
    /** Of the locale. */
    language: GeneratedAlways<string>;
    renewed_at_ms: Generated<number | null>;
    removed: Generated<0 | 1>;
    /** JSON: of one that is gone, open messages whose walk had passed it by then. */
    passed_messages: Generated<string | null>;
    /** Whether whoever wrote the row has counted it; a trigger does so otherwise. */
    counted: Generated<0 | 1>;
    /** Whether the push service has accepted a push for this endpoint. */
    accepted: Generated<0 | 1>;
  };
  gone_endpoints: {
    project_id: number;
    endpoint_hash: Uint8Array;
    registration_id: number;
    gone_at_ms: number;
    told: Generated<0 | 1>;
  };
  registration_losses: {
    registration_id: number;
    cause: ReturnCause;
    gone_at_ms: number | null;
    returned_at_ms: number;
    confirmed_at_ms: number | null;
    times: Generated<number>;
  };
  audience_returns: {
    project_id: number;
    /** Of the loss: days of UTC since 1970. */
    day: number;
    cause: ReturnCause;
    was_gone: 0 | 1;
    returns: number;
  };
  /** Kept by triggers. */
  audience_live: {
    project_id: number;
    kind: "push-origin" | "browser" | "system" | "language";
    value: string;
    live: number;
  };
  /** Kept by triggers. */
  audience_days: {
    project_id: number;
    /** Of UTC, since 1970. */
    day: number;
    registered: Generated<number>;
    returned: Generated<number>;
    renewed: Generated<number>;
    left: Generated<number>;
    gone: Generated<number>;
    removed: Generated<number>;
  };
  topics: {
    id: Generated<number>;
    project_id: number;
    name: string;
    policy: "open" | "kept";
    /** Empty: people read its name. */
    display_name: Generated<string>;
    created_at_ms: number;
    /** Kept by triggers. */
    live_registrations: Generated<number>;
  };
  registration_topics: { topic_id: number; registration_id: number; joined_at_ms: number };
  messages: {
    id: string;
    project_id: number;
    /** JSON. */
    target: string;
    /** JSON. */
    notification: string;
    ttl_seconds: number;
    urgency: "very-low" | "low" | "normal" | "high";
    collapse_key: string | null;
    idempotency_key: string | null;
    idempotency_owner: string | null;
    state: "scheduled" | "sending" | "paused" | "done" | "cancelled";
    scheduled_at_ms: number;
    created_at_ms: number;
    started_at_ms: number | null;
    ended_at_ms: number | null;
    watermark: number | null;
    /** Registration id up to which batches have been planned. */
    cursor: Generated<number>;
    /** JSON. */
    data: string | null;
    local_time: string | null;
    request_hash: Uint8Array | null;
    with_receipts: Generated<number>;
    planned_count: Generated<number>;
    planned_at_ms: number | null;
    accepted: Generated<number>;
    gone: Generated<number>;
    retry: Generated<number>;
    rejected: Generated<number>;
    failed: Generated<number>;
    displayed: Generated<number>;
    clicked: Generated<number>;
    closed: Generated<number>;
    publisher_kind: "api-key" | "operator" | "command-line" | null;
    publisher_id: number | null;
    /** A message's id. */
    replaces: string | null;
  };
  batches: {
    id: Generated<number>;
    message_id: string;
    project_id: number;
    push_service: string;
    vapid_key_id: number;
    push_origin: string | null;
    /** JSON. */
    only_origins: string | null;
    /** JSON. */
    except_origins: string | null;
    lane: string;
    held: Generated<0 | 1>;
    /** JSON. */
    time_zones: string | null;
    state: "open" | "done" | "expired" | "cancelled";
    cursor: number;
    last_id: number;
    due_at_ms: number;
    expires_at_ms: number;
    ready_at_ms: number;
    lease_owner: Generated<string | null>;
    lease_until_ms: Generated<number | null>;
    lease_epoch: Generated<number>;
    stopped: Generated<0 | 1>;
    planned: number;
    retry: Generated<number>;
    settled: Generated<number>;
  };
  message_services: {
    message_id: string;
    push_service: string;
    planned: Generated<number>;
    accepted: Generated<number>;
    gone: Generated<number>;
    retry: Generated<number>;
    rejected: Generated<number>;
    failed: Generated<number>;
  };
  proven_origins: { push_origin: string; vapid_key_id: number; accepted_at_ms: number };
  given_up_hosts: { push_origin: string; given_up_at_ms: number };
  push_service_rules: { rules: string };
  message_exceptions: {
    message_id: string;
    /** Of a retry alone. */
    batch_id: number | null;
    registration_id: number;
    push_origin: string;
    kind: "accepted" | "gone" | "retry" | "rejected" | "failed";
    generation: number;
    attempts: number;
    first_tried_at_ms: number | null;
    due_at_ms: number | null;
    reason: string;
    detail: string;
    changed_at_ms: number;
  };
  /** Kept by triggers. */
  exception_counts: {
    message_id: string;
    push_origin: string;
    kind: "retry" | "rejected" | "failed";
    reason: string;
    detail: string;
    registrations: number;
  };
  receipts: {
    message_id: string;
    registration_id: number;
    kind: "displayed" | "clicked" | "closed";
    received_at_ms: number;
    action: string | null;
  };
  /** Hours begin with those of UTC. */
  message_hours: {
    message_id: string;
    hour_ms: number;
    accepted: Generated<number>;
    displayed: Generated<number>;
    clicked: Generated<number>;
    closed: Generated<number>;
  };
  /** `number` is the rowid of the message's words (search-index.ts). */
  message_numbers: { number: Generated<number>; message_id: string };
  /** FTS5: the column with the table's name is what is matched. */
  message_words: {
    rowid: number;
    title: string;
    body: string;
    message_words: GeneratedAlways<string>;
  };
  /** At most one row. */
  delivery_hold: {
    reason: "restored" | "cloned" | "asked";
    since_ms: number;
  };
  doubtful_messages: { message_id: string; due_at_ms: number };
  database_home: {
    one: number;
    born_ns: string;
  };
  breakers: {
    push_origin: string;
    vapid_key_id: number;
    reason: "vapid-refused" | "unavailable" | "throttled" | "refuses-all";
    detail: string;
    opened_at_ms: number;
    probe_at_ms: number;
    probes: Generated<number>;
  };
  api_keys: {
    id: Generated<number>;
    project_id: number;
    name: string;
    prefix: string;
    hash: Uint8Array;
    created_at_ms: number;
    /** Separated by spaces. */
    scopes: string;
    last_used_at_ms: number | null;
    expires_at_ms: number | null;
    revoked_at_ms: number | null;
    maker_kind: "operator" | "command-line" | null;
    maker_id: number | null;
    predecessor_id: number | null;
  };
  operators: {
    id: Generated<number>;
    email: string;
    name: string;
    password_hash: string;
    sealed_totp_secret: Uint8Array | null;
    totp_confirmed_at_ms: number | null;
    totp_last_step: number | null;
    created_at_ms: number;
    last_login_at_ms: number | null;
  };
  operator_roles: {
    operator_id: number;
    project_id: number;
    role: "viewer" | "editor" | "owner";
    granted_at_ms: number;
  };
  operator_sessions: {
    id: Generated<number>;
    operator_id: number;
    token_hash: Uint8Array;
    created_at_ms: number;
    last_used_at_ms: number;
    expires_at_ms: number;
    address: string;
    user_agent: string;
  };
  invitations: {
    id: Generated<number>;
    project_id: number;
    role: "viewer" | "editor" | "owner";
    email: string | null;
    token_hash: Uint8Array;
    invited_by: number | null;
    first: Generated<0 | 1>;
    tries: Generated<number>;
    created_at_ms: number;
    expires_at_ms: number;
  };
  recovery_codes: { operator_id: number; code_hash: Uint8Array };
  passkeys: {
    id: Generated<number>;
    operator_id: number;
    credential_id: Uint8Array;
    public_key: Uint8Array;
    counter: number;
    /** Separated by spaces. */
    transports: string;
    name: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
    rp_id: string | null;
  };
  passkey_challenges: {
    id: Generated<number>;
    challenge_hash: Uint8Array;
    operator_id: number | null;
    expires_at_ms: number;
  };
  drafts: {
    id: string;
    project_id: number;
    revision: number;
    title: string;
    /** JSON. */
    content: string;
    created_at_ms: number;
    changed_at_ms: number;
    changed_by: number | null;
    replaces: string | null;
  };
  images: {
    id: Generated<number>;
    project_id: number;
    hash: Uint8Array;
    type: "png" | "jpg" | "webp";
    width_pixels: number;
    height_pixels: number;
    byte_count: number;
    created_at_ms: number;
    bytes: ColumnType<Uint8Array<ArrayBuffer>, Uint8Array>;
  };
  /** Live registrations, counted by triggers. */
  live_groups: {
    project_id: number;
    push_origin: string;
    vapid_key_id: number;
    origin: string;
    registrations: number;
  };
  audit: {
    id: Generated<number>;
    at_ms: number;
    project_id: number | null;
    actor_kind: "operator" | "api-key" | "command-line" | "server" | "nobody";
    actor: string;
    action: string;
    subject: string;
    address: string | null;
    /** JSON. */
    change: string | null;
  };
};
