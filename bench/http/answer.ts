export type Answer = {
  status: number;
  /** A part of the bytes that it was read from. */
  body: Buffer;
  /** Whether the connection ends with it. */
  isLast: boolean;
};

/**
 * As much of HTTP/1.1 as answers to POST need: whose end is told by their length, by chunks, or by having no body.
 * @param bytes all that has come since the request
 * @returns null as long as some of it is still to come
 * @throws if it is no answer, tells no end, or is followed by something that nobody asked for
 */
export function readAnswer(bytes: Buffer): Answer | null {
  const headBytes = bytes.indexOf("\r\n\r\n");
  if (headBytes === -1) return null;
  const head = bytes.toString("latin1", 0, headBytes);
  const status = Number(/^HTTP\/1\.1 (\d{3})\b/.exec(head)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no answer of HTTP/1.1: ${head}`);
  const content = readContent(bytes, headBytes + 4, status, head);
  if (content === null || content.end > bytes.length) return null;
  if (content.end < bytes.length) throw new Error(`more than one answer: ${bytes.toString()}`);
  return { status, body: content.body, isLast: /\r\nConnection: *close\b/i.test(head) };
}

type Content = { body: Buffer; end: number };

function readContent(bytes: Buffer, start: number, status: number, head: string): Content | null {
  if (status === 204) return { body: bytes.subarray(start, start), end: start };
  if (/\r\nTransfer-Encoding: *chunked\b/i.test(head)) return readChunks(bytes, start);
  const length = /\r\nContent-Length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer that tells no end: ${head}`);
  const end = start + Number(length);
  return { body: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): Content | null {
  const pieces: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return null;
    const pieceBytes = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(pieceBytes)) throw new Error(`no chunk: ${bytes.toString()}`);
    if (pieceBytes === 0) {
      // Fields may follow, and an empty line does.
      const last = bytes.indexOf("\r\n\r\n", lineEnd);
      return last === -1 ? null : { body: Buffer.concat(pieces), end: last + 4 };
    }
    at = lineEnd + 2;
    pieces.push(bytes.subarray(at, at + pieceBytes));
    at += pieceBytes + 2;
  }
}
