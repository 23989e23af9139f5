import { createHash } from 'node:crypto';
import type { LicenseRules } from '../../model/license-rules.ts';
import {
  formatLicenseExpression,
  type LicenseExpression,
  parseLicenseExpression,
} from '../../model/spdx-expression.ts';

interface CyclonedxLicense {
  expression?: string;
  license?: { id?: string; name?: string };
}

/** Licences of a component in CycloneDX: one expression, or any number of ids and names. Source: CycloneDX 1.6 "licenses". */
export const cyclonedxLicenses = (licenses: readonly string[], rules: LicenseRules): CyclonedxLicense[] => {
  const [only] = licenses;
  if (licenses.length === 1 && only !== undefined) {
    const expression = parseLicenseExpression(only);
    const isPlain = expression === undefined || (expression.kind === 'license' && expression.exception === undefined);
    if (!isPlain) return [{ expression: only }];
  }
  // an expression among several has no place of its own in the format: as a name it comes back as it was
  return licenses.map((text) => {
    const id = rules.spdxId(text);
    return { license: id === undefined ? { name: text } : { id } };
  });
};

const slugOf = (text: string): string => text.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60);

/** Licences of components in SPDX: every id is of the SPDX list or a `LicenseRef-` that the document explains. */
export class SpdxLicenses {
  /** What was written for each `LicenseRef-`. Grows with the number of different texts, not of components. */
  readonly named = new Map<string, string>();
  readonly #rules: LicenseRules;

  constructor(rules: LicenseRules) {
    this.#rules = rules;
  }

  /** One expression that holds all; NOASSERTION for none. Source: SPDX 2.3 §7.15. */
  declared(licenses: readonly string[]): string {
    const [first, ...rest] = licenses.map((text) => this.#read(text));
    if (first === undefined) return 'NOASSERTION';
    return formatLicenseExpression(rest.length === 0 ? first : { kind: 'and', parts: [first, ...rest] });
  }

  /** Whether `declared` reads as the licences again: they are none, that expression, or the text that the document names for it. */
  isExplained(declared: string, [first, ...rest]: readonly string[]): boolean {
    if (first === undefined) return true;
    if (rest.length > 0 || /^(?:NOASSERTION|NONE)$/i.test(first)) return false;
    return declared === first || this.named.get(declared) === first;
  }

  #read(text: string): LicenseExpression {
    const expression = parseLicenseExpression(text);
    return expression === undefined ? this.#ref(text) : this.#known(expression);
  }

  #known(expression: LicenseExpression): LicenseExpression {
    if (expression.kind !== 'license') {
      const [first, ...rest] = expression.parts;
      return { kind: expression.kind, parts: [this.#known(first), ...rest.map((part) => this.#known(part))] };
    }
    const { id, isOrLater, exception } = expression;
    const whole = isOrLater ? this.#rules.spdxId(`${id}+`) : undefined;
    const known = whole ?? this.#rules.spdxId(id);
    const base: LicenseExpression & { kind: 'license' } =
      known === undefined
        ? this.#ref(isOrLater ? `${id}+` : id)
        : { kind: 'license', id: known, isOrLater: isOrLater && whole === undefined };
    return exception === undefined ? base : { ...base, exception };
  }

  #ref(text: string): LicenseExpression & { kind: 'license' } {
    const bare = text.replace(/^LicenseRef-/, '');
    const plain = `LicenseRef-${slugOf(bare)}`;
    // two texts must not become one
    const isTaken = (this.named.get(plain) ?? text) !== text;
    const isSame = slugOf(bare) === bare && !isTaken;
    const id = isSame ? plain : `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
    this.named.set(id, text);
    return { kind: 'license', id, isOrLater: false };
  }
}
