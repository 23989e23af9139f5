import type { ConnectorDocument } from './document.ts';
import { expressionsOf, formNames, mappingsOf, type PlacedTemplate, templatesOf } from './document-parts.ts';
import { expressionIssue } from './expressions.ts';
import { namesIn, TEMPLATE, textsIn } from './templates.ts';

type Report = (message: string, ...path: readonly string[]) => void;

/** What the schema of documents cannot say. @returns one line an issue */
export function documentIssues(document: ConnectorDocument, place: (path: readonly string[]) => string): string[] {
  const issues: string[] = [];
  const report: Report = (message, ...path) => issues.push(`${place(path)}: ${message}`);
  reportMissing(document, report);
  for (const [path, expression] of expressionsOf(document)) {
    const issue = expressionIssue(expression);
    if (issue !== undefined) report(issue, ...path);
  }
  for (const placed of templatesOf(document)) {
    reportNames(document, placed, report);
    reportQuoted(document, placed, report);
  }
  for (const [path, { type, map }] of mappingsOf(document)) {
    if (type === undefined && map.type === undefined) report('is missing here and in "map"', ...path, 'type');
  }
  return issues;
}

function reportMissing(document: ConnectorDocument, report: Report): void {
  const { auth, check, findings, report: reports, actions = {} } = document;
  const { notify, ticket } = actions;
  const parts = [check, findings, reports, notify, ticket];
  if (parts.every((part) => part === undefined)) {
    report('says neither "check" nor "findings", "report" or "actions": there is nothing that it could do');
  }
  if (check === undefined && (auth?.type ?? 'none') !== 'none') report('is missing: the connector signs in', 'check');
  if (ticket === undefined) return;
  if (!namesIn(ticket.create.request).includes('idempotencyKey')) {
    report('does not send {{idempotencyKey}}, by which "find" would see the ticket', 'actions', 'ticket', 'create');
  }
  if (!namesIn(ticket.find.request).includes('idempotencyKey') && ticket.find.where?.includes('$key') !== true) {
    report('neither asks for {{idempotencyKey}} nor compares with $key', 'actions', 'ticket', 'find');
  }
  if (ticket.close !== undefined && ticket.read === undefined) {
    report('is missing: a ticket that is closed is read first', 'actions', 'ticket', 'read');
  }
  for (const field of Object.keys(ticket.maxLength ?? {})) {
    if (!Object.hasOwn(ticket.draft, field)) report('is no field of "draft"', 'actions', 'ticket', 'maxLength', field);
  }
}

function reportNames(document: ConnectorDocument, { path, template, scope }: PlacedTemplate, report: Report): void {
  const { fields, secrets } = formNames(document);
  const known = [...scope.safe, ...scope.texts];
  for (const name of namesIn(template)) {
    if (known.includes(name)) continue;
    if (secrets.includes(name)) report(`{{${name}}} is a secret, which may stand in auth only`, ...path);
    else if (!fields.includes(name)) {
      // a ticket may say too much to be listed
      const also = known.length > 12 ? [`${known[0]} and the others of tickets`] : known;
      const names = ['a field of the form', ...also].join(', ');
      report(`{{${name}}} is not ${names.replace(/, ([^,]+)$/, ' or $1')}`, ...path);
    }
  }
}

/** Format of what is filled in at a place. */
const formatAt = ({ actions = {} }: ConnectorDocument, path: readonly string[]) =>
  path[1] === 'notify' ? actions.notify?.text : actions.ticket?.text;

/** What others wrote ends no text around it: neither a header nor JSON, GraphQL or another language inside of a text. */
function reportQuoted(document: ConnectorDocument, { path, template, scope }: PlacedTemplate, report: Report): void {
  const format = formatAt(document, path);
  for (const [place, text] of textsIn(template)) {
    for (const { index, 1: name = '' } of text.matchAll(TEMPLATE)) {
      if (!scope.texts.includes(name)) continue;
      const quotes = text.slice(0, index).match(/"/g)?.length ?? 0;
      if (place[0] === 'headers') report(`{{${name}}} is text of others, which may not stand in a header`, ...path);
      else if (quotes % 2 === 1 && format !== 'html') {
        report(
          `{{${name}}} stands between double quotes, which its text may end: give it a place of its own in "body", as a variable of GraphQL`,
          ...path,
        );
      }
    }
  }
}
