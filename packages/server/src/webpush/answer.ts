import type { Broken, Exchange } from "./line.ts";
import type { AnswerHeaders } from "./push-answer.ts";

/** Reads one answer, as far as anybody needs it. */
export type AnswerReader = {
  /** The answer, or why there was none. Never rejects. */
  readonly done: Promise<Exchange>;
  /**
   * Takes note of an interim answer (1xx), which says nothing.
   * @returns false when it is one too many: the request is then to be ended
   */
  readonly interim: () => boolean;
  /** Takes the head of the answer. The first call counts. */
  readonly begin: (status: number, headers: AnswerHeaders) => void;
  /** Takes a piece of the body, as long as more of it is wanted. */
  readonly data: (chunk: Uint8Array) => void;
  /** Takes note of the end of the body. */
  readonly end: () => void;
  readonly hasBegun: () => boolean;
  /** Makes do with what has come so far. The first call counts. */
  readonly finish: () => void;
};

/** As much of an answer's body as is read: enough for an explanation, too little to be a burden. */
const bodyBytes = 4096;

/** A push service has no use for them; a 100 and a 103 may come, and whoever sends more may never end. */
const mostInterims = 2;

const nothing = new Uint8Array(0);

/**
 * @param whyBroken asked if the end comes before the head
 * @param onEnough called when the body is at its end, or when as much of it has come as is wanted
 */
export function readAnswer({
  whyBroken,
  onEnough,
}: {
  whyBroken: () => Broken;
  onEnough: () => void;
}): AnswerReader {
  /** A copy: what a piece is cut from may be much larger. With room for more, since pieces may be many and tiny. */
  let body = nothing;
  let bytes = 0;
  let interims = 0;
  let head: { status: number; headers: AnswerHeaders } | null = null;
  let settle: ((exchange: Exchange) => void) | null = null;
  const done = new Promise<Exchange>((resolve) => {
    settle = resolve;
  });

  function finish(): void {
    if (settle === null) return;
    settle(head === null ? whyBroken() : { kind: "answered", ...head, body: bodySoFar() });
    settle = null;
  }

  function bodySoFar(): Uint8Array {
    return bytes === body.length ? body : body.subarray(0, bytes);
  }

  function enough(): void {
    if (settle === null) return;
    finish();
    onEnough();
  }

  return {
    done,
    interim() {
      interims += 1;
      return interims <= mostInterims;
    },
    begin(status, headers) {
      head ??= { status, headers };
    },
    data(chunk) {
      if (settle === null) return;
      const piece = chunk.subarray(0, bodyBytes - bytes);
      const end = bytes + piece.length;
      if (end > body.length) {
        const larger = Buffer.allocUnsafe(Math.min(bodyBytes, Math.max(end, 2 * body.length)));
        larger.set(body);
        body = larger;
      }
      body.set(piece, bytes);
      bytes = end;
      if (bytes >= bodyBytes) enough();
    },
    end: enough,
    hasBegun: () => head !== null,
    finish,
  };
}
