import { severityOfRank } from '../../platform/model/severity.ts';

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

const VERDICT_LABELS: Readonly<Record<string, string>> = {
  none: 'No verdict',
  valid: 'Valid',
  false_positive: 'False positive',
  accepted_risk: 'Accepted risk',
  duplicate: 'Duplicate',
  mitigated_externally: 'Mitigated externally',
};

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');

/** Words for values that are words of ours. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: { pr_submitted: 'PR submitted', pr_accepted: 'PR accepted' },
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
      return { value: severity, label: capitalised(severity) };
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
    case 'excluded_file_types':
      return { value, label: `.${value}` };
    default: {
      const words = WORDS[key];
      return { value, label: words === undefined ? value : (words[value] ?? capitalised(value)) };
    }
  }
};
