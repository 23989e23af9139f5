/** How a view looks to the person: it follows their settings. */
export interface ViewAppearance {
  /** BCP 47: `en`, `de`. */
  readonly locale: string;
  readonly theme: 'light' | 'dark';
}

/** What a view may know of its connection. */
export interface ViewConnection extends ViewAppearance {
  readonly connectorId: string;
  readonly title: string;
  /** State of the connection: `connected`, `retrying`, … */
  readonly state: string;
  /** Fields of the form that are no secrets, by name; those that hold nothing are left out. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Why the host refuses what a view asks. */
export type ViewErrorCode =
  /** It is no message that the host knows, or more than 64 kB. */
  | 'invalid'
  /** More calls than four at once or sixty a minute. */
  | 'rate_limited'
  /** The connector has no such route, the person may not call it, or it failed; `message` says which. */
  | 'call_failed'
  /** The answer has more than 1 MB. */
  | 'too_large';

/** What a view sends, as JSON text. */
export type ViewRequest =
  | { readonly id: number; readonly method: 'getConnection' }
  | { readonly id: number; readonly method: 'call'; readonly route: string; readonly input: unknown }
  | { readonly id: number; readonly method: 'resize'; readonly height: number }
  | { readonly method: 'pong' };

/** What the host sends, as JSON text. */
export type ViewMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: ViewErrorCode; readonly message: string } }
  | { readonly event: 'change'; readonly appearance: ViewAppearance }
  | { readonly event: 'ping' };

/** Sent to the window of a view once it has loaded, with the port on which everything else goes. */
export const VIEW_GREETING = 'breakwater.view';
