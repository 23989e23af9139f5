import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** One element of `packages`. Source: SPDX 2.1 to 2.3; the tag-value form is brought into the same form (tag-value.ts). */
export const SpdxPackage = Type.Object({
  SPDXID: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
  externalRefs: Type.Optional(Type.Unknown()),
});
export type SpdxPackage = Static<typeof SpdxPackage>;
export const packageCheck = recordCheck(SpdxPackage);

/** One element of `relationships`. Source: SPDX 2.3 §11. */
export const SpdxRelationship = Type.Object({
  spdxElementId: Type.String(),
  relationshipType: Type.String(),
  relatedSpdxElement: Type.String(),
});
export type SpdxRelationship = Static<typeof SpdxRelationship>;
export const relationshipCheck = recordCheck(SpdxRelationship);

/** One element of `@graph`. Source: SPDX 3.0.1 JSON-LD. */
export const GraphElement = Type.Object({});
export const elementCheck = recordCheck(GraphElement);
