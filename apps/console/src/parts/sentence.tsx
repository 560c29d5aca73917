import { Children, createElement, Fragment, type ReactNode } from "react";

/** Characters for private use stand for the elements in the text. */
const firstMark = 0xe000;
const marks = /([\uE000\uE001])/;
const markOf = (index: number) => String.fromCharCode(firstMark + index);

/**
 * A sentence of the dictionary with elements in it, such as a time with a tooltip: "Criada {hoje, 23:11}."
 * @param of the text. Its parameters are the first and the second element. What an operator has typed is an element, too: the text
 * may hold any character
 */
export function Sentence({
  of,
  children,
}: {
  of: (first: string, second: string) => string;
  children: ReactNode;
}) {
  const parts = Children.toArray(children);
  const text = of(markOf(0), markOf(1));
  return together(
    text
      .split(marks)
      .map((piece) => (marks.test(piece) ? parts[piece.charCodeAt(0) - firstMark] : piece)),
  );
}

/** Its children, with a dot between them. */
export function Joined({ children }: { children: ReactNode }) {
  return together(
    Children.toArray(children).flatMap((child, index) => (index === 0 ? [child] : [" · ", child])),
  );
}

/** Their order never changes, so they need no keys. */
function together(pieces: readonly ReactNode[]) {
  return createElement(Fragment, null, ...pieces);
}
