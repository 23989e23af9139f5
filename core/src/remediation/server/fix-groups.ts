import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  describeFixGroups,
  type FindingsRequest,
  readFixCandidates,
  readFixFacts,
  readFixFindings,
  viewerOf,
} from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Sentence } from '../../platform/model/sentence.ts';
import { ENGLISH } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { getFixOfFinding, listFindingsOfFix, listFixes } from '../api/group-routes.ts';
import { type FixGroup, groupFixes } from './fixes/group-fixes.ts';

const PAGE = 50;

/** What a fix is called: in English for programs, with its values for people. */
const labelOf = (label: Sentence) => ({ label: ENGLISH.say(label), said: label });

const GroupPosition = Type.Object({ best: Type.Number(), count: Type.Number(), key: Type.String() });
const FindingPosition = Type.Object({ priority: Type.Number(), id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) });

/** A position as one word of an address. */
const formatPosition = (position: object): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const parsePosition = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

const wrongPosition = (): AppError =>
  new AppError('validation_failed', undefined, {
    issues: [{ loc: ['query', 'after'], msg: msg('Is no “next” of a page: begin without it.'), type: 'position' }],
  });

const isBehind = (group: FixGroup, after: { best: number; count: number; key: string }): boolean =>
  group.best < after.best ||
  (group.best === after.best && (group.count < after.count || (group.count === after.count && group.key > after.key)));

const readFixPage = async (db: Db, request: FindingsRequest, { after, limit }: { after?: string; limit: number }) => {
  const { filter, candidates } = await readFixCandidates(db, request);
  const position = after === undefined ? undefined : parsePosition(after);
  if (after !== undefined && !Value.Check(GroupPosition, position)) throw wrongPosition();
  const groups = groupFixes(candidates);
  const rest = Value.Check(GroupPosition, position) ? groups.filter((group) => isBehind(group, position)) : groups;
  const page = rest.slice(0, limit);
  const facts = page.length === 0 ? [] : await describeFixGroups(db, filter, page);
  const data = page.flatMap(({ key, label, kind, count }, place) => {
    const known = facts[place];
    if (known === undefined) return [];
    const { critical, high, medium, low, informational, highest_priority, kev, max_epss, repositories } = known;
    const severities = { critical, high, medium, low, informational };
    return [
      {
        _id: key,
        attributes: { kind, ...labelOf(label), count, severities, highest_priority, kev, max_epss, repositories },
      },
    ];
  });
  const last = page.at(-1);
  const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0);
  const grouped = sum(groups);
  const next =
    last === undefined || rest.length <= limit
      ? null
      : formatPosition({ best: last.best, count: last.count, key: last.key });
  return { data, meta: { total: groups.length, grouped, ungrouped: sum(candidates) - grouped, next } };
};

interface FindingsOfFix {
  key: string;
  after?: string;
  limit: number;
}

const readFindingsOfFix = async (db: Db, request: FindingsRequest, { key, after, limit }: FindingsOfFix) => {
  const position = after === undefined ? undefined : parsePosition(after);
  if (after !== undefined && !Value.Check(FindingPosition, position)) throw wrongPosition();
  const { filter, candidates } = await readFixCandidates(db, request);
  const group = groupFixes(candidates).find((one) => one.key === key);
  if (group === undefined) throw new AppError('not_found');
  const rows = await readFixFindings(db, filter, {
    entries: group.entries,
    after: Value.Check(FindingPosition, position) ? position : undefined,
    limit: limit + 1,
  });
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const next =
    last === undefined || rows.length <= limit
      ? null
      : formatPosition({ priority: last.attributes.priority, id: last._id });
  return { data, meta: { next } };
};

/** The fix of one finding among those of its repository: of its package, or of its rule. */
const readFixOfFinding = async (
  db: Db,
  { viewer, filters, id }: Pick<FindingsRequest, 'viewer' | 'filters'> & { id: string },
) => {
  const facts = await readFixFacts(db, { viewer, id });
  if (facts === undefined) throw new AppError('finding_not_found');
  const { component, componentVersion, fixedVersion, ruleId, repositoryId } = facts;
  const alike: FindingsRequest['filters'] = component === null ? { rule: [ruleId] } : { component: [component] };
  const { candidates } = await readFixCandidates(db, {
    viewer,
    filters: { ...filters, ...alike, repository: [repositoryId] },
    search: '',
  });
  const own = candidates.find((one) =>
    component === null
      ? one.component === null && one.ruleId === ruleId
      : one.component === component && one.version === componentVersion && one.fixedVersion === fixedVersion,
  );
  const group = groupFixes(candidates).find(({ entries }) => own?.entries.some((entry) => entries.includes(entry)));
  return group === undefined ? null : { kind: group.kind, ...labelOf(group.label), closes: group.count };
};

/** Findings by what fixes them. */
export const fixGroupEndpoints = (): Endpoint[] => [
  tenantEndpoint(getFixOfFinding)(async ({ db, caller, params, query }) => ({
    data: await readFixOfFinding(db, { viewer: viewerOf(caller), filters: query.filters ?? {}, id: params.id }),
  })),
  tenantEndpoint(listFixes)(({ db, caller, query }) => {
    const { filters = {}, search = '', limit = PAGE, ...position } = query;
    return readFixPage(db, { viewer: viewerOf(caller), filters, search }, { ...position, limit });
  }),
  tenantEndpoint(listFindingsOfFix)(({ db, caller, query }) => {
    const { filters = {}, search = '', limit = PAGE, ...position } = query;
    return readFindingsOfFix(db, { viewer: viewerOf(caller), filters, search }, { ...position, limit });
  }),
];
