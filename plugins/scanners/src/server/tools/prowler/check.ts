import type { NormalizedFinding } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { defined, label, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';

/** One checked resource, in whichever layout it was written. Values are as the report has them. */
export interface Check {
  id: unknown;
  title: unknown;
  status: unknown;
  isMuted?: boolean;
  severity: unknown;
  /** What was found at this resource. */
  message: unknown;
  description?: unknown;
  risk?: unknown;
  remedy?: unknown;
  command?: unknown;
  links: readonly unknown[];
  resource?: unknown;
  account: unknown;
  region: unknown;
  service: unknown;
  provider?: unknown;
  date: unknown;
  /** The tool's own id of check and resource; version 2 has none. */
  fingerprint?: unknown;
  /** Frameworks with their controls: `CIS-3.0` and `1.20`. */
  compliance?: readonly (readonly [framework: string, control: string | undefined])[];
}

const FAILED = /^(?:fail(?:ed|ure)?|warn(?:ing)?)$/i;

/** Undefined for checks that passed, need a person, or were muted. */
export function checkFinding(check: Check): NormalizedFinding | undefined {
  if (check.isMuted === true || !FAILED.test(label(check.status) ?? '')) return undefined;
  const ruleId = label(check.id) ?? 'unnamed check';
  const nativeSeverity = label(check.severity);
  const message = text(check.message);
  const account = label(check.account);
  const region = label(check.region);
  const tags = [label(check.provider), label(check.service), region, account].filter((tag) => tag !== undefined);
  const command = text(check.command);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(check.title) ?? message ?? ruleId),
    type: 'Cloud' as const,
    severity: severityFromWord(nativeSeverity) ?? 'medium',
    nativeSeverity,
    description: paragraphs(message, text(check.description), text(check.risk)),
    mitigation: paragraphs(text(check.remedy), command === undefined ? undefined : `\`\`\`\n${command}\n\`\`\``),
    references: webAddresses(...check.links),
    resource: label(check.resource) ?? placeOf(account, region),
    policy: policyOf(check, ruleId),
    fingerprint: label(check.fingerprint) ?? ownFingerprint(account, region, message),
    date: isoDate(check.date) ?? epochDate(check.date),
    tags: tags.length === 0 ? undefined : [...new Set(tags)],
  });
}

function placeOf(account: string | undefined, region: string | undefined): string | undefined {
  const parts = [account, region].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('/');
}

/** Version 2 names the resource in its message only. */
function ownFingerprint(account: string | undefined, region: string | undefined, message: string | undefined) {
  return message === undefined ? undefined : oneLine([account, region, message].filter(Boolean).join(' '));
}

function policyOf({ compliance, service }: Check, ruleId: string): NormalizedFinding['policy'] {
  const [framework, control] = compliance?.[0] ?? [];
  return defined({ name: label(framework), category: label(service), control: label(control) ?? ruleId });
}

/** Seconds since 1970. */
function epochDate(value: unknown): string | undefined {
  const isSeconds = typeof value === 'number' && value > 86_400 && value < 100_000_000_000;
  return isSeconds ? new Date(Math.trunc(value * 1000)).toISOString() : undefined;
}
