import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Auth } from '../../connector.ts';
import type { Json } from '../../context.ts';
import type { ConnectorFixture, Exchange } from '../fixtures.ts';
import { resultOf } from './checks/results.ts';
import { loadPlugin } from './load-plugin.ts';
import { type FilledForm, fillForm } from './service/canary.ts';
import { exactRequest } from './service/exact-request.ts';
import { syncFrom } from './service/operations.ts';
import { ANY } from './service/placeholders.ts';
import { type Played, play } from './service/play.ts';
import { playRecorded } from './service/recorded.ts';
import { hasService, openSubject, type Subject } from './service/subject.ts';

/**
 * Writes into `conformance.json` what the connectors ask and answer now, so that its author reads the difference: the whole of every recorded
 * request that is asked, the signature, and the result of every operation. What differs from run to run becomes `{{any}}`.
 * @returns ids of the connectors that were written. @throws UnreadablePlugin
 */
export async function updateFixtures(folder: string): Promise<string[]> {
  const root = resolve(folder);
  const { plugin, server, fixtures } = await loadPlugin(root);
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
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return [...updated.keys()];
}

function signatureOf(auth: Auth): Pick<ConnectorFixture, 'signature'> {
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
async function updateFixture(subject: Subject): Promise<ConnectorFixture> {
  const [first, second] = [await runAll(subject), await runAll(subject)];
  const { signature = {} } = subject.fixture;
  const exchanges = (subject.fixture.exchanges ?? []).flatMap((exchange): Exchange[] => {
    const [requests = [], others = []] = [first, second].map((run) => askedFor(exchange, run, signature));
    const exact = new Set(requests.map((request, index) => JSON.stringify(settled(request, others[index]))));
    // nothing asks it: the kit says so, and somebody decides
    return exact.size === 0 ? [exchange] : [...exact].map((text) => ({ ...exchange, request: JSON.parse(text) }));
  });
  const { credentials, expect: _, exchanges: _exchanges, signature: _signature, ...rest } = subject.fixture;
  return {
    ...(credentials === undefined ? {} : { credentials }),
    ...(Object.keys(signature).length === 0 ? {} : { signature }),
    exchanges,
    expect: expectationsOf(first, second),
    ...rest,
  };
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

/** Secrets as the fields that they came from. */
function withFields(value: Json, { secrets }: FilledForm): Json {
  const text = Object.entries(secrets)
    .filter(([, secret]) => secret !== '')
    .reduce(
      (all, [name, secret]) => all.replaceAll(JSON.stringify(secret).slice(1, -1), `{{${name}}}`),
      JSON.stringify(value),
    );
  return JSON.parse(text);
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
function settled(one: Json, other: Json | undefined): Json {
  if (typeof one === 'string') return one === other ? one : ANY;
  if (Array.isArray(one)) return one.map((item, at) => settled(item, Array.isArray(other) ? other[at] : undefined));
  if (typeof one !== 'object' || one === null) return one;
  const fields = new Map(typeof other === 'object' && other !== null ? Object.entries(other) : []);
  return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, settled(item, fields.get(name))]));
}
