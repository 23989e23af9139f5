import { ConnectorError } from '../errors.ts';

/**
 * Names of branches and files in addresses of a provider. What comes from outside is judged before it becomes part of a path: `..`
 * would lead to another part of the service.
 */

const CONTROL = /\p{Cc}/u;

/** A branch as a path of an address, each part encoded: `feature/a%20b`. @throws ConnectorError config, where git has no such names */
export function branchPath(branch: string): string {
  const isName =
    branch !== '' &&
    branch !== '@' &&
    !/\.\.|@\{|\/\/|[\s~^:?*[\\]|\.$|^\/|\/$|^-/.test(branch) &&
    !CONTROL.test(branch) &&
    branch.isWellFormed() &&
    branch.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
  if (isName) return encodedParts(branch);
  throw new ConnectorError('config', `"${shown(branch)}" is no name of a branch.`, {
    help: 'Names of branches hold no blanks, no "..", and none of ~ ^ : ? * [ \\.',
  });
}

/** A file as a path of an address, each part encoded: `docs/a%20b.md`. @throws ConnectorError config, where it is no path inside a repository */
export function filePath(path: string): string {
  const parts = path.split('/');
  const isPath =
    path.isWellFormed() &&
    !path.includes('\0') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    parts.every((part) => part.toLowerCase() !== '.git');
  if (isPath) return encodedParts(path);
  throw new ConnectorError('config', `"${shown(path)}" is no path of a file in a repository.`, {
    help: 'A path begins at the root of the repository, without a slash, and holds no "." or "..".',
  });
}

function encodedParts(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

function shown(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 200);
}
