import { type Static, Type } from 'typebox';
import { fields, isRecord, label, labels, list } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

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
const Row = Type.Union([
  Type.Object({ TITLE_ID: Text, CHECK_RESULT: Text }),
  Type.Object({ TITLE_ID: Text, RESULT: Text }),
  Type.Object({ CHECK_ID: Text, STATUS: Text }),
]);

type Row = Static<typeof Row>;

export const rowCheck = recordCheck(Row);

/** One checked resource, in whichever layout it was written. Values are as the report has them. */
export interface Check {
  id: unknown;
  title: unknown;
  status: unknown;
  isMuted?: boolean;
  severity: unknown;
  /** What was found at this resource. */
  message: unknown;
  description?: unknown;
  risk?: unknown;
  remedy?: unknown;
  command?: unknown;
  links: readonly unknown[];
  resource?: unknown;
  account: unknown;
  region: unknown;
  service: unknown;
  provider?: unknown;
  date: unknown;
  /** The tool's own id of check and resource; version 2 has none. */
  fingerprint?: unknown;
  /** Frameworks with their controls: `CIS-3.0` and `1.20`. */
  compliance?: readonly (readonly [framework: string, control: string | undefined])[];
}

export function checkOfJson(json: JsonCheck): Check {
  const record = fields(json);
  if (record.finding_info !== undefined) return ofOcsf(record);
  if (record.finding !== undefined) return ofEarlyOcsf(record);
  if (record.GeneratorId !== undefined) return ofAsff(record);
  return record.CheckID === undefined ? ofVersion2(record) : ofVersion3(record);
}

function ofVersion2(record: Record<string, unknown>): Check {
  return {
    id: record['Control ID'] ?? controlName(record.Control),
    title: record.Control,
    status: record.Status,
    severity: record.Severity,
    message: record.Message,
    risk: record.Risk,
    remedy: record.Remediation,
    links: [record['Doc link']],
    resource: record['Resource ID'],
    account: record['Account Number'],
    region: record.Region,
    service: record.Service,
    date: record.Timestamp,
  };
}

/** `[check12] Ensure …` */
function controlName(control: unknown): string | undefined {
  return /^\[(\w+)\]/.exec(label(control) ?? '')?.[1];
}

function ofVersion3(record: Record<string, unknown>): Check {
  const { Recommendation, Code } = fields(record.Remediation);
  const recommendation = fields(Recommendation);
  return {
    id: record.CheckID,
    title: record.CheckTitle,
    status: record.Status,
    isMuted: isTrue(record.Muted),
    severity: record.Severity,
    message: record.StatusExtended,
    description: record.Description,
    risk: record.Risk,
    remedy: recommendation.Text,
    command: fields(Code).CLI,
    links: [recommendation.Url, record.RelatedUrl],
    resource: label(record.ResourceId) ?? record.ResourceArn,
    account: record.AccountId ?? record.SubscriptionId ?? record.Subscription ?? record.ProjectId,
    region: record.Region ?? record.Location,
    service: record.ServiceName,
    provider: record.Provider,
    date: record.AssessmentStartTime,
    fingerprint: record.FindingUniqueId,
    compliance: frameworks(record.Compliance),
  };
}

function ofOcsf(record: Record<string, unknown>): Check {
  const info = fields(record.finding_info);
  const unmapped = fields(record.unmapped);
  const remediation = fields(record.remediation);
  const notes = labels(remediation.references, 20);
  return {
    ...ofEvent(record),
    id: fields(record.metadata).event_code ?? info.uid,
    title: info.title,
    status: record.status_code ?? record.status,
    isMuted: /^suppressed$/i.test(label(record.status) ?? '') || isTrue(unmapped.muted),
    message: record.status_detail ?? record.message,
    description: info.desc,
    risk: record.risk_details,
    remedy: remediation.desc,
    command: notes.find((note) => !/^https?:/i.test(note)),
    links: [remediation.references, unmapped.related_url, unmapped.additional_urls],
    date: record.time_dt ?? record.event_time ?? record.time,
    fingerprint: info.uid,
    compliance: frameworks(unmapped.compliance),
  };
}

function ofEarlyOcsf(record: Record<string, unknown>): Check {
  const finding = fields(record.finding);
  const remediation = fields(finding.remediation);
  const feature = fields(fields(fields(record.metadata).product).feature);
  return {
    ...ofEvent(record),
    id: feature.uid ?? feature.name ?? finding.uid,
    title: finding.title,
    status: record.status,
    isMuted: /^suppressed$/i.test(label(record.state) ?? ''),
    message: record.status_detail ?? record.message,
    description: finding.desc,
    risk: fields(finding.supporting_data).Risk,
    remedy: remediation.desc,
    links: [remediation.kb_articles, finding.src_url],
    date: record.time ?? record.event_time,
    fingerprint: finding.uid,
  };
}

