import { msg } from '../../platform/model/message.ts';
import { severityOfRank } from '../../platform/model/severity.ts';
import { FILTER_KEYS, FILTERS, type FilterKey, type FindingFilters, keysOfKind } from './filter-catalogue.ts';
import {
  PACKAGE_USE_LABELS,
  REMEDIATION_LABELS,
  SEVERITY_LABELS,
  STATUS_OPTION_LABELS,
  toolLabel,
  VERDICT_LABELS,
} from './labels.ts';
import { OPEN_STATUSES } from './states.ts';

/** A value of a facet as counted: severities by rank, repositories by id, KEV as true and false. */
export interface FacetValue {
  value: string;
  label: string;
}

/** Names that only the server's dictionaries know. */
export interface FacetNames {
  repository(id: string): string | undefined;
  cwe(id: number): string | undefined;
  owasp(id: string): string | undefined;
  /** SLSA threats and OWASP CI/CD risks. */
  supplyChain(id: string): string | undefined;
  /** A user of the client. */
  person(id: string): string | undefined;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');

/** Labels of the values that a filter knows. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  severity: SEVERITY_LABELS,
  status: STATUS_OPTION_LABELS,
  verdict: VERDICT_LABELS,
  remediation_type: REMEDIATION_LABELS,
  package_use: PACKAGE_USE_LABELS,
  mitigation: {
    update: msg('Update available'),
    no_fix: msg('No fix known yet'),
    change: msg('Change of code or configuration'),
  },
  sla: { overdue: msg('Overdue'), due_soon: msg('Due soon'), ok: msg('In time') },
  review_requested: { true: msg('Requested'), false: msg('Not requested') },
  provider: {
    github: 'GitHub',
    gitlab: 'GitLab',
    bitbucket_cloud: 'Bitbucket Cloud',
    gitea: 'Gitea',
    git: 'Git',
    local: msg('Local folder'),
  },
};

/** Turns a counted value into what the filter takes and people read. */
export const labelFacet = (key: string, value: string, names: FacetNames): FacetValue => {
  switch (key) {
    case 'severity': {
      const severity = severityOfRank(Number(value));
      return { value: severity, label: SEVERITY_LABELS[severity] };
    }
    case 'kev':
      return value === 'true'
        ? { value: 'only', label: msg('Known exploited') }
        : { value: 'hide', label: msg('Not known to be exploited') };
    case 'cwe': {
      const name = names.cwe(Number(value));
      const id = `CWE-${value}`; // no text: an id
      return { value, label: name === undefined ? id : `${id} ${name}` };
    }
    case 'owasp': {
      const title = names.owasp(value);
      return { value, label: title === undefined ? value : `${value} ${title}` };
    }
    case 'slsa_threats':
    case 'owasp_cicd': {
      const title = names.supplyChain(value);
      return { value, label: title === undefined ? value : `${value} ${title}` };
    }
    case 'repository':
      return { value, label: names.repository(value) ?? value };
    case 'developer':
    case 'issue_owner':
    case 'review_requested_by_id':
      return { value, label: names.person(value) ?? msg('Somebody who left') };
    case 'tool':
      return { value, label: toolLabel(value) };
    case 'excluded_file_types':
      return { value, label: `.${value}` };
    default: {
      const labels = LABELS[key];
      return { value, label: labels === undefined ? value : (labels[value] ?? capitalised(value)) };
    }
  }
};

/** One active filter as a person reads it. */
export interface FilterText {
  key: FilterKey | 'search';
  label: string;
  value: string;
}

/** Turns ids into names where the caller knows them: repositories and people. Undefined for what needs none. */
export type Naming = (key: FilterKey, value: string) => string | undefined;

/** True where a status filter means every status but the end state. */
export const isOpenStatus = (status: readonly string[] | undefined): boolean =>
  status !== undefined && status.length === OPEN_STATUSES.length && OPEN_STATUSES.every((one) => status.includes(one));

const VISIBILITY_KEYS: readonly string[] = keysOfKind('visibility');
/** Shown in full: there are few of them, and each counts. */
const UNCUT: readonly FilterKey[] = ['status', 'severity'];
const MAX_VALUES = 3;

/** Words of ours in the texts of filters, in the language of who reads them. */
export interface FilterWords {
  label: (text: string) => string;
  /** Within a sentence. */
  value: (text: string) => string;
  more: (words: string, count: number) => string;
}

/** Of documents and API answers. */
const ENGLISH: FilterWords = {
  label: (text) => text,
  value: (text) => text.toLowerCase(),
  more: (words, count) => `${words} and ${count} more`,
};

/** A value of a filter within a sentence: words of ours begin small, names stay as they are. */
const valueText = (key: FilterKey, value: string, words: FilterWords): string => {
  if (key === 'cwe') return `CWE-${value}`;
  if (key === 'tool') return toolLabel(value);
  if (key === 'type') return words.label(value);
  if (key === 'review_requested') return words.value(value === 'true' ? msg('Yes') : msg('No'));
  const label = LABELS[key]?.[value];
  return label === undefined || key === 'provider' ? words.label(label ?? value) : words.value(label);
};

interface FilterNames {
  naming: Naming;
  words: FilterWords;
}

const textOf = (filters: FindingFilters, key: FilterKey, { naming, words }: FilterNames): string => {
  const value = filters[key];
  if (key === 'status' && isOpenStatus(filters.status)) return words.value(msg('Open'));
  if (VISIBILITY_KEYS.includes(key)) return words.value(value === 'only' ? msg('Only') : msg('Hidden'));
  if (!Array.isArray(value)) return String(value ?? '');
  const most = UNCUT.includes(key) ? value.length : MAX_VALUES;
  // "open" alone means every status but the end state
  const isNotReopened = key === 'status' && !filters.status?.includes('reopened');
  const textOfOne = (one: string): string =>
    isNotReopened && one === 'enriched'
      ? words.value(msg('Open (not reopened)'))
      : (naming(key, one) ?? valueText(key, one, words));
  const texts = value
    .slice(0, most)
    .map((one) => textOfOne(String(one)))
    .join(', ');
  return value.length > most ? words.more(texts, value.length - most) : texts;
};

/** Every active filter, in the order of the catalogue; the search last. In English without `words`. */
export const filterTexts = (
  filters: FindingFilters,
  search: string,
  naming: Naming,
  words: FilterWords = ENGLISH,
): FilterText[] => {
  const texts: FilterText[] = [];
  for (const key of FILTER_KEYS) {
    const value = filters[key];
    const isActive = value !== undefined && value !== 'show' && (!Array.isArray(value) || value.length > 0);
    if (isActive)
      texts.push({ key, label: words.label(FILTERS[key].label), value: textOf(filters, key, { naming, words }) });
  }
  if (search !== '') texts.push({ key: 'search', label: words.label(msg('Search')), value: search });
  return texts;
};
