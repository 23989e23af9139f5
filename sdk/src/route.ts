import type { TSchema } from 'typebox';
import type { Ctx, Json } from './context.ts';
import type { CredentialSchema } from './credentials.ts';

/** An own route of a connector, mounted below `/api/v1/connectors/<id>/routes`. JSON in, JSON out, within 15 s. */
export interface ConnectorRoute<S extends CredentialSchema = CredentialSchema> {
  readonly method: 'GET' | 'POST';
  /** `/projects`: one or more segments in lower case. */
  readonly path: string;
  /** Least role that may call it. */
  readonly role: 'admin' | 'cyberoper' | 'developer';
  /** Body of a POST, query of a GET. Validated before `handle` runs. */
  readonly input?: TSchema;
  /** @throws ConnectorError */
  handle(ctx: Ctx<S>, input: Json): Promise<Json>;
}
