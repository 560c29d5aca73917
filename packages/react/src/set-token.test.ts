import { combineReducers, configureStore } from "@reduxjs/toolkit";
import { expect, it } from "vitest";
import { setToken, tokenReducer } from "./set-token.ts";

it("makes the action with that very name", () => {
  expect(setToken("abc")).toEqual({ type: "setToken", payload: "abc" });
});

it("keeps null until there is a token, then the last one, and null again once there is none", () => {
  const store = configureStore({ reducer: { token: tokenReducer } });
  expect(store.getState()).toEqual({ token: null });
  store.dispatch(setToken("one"));
  store.dispatch(setToken("two"));
  store.dispatch({ type: "somethingElse", payload: "three" });
  expect(store.getState()).toEqual({ token: "two" });
  store.dispatch({ type: "somethingElse", payload: null });
  expect(store.getState()).toEqual({ token: "two" });
  store.dispatch(setToken(null));
  expect(store.getState()).toEqual({ token: null });
});

it("fits into any store's reducers, and keeps a state it was given", () => {
  const reducer = combineReducers({ token: tokenReducer });
  expect(reducer(undefined, { type: "@@start" })).toEqual({ token: null });
  expect(reducer({ token: "kept" }, { type: "setToken" })).toEqual({ token: "kept" });
});
