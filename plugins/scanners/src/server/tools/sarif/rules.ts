import type { FindingType, Severity } from '@breakwater/sdk';
import { severityFromScore, severityFromWord, severityNumber } from '../../lib/findings/severity.ts';
import { defined, fields, isRecord, label, number } from '../../lib/values/read.ts';

type Descriptor = Record<string, unknown>;

interface Component {
  name?: string;
  guid?: string;
  descriptors: Descriptor[];
}

/** Rules of a run's driver and extensions, and the taxa of its taxonomies. Source: SARIF 2.1.0 §3.19, §3.52. */
export class RunRules {
  private readonly driver: Component;
  private readonly extensions: Component[];
  private readonly extensionNames: ReadonlyMap<string, Component>;
  private readonly taxonomies: Component[];
  private readonly taxonomyNames: ReadonlyMap<string, Component>;
  private readonly byId = new Map<string, Descriptor>();
  private readonly globalMessages: Record<string, unknown>;

  constructor(tool: unknown, taxonomies: unknown) {
    const { driver, extensions } = fields(tool);
    this.driver = componentOf(driver, 'rules');
    this.extensions = array(extensions).map((extension) => componentOf(extension, 'rules'));
    this.taxonomies = array(taxonomies).map((taxonomy) => componentOf(taxonomy, 'taxa'));
    this.extensionNames = byName(this.extensions);
    this.taxonomyNames = byName(this.taxonomies);
    this.globalMessages = fields(fields(driver).globalMessageStrings);
    for (const component of [this.driver, ...this.extensions]) {
      for (const rule of component.descriptors) {
        const id = label(rule.id);
        if (id !== undefined && !this.byId.has(id)) this.byId.set(id, rule);
      }
    }
  }

  /** Rule of a result: by index in the component it names, else by id, else by the id's parent (`CA1000/1`). */
  ruleOf(result: Record<string, unknown>): Descriptor {
    const reference = fields(result.rule);
    const index = number(reference.index) ?? number(result.ruleIndex);
    const component = this.component(reference.toolComponent);
    const id = label(result.ruleId) ?? label(reference.id);
    const indexed = index === undefined ? undefined : component.descriptors[index];
    if (indexed !== undefined && (id === undefined || isSameRule(label(indexed.id), id))) return indexed;
    if (id === undefined) return fields(undefined);
    return (
      this.byId.get(id) ?? this.byId.get(id.slice(0, Math.max(0, id.lastIndexOf('/')))) ?? indexed ?? fields(undefined)
    );
  }

  /** Text of a message that is given by id. */
  messageText(rule: Descriptor, id: string): unknown {
    const own = fields(rule.messageStrings);
    const strings = Object.hasOwn(own, id) ? own : this.globalMessages;
    return Object.hasOwn(strings, id) ? fields(strings[id]).text : undefined;
  }

  /** Ids of weaknesses that a reference to a taxon stands for; other taxonomies give none. */
  cweOf(reference: unknown): unknown {
    const { id, index, toolComponent } = fields(reference);
    const { name, guid, index: at } = fields(toolComponent);
    const position = number(at);
    const taxonomy =
      named(this.taxonomyNames, guid, name) ?? (position === undefined ? undefined : this.taxonomies[position]);
    const isCwe = /^cwe$/i.test(taxonomy?.name ?? label(name) ?? '');
    const taxonIndex = number(index);
    const taxonId = label(id) ?? (taxonIndex === undefined ? undefined : label(taxonomy?.descriptors[taxonIndex]?.id));
    return isCwe || /^CWE-/i.test(taxonId ?? '') ? taxonId : undefined;
  }

  /** False when the reference can only be understood with a taxonomy that is not there. */
  knowsTaxonomyOf(reference: unknown): boolean {
    const { id, toolComponent } = fields(reference);
    const { name, guid, index } = fields(toolComponent);
    if (/^CWE-/i.test(label(id) ?? '') || named(this.taxonomyNames, guid, name) !== undefined) return true;
    if (number(index) !== undefined || guid !== undefined) return this.taxonomies.length > 0;
    return label(id) !== undefined;
  }

  private component(reference: unknown): Component {
    const { index, name, guid } = fields(reference);
    const position = number(index);
    const found = position === undefined ? named(this.extensionNames, guid, name) : this.extensions[position];
    return found ?? this.driver;
  }
}

function isSameRule(ruleId: string | undefined, id: string): boolean {
  return ruleId === undefined || ruleId === id || id.startsWith(`${ruleId}/`);
}

