import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Optional = Type.Optional(Type.Unknown());

/**
 * One element of `vulnerabilities`. Source: gitlab-org/security-products/security-report-schemas, versions 2.0 to 15.x.
 * The identifiers are what makes it one: `name`, `message` and `id` come and go from version to version.
 */
export const Vulnerability = Type.Object({
  identifiers: Type.Array(Type.Unknown()),
  location: Optional,
  name: Optional,
});
export type Vulnerability = Static<typeof Vulnerability>;
export const vulnerabilityCheck = recordCheck(Vulnerability);
