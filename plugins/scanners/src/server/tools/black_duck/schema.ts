import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });
const Optional = Type.Optional(Type.String());

/**
 * A row of `security.csv`. Source: Black Duck project version reports; the columns were renamed in 2019 (`project name`
 * became `component name`) and later ones were added. Names of columns are lower case here.
 */
export const SecurityRow = Type.Object({ 'vulnerability id': Text, 'security risk': Optional });
export type SecurityRow = Static<typeof SecurityRow>;
export const securityCheck = recordCheck(SecurityRow);

/** A row of Black Duck Binary Analysis's vulnerability export. */
export const BinaryRow = Type.Object({ component: Text, cve: Optional });
export type BinaryRow = Static<typeof BinaryRow>;
export const binaryCheck = recordCheck(BinaryRow);

/** A row of `components.csv`. */
export const ComponentRow = Type.Object({ 'component name': Text });
export type ComponentRow = Static<typeof ComponentRow>;
export const componentCheck = recordCheck(ComponentRow);

/** A row of `source.csv` or `files.csv`: where a component was found. */
export const SourceRow = Type.Object({ path: Text });
export type SourceRow = Static<typeof SourceRow>;
export const sourceCheck = recordCheck(SourceRow);
