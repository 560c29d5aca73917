import { expect, test } from "vitest";
import { errorSections } from "@sineta/protocol";
import { errorsPage } from "./errors-page.ts";

test("has a heading for each section and each code, and no two places of one address", () => {
  const page = errorsPage();
  const codes = errorSections.flatMap(({ entries }) => Object.keys(entries));
  const headings = [...page.matchAll(/<h3 id="(.*?)"><a href="#(.*?)">(.*?)<\/a><\/h3>/g)];
  expect(headings.map(([, id]) => id)).toEqual(codes);
  expect(headings.map(([, , link]) => link)).toEqual(codes);
  expect(headings.map(([, , , text]) => text)).toEqual(codes);
  const sections = [...page.matchAll(/<h2 id=".*?">(.*?)<\/h2>/g)];
  expect(sections.map(([, title]) => title)).toEqual(["HTTP", "Browser", "Command line"]);
  const ids = [...page.matchAll(/ id="(.*?)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const linked = [...page.matchAll(/ (?:href="#|aria-labelledby=")(.*?)"/g)].map(([, id]) => id);
  expect(new Set(linked)).toEqual(new Set(ids));
});

test("says of an error its status, what happened and what to do", () => {
  const page = errorsPage([
    {
      title: "HTTP",
      introduction: "`code` is the name.",
      entries: {
        "too-cold": { status: 409, title: "It is too cold.", remedy: "Run `sineta warm NAME`." },
        "too-hot": { title: "It is too hot.", remedy: "Wait." },
      },
    },
  ]);
  expect(page).toContain("<p><code>code</code> is the name.</p>");
  expect(page).toContain(`<div class="entry">
<h3 id="too-cold"><a href="#too-cold">too-cold</a></h3>
<p class="status">Status 409</p>
<p>It is too cold.</p>
<p>Run <code>sineta warm NAME</code>.</p>
</div>
<div class="entry">
<h3 id="too-hot"><a href="#too-hot">too-hot</a></h3>
<p>It is too hot.</p>
<p>Wait.</p>
</div>`);
});

test("shows every text as it is, and never as HTML", () => {
  const hostile = `<img src=x onerror="alert(1)"> & \`<b>\``;
  const page = errorsPage([
    {
      title: hostile,
      introduction: hostile,
      entries: { [hostile]: { title: hostile, remedy: hostile } },
    },
  ]);
  expect(page).not.toMatch(/<img src=x|<b>|onerror="/);
  const shown = `<p>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; <code>&lt;b&gt;</code></p>`;
  expect(page.split(shown)).toHaveLength(4);
});

test("has neither script nor style within it, which the Content-Security-Policy forbids", () => {
  expect(errorsPage()).not.toMatch(/<script|<style| style=| on\w+=/);
});
