/** What a browser sent is not what its protocol allows. Whoever reads from it answers that browser, and nobody else. */
export class MalformedInput extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MalformedInput";
  }
}
