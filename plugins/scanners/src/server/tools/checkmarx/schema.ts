import { type Static, Type } from 'typebox';
import { recordCheck } from '../../lib/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of the `results` that the command line of Checkmarx One writes. Source: ast-cli, internal/wrappers/results-json.go. */
export const OneResult = Type.Object({ type: Text, severity: Text });
export type OneResult = Static<typeof OneResult>;
export const oneResultCheck = recordCheck(OneResult);
/** One that stands alone, where nothing around it tells the tool: linters write issues with a type and a severity, too. */
export const looseResultCheck = recordCheck(
  Type.Union([
    Type.Object({ ...OneResult.properties, data: Type.Object({}) }),
    Type.Object({ ...OneResult.properties, similarityId: Type.Unknown() }),
  ]),
);

/** A result below a query, technology or package of the report service. Its place says what it is. */
export const ReportResult = Type.Object({ severity: Text });
export const reportResultCheck = recordCheck(ReportResult);

/** One element of CxFlow's `xissues`. Source: cx-flow, dto/ScanResults.java. */
export const FlowIssue = Type.Object({ vulnerability: Text });
export const flowIssueCheck = recordCheck(FlowIssue);

/** A vulnerability of CxOSA. Without its library it says nothing that could be acted on. */
export const OsaVulnerability = Type.Object({ libraryId: Text, severity: Type.Unknown() });
export type OsaVulnerability = Static<typeof OsaVulnerability>;
export const osaVulnerabilityCheck = recordCheck(OsaVulnerability);

/** A vulnerability of the SCA risk report. */
export const ScaVulnerability = Type.Object({ Id: Text, PackageId: Type.Unknown() });
export const scaVulnerabilityCheck = recordCheck(ScaVulnerability);

/** A vulnerability in GitLab's format, as Checkmarx writes it. */
export const gitlabVulnerabilityCheck = recordCheck(
  Type.Object({ identifiers: Type.Array(Type.Unknown()), name: Type.Optional(Type.Unknown()) }),
);
