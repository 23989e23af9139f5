import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/**
 * One element of `dependencies`. Source: dependency-check's jsonReport.vsl (schema 1.x) and the XML schemas 1.3 to 4.x,
 * which are brought into the same form (xml.ts).
 */
export const Dependency = Type.Object({
  fileName: Type.Optional(Type.Unknown()),
  filePath: Type.Optional(Type.Unknown()),
  packages: Type.Optional(Type.Unknown()),
  vulnerabilities: Type.Optional(Type.Unknown()),
  suppressedVulnerabilities: Type.Optional(Type.Unknown()),
});
export type Dependency = Static<typeof Dependency>;
export const dependencyCheck = recordCheck(Dependency);
