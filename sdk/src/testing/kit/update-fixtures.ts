import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Auth } from '../../connector.ts';
import type { Json } from '../../context.ts';
import type { ReportParser } from '../../findings/report-parser.ts';
import type { ConnectorFixture, Exchange, RecordedReport, Situation } from '../fixtures.ts';
import { recordsOf } from './checks/reports.ts';
import { resultOf } from './checks/results.ts';
import { loadPlugin } from './load-plugin.ts';
import { readRecordedReport } from './recorded-report.ts';
import { type FilledForm, fillForm } from './service/canary.ts';
import { exactRequest } from './service/exact-request.ts';
import { type Operation, syncFrom } from './service/operations.ts';
import { ANY } from './service/placeholders.ts';
import { type Played, type PlayOptions, play } from './service/play.ts';
import { playRecorded } from './service/recorded.ts';
import { addressesOf, hasService, inSituation, openSubject, type Subject } from './service/subject.ts';
import { withFields } from './service/with-fields.ts';
import { updateSignIn } from './update-sign-in.ts';

/**
 * Writes into `conformance.json` what the connectors ask and answer now, so that its author reads the difference: the whole of every recorded
 * request that is asked, the signature, and the result of every operation. What differs from run to run becomes `{{any}}`.
 * @returns ids of the connectors that were written. @throws UnreadablePlugin
 */
export async function updateFixtures(folder: string): Promise<string[]> {
  const root = resolve(folder);
  const { plugin, server, parsers, fixtures } = await loadPlugin(root);
  const updated = new Map<string, ConnectorFixture>();
  for (const connector of plugin.connectors) {
    const code = server?.connectors[connector.id] ?? {};
    const fixture = fixtures.connectors[connector.id];
    if (fixture?.exchanges === undefined || !hasService({ code }) || connector.disabled !== undefined) continue;
    const signed = { ...fixture, ...signatureOf(connector.auth) };
    updated.set(
      connector.id,
      await updateFixture(await openSubject({ connector, code, fixture: signed, folder: root })),
    );
  }
  const file = join(root, 'conformance.json');
  const content = JSON.parse(await readFile(file, 'utf8'));
  for (const [id, fixture] of updated) content.connectors[id] = fixture;
  for (const [tool, reports] of Object.entries(fixtures.reports ?? {})) {
    const parser = parsers.find((one) => one.tool === tool);
    if (parser !== undefined)
      content.reports[tool] = await Promise.all(
        reports.map((one, index) => withRecords(parser, one, { index, folder: root })),
      );
  }
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return [...updated.keys()];
}

async function withRecords(
  parser: ReportParser,
  report: RecordedReport,
  { index, folder }: { index: number; folder: string },
): Promise<RecordedReport> {
  const { bytes } = await readRecordedReport(report, index, folder);
  return { ...report, expect: await recordsOf(parser, bytes, bytes.byteLength) };
}

export function signatureOf(auth: Auth): Pick<ConnectorFixture, 'signature'> {
  switch (auth.type) {
    case 'none':
    case 'address':
      return {};
    case 'header':
      return { signature: { [auth.name.toLowerCase()]: auth.value } };
    case 'basic':
      return { signature: { authorization: `Basic ${auth.value}` } };
    case 'bearer':
      return { signature: { authorization: `Bearer ${auth.value}` } };
    default:
      return { signature: { authorization: `Bearer {{${auth.tokenField ?? 'oauth_token'}}}` } };
  }
}

interface Run {
  readonly form: FilledForm;
  readonly played: readonly { readonly name: string; readonly played: Played }[];
}

/** Two runs with other canaries: what differs between them cannot be expected. */
export async function updateFixture(subject: Subject): Promise<ConnectorFixture> {
  const [first, second] = [await runAll(subject), await runAll(subject)];
  const { signature = {} } = subject.fixture;
  const exchanges = exactOf(subject.fixture.exchanges ?? [], { runs: [first, second], signature });
  const {
    credentials,
    addresses: _addresses,
    expect: _,
    exchanges: _exchanges,
    signature: _signature,
    situations,
    signIn,
    ...rest
  } = subject.fixture;
  const addresses = addressesOf(subject, fillForm(subject.connector, subject.fixture).config);
  // a situation is told apart from what is recorded by its requests, which therefore have to be whole before
  const whole: Subject = { ...subject, fixture: { ...subject.fixture, exchanges } };
  return {
    ...(credentials === undefined ? {} : { credentials }),
    ...(Object.keys(addresses).length === 0 ? {} : { addresses }),
    ...(Object.keys(signature).length === 0 ? {} : { signature }),
    exchanges,
    expect: expectationsOf(first, second),
    ...(situations === undefined
      ? {}
      : { situations: await Promise.all(situations.map((one) => updateSituation(whole, one))) }),
    ...rest,
    ...(signIn === undefined ? {} : { signIn: await updateSignIn(subject, signIn) }),
  };
}

