/** A licence expression as a tree. Source: SPDX 2.3 annex D, 2026-11-21. */
export type LicenseExpression =
  | {
      kind: 'license';
      /** As written, without the `+`: an SPDX id, `LicenseRef-…` or `DocumentRef-…:LicenseRef-…`. */
      id: string;
      /** `+`: this version or any later one. */
      isOrLater: boolean;
      exception?: string;
    }
  | { kind: 'and' | 'or'; parts: readonly [LicenseExpression, ...LicenseExpression[]] };

/** A licence text of somebody's report: what is longer or deeper is no expression a person wrote. */
const MAX_LENGTH = 10_000;
const MAX_DEPTH = 50;

const TOKEN = /[()]|[^\s()]+/g;
const ID = /^(?:DocumentRef-[\w.-]+:)?[A-Za-z0-9][\w.-]*\+?$/;

/** Ends the reading of a text that is no expression; never leaves this file. */
class NoExpression extends Error {}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** AND binds tighter than OR. */
  any(depth: number): LicenseExpression {
    return this.#chain('or', () => this.#chain('and', () => this.#simple(depth)));
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new NoExpression();
  }

  /** Words are accepted in any case, as SPDX 3 does; report writers use all. */
  #takes(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #chain(kind: 'and' | 'or', part: () => LicenseExpression): LicenseExpression {
    const first = part();
    const rest: LicenseExpression[] = [];
    while (this.#takes(kind)) rest.push(part());
    return rest.length === 0 ? first : { kind, parts: [first, ...rest] };
  }

  #simple(depth: number): LicenseExpression {
    if (this.#takes('(')) {
      if (depth >= MAX_DEPTH) throw new NoExpression();
      const inner = this.any(depth + 1);
      if (!this.#takes(')')) throw new NoExpression();
      return inner;
    }
    const written = this.#id();
    const isOrLater = written.endsWith('+');
    const id = isOrLater ? written.slice(0, -1) : written;
    if (!this.#takes('with')) return { kind: 'license', id, isOrLater };
    return { kind: 'license', id, isOrLater, exception: this.#id() };
  }

  #id(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || !ID.test(token) || /^(?:and|or|with)$/i.test(token)) throw new NoExpression();
    this.#at += 1;
    return token;
  }
}

/**
 * Reads an SPDX expression: one id, or ids with AND, OR, WITH, `+` and parentheses. Ids are not looked up.
 * @returns undefined for any other text, for more than 10,000 characters, and for parentheses deeper than 50.
 */
export const parseLicenseExpression = (text: string): LicenseExpression | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const reader = new Reader(text.match(TOKEN) ?? []);
  try {
    const expression = reader.any(0);
    reader.end();
    return expression;
  } catch (error) {
    if (error instanceof NoExpression) return undefined;
    throw error;
  }
};

/** The expression as text, with the parentheses it needs. */
export const formatLicenseExpression = (expression: LicenseExpression): string => {
  if (expression.kind === 'license') {
    const id = `${expression.id}${expression.isOrLater ? '+' : ''}`;
    return expression.exception === undefined ? id : `${id} WITH ${expression.exception}`;
  }
  const parts = expression.parts.map((part) =>
    part.kind === 'license' ? formatLicenseExpression(part) : `(${formatLicenseExpression(part)})`,
  );
  return parts.join(expression.kind === 'and' ? ' AND ' : ' OR ');
};
