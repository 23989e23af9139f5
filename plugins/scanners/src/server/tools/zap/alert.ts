import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { addressPlace, originOf } from '../../lib/findings/addresses.ts';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** An alert in the words of the JSON report. Source: ZAP's report add-on, templates traditional-json and traditional-xml. */
const Alert = Type.Union([
  Type.Object({ pluginid: Text, name: Text }),
  Type.Object({ pluginid: Text, alert: Text }),
  Type.Object({ alertRef: Text, name: Text }),
]);
export type Alert = Static<typeof Alert>;
export const alertCheck = recordCheck(Alert);

const SEVERITIES: readonly Severity[] = ['informational', 'low', 'medium', 'high'];

/** One finding for each address at which the alert was raised, each with its own parameter and evidence. */
export function* alertFindings(record: Alert, site: string | undefined): Generator<NormalizedFinding> {
  const alert = fields(record);
  const common = commonOf(alert);
  const instances = list(alert.instances).map(fields);
  for (const instance of instances.length > 0 ? instances : [alert]) yield instanceFinding(common, instance, site);
}

type Common = Omit<NormalizedFinding, 'description'> & {
  parts: readonly (string | undefined)[];
  isNamedApart: boolean;
};

/** What all instances of an alert have in common. */
function commonOf(alert: Record<string, unknown>): Common {
  const risk = number(alert.riskcode);
  const confidence = number(alert.confidence);
  const ruleId = label(alert.alertRef) ?? label(alert.pluginid) ?? 'unnamed alert';
  const common: Common = defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(alert.name) ?? text(alert.alert) ?? ruleId),
    type: 'DAST' as const,
    severity: SEVERITIES[risk ?? 0] ?? 'informational',
    nativeSeverity: label(alert.riskdesc)?.split(' (', 1)[0] ?? label(alert.riskcode),
    mitigation: plain(alert.solution),
    cwe: cweNumbers(label(alert.cweid)),
    references: referencesOf(alert.reference),
    policy: wascOf(alert.wascid),
    // Confidence 0 is what a person sets in ZAP; before version 2.3 it was the risk -1.
    suppressed:
      confidence === 0 || risk === -1
        ? { verdict: 'false_positive' as const, reason: 'Marked as a false positive in ZAP.' }
        : undefined,
    parts: [plain(alert.desc), plain(alert.otherinfo)],
    isNamedApart: label(alert.alertRef) === undefined,
  });
  return common;
}

function instanceFinding(
  { parts, isNamedApart, ...common }: Common,
  instance: Record<string, unknown>,
  site: string | undefined,
): NormalizedFinding {
  const parameter = label(instance.param);
  const attack = text(instance.attack, LIMITS.snippetChars);
  const address = label(instance.uri) ?? site;
  const place = addressPlace(address, attack === undefined ? undefined : parameter);
  const method = label(instance.method);
  const evidence = text(instance.evidence, LIMITS.snippetChars);
  return defined({
    ...common,
    description: paragraphs(
      ...parts,
      said('Parameter', parameter),
      said('Attack', attack),
      said('Evidence', evidence === undefined ? undefined : maskTokens(evidence)),
      plain(instance.otherinfo),
    ),
    locations: place === undefined ? undefined : [{ path: place }],
    http: exchangeOf(instance),
    resource: originOf(address) ?? originOf(site) ?? site,
    // Without a reference of its own, alerts of one rule are told apart by their names.
    fingerprint: oneLine(
      [common.ruleId, isNamedApart ? common.title : '', method ?? '', place ?? '', parameter ?? ''].join(' '),
    ),
  });
}

/** Templates of the name "-plus" bring request and response. */
function exchangeOf(instance: Record<string, unknown>): NormalizedFinding['http'] {
  const message = (side: string) => paragraphs(text(instance[`${side}-header`]), text(instance[`${side}-body`]));
  const exchange = defined({ request: message('request'), response: message('response') });
  return exchange.request === undefined && exchange.response === undefined ? undefined : exchange;
}

const said = (name: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `${name}: ${value}`;

function plain(value: unknown): string | undefined {
  const html = text(value);
  return html === undefined ? undefined : plainText(html) || undefined;
}

/** Paragraphs of addresses; in some versions one after the other with nothing between them. */
function referencesOf(value: unknown): string[] | undefined {
  const words = (plain(value) ?? '').split(/\s+/, LIMITS.references).map((word) => clean(word, LIMITS.pathChars));
  return webAddresses(words.flatMap((word) => word.split(/(?=https?:\/\/)/)));
}

/** Threat of the Web Application Security Consortium. */
function wascOf(value: unknown): NormalizedFinding['policy'] {
  const id = number(value);
  return id === undefined || id < 1 ? undefined : { name: 'WASC', control: `WASC-${id}` };
}
