import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** One element of `artifacts`. Source: syft's syftjson/model/package.go, schemas 1.0 to 16.x. Only the oldest have no id. */
export const Artifact = Type.Object({
  name: Type.String({ minLength: 1 }),
  id: Type.Optional(Type.Unknown()),
});
export type Artifact = Static<typeof Artifact>;
export const artifactCheck = recordCheck(Artifact);

/** An artifact outside of its report shows by the cataloger that it is one. */
export const looseArtifactCheck = recordCheck(
  Type.Object({ name: Type.String({ minLength: 1 }), type: Type.String(), foundBy: Type.Unknown() }),
);

/** One element of `artifactRelationships`. Source: syft's syftjson/model/relationship.go. */
export const Relationship = Type.Object({ parent: Type.String(), child: Type.String(), type: Type.String() });
export type Relationship = Static<typeof Relationship>;
export const relationshipCheck = recordCheck(Relationship);
