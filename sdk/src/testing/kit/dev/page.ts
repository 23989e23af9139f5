import { createHash } from 'node:crypto';
import { CATEGORIES } from '../../../categories.ts';
import type { AnyConnector } from '../../../connector.ts';
import { type CredentialField, secretKeys } from '../../../credentials.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import type { KitIssue } from '../check.ts';
import { Html, html } from './html.ts';
import { SCRIPT, STYLE } from './page-style.ts';
import { resultSection } from './result-view.ts';
import type { Result } from './run-connector.ts';
import { VIEW_SCRIPT, viewSection } from './view-section.ts';

/** What one page shows. */
export interface PageParts {
  readonly connectors: readonly AnyConnector[];
  readonly connector: AnyConnector | undefined;
  readonly mode: 'recorded answers' | 'the real service';
  readonly results: readonly Result[];
  /** What is wrong with the folder. */
  readonly issues: readonly KitIssue[];
  /** Values that stand in the form; never a secret. */
  readonly values: Readonly<Record<string, unknown>>;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and no other script runs, whatever a connector or a service says. */
export const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)} ${hashOf(VIEW_SCRIPT)}`,
  ...[
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ],
].join('; ');

/** The whole page. */
export function page(parts: PageParts): string {
  const { connectors, connector, issues, results, mode } = parts;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${connector?.title ?? 'Connector'}</title><style>${new Html(STYLE)}</style></head>
<body><main>
<header><h1>${connector?.title ?? 'No connector'}</h1>
<nav>${connectors.length < 2 ? null : connectors.map(({ id, title }) => html`<a href="/${encodeURIComponent(id)}">${title}</a>`)}</nav></header>
<div>${connector && card(connector)}${connector && form(connector, parts.values)}</div>
<div>${issues.length > 0 && issueSection(issues)}
${connector && html`<p class="quiet">Results with ${mode}. This page follows the files of the folder.</p>`}
${connector && viewSection(connector, parts.values)}${results.map(resultSection)}${connector && results.length === 0 && connector.view === undefined && nothing()}</div>
</main><script>${new Html(SCRIPT)}</script>${connector?.view && html`<script>${new Html(VIEW_SCRIPT)}</script>`}</body></html>`
    .text;
}

function nothing(): Html {
  return html`<section><h2>Nothing to show</h2><p>It talks to no service, or conformance.json records no report: add one to "reports".</p></section>`;
}

function issueSection(issues: readonly KitIssue[]): Html {
  const rows = issues.map(
    ({ what, where, fix }) =>
      html`<li><span class="bad">${what}</span><br>${where}<br><span class="quiet">${fix}</span></li>`,
  );
  return html`<section><h2>The folder cannot be used as it is</h2><ul>${rows}</ul></section>`;
}

function card(connector: AnyConnector): Html {
  const { title, category, description, documentation, permissions, image, commercial, disabled } = connector;
  const picture = image.startsWith('data:') ? html`<img src="${image}" alt="">` : null;
  return html`<section><div class="title">${picture}<div><h2>${title}</h2><span class="quiet">${CATEGORIES[category]}</span></div></div>
<p>${description}</p>${commercial === true && html`<p class="quiet">Needs a paid licence.</p>`}${disabled && html`<p class="bad">${disabled.reason}</p>`}
${documentation !== undefined && html`<p><a href="${documentation}" rel="noreferrer">Documentation</a></p>`}
<p class="quiet">May call: ${permissions.egress.join(', ') || 'nothing'}</p></section>`;
}

function form(connector: AnyConnector, values: PageParts['values']): Html | null {
  const { credentials, baseUrl, auth } = connector;
  if (baseUrl === undefined && auth.type === 'none') return null;
  const secrets = new Set<string>(secretKeys(credentials));
  const rows = Object.entries(credentials.properties).map(([name, field]) => {
    const isRequired = credentials.required?.includes(name) ?? false;
    const label = html`<label for="${name}">${field.title ?? name}${isRequired ? ' *' : ''}</label>`;
    const hint = secrets.has(name) ? `Empty: ${environmentName(connector.id, name)} of the environment.` : undefined;
    const texts = [field.description, hint].filter((text) => text !== undefined);
    return html`${label}${control(name, field, { isSecret: secrets.has(name), value: values[name] })}${texts.map((text) => html`<p class="quiet">${text}</p>`)}`;
  });
  return html`<section><h2>Test connection</h2><form method="post" action="/${encodeURIComponent(connector.id)}" autocomplete="off">${rows}
<button>Test with the real service</button></form><p><a href="/${encodeURIComponent(connector.id)}">Show the recorded answers</a></p></section>`;
}

function control(
  name: string,
  field: CredentialField,
  { isSecret, value }: { isSecret: boolean; value: unknown },
): Html {
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (isSecret) return html`<input id="${name}" name="${name}" type="password" autocomplete="off">`;
  const choices = field.type === 'boolean' ? ['true', 'false'] : field.type === 'string' ? field.enum : undefined;
  if (choices !== undefined) {
    const selected = typeof value === 'boolean' ? String(value) : shown;
    const options = choices.map((one) => html`<option${one === selected ? ' selected' : ''}>${one}</option>`);
    return html`<select id="${name}" name="${name}"><option value=""></option>${options}</select>`;
  }
  if (field.type === 'string' && field.format === 'multiline')
    return html`<textarea id="${name}" name="${name}" rows="4">${shown}</textarea>`;
  return html`<input id="${name}" name="${name}" value="${typeof value === 'object' && value !== null ? JSON.stringify(value) : shown}">`;
}