/** All elements: rules are found by their place, so none may be left out. */
function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function componentOf(value: unknown, list: 'rules' | 'taxa'): Component {
  const component = fields(value);
  const name = label(component.name);
  const guid = label(component.guid);
  return {
    ...(name === undefined ? {} : { name }),
    ...(guid === undefined ? {} : { guid }),
    descriptors: array(component[list]).map((rule) => (isRecord(rule) ? rule : fields(undefined))),
  };
}

/** Components by guid and by name; the first of each stands. */
function byName(components: readonly Component[]): ReadonlyMap<string, Component> {
  const known = new Map<string, Component>();
  for (const component of components) {
    for (const key of [component.guid, component.name]) {
      if (key !== undefined && !known.has(key)) known.set(key, component);
    }
  }
  return known;
}

function named(known: ReadonlyMap<string, Component>, guid: unknown, name: unknown): Component | undefined {
  return (
    (typeof guid === 'string' ? known.get(guid) : undefined) ?? (typeof name === 'string' ? known.get(name) : undefined)
  );
}

interface Rating {
  severity: Severity;
  nativeSeverity: string;
  severityNumerical?: number;
  cvssScore?: number;
  cvssVector?: string;
}

/**
 * Severity of a result. `security-severity` (0-10, or a word) is the tool's finer scale and wins over the three levels;
 * the level comes from the result, else from its rule, else it is "warning" (SARIF 2.1.0 §3.27.10).
 */
export function ratingOf(result: Record<string, unknown>, rule: Record<string, unknown>): Rating {
  const properties = fields(result.properties);
  const ruleProperties = fields(rule.properties);
  const level = label(result.level) ?? label(fields(rule.defaultConfiguration).level) ?? 'warning';
  const stated = properties['security-severity'] ?? ruleProperties['security-severity'];
  const score = scoreOf(stated);
  const word =
    severityFromWord(label(stated)) ??
    severityFromWord(label(properties.issue_severity) ?? label(properties.severity)) ??
    severityFromWord(label(properties.DevSkimSeverity));
  const severity = severityFromScore(score) ?? word ?? severityFromLevel(level);
  return defined({
    severity,
    nativeSeverity: level,
    severityNumerical: severityNumber(severity, score),
    cvssScore: scoreOf(ruleProperties.cvssv3_baseScore) ?? score,
    cvssVector: label(ruleProperties.cvssv3_vector) ?? label(ruleProperties.cvssV3_vector),
  });
}

/** 0 means "not rated" in what scanners write here. */
function scoreOf(value: unknown): number | undefined {
  const points = number(value);
  return points !== undefined && points > 0 && points <= 10 ? points : undefined;
}

function severityFromLevel(level: string): Severity {
  return severityFromWord(level) ?? 'medium';
}

const BY_TOOL: readonly (readonly [RegExp, FindingType])[] = [
  [/gitleaks|trufflehog|detect-secrets|secret/i, 'Secrets'],
  [
    /checkov|bridgecrew|prisma|kics|tfsec|terrascan|tflint|hadolint|kube-?linter|kubescape|cfn[-_]?(?:lint|nag)|regula/i,
    'IaC',
  ],
  [/dockle|clair|docker scout/i, 'Container'],
  [/dependency-?check|osv-scanner|npm.audit|black ?duck|snyk open source|retire/i, 'SCA'],
  [/\bzap\b|nuclei|burp|dastardly/i, 'DAST'],
  [/clamav|yara/i, 'Malware'],
  [/scorecard|chain-?bench/i, 'Supply chain'],
  [/zizmor|poutine|actionlint/i, 'CI/CD'],
];

export interface Evidence {
  toolName: string;
  ruleId: string;
  tags: readonly string[];
  /** True when the result names a package. */
  hasComponent: boolean;
}

/** Family of a result. The rule says more than the tool: Trivy writes vulnerabilities, secrets and checks in one run. */
export function typeOf({ toolName, ruleId, tags, hasComponent }: Evidence): FindingType {
  const marks = tags.map((tag) => tag.toLowerCase());
  if (marks.includes('secret') || marks.includes('secrets')) return 'Secrets';
  if (marks.includes('misconfiguration')) return 'IaC';
  if (marks.includes('license')) return 'License';
  const known = BY_TOOL.find(([pattern]) => pattern.test(toolName))?.[1];
  if (known !== undefined) return known;
  return hasComponent || /^(?:CVE-\d{4}-\d+|GHSA-|BDSA-|RHSA-|DSA-|ALAS|GO-\d{4}-|PYSEC-|RUSTSEC-|SNYK-)/i.test(ruleId)
    ? 'SCA'
    : 'SAST';
}
