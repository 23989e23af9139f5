export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects what is wrong with them. An empty variable counts as absent. */
export class Reader {
  readonly issues: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  names(): string[] {
    return Object.keys(this.#environment).toSorted();
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, fallback: number, bounds: { least: number; most: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= bounds.least && value <= bounds.most) return value;
    this.issues.push(`${name} must be a whole number from ${bounds.least} to ${bounds.most}; it is "${text}".`);
    return fallback;
  }

  flag(name: string): boolean {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined || ['0', 'false', 'no', 'off'].includes(text)) return false;
    if (['1', 'true', 'yes', 'on'].includes(text)) return true;
    this.issues.push(`${name} must be true or false; it is "${text}".`);
    return false;
  }

  url(name: string, protocols: readonly string[]): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (url !== null && protocols.includes(url.protocol)) return url;
    // the value may hold a password: it is not repeated
    this.issues.push(
      `${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
    );
    return undefined;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.text(name);
    const found = allowed.find((value) => value === text);
    if (text !== undefined && found === undefined) this.issues.push(`${name} must be one of: ${allowed.join(', ')}.`);
    return found;
  }
}
