import { type Static, Type } from 'typebox';

/** Which connection: a client has at most one per connector. */
export const ConnectionKey = Type.Object({ clientId: Type.String(), connectorId: Type.String() });
export type ConnectionKey = Static<typeof ConnectionKey>;
