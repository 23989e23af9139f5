import { severityOfRank } from '../../platform/model/severity.ts';
import { SEVERITY_LABELS, STATUS_OPTION_LABELS, toolLabel, VERDICT_LABELS } from './labels.ts';

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
  status: STATUS_OPTION_LABELS,
  verdict: VERDICT_LABELS,
  remediation_type: { pull_request: 'Pull request', issue: 'Issue' },
  mitigation: { update: 'Update available', no_fix: 'No fix known yet', change: 'Change of code or configuration' },
  sla: { overdue: 'Overdue', due_soon: 'Due soon', ok: 'In time' },
  review_requested: { true: 'Requested', false: 'Not requested' },
  provider: {
    github: 'GitHub',
    gitlab: 'GitLab',
    bitbucket_cloud: 'Bitbucket Cloud',
    gitea: 'Gitea',
    git: 'Git',
    local: 'Local folder',
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
        ? { value: 'only', label: 'Known exploited' }
        : { value: 'hide', label: 'Not known to be exploited' };
    case 'cwe': {
      const name = names.cwe(Number(value));
      return { value, label: name === undefined ? `CWE-${value}` : `CWE-${value} ${name}` };
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
      return { value, label: names.person(value) ?? 'Somebody who left' };
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
