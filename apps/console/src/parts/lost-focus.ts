/** What takes the focus when nothing on the page comes nearer. */
export function pageTitle(): HTMLElement | null {
  return document.querySelector("h1");
}

/** Gives an element the focus if what had it has left the page. The focus stays where an operator has moved it. */
export function takeLostFocus(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === pageTitle()) element?.focus();
}
