import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

/** Source: CycloneDX 1.2 to 1.6 (JSON); the XML of 1.0 to 1.6 is brought into the same form (xml.ts). */
export const BomComponent = Type.Object({
  name: Type.String({ minLength: 1 }),
  'bom-ref': Type.Optional(Type.Unknown()),
  components: Type.Optional(Type.Unknown()),
});
export type BomComponent = Static<typeof BomComponent>;
export const componentCheck = recordCheck(BomComponent);

export const BomDependency = Type.Object({ ref: Type.String(), dependsOn: Type.Optional(Type.Unknown()) });
export type BomDependency = Static<typeof BomDependency>;
export const dependencyCheck = recordCheck(BomDependency);

/** A vulnerability needs no id (a pentest's finding has none) and may affect nothing that the document lists. */
export const BomVulnerability = Type.Object({
  id: Type.Optional(Type.Unknown()),
  affects: Type.Optional(Type.Unknown()),
});
export type BomVulnerability = Static<typeof BomVulnerability>;
export const vulnerabilityCheck = recordCheck(BomVulnerability);
