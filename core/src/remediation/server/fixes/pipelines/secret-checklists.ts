// no text in this file: a checklist is an issue, read by everybody who works in the repository, in English
import { msg } from '../../../../platform/model/message.ts';
import type { FixFinding, FixRequest, IssueFix } from '../../../model/fix.ts';

/** A kind of secret: how it is recognised by the rule's id or title, and how it is made worthless. */
interface SecretKind {
  readonly name: string;
  readonly label: string;
  readonly matches: RegExp;
  readonly revoke: readonly string[];
}

/** Source: the pages of the services on rotating keys, November 2026. The first that matches counts. */
const KINDS: readonly SecretKind[] = [
  {
    name: 'private-key',
    label: msg('private key'),
    matches: /private[-_ ]?key|\brsa\b|\bpgp\b|ssh[-_ ]?key/i,
    revoke: [
      'Find out what trusts the key: servers, certificates, signatures, tokens that it signs.',
      'Make a new pair of keys where it is used, so that the private one never leaves that place.',
      'Replace the public key or certificate wherever it is trusted, and revoke the certificate at its authority.',
    ],
  },
  {
    name: 'jwt',
    label: msg('JSON Web Token or its signing key'),
    matches: /jwt|json[-_ ]?web|hmac/i,
    revoke: [
      'Find out whether it is a token or the key that signs tokens, and whether it is valid outside of tests.',
      'Of a token: end its session, or wait for its expiry if that is near. Of a key: put a new one in place, which ends every session.',
    ],
  },
  {
    name: 'aws',
    label: msg('AWS access key'),
    matches: /\baws|amazon|AKIA/i,
    revoke: [
      'Make a second access key for the same user, put it into use, and set the leaked one to inactive; delete it when nothing fails.',
      'Look in CloudTrail for what was done with the leaked key; where it could do much, attach a policy that denies all at once.',
      'Use roles in place of long-lived keys wherever the workload runs in AWS.',
    ],
  },
  {
    name: 'google',
    label: msg('Google Cloud key'),
    matches: /\bgcp|google/i,
    revoke: [
      'Make a new key for the service account or API, put it into use, and delete the leaked one.',
      'Restrict API keys to addresses and APIs.',
      'Look in the audit log for what was done with it.',
    ],
  },
  {
    name: 'azure',
    label: msg('Azure credential'),
    matches: /azure|entra/i,
    revoke: [
      'Put the second key of the resource into use, then regenerate the leaked one.',
      'Of an application: add a new secret and remove the leaked one.',
      'Look in the sign-in log for what was done with it.',
    ],
  },
  {
    name: 'source-control',
    label: msg('token of source control'),
    matches: /github|gitlab|gitea|bitbucket|\bgh[pousr]_/i,
    revoke: [
      'Revoke the token in the settings of its owner.',
      'Make a new one with the fewest scopes and an expiry, best as an app or for one repository.',
      'Look in the audit log for clones, pushes and new keys.',
    ],
  },
  {
    name: 'chat',
    label: msg('token or webhook of a chat'),
    matches: /slack|discord|telegram|teams/i,
    revoke: [
      'Revoke the token, or delete the webhook and make a new one.',
      'Look for messages and files that were read or sent with it.',
    ],
  },
  {
    name: 'payment',
    label: msg('key of a payment service'),
    matches: /stripe|paypal|square|braintree/i,
    revoke: [
      'Roll the key in the dashboard of the service; let the old one expire at once.',
      'Look in the log of requests for payments, refunds and exports.',
    ],
  },
  {
    name: 'registry',
    label: msg('token of a package registry'),
    matches: /npm|pypi|docker|rubygems|nuget/i,
    revoke: [
      'Revoke the token at the registry.',
      'See that no version was published that is not yours.',
      'Publish by trusted publishing (OIDC) in place of a token.',
    ],
  },
  {
    name: 'password',
    label: msg('password or database connection'),
    matches: /password|passwd|database|postgres|mysql|mongo|connection[-_ ]?string|basic[-_ ]?auth/i,
    revoke: [
      'Change the password, and those of other accounts that share it.',
      'Close the open sessions of the account.',
      'Look in the log for sign-ins from elsewhere.',
    ],
  },
];

const OTHER: SecretKind = {
  name: 'other',
  label: msg('secret'),
  matches: /^/,
  revoke: [
    'Find out which service it belongs to, revoke it there and make a new one with the fewest rights.',
    'Look in the log of the service for what was done with it.',
  ],
};

const kindOf = ({ ruleId, title }: FixFinding): SecretKind =>
  KINDS.find(({ matches }) => matches.test(ruleId)) ?? KINDS.find(({ matches }) => matches.test(title)) ?? OTHER;

/** Rules of code scanners that speak of a secret in the code. */
const CODE_RULES = /detected-|hardcoded-|hard-coded|generic-secret|secrets?\./i;

export const isSecret = ({ type, ruleId }: FixFinding): boolean =>
  type === 'Secrets' || (type === 'SAST' && CODE_RULES.test(ruleId) && /secret|token|key|password|jwt/i.test(ruleId));

/** What kind of secret a finding is about; undefined where it is about none. */
export const secretKindOf = (finding: FixFinding): Pick<SecretKind, 'name' | 'label'> | undefined =>
  isSecret(finding) ? kindOf(finding) : undefined;

/** A checklist for an issue. The secret itself is never in it: the report's text is not repeated. */
export const planRotation = ({ finding, related }: FixRequest): IssueFix => {
  const kind = kindOf(finding);
  const place = `\`${(finding.file ?? 'the repository').replaceAll(/[`\r\n]/g, ' ')}\`${finding.startLine === null ? '' : `, line ${finding.startLine}`}`;
  const steps = [
    'Decide whether it is real: a value made up for tests is marked as a false positive, with the reason.',
    ...kind.revoke,
    'Read the new secret from a secret store or the environment; the code holds its name alone.',
    `Remove it from ${place}, and from the history where others could read it. What was once pushed counts as known.`,
    'Scan again, and switch on push protection so that the next one is refused.',
  ];
  const same = related.filter(
    (other) =>
      other.file === finding.file &&
      other.startLine === finding.startLine &&
      finding.startLine !== null &&
      isSecret(other),
  );
  return {
    kind: 'issue',
    title: `Rotate the ${kind.label} in ${finding.file ?? 'the repository'}`,
    description: `A ${kind.label} was found in ${place}.\n\n${steps.map((step) => `- [ ] ${step}`).join('\n')}`,
    group: { key: `secret.${kind.name}`, label: `Rotate each ${kind.label}` },
    closes: [...new Set([finding.id, ...same.map(({ id }) => id)])],
  };
};
