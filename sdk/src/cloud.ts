import type { Ctx } from './context.ts';
import type { CredentialSchema } from './credentials.ts';

/** Account, subscription, project or tenancy that the credentials belong to. */
export interface CloudIdentity {
  readonly account: string;
  /** User, role or service account in the provider's own words. */
  readonly principal?: string;
}

/** Something that exists in a cloud account. */
export interface CloudResource {
  /** The provider's own unique name: ARN, resource id, self link, OCID. */
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly region?: string;
}

/** A cloud account. @throws ConnectorError */
export interface Cloud<S extends CredentialSchema = CredentialSchema> {
  identity(ctx: Ctx<S>): Promise<CloudIdentity>;
  inventory?(ctx: Ctx<S>): AsyncIterable<CloudResource>;
}