/** What both kinds of event say in the same way. */
function ofEvent(record: Record<string, unknown>) {
  const cloud = fields(record.cloud);
  const resource = fields(list(record.resources)[0]);
  return {
    severity: record.severity,
    resource: label(resource.uid) ?? resource.name,
    account: fields(cloud.account).uid,
    region: cloud.region ?? resource.region,
    service: isRecord(resource.group) ? resource.group.name : resource.group,
    provider: cloud.provider,
  };
}

function ofAsff(record: Record<string, unknown>): Check {
  const compliance = fields(record.Compliance);
  const resource = fields(list(record.Resources)[0]);
  const recommendation = fields(fields(record.Remediation).Recommendation);
  return {
    id: label(record.GeneratorId)?.replace(/^prowler-/, ''),
    title: record.Title,
    status: compliance.Status,
    isMuted: fields(record.Workflow).Status === 'SUPPRESSED',
    severity: fields(record.Severity).Label,
    message: record.Description,
    remedy: recommendation.Text,
    links: [recommendation.Url],
    resource: resource.Id,
    account: record.AwsAccountId,
    region: resource.Region,
    service: undefined,
    provider: 'aws',
    date: record.UpdatedAt ?? record.FirstObservedAt,
    fingerprint: record.Id,
  };
}

/** `{"CIS-3.0": ["1.20"]}`; in some versions a text per framework. */
function frameworks(value: unknown): (readonly [string, string | undefined])[] {
  return Object.entries(fields(value))
    .slice(0, 50)
    .map(([framework, controls]) => [framework, labels(controls, 1)[0]] as const);
}

export function checkOfRow(row: Row): Check {
  const record = fields(row);
  return record.TITLE_ID === undefined ? ofRow(record) : ofVersion2Row(record);
}

function ofVersion2Row(record: Record<string, unknown>): Check {
  return {
    id: record.TITLE_ID,
    title: record.TITLE_TEXT,
    status: record.CHECK_RESULT ?? record.RESULT,
    severity: record.CHECK_SEVERITY,
    message: record.CHECK_RESULT_EXTENDED ?? record.NOTES,
    risk: record.CHECK_RISK,
    remedy: record.CHECK_REMEDIATION,
    links: [record.CHECK_DOC],
    resource: record.CHECK_RESOURCE_ID ?? record.RESOURCE_ID,
    account: record.ACCOUNT_NUM,
    region: record.REGION,
    service: record.CHECK_SERVICENAME,
    date: record.TIMESTAMP,
  };
}

/** Versions 3 and later. */
function ofRow(record: Record<string, unknown>): Check {
  return {
    id: record.CHECK_ID,
    title: record.CHECK_TITLE,
    status: record.STATUS,
    isMuted: isTrue(record.MUTED),
    severity: record.SEVERITY,
    message: record.STATUS_EXTENDED,
    description: record.DESCRIPTION,
    risk: record.RISK,
    remedy: record.REMEDIATION_RECOMMENDATION_TEXT,
    command: record.REMEDIATION_RECOMMENDATION_CODE_CLI ?? record.REMEDIATION_CODE_CLI,
    links: [record.REMEDIATION_RECOMMENDATION_URL, record.RELATED_URL, ...parts(record.ADDITIONAL_URLS)],
    resource: label(record.RESOURCE_UID) ?? label(record.RESOURCE_ARN) ?? record.RESOURCE_ID,
    account: record.ACCOUNT_UID ?? record.ACCOUNT_ID ?? record.SUBSCRIPTION ?? record.PROJECT_ID,
    region: label(record.REGION) ?? record.LOCATION,
    service: record.SERVICE_NAME,
    provider: record.PROVIDER,
    date: record.TIMESTAMP ?? record.ASSESSMENT_START_TIME,
    fingerprint: record.FINDING_UID ?? record.FINDING_UNIQUE_ID,
    compliance: parts(record.COMPLIANCE).map((part) => {
      const [framework = part, control] = part.split(': ', 2);
      return [framework, control?.split(',', 1)[0]] as const;
    }),
  };
}

/** `a | b`: how a cell holds a list. */
function parts(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? value.slice(0, 20_000).split(' | ', 50) : [];
}

function isTrue(value: unknown): boolean {
  return value === true || /^true$/i.test(label(value) ?? '');
}
