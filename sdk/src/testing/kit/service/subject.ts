import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyConnector } from '../../../connector.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { ConnectorFixture, Exchange, RecordedRequest } from '../../fixtures.ts';
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
  const exchanges = [...(fixture.exchanges ?? []), ...(fixture.wrong ?? []).flatMap((wrong) => wrong.exchanges)];
  const names = exchanges.flatMap(({ answer }) => (answer.file === undefined ? [] : [answer.file]));
  const files = await Promise.all(
    [...new Set(names)].map(async (name): Promise<[string, Uint8Array]> => [name, await readFile(join(folder, name))]),
  );
  return { connector, code, fixture, operations: operationsOf(code, fixture.calls), files: new Map(files) };
}

/** Whether it talks to a service at all; a card of uploaded reports does not. */
export function hasService({ code }: Pick<Subject, 'code'>): boolean {
  return operationsOf(code).length > 0;
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
    const { request, answer } = recorded;
    const root = rootPath(subject, request.service, place.values);
    const values = { ...place.values, base: `${place.url.origin}${root}` };
    const fill = (text: string): string => expand(text, values);
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), fill(value)]);
    const type = answer.body === undefined ? {} : { 'content-type': 'application/json' };
    return {
      recorded,
      request: signed(subject, request),
      isOverride: place.isOverride,
      path: `${root}${fill(request.path)}`,
      answer: {
        status: answer.status ?? 200,
        headers: { ...type, ...Object.fromEntries(headers) },
        body: bodyOf(subject, answer, fill),
      },
    };
  });
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
