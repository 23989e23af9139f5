import type { EgressRefusal } from '@breakwater/sdk/host';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';

/** Why a scan has failed, for the person who asked for it. */
export class ScanError extends Error {
  readonly code: ScanErrorCode;

  constructor(code: ScanErrorCode, message: string) {
    super(message);
    this.name = 'ScanError';
    this.code = code;
  }
}

/** `scan_requests.code`. */
export type ScanErrorCode =
  | 'clone_failed'
  | 'clone_refused'
  | 'clone_too_large'
  | 'clone_timeout'
  | 'cloud_missing'
  | 'scanner_missing'
  | 'scanner_failed'
  | 'interrupted'
  | 'internal';

/** A text of somebody else's program in one line: without control characters, and no longer than a person reads. */
export const plainLine = (text: string, most = 300): string => {
  const line = visibleText(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')).trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
};

const REFUSALS: Readonly<Record<EgressRefusal, [ScanErrorCode, string]>> = {
  address: [
    'clone_refused',
    msg(
      'Its host leads to an address in a private network, which is not called. The operator of Breakwater may allow it: BREAKWATER_ALLOW_PRIVATE_HOSTS=true, or the host in <CONNECTOR>_BASE_URL, such as GIT_BASE_URL.',
    ),
  ],
  host: [
    'clone_refused',
    msg('Its server sent git on to another host, which is not followed. Give the address at which it lies.'),
  ],
  bytes: [
    'clone_too_large',
    msg('Its server sent more than a scan may download. Scan it in your pipeline and upload the reports.'),
  ],
};

/** Answers of git by what they mean. Source: git 2.39 to 2.51, remote-curl.c, fetch.c. */
const ANSWERS: readonly [RegExp, ScanErrorCode, string][] = [
  [
    /could not read (?:Username|Password)|Authentication failed|HTTP (?:Basic: )?Access denied|returned error: 40[13]/i,
    'clone_refused',
    msg(
      'Its server asks for credentials that are missing or refused. Connect its source control, or check the token there.',
    ),
  ],
  [
    /couldn't find remote ref/i,
    'clone_failed',
    msg('It has no branch of that name. Set the branch of the repository and scan again.'),
  ],
  [
    /fatal: repository '|not found: did you run|returned error: 404/i,
    'clone_failed',
    msg('There is no repository at its address, or it is private: connect its source control.'),
  ],
  [/SSL|certificate/i, 'clone_failed', msg('The certificate of its server was not accepted.')],
  [
    /Could not resolve|SOCKS5|Failed to connect|Connection (?:refused|timed out|reset)|Empty reply/i,
    'clone_failed',
    msg('Its server could not be reached.'),
  ],
  [/No space left on device/i, 'clone_failed', msg('The disk of this server is full.')],
  [
    /object-format|unsupported object format/i,
    'clone_failed',
    msg('It is stored with SHA-256, which is not cloned yet.'),
  ],
];

/** What became of a clone, in words; the answer of git is shown where nothing better is known. */
export const cloneError = (stderr: string, refusal: EgressRefusal | null): ScanError => {
  const refused = refusal === null ? undefined : REFUSALS[refusal];
  if (refused !== undefined)
    return new ScanError(refused[0], sayEnglish('The repository was not cloned. {reason}', { reason: refused[1] }));
  const known = ANSWERS.find(([pattern]) => pattern.test(stderr));
  if (known !== undefined)
    return new ScanError(known[1], sayEnglish('The repository was not cloned. {reason}', { reason: known[2] }));
  const lines = stderr.split('\n').filter((line) => /^(?:fatal|error):/.test(line));
  const said = plainLine(lines[0] ?? stderr);
  return new ScanError(
    'clone_failed',
    sayEnglish('The repository was not cloned.{details}', { details: said === '' ? '' : ` git: ${said}` }),
  );
};
