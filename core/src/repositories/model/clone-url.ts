import { msg } from '../../platform/model/message.ts';

/** What a clone address may begin with. `file:` names a folder of the server, helpers such as `ext::` run commands. */
const SCHEMES = ['https:', 'http:', 'ssh:', 'git:'];
/** The short form of ssh, at most 2,000 characters: `git@host:group/project.git`. Source: git-clone(1), "GIT URLS". */
const SCP = /^(?:[A-Za-z0-9._-]+@)?([A-Za-z0-9[][A-Za-z0-9.:_[\]-]*):([^:].*)$/;
/** Blanks and control characters, also those that turn the direction of text. */
const UNSAFE = /[\s\p{Cc}\p{Cf}\\]/u;

const FORMS = msg('Give a clone address such as https://host/group/project.git or git@host:group/project.git.');

const isOption = (part: string): boolean => part.startsWith('-');

const judgeUrl = (url: URL): string[] => {
  // user and password, as written before the host
  const [, user] = /^[^:]+:\/\/([^/?#]*)@/.exec(url.href) ?? [];
  if (!SCHEMES.includes(url.protocol)) return [msg('An address with this scheme cannot be cloned.'), FORMS];
  if (url.hostname === '') return [msg('It names no host.'), FORMS];
  if (user !== undefined && (url.protocol !== 'ssh:' || user.includes(':'))) {
    return [msg('It holds credentials, which are kept with the connector. Leave out what stands before the "@".')];
  }
  const parts = [url.hostname, user ?? '', ...url.pathname.split('/')];
  return parts.some(isOption) ? [msg('A part of it begins with "-", which git takes for an option.'), FORMS] : [];
};

/**
 * What is wrong with a clone address, a sentence each; none for a sound one. The empty address is sound: an application may have none.
 * Never says the address itself, which may hold a secret.
 */
export const cloneUrlIssues = (address: string): string[] => {
  if (address === '') return [];
  if (isOption(address)) return [msg('It begins with "-", which git takes for an option.'), FORMS];
  if (UNSAFE.test(address)) return [msg('It holds a blank, a backslash or a control character.'), FORMS];
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    return URL.canParse(address) ? judgeUrl(new URL(address)) : [msg('It cannot be read.'), FORMS];
  }
  const [, host = '', path = ''] = SCP.exec(address) ?? [];
  // "javascript:alert(1)" has the same form, with a scheme in place of the host
  const isHost = host !== '' && (host.includes('.') || host.startsWith('[') || address.includes('@'));
  return isHost && !isOption(path) ? [] : [msg('It is no clone address.'), FORMS];
};

/** The same as one text; undefined for a sound address. */
export const cloneUrlIssue = (address: string): string | undefined => {
  const issues = cloneUrlIssues(address);
  return issues.length === 0 ? undefined : issues.join(' ');
};
