import type { Plugin } from '@breakwater/sdk';

/** A host as it is asked for: no pattern, no field of the form, no address. */
const LITERAL_HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z]$/;

/** What tokens of well-known services begin with, and keys. */
const SECRETS: readonly [what: string, pattern: RegExp][] = [
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/],
  ['a GitLab token', /\bgl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{16,}/],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{30,}/],
  ['an API key', /\bsk[-_](?:live[-_]|ant-|proj-)?[A-Za-z0-9_-]{20,}/],
  ['a JSON Web Token', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['credentials in an address', /\bhttps?:\/\/[^\s/@:{}]+:[^\s/@{}]+@/],
];

const MAX_DEPTH = 60;

/** Places in a document where something looks like a secret, each with what it looks like. */
export const secretsIn = (value: unknown, path: readonly string[] = []): { path: string[]; what: string }[] => {
  if (path.length > MAX_DEPTH) return [];
  if (typeof value === 'string') {
    const what = SECRETS.find(([, pattern]) => pattern.test(value))?.[0];
    return what === undefined ? [] : [{ path: [...path], what }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => secretsIn(part, [...path, key]));
};

/** Hosts that a connector of somebody else may not name, because an admin could not tell what they approve. */
export const unclearHosts = (hosts: readonly string[]): string[] => hosts.filter((host) => !LITERAL_HOST.test(host));

/** All that a connector may talk to, sorted. */
export const hostsOf = ({ connectors }: Plugin): string[] =>
  [...new Set(connectors.flatMap(({ permissions }) => permissions.egress))].toSorted();

/** Whether two lists hold the same hosts. */
export const isSameHosts = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...new Set(one)].toSorted()) === JSON.stringify([...new Set(other)].toSorted());
