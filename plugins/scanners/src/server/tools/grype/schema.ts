import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** One element of `matches` or `ignoredMatches`. Source: grype's presenter/models, versions 0.8 to 0.9x. */
export const Match = Type.Object({
  vulnerability: Type.Object({ id: Type.String({ minLength: 1 }) }),
  artifact: Type.Object({ name: Type.String() }),
  relatedVulnerabilities: Type.Optional(Type.Unknown()),
  matchDetails: Type.Optional(Type.Unknown()),
  appliedIgnoreRules: Type.Optional(Type.Unknown()),
});
export type Match = Static<typeof Match>;
export const matchCheck = recordCheck(Match);
