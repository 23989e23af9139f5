/** A text in quotes, which may go over several lines: a line end is a space, an empty line is a line end. */
export class QuotedText {
  private readonly quote: string;
  private readonly parts: string[] = [];
  private breaks = 0;
  /** True when the last line ended in a backslash: its end is no part of the text. */
  private isJoined = true;
  isClosed = false;

  /** `start`: the first line, from the quote on. */
  constructor(start: string) {
    this.quote = start.charAt(0);
    this.part(start.slice(1));
  }

  /** The next line. */
  add(line: string): void {
    const text = line.trimStart();
    if (text.trim() === '') this.breaks += 1;
    else {
      if (!this.isJoined) this.parts.push(this.breaks === 0 ? ' ' : '\n'.repeat(this.breaks));
      this.breaks = 0;
      this.part(text);
    }
  }

  get value(): string {
    return this.parts.join('');
  }

  private part(text: string): void {
    const end = this.quote === '"' ? endOfDouble(text) : endOfSingle(text);
    this.isClosed = end >= 0;
    const inside = this.isClosed ? text.slice(0, end) : text.trimEnd();
    this.isJoined = !this.isClosed && this.quote === '"' && /(?:^|[^\\])(?:\\\\)*\\$/.test(inside);
    const said = this.isJoined ? inside.slice(0, -1) : inside;
    this.parts.push(this.quote === '"' ? unescaped(said) : said.replaceAll("''", "'"));
  }
}

function endOfSingle(text: string): number {
  for (let at = text.indexOf("'"); at >= 0; at = text.indexOf("'", at + 2)) {
    if (text.charAt(at + 1) !== "'") return at;
  }
  return -1;
}

function endOfDouble(text: string): number {
  for (let at = 0; at < text.length; at += text.charAt(at) === '\\' ? 2 : 1) {
    if (text.charAt(at) === '"') return at;
  }
  return -1;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs, (_, x, u, U, letter) => {
    if (typeof letter === 'string') return ESCAPES.get(letter) ?? letter;
    const code = Number.parseInt(String(x ?? u ?? U), 16);
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}

/** A text without quotes, by its lines: also a number, a truth value or nothing. */
export function plainValue(lines: readonly string[]): unknown {
  const text = folded(lines).trim();
  if (text === '' || text === '~' || text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '[]') return [];
  if (text === '{}') return {};
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function folded(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  for (const line of lines) {
    if (line === '') breaks += 1;
    else {
      if (text !== '') text += breaks === 0 ? ' ' : '\n'.repeat(breaks);
      text += line;
      breaks = 0;
    }
  }
  return text;
}

/** A text of its own lines: `|` keeps line ends, `>` makes them spaces; `-` drops the last one. */
export function blockText(header: string, lines: readonly string[], parent: number): string {
  const given = /\d/.exec(header)?.[0];
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = given === undefined ? first.length - first.trimStart().length : parent + Number(given);
  const inside = lines.map((line) => line.slice(indent));
  const text = (header.startsWith('>') ? folded(inside) : inside.join('\n')).replace(/\n+$/, '');
  return header.includes('-') || text === '' ? text : `${text}\n`;
}
