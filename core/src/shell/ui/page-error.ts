/**
 * Ends a page with the error page. Thrown by guards, loaders, or a screen while it renders.
 * Source: specification §2 "Error page", §8.
 */
export class PageError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'PageError';
    this.status = status;
  }
}
