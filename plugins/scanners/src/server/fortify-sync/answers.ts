import { type Static, Type } from '@breakwater/sdk';

/** What is used of Fortify on Demand's answers. Source: Fortify on Demand API v3 (swagger at api.ams.fortify.com). */
export const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });

export const Release = Type.Object({
  releaseId: Type.Integer(),
  releaseName: Type.String(),
  applicationName: Type.String(),
});

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const Vulnerability = Type.Object({
  id: Type.Integer(),
  category: Type.String({ minLength: 1 }),
  severityString: Type.String(),
  instanceId: Maybe,
  kingdom: Maybe,
  primaryLocationFull: Maybe,
  primaryLocation: Maybe,
  lineNumber: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  scantype: Maybe,
  cwe: Maybe,
  auditorStatus: Maybe,
  introducedDate: Maybe,
  isSuppressed: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});
export type Vulnerability = Static<typeof Vulnerability>;

export const VulnerabilityPage = Type.Object({
  items: Type.Array(Vulnerability),
  totalCount: Type.Integer({ minimum: 0 }),
});

/** The fields of a vulnerability that are asked for. */
export const FIELDS = Object.keys(Vulnerability.properties).join(',');
