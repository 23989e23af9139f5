import type { FindingType } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';
import { sayLabel } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { ReferenceData } from './reference.ts';
import { hardestClassOf } from './weakness-classes.ts';

/** What advice and policy of a finding rest on where its tool gives none. */
export interface AdviceFacts {
  type: FindingType;
  cwe: readonly number[];
  component: string | null;
  componentVersion: string | null;
  fixedVersion: string | null;
  /** Set where the finding speaks of a published flaw of a package. */
  isVulnerableComponent: boolean;
  /** OWASP Top 10 category of 2025, `A05:2025`. */
  owasp2025: string | null;
  /** OWASP CI/CD risks, `CICD-SEC-4`. */
  owaspCicd: readonly string[];
}

const BY_TYPE: Readonly<Record<FindingType, string>> = {
  SAST: msg('Look where the value comes from and where it goes, and check or encode it in between.'),
  DAST: msg('Repeat the request of the report, find the code or setting that answers it, and correct it there.'),
  SCA: msg('Update the package, or replace it.'),
  Container: msg('Correct the instruction of the image file that the rule names, and rebuild the image.'),
  IaC: msg('Set the attribute that the rule names in the template, and apply it; a change by hand would be undone.'),
  Cloud: msg('Correct the setting of the resource, best in the template that creates it.'),
  Secrets: msg(
    'Revoke the secret and issue a new one first: it must count as known. Then keep it in a secret store, and remove it from the code and from the history.',
  ),
  'CI/CD': msg('Correct the pipeline file or the setting that the rule names, with the fewest rights that still work.'),
  License: msg(
    'Have the licence judged for the way in which the product is shipped; replace the component where it does not fit.',
  ),
  'Supply chain': msg('Pin the dependency to a version and a digest from a registry that you trust.'),
  SBOM: msg('Update or replace the component.'),
  Malware: msg(
    'Isolate what carries it, find out how it came in and what it reached, and rebuild from a source known to be clean.',
  ),
  Configuration: msg('Set the option that the rule names.'),
};

const upgradeAdvice = ({ component, componentVersion, fixedVersion }: AdviceFacts): string => {
  const name = component ?? 'the package';
  const [from, to] = [componentVersion ?? '', fixedVersion ?? ''];
  if (to === '')
    return sayEnglish(
      'No fixed version of {name} is known: replace it, switch off what is affected, or accept the risk until one is published.',
      { name },
    );
  return from === ''
    ? sayEnglish('Update {name} to {to}, and run the tests.', { name, to })
    : sayEnglish('Update {name} from {from} to {to}, and run the tests.', { name, from, to });
};

const adviceOf = (facts: AdviceFacts, reference: Pick<ReferenceData, 'cwe'>): string => {
  if (facts.isVulnerableComponent) return upgradeAdvice(facts);
  const isCode = facts.type === 'SAST' || facts.type === 'DAST';
  const found = isCode ? hardestClassOf(facts.cwe, reference) : undefined;
  return found === undefined
    ? BY_TYPE[facts.type]
    : sayEnglish('General advice against {weakness}: {advice}', {
        weakness: sayLabel(found.name),
        advice: sayLabel(found.advice),
      });
};

/** What to do, where the tool does not say. Text that calls itself an estimate. Pure. */
export const estimatedMitigation = (facts: AdviceFacts, reference: Pick<ReferenceData, 'cwe'>): string =>
  sayEnglish('Estimate, the tool gives no advice. {advice}', { advice: adviceOf(facts, reference) });

/** The catalogue, category and control that a finding falls under. */
export interface Policy {
  name: string | null;
  category: string | null;
  control: string | null;
}

/** The policy where the tool names none: OWASP CI/CD for what threatens the pipeline alone, else OWASP Top 10 of 2025. Pure. */
export const estimatedPolicy = (
  { owasp2025, owaspCicd }: Pick<AdviceFacts, 'owasp2025' | 'owaspCicd'>,
  reference: Pick<ReferenceData, 'owaspTitle' | 'supplyChainTitle'>,
): Policy | undefined => {
  if (owasp2025 !== null) {
    return { name: 'OWASP Top 10 2025', category: reference.owaspTitle(owasp2025) ?? null, control: owasp2025 };
  }
  const [risk] = owaspCicd;
  if (risk === undefined) return undefined;
  return { name: 'OWASP CI/CD Top 10', category: reference.supplyChainTitle(risk) ?? null, control: risk };
};

const LANGUAGE_OF_ECOSYSTEM: Readonly<Record<string, string>> = {
  npm: 'javascript',
  pypi: 'python',
  maven: 'java',
  golang: 'go',
  gem: 'ruby',
  composer: 'php',
  nuget: 'csharp',
  cargo: 'rust',
  pub: 'dart',
  hex: 'elixir',
  swift: 'swift',
  cocoapods: 'swift',
  conan: 'c++',
};

/** Language in which packages of an ecosystem are written; '' where it does not tell. */
export const languageOfEcosystem = (ecosystem: string | undefined): string =>
  LANGUAGE_OF_ECOSYSTEM[ecosystem?.toLowerCase() ?? ''] ?? '';
