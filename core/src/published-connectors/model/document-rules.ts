import { type Plugin, secretLooks } from '@breakwater/sdk';
import { isStorableText } from '../../platform/model/storable-text.ts';

/** A host as it is asked for: no pattern, no field of the form, no address. */
const LITERAL_HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z]$/;

const MAX_DEPTH = 60;

/** What is looked up in the form, not written out. */
const LOOK_UP = '{{';

const isLookUp = (value: string): boolean => value.includes(LOOK_UP);

/** Places in a document where something looks like a token, a key or a password. */
export const secretsIn = (value: unknown, path: readonly string[] = []): string[][] => {
  if (path.length > MAX_DEPTH) return [];
  if (typeof value === 'string') return secretLooks(value, isLookUp).length > 0 ? [[...path]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => secretsIn(part, [...path, key]));
};

/** Places in a document that cannot be kept: nested too deeply, or text that is no Unicode. At most the first of each branch. */
export const unkeptIn = (value: unknown, path: readonly string[] = []): string[][] => {
  if (path.length > MAX_DEPTH) return [path.slice(0, 5)];
  if (typeof value === 'string') return isStorableText(value) ? [] : [[...path]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    isStorableText(key) ? unkeptIn(part, [...path, key]) : [[...path]],
  );
};

/** Hosts that a connector of somebody else may not name, because an admin could not tell what they approve. */
export const unclearHosts = (hosts: readonly string[]): string[] => hosts.filter((host) => !LITERAL_HOST.test(host));

/** All that a connector may talk to, sorted. */
export const hostsOf = ({ connectors }: Plugin): string[] =>
  [...new Set(connectors.flatMap(({ permissions }) => permissions.egress))].toSorted();

/** Whether two lists hold the same hosts. */
export const isSameHosts = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...new Set(one)].toSorted()) === JSON.stringify([...new Set(other)].toSorted());

const FIELD = /^[^:]*field "([^"]+)": /;

/** Where in a document an issue of its reader is: `connector.json, field "check.identity": …`. Empty where it is the whole. */
export const pathInIssue = (text: string): string[] => FIELD.exec(text)?.[1]?.split('.') ?? [];

/** The same issue without its place. */
export const withoutPlace = (text: string): string => text.replace(FIELD, '');
