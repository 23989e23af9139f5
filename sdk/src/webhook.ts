import type { Ctx, Json } from './context.ts';
import type { CredentialSchema } from './credentials.ts';

/** How the host proves that a delivery comes from the service, before any code of the connector sees it. */
export type WebhookProof =
  /** HMAC of the raw body, hex or `sha256=<hex>`, keyed by the secret field. */
  | { readonly type: 'hmac-sha256'; readonly header: string; readonly secret: string }
  /** The header equals the secret field. */
  | { readonly type: 'token'; readonly header: string; readonly secret: string };

/** Deliveries of the service to Breakwater. The same delivery may come twice. */
export interface Webhook<S extends CredentialSchema = CredentialSchema> {
  readonly proof: WebhookProof;
  on(ctx: Ctx<S>, delivery: { readonly event: string; readonly id: string; readonly body: Json }): Promise<void>;
}
