import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AnyConnector } from '../../../connector.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { ConnectorFixture, Exchange, RecordedRequest, Situation } from '../../fixtures.ts';
import { type Operation, operationsOf } from './operations.ts';
import { expand, type Values } from './placeholders.ts';
import type { PlayedExchange } from './service-fault.ts';

/** One connector under test. */
export interface Subject {
  readonly connector: AnyConnector;
  readonly code: AnyConnectorCode;
  readonly fixture: ConnectorFixture;
  readonly operations: readonly Operation[];
  /** Bodies of answers that stand in files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface SubjectParts {
  readonly connector: AnyConnector;
  readonly code: AnyConnectorCode;
  readonly fixture: ConnectorFixture;
  /** Folder of the plugin. */
  readonly folder: string;
}

/** @throws when a file that the fixture names cannot be read */
export async function openSubject({ connector, code, fixture, folder }: SubjectParts): Promise<Subject> {
  const others = [...(fixture.wrong ?? []), ...(fixture.situations ?? [])];
  const exchanges = [...(fixture.exchanges ?? []), ...others.flatMap((one) => one.exchanges)];
  const names = exchanges.flatMap(({ answer }) => (answer.file === undefined ? [] : [answer.file]));
  const files = await Promise.all(
    [...new Set(names)].map(async (name): Promise<[string, Uint8Array]> => [name, await readFile(join(folder, name))]),
  );
  return { connector, code, fixture, operations: operationsOf(code, fixture.calls), files: new Map(files) };
}

/** The connector where the service or the form is as in a situation of the fixture. */
export function inSituation(given: Subject, { exchanges, credentials }: Situation): Subject {
  const subject = withForm(given, credentials);
  const { fixture } = subject;
  const kept = (fixture.exchanges ?? []).filter(
    ({ request }) => !exchanges.some((one) => isDeepStrictEqual(one.request, request)),
  );
  return { ...subject, fixture: { ...fixture, exchanges: [...exchanges, ...kept] } };
}

/** The connector with other values in its form; null leaves one out. */
export function withForm(subject: Subject, credentials: ConnectorFixture['credentials'] = {}): Subject {
  const { fixture } = subject;
  const values = Object.entries({ ...fixture.credentials, ...credentials }).filter(([, value]) => value !== null);
  return { ...subject, fixture: { ...fixture, credentials: Object.fromEntries(values) } };
}

/** Whether it talks to a service at all; a card of uploaded reports does not. */
export function hasService({ code }: Pick<Subject, 'code'>): boolean {
  return operationsOf(code).length > 0;
}

/** Where requests go with these values: `baseUrl`, and each service by its name. Empty where the address is itself a secret. */
export function addressesOf({ connector }: Subject, values: Values): Record<string, string> {
  if (connector.auth.type === 'address') return {};
  const roots = { baseUrl: connector.baseUrl, ...connector.services };
  return Object.fromEntries(
    Object.entries(roots).flatMap(([name, root]) => (root === undefined ? [] : [[name, expand(root, values)]])),
  );
}

/** Path of a root of the service, without the slash at its end. */
function rootPath({ connector }: Subject, service: string | undefined, values: Values): string {
  const template = service === undefined ? connector.baseUrl : connector.services?.[service];
  const address = URL.parse(expand(template ?? '', values));
  return address === null ? '' : address.pathname.replace(/\/+$/, '');
}

/** Exchanges as the fake service at `url` plays them. */
export function playable(
  subject: Subject,
  exchanges: readonly Exchange[],
  place: { url: URL; values: Values; isOverride: boolean },
): PlayedExchange[] {
  return exchanges.map((recorded) => {
    const root = rootPath(subject, recorded.request.service, place.values);
    const request = signed(subject, recorded.request);
    return playedAs(subject, recorded, { ...place, request, root });
  });
}

/** An exchange as the fake service plays it, below a root of its own and with what its requests are signed with. */
export function playedAs(
  subject: Subject,
  recorded: Exchange,
  place: { url: URL; values: Values; isOverride: boolean; request: RecordedRequest; root: string },
): PlayedExchange {
  const { root, request, isOverride } = place;
  const { answer } = recorded;
  const values = { ...place.values, base: `${place.url.origin}${root}` };
  const fill = (text: string): string => expand(text, values);
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), fill(value)]);
  const type = answer.body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    ...{ recorded, request, isOverride },
    path: `${root}${fill(request.path)}`,
    answer: {
      status: answer.status ?? 200,
      headers: { ...type, ...Object.fromEntries(headers) },
      body: bodyOf(subject, answer, fill),
    },
  };
}

function signed({ fixture }: Subject, request: RecordedRequest): RecordedRequest {
  const headers = request.service === undefined ? { ...fixture.signature, ...request.headers } : request.headers;
  return headers === undefined ? request : { ...request, headers };
}

function bodyOf(subject: Subject, answer: Exchange['answer'], fill: (text: string) => string): Uint8Array {
  if (answer.file !== undefined) return subject.files.get(answer.file) ?? new Uint8Array();
  if (answer.body !== undefined) return new TextEncoder().encode(fill(JSON.stringify(answer.body)));
  return new TextEncoder().encode(fill(answer.text ?? ''));
}