interface Runs {
  readonly runs: readonly [Run, Run];
  readonly signature: Readonly<Record<string, string>>;
}

/** Recorded exchanges with the whole of the requests that they answered. */
function exactOf(exchanges: readonly Exchange[], { runs, signature }: Runs): Exchange[] {
  return exchanges.flatMap((exchange): Exchange[] => {
    const [requests = [], others = []] = runs.map((run) => askedFor(exchange, run, signature));
    const exact = new Set(requests.map((request, index) => JSON.stringify(settled(request, others[index]))));
    // nothing asks it: the kit says so, and somebody decides
    return exact.size === 0 ? [exchange] : [...exact].map((text) => ({ ...exchange, request: JSON.parse(text) }));
  });
}

async function updateSituation(subject: Subject, situation: Situation): Promise<Situation> {
  const operation = subject.operations.find(({ name }) => name === situation.during);
  if (operation === undefined) return situation;
  // requests that are not whole yet would lose against recorded ones that are
  const loose = { exchanges: situation.exchanges };
  const exchanges = exactOf(situation.exchanges, {
    runs: [await runIn(subject, situation, operation, loose), await runIn(subject, situation, operation, loose)],
    signature: subject.fixture.signature ?? {},
  });
  const exact = { ...situation, exchanges };
  const [first, second] = [await runIn(subject, exact, operation), await runIn(subject, exact, operation)];
  const { [situation.during]: expect } = expectationsOf(first, second);
  const { expect: _, ...rest } = exact;
  return expect === undefined ? rest : { ...rest, expect };
}

async function runIn(
  subject: Subject,
  situation: Situation,
  operation: Operation,
  options: PlayOptions = {},
): Promise<Run> {
  const there = inSituation(subject, situation);
  const form = fillForm(there.connector, there.fixture);
  const values = { ...there.fixture.credentials, ...valuesOf(form) };
  const played = await play({ ...there, fixture: { ...there.fixture, credentials: values } }, operation, options);
  return { form, played: [{ name: operation.name, played }] };
}

async function runAll(subject: Subject): Promise<Run> {
  const form = fillForm(subject.connector, subject.fixture);
  const fixed: Subject = { ...subject, fixture: { ...subject.fixture, credentials: valuesOf(form) } };
  const recorded = await playRecorded(fixed);
  const syncs = recorded.filter(({ operation }) => operation.name === 'findings.sync');
  const resumed = await Promise.all(
    syncs
      .flatMap(({ played: { outcome } }) => (outcome.ok ? cursorsIn(outcome.value) : []))
      .flatMap((cursor) => {
        const operation = syncFrom(subject.code, cursor);
        return operation === undefined ? [] : [play(fixed, operation).then((played) => ({ name: '', played }))];
      }),
  );
  return { form, played: [...recorded.map(({ operation, played }) => ({ name: operation.name, played })), ...resumed] };
}

function valuesOf({ config, secrets }: FilledForm): Record<string, Json> {
  return JSON.parse(JSON.stringify({ ...config, ...secrets }));
}

function cursorsIn(records: unknown): string[] {
  if (!Array.isArray(records)) return [];
  return records.flatMap((record) => (record?.kind === 'cursor' ? [String(record.cursor)] : []));
}

/** Every request that an exchange answered: one that answers several kinds becomes several. */
function askedFor(exchange: Exchange, { form, played }: Run, signature: Readonly<Record<string, string>>): Json[] {
  return played
    .flatMap(({ played: { seen } }) => seen)
    .filter((one) => one.exchange?.recorded === exchange)
    .map((one) => withFields(JSON.parse(JSON.stringify(exactRequest(exchange.request, one, signature))), form));
}

function expectationsOf(first: Run, second: Run): Record<string, Json> {
  return Object.fromEntries(
    first.played.flatMap(({ name, played }, index) => {
      const again = second.played[index]?.played;
      if (name === '' || !played.outcome.ok || again?.outcome.ok !== true) return [];
      const [one, other] = [resultOf(played.outcome.value, played), resultOf(again.outcome.value, again)];
      return [[name, settled(withFields(one, first.form), withFields(other, second.form))]];
    }),
  );
}

/** One value of two runs: a text that differs is `{{any}}`. */
export function settled(one: Json, other: Json | undefined): Json {
  if (typeof one === 'string') return one === other ? one : ANY;
  if (Array.isArray(one)) return one.map((item, at) => settled(item, Array.isArray(other) ? other[at] : undefined));
  if (typeof one !== 'object' || one === null) return one;
  const fields = new Map(typeof other === 'object' && other !== null ? Object.entries(other) : []);
  return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, settled(item, fields.get(name))]));
}
