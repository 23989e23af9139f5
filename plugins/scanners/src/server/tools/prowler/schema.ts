import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** A line of version 2: `prowler/include/outputs`. */
const Version2 = Type.Object({ Control: Text, Status: Text });
/** An element of version 3: `prowler/lib/outputs/models.py`. */
const Version3 = Type.Object({ CheckID: Text, Status: Text });
/** An event of version 4 and later: OCSF class Detection Finding. */
const Ocsf = Type.Object({ finding_info: Type.Object({}), metadata: Type.Object({}) });
/** An event of version 3 with `-M json-ocsf`: OCSF 1.0 class Security Finding. */
const EarlyOcsf = Type.Object({ finding: Type.Object({}), metadata: Type.Object({}) });
/** AWS Security Finding Format. */
const Asff = Type.Object({ GeneratorId: Text, Compliance: Type.Object({ Status: Text }) });

export const JsonCheck = Type.Union([Version2, Version3, Ocsf, EarlyOcsf, Asff]);
export type JsonCheck = Static<typeof JsonCheck>;
export const jsonCheck = recordCheck(JsonCheck);

/** A row; versions 2 and later name their columns differently. */
export const Row = Type.Union([
  Type.Object({ TITLE_ID: Text, CHECK_RESULT: Text }),
  Type.Object({ TITLE_ID: Text, RESULT: Text }),
  Type.Object({ CHECK_ID: Text, STATUS: Text }),
]);
export type Row = Static<typeof Row>;
export const rowCheck = recordCheck(Row);
