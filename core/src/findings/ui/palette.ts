import { msg } from '../../platform/model/message.ts';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { withVisibleText } from '../../platform/model/visible-text.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { MAX_HITS, type PaletteQuestion, type PaletteSource } from '../../shell/ui/navigation/palette-source.ts';
import { searchMembers } from '../../team/ui/index.ts';
import { getFilterOptions, listFindings } from '../api/routes.ts';
import { listSavedFilters } from '../api/saved-filters-routes.ts';
import { headlineOf } from '../model/finding-headline.ts';
import { locationOf } from '../model/finding-text.ts';
import { openFilters } from './data/finding-queries.ts';
import { type Filters, findingsHref } from './data/finding-view.ts';
import { findingHref } from './index.ts';
import { ownViews } from './views/own-views.ts';
import { savedViewHref } from './views/saved-view-href.ts';

const FIELDS = [
  'title',
  'rule_id',
  'cve',
  'severity',
  'repository',
  'file_path',
  'start_line',
  'component',
  'component_version',
  'resource',
  'cwe',
] as const;

const readFindings = async ({ api, text, signal }: PaletteQuestion, filters: Filters) => {
  const query = {
    search: text.slice(0, 200),
    filters,
    sort_field: 'priority' as const,
    sort: 'desc' as const,
    // the rows are what is asked for, not their number
    total: 'later' as const,
    fields: [...FIELDS],
    pagination: { page: 1, pageSize: MAX_HITS },
  };
  return withVisibleText((await api.call(listFindings, { query, signal })).data);
};

/** As the list names it, in one line. */
const labelOf = (finding: Parameters<typeof headlineOf>[0]): string => {
  const { subject, kind, sentence } = headlineOf(finding);
  return [subject, kind === undefined ? undefined : t(kind), sentence]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
};

/** Open findings first; where none is, what was decided or fixed. */
const findings: PaletteSource = {
  group: msg('Findings'),
  permission: 'findings.read',
  find: async (question) => {
    const open = await readFindings(question, openFilters());
    const rows = open.length > 0 ? open : await readFindings(question, {});
    const base = open.length > 0 ? findingHref : (id: string) => `/findings/all/finding-details/${id}`;
    return rows.map(({ _id, attributes }) => ({
      id: _id,
      label: labelOf(attributes),
      detail: [t(SEVERITY_LABELS[attributes.severity]), locationOf(attributes) || attributes.repository].join(' · '),
      to: base(_id),
    }));
  },
};

/** What an id of a CVE may be the beginning or a part of. */
const LIKE_CVE = /^(?:cve[-\s]?)?\d{3,4}(?:-\d*)?$|^cve/i;

/** The number of a CVE, of which open findings speak. Both texts, so that the index of words narrows it first. */
const cves: PaletteSource = {
  group: msg('CVEs'),
  permission: 'findings.read',
  find: async ({ api, text, signal }) => {
    if (!LIKE_CVE.test(text)) return [];
    const query = { filter_key: 'cve' as const, filter_search: text, search: text, filters: openFilters() };
    const { data } = await api.call(getFilterOptions, { query, signal });
    return (data.cve ?? []).slice(0, MAX_HITS).map(({ value, count }) => ({
      id: value,
      label: value,
      detail: plural(count, '{count} finding', '{count} findings'),
      to: findingsHref({ cve: [value] }),
    }));
  },
};

/** A person has few views: all of them are read, those with the words are shown. */
const views: PaletteSource = {
  group: msg('Views'),
  permission: 'findings.read',
  find: async ({ api, text, user, signal }) => {
    const { data } = await api.call(listSavedFilters, { query: {}, signal });
    const own = ownViews(user).map(({ name, filters }) => ({ id: name, label: name, to: findingsHref(filters) }));
    const saved = data.map((view) => ({
      id: view._id,
      label: view.name,
      to: savedViewHref(view),
    }));
    const wanted = text.toLowerCase();
    return [...saved, ...own].filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MAX_HITS);
  },
};

/** People lead to their work: what a developer was sent, what anybody else owns. */
const people: PaletteSource = {
  group: msg('People'),
  permission: 'team.read',
  find: async ({ api, text, signal }) => {
    const members = await searchMembers(api, { text: text.slice(0, 200), most: MAX_HITS, signal });
    return members.map(({ _id, attributes: { username, role } }) => ({
      id: _id,
      label: username,
      detail: t(ROLE_LABELS[role]),
      to: findingsHref(role === 'developer' ? { developer: [_id] } : { issue_owner: [_id] }),
    }));
  },
};

export const paletteSources: readonly PaletteSource[] = [findings, cves, people, views];
