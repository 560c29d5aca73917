import { z } from "zod";
import type { Finding } from "@sineta/protocol";
import { absence, addressOf, contentTypeOf, finding, type Look } from "./finding.ts";

const manifestBytes = 256 * 1024;
/** Its type is what counts; of the picture no more is read. */
const iconBytes = 1024;
const mostIcons = 4;
/** As a browser that offers to install the site asks for. */
const neededPixels = [192, 512];

/** What of a manifest is looked at (Web Application Manifest, section 1). */
const manifestSchema = z.object({
  name: z.string().optional(),
  short_name: z.string().optional(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string().optional() })).optional(),
});

/** The site's manifest and its icons: the bell works without them, but a notification shows no picture of the site's. */
export async function checkManifest({ tags, base, page, fetch }: Look): Promise<Finding[]> {
  const link = tags.find(
    ({ name, attributes }) =>
      name === "link" && /(^|\s)manifest(\s|$)/i.test(attributes.get("rel") ?? ""),
  );
  const text = link?.attributes.get("href");
  if (text === undefined) return [finding("manifest", "warning", "not-found")];
  const url = addressOf(text, base);
  if (url === null || url.origin !== page.url.origin) {
    return [finding("manifest", "warning", "not-looked-at", text)];
  }
  const fetched = await fetch(url, manifestBytes);
  if (fetched.kind === "none") return [absence("manifest", "warning", fetched)];
  const manifest = read(fetched.text);
  if (manifest === null) return [finding("manifest", "warning", "malformed", url.pathname)];
  const found = finding("manifest", "ok", "found", manifest.name ?? manifest.short_name ?? null);
  return [found, await checkIcons(manifest.icons ?? [], url, fetch)];
}

function read(text: string): z.infer<typeof manifestSchema> | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function checkIcons(
  icons: readonly { src: string; sizes?: string | undefined }[],
  manifest: URL,
  fetch: Look["fetch"],
): Promise<Finding> {
  const code = "icons";
  for (const { src } of icons.slice(0, mostIcons)) {
    const url = addressOf(src, manifest);
    if (url === null || url.origin !== manifest.origin) continue;
    const icon = await fetch(url, iconBytes);
    if (icon.kind === "none") {
      const seen = icon.seen === null ? url.pathname : `${url.pathname} (${icon.seen})`;
      return finding(code, "warning", icon.reason, seen);
    }
    const type = contentTypeOf(icon);
    if (!type.startsWith("image/")) {
      return finding(code, "warning", "content-type-wrong", `${url.pathname} (${type})`);
    }
  }
  const sizes = icons.flatMap((icon) => (icon.sizes ?? "").toLowerCase().split(/\s+/));
  const lacks = neededPixels.filter(
    (pixels) => !sizes.includes("any") && !sizes.includes(`${pixels}x${pixels}`),
  );
  if (icons.length === 0) return finding(code, "warning", "not-found");
  return lacks.length === 0
    ? finding(code, "ok", "found", sizes.join(", "))
    : finding(
        code,
        "warning",
        "not-found",
        lacks.map((pixels) => `${pixels}x${pixels}`).join(", "),
      );
}
