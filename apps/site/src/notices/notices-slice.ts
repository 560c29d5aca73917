import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { Notice } from "@sineta/client";

const noNotices: Notice[] = [];

const slice = createSlice({
  name: "notices",
  initialState: noNotices,
  reducers: {
    /** What was kept before the page was opened. A notice that arrived meanwhile stays. */
    loaded: (notices, { payload }: PayloadAction<Notice[]>) => merge(notices, payload),
    received: (notices, { payload }: PayloadAction<Notice>) => merge([payload], notices),
  },
});

export const { loaded, received } = slice.actions;
export const noticesReducer = slice.reducer;

/** Both lists as one, each notice once, newest first. */
function merge(preferred: Notice[], others: Notice[]): Notice[] {
  const ids = new Set(preferred.map((notice) => notice.id));
  return [...preferred, ...others.filter((notice) => !ids.has(notice.id))].toSorted(
    (one, other) => other.receivedAtMs - one.receivedAtMs,
  );
}
