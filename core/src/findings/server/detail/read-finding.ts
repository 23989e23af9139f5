import { sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { loadReferenceData, type ReferenceData } from '../../../prioritisation/server/index.ts';
import type { FindingDetail } from '../../api/routes.ts';
import { readUsernames } from '../filter/names.ts';
import type { Viewer } from '../filter/viewer.ts';
import { type FindingItem, readFindingRows } from '../list/read-finding-rows.ts';
import { type CodeLocation, estimatedFacts, type FindingText, readFindingText } from './finding-text.ts';
import { listOccurrences } from './occurrences.ts';

export interface FindingDetailItem {
  _id: string;
  attributes: Static<typeof FindingDetail>;
}

const placeOf = (place: CodeLocation) => ({
  path: place.path,
  start_line: place.startLine ?? null,
  end_line: place.endLine ?? null,
  snippet: place.snippet ?? null,
  message: place.message ?? null,
});

const exploitFacts = (row: FindingItem, text: FindingText, reference: ReferenceData) => {
  const names = [row.attributes.cve ?? '', ...text.aliases];
  const entry = row.attributes.kev
    ? names.map((name) => reference.kev(name)).find((of) => of !== undefined)
    : undefined;
  return {
    // of a prediction that a report brought nobody says the model
    epss_model: text.epss_date === reference.epssDate ? (reference.epssModel ?? null) : null,
    kev_date_added: text.kev_added ?? entry?.dateAdded ?? null,
    kev_due_date: entry?.dueDate ?? null,
    kev_ransomware: entry?.isRansomware ?? null,
    kev_required_action: entry?.requiredAction ?? null,
  };
};

const textFacts = (text: FindingText) => ({
  description: text.description,
  native_severity: text.native_severity,
  resource: text.resource,
  http_request: text.http_request,
  http_response: text.http_response,
  curl_command: text.curl_command,
  cvssv3_vector: text.cvss_vector,
  scanner_report_code: text.code === null ? null : Buffer.from(text.code, 'utf8').toString('base64'),
  code: text.code,
  code_start_line: text.code_start_line,
  aliases: text.aliases,
  references: text.reference_urls ?? [],
  locations: (text.locations ?? []).map(placeOf),
  code_flows: (text.code_flows ?? []).map((flow) => flow.map(placeOf)),
  owasp_2021: text.owasp_2021,
  owasp_2025: text.owasp_2025,
  slsa_threats: text.slsa_threats,
  owasp_cicd: text.owasp_cicd,
  epss_date: text.epss_date,
  package_imported_by: text.package_imported_by,
  priority_parts: text.priority_parts ?? [],
  verdict_reason: text.verdict_reason,
  verdict_expires_at: text.verdict_expires_at?.toISOString() ?? null,
  notes: text.notes,
  proposed_verdict: text.proposed_verdict,
  proposed_reason: text.proposed_reason,
  reported_severity: text.reported_severity === null ? null : severityOfRank(text.reported_severity),
});

const readPeople = async (db: Db, clientId: string, { attributes }: FindingItem) => {
  const { issue_owner, developers, review_requested_by_id } = attributes;
  const ids = [issue_owner, ...developers, review_requested_by_id].filter((id) => id !== null);
  const names = await readUsernames(db, { clientId, ids });
  return [...names].map(([_id, username]) => ({ _id, username }));
};

/** One finding with all that its page shows. @throws finding_not_found, also where the viewer may not see it. */
export const readFinding = async (db: Db, request: { viewer: Viewer; id: string }): Promise<FindingDetailItem> => {
  const { viewer, id } = request;
  const text = await readFindingText(db, request);
  const [row] = text === undefined ? [] : await readFindingRows(db, { clientId: viewer.clientId, ids: [id] });
  if (text === undefined || row === undefined) throw new AppError('finding_not_found');
  const reference = await loadReferenceData((statement) => sql.raw(statement).execute(db));
  return {
    _id: id,
    attributes: {
      ...row.attributes,
      ...textFacts(text),
      ...estimatedFacts(row, text, reference),
      ...exploitFacts(row, text, reference),
      cwe_names: row.attributes.cwe.flatMap((cwe) => {
        const name = reference.cwe(cwe)?.name;
        return name === undefined ? [] : [{ id: cwe, name }];
      }),
      people: await readPeople(db, viewer.clientId, row),
      occurrences: await listOccurrences(db, request),
    },
  };
};
