/** The API's reference. */
export const referencePath = "/docs";
/** The page of errors; a code's entry is at `#` and the code. */
export const errorsPath = `${referencePath}/errors`;

const places = { "API reference": referencePath, Errors: errorsPath };

/**
 * A page of /docs: its head, the bar that all of them have, and its content.
 * @param styles names of files in `reference`, besides what all pages have
 * @param content HTML
 */
export function docsPage({
  name,
  styles,
  content,
}: {
  name: keyof typeof places;
  styles: readonly string[];
  content: string;
}): string {
  const sheets = ["theme.css", "fallback.css", "docs.css", ...styles].map(
    (file) => `<link rel="stylesheet" href="${referencePath}/${file}" />`,
  );
  const links = Object.entries(places).map(
    ([text, path]) => `<a href="${path}"${text === name ? ' aria-current="page"' : ""}>${text}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<meta name="robots" content="noindex" />
<title>${name} · Sineta</title>
<link rel="icon" href="/painel/icon.svg" type="image/svg+xml" />
${sheets.join("\n")}
</head>
<body>
<header class="bar">
<div>
<p><img src="/painel/icon.svg" alt="" width="28" height="28" /> Sineta</p>
<nav aria-label="Pages">${links.join(" ")}</nav>
</div>
</header>
${content}
</body>
</html>
`;
}

/** Swagger UI, which draws the OpenAPI document. */
export function referencePage(): string {
  return docsPage({
    name: "API reference",
    styles: ["reference.css"],
    content: `<div id="reference"></div>
<noscript><p>The interface is described in <a href="/v1/openapi.json">/v1/openapi.json</a>, its errors at <a href="${errorsPath}">${errorsPath}</a>.</p></noscript>
<script src="${referencePath}/swagger-ui-bundle.js"></script>
<script type="module" src="${referencePath}/reference.js"></script>`,
  });
}
