import { Type } from '@breakwater/sdk';

/** What is used of a Checkmarx server's answers. Source: CxSAST REST API, versions 8.9 to 9.x. */
export const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });

export const TokenRefusal = Type.Object({ error: Type.String() });

export const Projects = Type.Array(Type.Object({ id: Type.Integer(), name: Type.String({ minLength: 1 }) }));

export const Scans = Type.Array(Type.Object({ id: Type.Integer() }));

export const OrderedReport = Type.Object({ reportId: Type.Integer() });

export const ReportStatus = Type.Object({ status: Type.Object({ value: Type.String() }) });
