/** A string or template of a source file. Values put into a template stand as ` ? `. */
export interface Literal {
  text: string;
  /** The code right before it, at most 40 characters. */
  before: string;
}

/** After one of these a slash begins a regular expression, not a division. */
const BEFORE_PATTERN = /(?:[(,=:[!&|?{};+>]|\breturn)\s*$/;

/** Reads literals from left to right; what stands inside a template's `${}` is read as code of its own. */
class Reader {
  readonly found: Literal[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads code up to the end, or up to the brace that closes a template's value. */
  readCode(): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (this.#skip('//', '\n') || this.#skip('/*', '*/')) continue;
      if (character === "'" || character === '"') this.#readString(character);
      else if (character === '`') this.#readTemplate();
      else if (character === '/' && BEFORE_PATTERN.test(this.#before())) this.#skipPattern();
      else {
        if (character === '{') depth += 1;
        if (character === '}') depth -= 1;
        this.#at += 1;
        if (depth < 0) return;
      }
    }
  }

  #before(): string {
    return this.#source.slice(Math.max(0, this.#at - 40), this.#at);
  }

  #skip(start: string, end: string): boolean {
    if (!this.#source.startsWith(start, this.#at)) return false;
    const stop = this.#source.indexOf(end, this.#at + start.length);
    this.#at = stop < 0 ? this.#source.length : stop + end.length;
    return true;
  }

  #readString(quote: string): void {
    const before = this.#before();
    let text = '';
    this.#at += 1;
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== quote) {
      if (this.#source.charAt(this.#at) === '\\') this.#at += 1;
      text += this.#source.charAt(this.#at);
      this.#at += 1;
    }
    this.#at += 1;
    this.found.push({ text, before });
  }

  #readTemplate(): void {
    const literal = { text: '', before: this.#before() };
    this.found.push(literal);
    this.#at += 1;
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== '`') {
      if (this.#source.startsWith('${', this.#at)) {
        this.#at += 2;
        this.readCode();
        literal.text += ' ? ';
        continue;
      }
      if (this.#source.charAt(this.#at) === '\\') this.#at += 1;
      literal.text += this.#source.charAt(this.#at);
      this.#at += 1;
    }
    this.#at += 1;
  }

  #skipPattern(): void {
    let isClass = false;
    this.#at += 1;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      this.#at += character === '\\' ? 2 : 1;
      if (character === '[') isClass = true;
      if (character === ']') isClass = false;
      if (character === '\n' || (character === '/' && !isClass)) return;
    }
  }
}

/** Every string and template of a source file, without its comments. */
export const literalsOf = (source: string): Literal[] => {
  const reader = new Reader(source);
  reader.readCode();
  return reader.found;
};
