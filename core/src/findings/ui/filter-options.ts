import { SEVERITIES } from '@breakwater/sdk';
import { SEVERITY_LABELS } from '../../platform/ui/severity-badge.tsx';
import { SLA_STATES } from '../model/sla.ts';
import { FINDING_STATUSES } from '../model/states.ts';
import { toolName } from './finding-text.ts';
import type { FacetKey, FacetOption } from './findings.store.ts';
import { STATUS_WORDS } from './words.ts';

const WORDS: Record<string, string> = { ...SEVERITY_LABELS, ...STATUS_WORDS };

/** What a person reads for a value of a filter. */
export const optionLabel = (key: FacetKey, option: Pick<FacetOption, 'value' | 'label'>): string => {
  if (key === 'severity' || key === 'status') return WORDS[option.value] ?? option.label;
  if (key === 'cwe') return option.label.startsWith('CWE') ? option.label : `CWE-${option.value} ${option.label}`;
  return key === 'tool' ? toolName(option.label) : option.label;
};

const FIXED_ORDER: Partial<Record<FacetKey, readonly string[]>> = {
  severity: SEVERITIES,
  status: FINDING_STATUSES,
  sla: SLA_STATES,
};

/** Severities worst first, statuses as work goes on; the rest as the server sends it, most frequent first. Chosen values are never missing. */
export const shownOptions = (
  key: FacetKey,
  options: readonly FacetOption[],
  selected: readonly string[],
): FacetOption[] => {
  const order = FIXED_ORDER[key];
  const sorted =
    order === undefined ? options : options.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
  const missing = selected.filter((value) => !options.some((option) => option.value === value));
  return [...sorted, ...missing.map((value) => ({ value, label: value, count: 0 }))].map((option) => ({
    ...option,
    label: optionLabel(key, option),
  }));
};
