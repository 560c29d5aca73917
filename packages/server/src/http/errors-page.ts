import { errorSections, type ErrorSection } from "@sineta/protocol";
import { docsPage, referencePath } from "./docs-page.ts";

/**
 * The catalogue of errors as HTML. The heading of each code has the code as its `id`.
 * @param sections their texts may have code in backticks; everything else in them is shown as it is
 */
export function errorsPage(sections: readonly ErrorSection[] = errorSections): string {
  const contents = sections.map(({ title }) => `<a href="#${idOf(title)}">${marked(title)}</a>`);
  return docsPage({
    name: "Errors",
    styles: ["errors.css"],
    content: `<main>
<h1>Errors</h1>
<p>Every error has a code that never changes its meaning. <a href="${referencePath}">The API's reference</a> names those that each route answers.</p>
<nav aria-label="Sections">${contents.join(" ")}</nav>
${sections.map(section).join("\n")}
</main>`,
  });
}

function section({ title, introduction, entries }: ErrorSection): string {
  return `<section aria-labelledby="${idOf(title)}">
<h2 id="${idOf(title)}">${marked(title)}</h2>
<p>${marked(introduction)}</p>
${Object.entries(entries).map(entry).join("\n")}
</section>`;
}

function entry([code, { status, title, remedy }]: [
  string,
  ErrorSection["entries"][string],
]): string {
  const id = escaped(code);
  return `<div class="entry">
<h3 id="${id}"><a href="#${id}">${id}</a></h3>
${status === undefined ? "" : `<p class="status">Status ${status}</p>\n`}<p>${marked(title)}</p>
<p>${marked(remedy)}</p>
</div>`;
}

/** Never the same as a code: titles begin with a capital, and no code has one. */
function idOf(sectionTitle: string): string {
  return escaped(sectionTitle.replaceAll(" ", "-"));
}

function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
