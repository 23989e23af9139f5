import { comparePython, pythonRelease } from '../../../../platform/model/versions/qualified-versions.ts';
import type { Upgrade } from './manifest.ts';

/** Names of Python packages are the same without regard to case and to `-`, `_`, `.` between words. Source: PEP 503. */
export const pythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** A requirement of PEP 508 in its parts; offsets are of the text that was read. */
export interface PythonRequirement {
  readonly name: string;
  /** Version specifiers, without the brackets that may stand around them; '' where any version will do. */
  readonly specifiers: string;
  readonly start: number;
  readonly end: number;
  /** The package comes from an address. */
  readonly isAddress: boolean;
}

const REQUIREMENT = /^(\s*)([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(\s*(?:\[[^\]]*\])?\s*)(@|\([^)]*\)|[^;#@\\]*)/;

/** Reads the beginning of a requirement; undefined where it is none (options, addresses, paths). */
export const readRequirement = (text: string): PythonRequirement | undefined => {
  const match = REQUIREMENT.exec(text);
  if (match === null) return undefined;
  const [, space = '', name = '', extras = '', rest = ''] = match;
  // options of a line follow its specifiers: `--hash=…`
  const written = rest.split(/\s--|\s-[a-z]\b/i)[0] ?? '';
  const isBracketed = written.startsWith('(');
  const specifiers = isBracketed ? written.slice(1, -1) : written.trimEnd();
  if (rest !== '@' && specifiers !== '' && !/^\s*(?:[<>=!~]=?=?)/.test(specifiers)) return undefined;
  const start = space.length + name.length + extras.length + (isBracketed ? 1 : 0);
  return {
    name,
    specifiers: rest === '@' ? '' : specifiers,
    start,
    end: start + (rest === '@' ? 0 : specifiers.length),
    isAddress: rest === '@',
  };
};

interface Specifier {
  readonly operator: string;
  readonly version: string;
  readonly text: string;
}

const specifiersOf = (text: string): Specifier[] | undefined => {
  const parts = text.split(',').map((part) => /^\s*(===|==|~=|!=|<=|>=|<|>)\s*(\S+)\s*$/.exec(part));
  if (parts.some((part) => part === null)) return undefined;
  return parts.flatMap((part) =>
    part === null ? [] : [{ operator: part[1] ?? '', version: part[2] ?? '', text: part[0] }],
  );
};

const isMet = ({ operator, version }: Specifier, to: string): boolean => {
  const difference = comparePython(to, version);
  const prefix = version.replace(/\.\*$/, '');
  if (version.endsWith('.*')) return `${to}.`.startsWith(`${prefix}.`) === (operator === '==');
  if (operator === '~=') {
    const release = pythonRelease(version)?.slice(0, -1) ?? [];
    const own = pythonRelease(to) ?? [];
    return difference >= 0 && release.every((part, index) => part === (own[index] ?? 0));
  }
  if (operator === '==' || operator === '===') return difference === 0;
  if (operator === '!=') return difference !== 0;
  if (operator === '<=') return difference <= 0;
  if (operator === '<') return difference < 0;
  return operator === '>' ? difference > 0 : difference >= 0;
};

/** Whether specifiers admit a version; those that cannot be read admit none. */
export const isAdmitted = (written: string, version: string): boolean =>
  written.trim() === '' || specifiersOf(written)?.every((specifier) => isMet(specifier, version)) === true;

/**
 * The specifiers with the fixed version as their lower end: `==1.0` → `==1.2`, `>=1.0,<3` → `>=1.2,<3`. Where they do not admit the fixed
 * version, `>=` it. The same text where nothing below the version is admitted.
 */
export const raisedSpecifiers = (written: string, { to }: Upgrade): string => {
  const specifiers = written.trim() === '' ? [] : specifiersOf(written);
  if (specifiers === undefined) return `>=${to}`;
  const [only] = specifiers;
  if (specifiers.length === 1 && only !== undefined && /^={2,3}$/.test(only.operator)) {
    const isNewer = pythonRelease(only.version) !== undefined && comparePython(only.version, to) >= 0;
    return isNewer ? written : `${only.operator}${/^\s*={2,3}(\s*)/.exec(written)?.[1] ?? ''}${to}`;
  }
  const lower = specifiers.find(({ operator }) => operator === '>=' || operator === '~=' || operator === '>');
  if (lower !== undefined && comparePython(lower.version, to) >= 0) return written;
  if (!specifiers.every((specifier) => isMet(specifier, to) || specifier === lower)) return `>=${to}`;
  if (lower === undefined) return [`>=${to}`, ...specifiers.map(({ text }) => text.trim())].join(',');
  const isCompatible = lower.operator === '~=' && isMet(lower, to);
  // `~=2.1` keeps the number of its parts, which say how far it reaches
  const parts = pythonRelease(lower.version)?.length ?? 0;
  const release = pythonRelease(to) ?? [];
  const raised = isCompatible && release.length === parts ? `~=${to}` : undefined;
  if (lower.operator === '~=' && raised === undefined) return isCompatible ? `${written.trim()},>=${to}` : `>=${to}`;
  return written.replace(lower.text.trim(), raised ?? `>=${to}`);
};
