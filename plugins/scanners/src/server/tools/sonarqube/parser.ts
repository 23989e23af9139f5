import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { lastingName, partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type ReaderOf, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label, number } from '../../lib/values/read.ts';
import {
  type Hotspot,
  hotspotCheck,
  hotspotFinding,
  type Issue,
  issueCheck,
  issueFinding,
  type Rule,
  ruleOf,
} from './issue.ts';

const NAME = 'SonarQube';
const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    paging: 'value',
    total: 'value',
    projectName: 'value',
    sonarComponent: 'value',
    rules: 'value',
    issues: 'records',
    hotspots: 'records',
  },
};

function recogniseSonarqube(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'hotspots', 'component', 'vulnerabilityProbability')) return 0.98;
  if (innerHas(sketch, 'issues', 'rule', 'component', 'severity')) return 0.97;
  if (hasKeys(sketch, 'sonarComponent') || hasKeys(sketch, 'sonarBaseURL')) return 0.97;
  const isPage = hasKeys(sketch, 'paging') || hasKeys(sketch, 'total', 'p', 'ps');
  return isPage && (hasKeys(sketch, 'issues') || hasKeys(sketch, 'hotspots')) ? 0.9 : 0;
}

/** Pages of the Web API, and how many results it says that there are. */
class Pages {
  private listed = 0;
  private total: number | undefined;
  private isPaged = false;

  count(): void {
    this.listed += 1;
  }

  see({ values }: JsonNode): void {
    this.isPaged ||= values.has('paging') || values.has('total');
    const total = number(fields(values.get('paging')).total) ?? number(values.get('total'));
    if (total !== undefined) this.total = Math.max(total, this.total ?? 0);
  }

  *failure(): Generator<ReportRecord> {
    const { total, listed } = this;
    if (this.isPaged && total !== undefined && listed < total)
      yield scanFailure(`${listed} of ${total} results are listed: put all pages of the Web API into one file.`);
  }
}

function createReader(): StreamReader {
  const pages = new Pages();
  const rules = new WeakMap<JsonNode, Map<string, Rule>>();
  const ruleIn = (node: JsonNode, id: string): Rule => {
    const known = rules.get(node) ?? new Map<string, Rule>();
    rules.set(node, known);
    const rule = known.get(id) ?? ruleOf(fields(node.values.get('rules'))[id]);
    known.set(id, rule);
    return rule;
  };
  const issues: ReaderOf = (node) => {
    // A report of sonar-report has its rules in front, the Web API's behind its issues and without descriptions.
    if (node !== undefined && !node.isClosed && node.values.has('projectName') && !node.values.has('rules'))
      return LATER;
    const read = (issue: Issue) => {
      pages.count();
      return issueFinding(issue, node === undefined ? {} : ruleIn(node, issue.rule));
    };
    return { check: issueCheck, read };
  };
  const readHotspot = (hotspot: Hotspot) => {
    pages.count();
    return hotspotFinding(hotspot);
  };
  const hotspots = { check: hotspotCheck, read: readHotspot };
  return {
    lists: { issues, hotspots: () => hotspots, report: issues },
    *document(document) {
      if (!document.lists.has('issues') && !document.lists.has('hotspots'))
        throw wrongTool(NAME, 'it has neither “issues” nor “hotspots”');
      pages.see(document);
      const { values } = document;
      yield* partOf({ project: lastingName(values.get('sonarComponent')) ?? label(values.get('projectName')) });
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      yield* pages.failure();
    },
  };
}

/** @throws ReportError */
const parseSonarqube = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const sonarqube: ReportParser = {
  tool: 'sonarqube',
  aliases: ['sonarcloud'],
  formats: ['json'],
  reads: {
    part: { project: '`sonarComponent` or `projectName` of a sonar-report' },
    failure: ['`paging.total` or `total` above the number of results'],
    identity: "rule, path and SonarQube's key",
  },
  recognise: recogniseSonarqube,
  parse: advised(parseSonarqube, 'curl <address>/api/issues/search?componentKeys=<project>'),
};
