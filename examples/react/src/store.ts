import { configureStore } from "@reduxjs/toolkit";
import { tokenReducer } from "@sineta/react";

export const store = configureStore({ reducer: { token: tokenReducer } });
export type State = ReturnType<typeof store.getState>;
