import type { NormalizedFinding } from '../../../findings/finding.ts';
import { findingIssues, isNormalizedFinding } from '../../../findings/finding-schema.ts';
import { type Html, html } from './html.ts';
import type { Result } from './run-connector.ts';

/** A page with more rows is slow to load again. */
const MOST_ROWS = 200;
const LONGEST_VALUE = 4_000;

const TITLES: Readonly<Record<string, string>> = {
  check: 'Test connection',
  'findings.sync': 'Findings as they are mapped',
};

/** One result with what was asked, and findings as a table. */
export function resultSection(result: Result): Html {
  const { operation, isOk, message, help, requests, differences } = result;
  return html`<section><h2>${TITLES[operation] ?? operation}</h2><p class="${isOk ? 'good' : 'bad'}">${message}</p>
${help !== undefined && html`<p>${help}</p>`}
${differences.length > 0 && html`<ul>${differences.map((one) => html`<li class="bad">${one}</li>`)}</ul>`}
${isOk && valueView(result.value)}
${requests.length > 0 && html`<details><summary>${requests.length === 1 ? '1 request' : `${requests.length} requests`}</summary><ul>${requests.map((one) => html`<li><code>${one}</code></li>`)}</ul></details>`}</section>`;
}

function valueView(value: unknown): Html {
  if (!Array.isArray(value))
    return html`<pre>${JSON.stringify(value, null, 2)?.slice(0, LONGEST_VALUE) ?? 'nothing'}</pre>`;
  const records: readonly unknown[] = value;
  const findings = records.filter((record) => kindOf(record) === 'finding');
  const targets = records.filter((record) => kindOf(record) === 'target');
  const strange = findings.flatMap((finding, index) =>
    findingIssues(finding).map((issue) => `finding ${index + 1}: ${issue}`),
  );
  const rows = findings.filter(isNormalizedFinding).slice(0, MOST_ROWS).map(row);
  return html`<p>${findings.length} findings, ${targets.length} applications, ${records.length} records.${findings.length > MOST_ROWS && ` The first ${MOST_ROWS} are shown.`}</p>
${strange.length > 0 && html`<ul>${strange.slice(0, MOST_ROWS).map((one) => html`<li class="bad">${one}</li>`)}</ul>`}
<div class="scroll"><table><thead><tr><th>Severity</th><th>Type</th><th>Rule</th><th>Title</th><th>Where</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function kindOf(record: unknown): unknown {
  return Reflect.get(Object(record), 'kind');
}

function row({ severity, type, ruleId, title, locations = [], component, resource }: NormalizedFinding): Html {
  const [place] = locations;
  const where = place === undefined ? (component?.name ?? resource ?? '') : `${place.path}:${place.startLine ?? ''}`;
  return html`<tr><td>${severity}</td><td>${type}</td><td><code>${ruleId}</code></td><td>${title}</td><td>${where}</td></tr>`;
}
