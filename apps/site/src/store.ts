import { configureStore } from "@reduxjs/toolkit";
import { tokenReducer } from "@sineta/react";
import { noticesReducer } from "./notices/notices-slice.ts";

/** The page's shared state: the push token, and the notices received. */
export const store = configureStore({
  reducer: { token: tokenReducer, notices: noticesReducer },
});

export type State = ReturnType<typeof store.getState>;
export type Dispatch = typeof store.dispatch;
