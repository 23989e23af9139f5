import type { Ctx } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import type { Severity } from '../findings/finding.ts';
import type { Idempotent } from '../scm/scm.ts';

/** What a channel is told. Plain text of any origin: the connector escapes it for its service, so that nothing in it is a link, a mention or markup. */
export interface ChannelMessage extends Idempotent {
  /** One line of at most 200 characters. */
  readonly title: string;
  /** At most 2,000 characters; may be empty. */
  readonly text: string;
  /** What kind of notice it is, in words of ours: `Critical finding`. */
  readonly kind: string;
  /** The highest severity that it tells of; null where it tells of none. */
  readonly severity: Severity | null;
  /** Where it is shown, http or https; null where the installation has no public address. */
  readonly link: { readonly label: string; readonly url: string } | null;
}

/**
 * Tells a channel of a service what happened. Services without idempotency keys may be sent the same message again, where an answer was lost.
 * `scope` and `config` say that this message can never be taken, `rate_limited` with `retryAfterMs` when to come again. @throws ConnectorError
 */
export interface Notify<S extends CredentialSchema = CredentialSchema> {
  send(ctx: Ctx<S>, message: ChannelMessage): Promise<void>;
}
