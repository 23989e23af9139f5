import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';
import { parseSync } from 'rolldown/utils';
import type { Issue } from './checks.ts';

/** A pattern of the code, and the longest text that it meets. */
interface Pattern {
  where: string;
  source: string;
  flags: string;
  maxLength: number;
}

/** Texts without a stated bound may be as long as this. */
const LONGEST = 100_000;
/** Steps of a matcher that take about 50 ms. */
const BUDGET = 10_000_000;
const SHORT = 256;
const LONG = 512;
/** Below this many steps for each character of the short text, nothing grows. */
const FEW = 12;
const CAP = 2_000_000;
const BOUND = /at most ([\d_,]{1,12}) (?:characters|bytes)/;
/** Sorts of characters that patterns tell apart, beside those that they name. */
const PROBES = ['a', '0', ' ', '\n', '_', '-', '.', '/', '"', '<', ':', '!', '\u00e9'];
const ENDS = ['\u0000', '', '\n\u0000'];
const FOLDERS = ['core/src', 'sdk/src', 'host-server/src', 'app/src', 'cli/src', 'plugins'];

type Leaf = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;
type Match = (at: number) => boolean;

class TooManySteps extends Error {}

const isLeaf = (node: AST.Element): node is Leaf =>
  ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(node.type);

/**
 * Counts the steps that a backtracking matcher takes on a text. It walks as V8 does: alternatives in order, quantifiers greedy or lazy,
 * a new start at each character unless the pattern is anchored. Counts, unlike times, are the same on every machine.
 */
export class StepCounter {
  private readonly pattern: AST.Pattern;
  private readonly flags: AST.Flags;
  private readonly start: Match;
  private readonly isAnchored: boolean;
  private readonly known = new Map<string, boolean>();
  private readonly captured = new Map<AST.CapturingGroup, string>();
  private text = '';
  private steps = 0;
  private end = 0;

  constructor(literal: AST.RegExpLiteral) {
    this.pattern = literal.pattern;
    this.flags = literal.flags;
    this.start = this.either(this.pattern.alternatives, (at) => {
      this.end = at;
      return true;
    });
    this.isAnchored =
      this.flags.sticky ||
      (!this.flags.multiline &&
        this.pattern.alternatives.every(
          ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
        ));
  }

  /** @returns `CAP` or more for a text that takes too many. */
  count(text: string): number {
    this.text = text;
    this.steps = 0;
    this.captured.clear();
    try {
      for (let at = 0; at <= text.length; at += 1) {
        this.step();
        if (this.start(at)) {
          if (!this.flags.global) break;
          at = Math.max(at, this.end - 1);
        }
        if (this.isAnchored) break;
      }
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
      return CAP;
    }
    return this.steps;
  }

  accepts(leaf: Leaf, character: string): boolean {
    const key = `${leaf.start} ${character}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const flags = `${this.flags.ignoreCase ? 'i' : ''}${this.flags.dotAll ? 's' : ''}${this.flags.unicodeSets ? 'v' : this.flags.unicode ? 'u' : ''}`;
    const isAccepted = new RegExp(`^(?:${leaf.raw})$`, flags).test(character);
    this.known.set(key, isAccepted);
    return isAccepted;
  }

  private step(): void {
    this.steps += 1;
    if (this.steps > CAP) throw new TooManySteps();
  }

  private either(alternatives: readonly AST.Alternative[], next: Match): Match {
    const ways = alternatives.map(({ elements }) =>
      elements.reduceRight<Match>((after, element) => this.one(element, after), next),
    );
    return (at) => ways.some((way) => way(at));
  }

  private one(node: AST.Element, next: Match): Match {
    if (isLeaf(node)) return (at) => this.isAt(node, at) && next(at + 1);
    if (node.type === 'Group') return this.either(node.alternatives, next);
    if (node.type === 'CapturingGroup') return this.capture(node, next);
    if (node.type === 'Quantifier')
      return isLeaf(node.element) ? this.run(node, node.element, next) : this.loop(node, next);
    if (node.type === 'Assertion') return this.assertion(node, next);
    if (node.type !== 'Backreference') return next;
    const groups = Array.isArray(node.resolved) ? node.resolved : [node.resolved];
    return (at) => {
      this.step();
      const said = groups.map((group) => this.captured.get(group)).find((text) => text !== undefined) ?? '';
      return this.text.startsWith(said, at) && next(at + said.length);
    };
  }

  private capture(node: AST.CapturingGroup, next: Match): Match {
    const starts: number[] = [];
    const inner = this.either(node.alternatives, (at) => {
      const start = starts.pop() ?? at;
      const before = this.captured.get(node);
      this.captured.set(node, this.text.slice(start, at));
      if (next(at)) return true;
      if (before === undefined) this.captured.delete(node);
      else this.captured.set(node, before);
      starts.push(start);
      return false;
    });
    return (at) => {
      starts.push(at);
      if (inner(at)) return true;
      starts.pop();
      return false;
    };
  }

  private isAt(leaf: Leaf, at: number): boolean {
    this.step();
    const character = this.text[at];
    return character !== undefined && this.accepts(leaf, character);
  }

  /** One sort of character, repeated. */
  private run({ min, max, greedy }: AST.Quantifier, leaf: Leaf, next: Match): Match {
    return (at) => {
      let count = 0;
      if (!greedy) {
        for (; count < min; count += 1) if (!this.isAt(leaf, at + count)) return false;
        for (; ; count += 1) {
          if (next(at + count)) return true;
          if (count >= max || !this.isAt(leaf, at + count)) return false;
        }
      }
      while (count < max && this.isAt(leaf, at + count)) count += 1;
      for (; count >= min; count -= 1) {
        this.step();
        if (next(at + count)) return true;
      }
      return false;
    };
  }

  private loop({ min, max, greedy, element }: AST.Quantifier, next: Match): Match {
    const again = (count: number, from: number): Match => {
      return (at) => {
        this.step();
        if (at === from && count > min) return false;
        const more = (): boolean => count < max && this.one(element, again(count + 1, at))(at);
        if (count < min) return more();
        return greedy ? more() || next(at) : next(at) || more();
      };
    };
    return again(0, -1);
  }

  private assertion(node: AST.Assertion, next: Match): Match {
    if (node.kind === 'lookahead') {
      const ahead = this.either(node.alternatives, () => true);
      return (at) => ahead(at) !== node.negate && next(at);
    }
    const found = new RegExp(node.raw, `y${this.flags.multiline ? 'm' : ''}${this.flags.unicode ? 'u' : ''}`);
    return (at) => {
      this.step();
      found.lastIndex = at;
      return found.test(this.text) && next(at);
    };
  }
}

/** Texts that a part of a pattern matches: the shortest, and some variants. */
const samplesOf = (counter: StepCounter, node: AST.Element, probes: readonly string[]): string[] => {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)];
  if (isLeaf(node)) return probes.filter((probe) => counter.accepts(node, probe));
  if (node.type === 'Quantifier')
    return node.min === 0
      ? ['']
      : samplesOf(counter, node.element, probes).map((one) => one.repeat(Math.min(node.min, 8)));
  if (node.type === 'Group' || node.type === 'CapturingGroup')
    return node.alternatives.flatMap(({ elements }) => sequenceSamples(counter, elements, probes)).slice(0, 12);
  return [''];
};

/** The first variant of all elements but one, which varies. */
const sequenceSamples = (
  counter: StepCounter,
  elements: readonly AST.Element[],
  probes: readonly string[],
): string[] => {
  const parts = elements.map((element) => samplesOf(counter, element, probes));
  const first = parts.map(([one = '']) => one);
  const varied = parts.flatMap((part, at) => part.slice(1, 4).map((one) => first.with(at, one).join('')));
  return [first.join(''), ...varied];
};

interface Pump {
  prefix: string;
  pump: string;
  /** A character that the repeated part does not take. */
  other: string;
}

/** What may be repeated to make a pattern slow: each repeated part of it, and its beginning up to there. */
const pumpsOf = (counter: StepCounter, literal: AST.RegExpLiteral, probes: readonly string[]): Pump[] => {
  const pumps: Pump[] = [];
  const visit = (alternatives: readonly AST.Alternative[], before: readonly string[]): void => {
    for (const { elements } of alternatives) {
      let prefixes = before;
      for (const element of elements) {
        if (element.type === 'Quantifier') {
          if (element.max > 1) {
            const once = samplesOf(counter, element.element, probes);
            const { element: repeated } = element;
            const other = isLeaf(repeated) ? (probes.find((one) => !counter.accepts(repeated, one)) ?? '') : '';
            for (const pump of new Set(once.filter((one) => one !== '')))
              for (const prefix of prefixes)
                for (const [first, one] of [
                  [prefix, pump],
                  ['', pump],
                  ['', prefix + pump],
                  ['', pump + prefix],
                ] as const)
                  pumps.push({ prefix: first, pump: one, other });
            for (const prefix of prefixes) if (prefix !== '') pumps.push({ prefix: '', pump: prefix, other });
          }
          if ('alternatives' in element.element) visit(element.element.alternatives, prefixes);
        } else if ('alternatives' in element) visit(element.alternatives, prefixes);
        const [first = '', ...others] = samplesOf(counter, element, probes);
        const varied = 'alternatives' in element ? others.map((one) => (prefixes[0] ?? '') + one) : [];
        prefixes = [...new Set([...prefixes.map((prefix) => prefix + first), ...varied])].slice(0, 3);
      }
    }
  };
  visit(literal.pattern.alternatives, ['']);
  return [...new Map(pumps.map((one) => [`${one.prefix}\u0001${one.pump}`, one])).values()];
};

const textOf = ({ prefix, pump }: Pump, end: string, length: number): string =>
  `${prefix}${pump.repeat(Math.ceil(length / pump.length)).slice(0, length)}${end}`;

export interface Cost {
  /** Steps on the worst text of the length. */
  steps: number;
  /** 1 for linear, 2 for quadratic. */
  degree: number;
  pump: Pump;
}

/** The most steps that a pattern takes on texts made to slow it down, of the given length. */
export const worstCost = (source: string, flags: string, length: number): Cost => {
  const literal = parseRegExpLiteral(new RegExp(source, flags));
  const counter = new StepCounter(literal);
  const named = [...new Set(source.replace(/\\[a-z]/gi, ''))].slice(0, 32);
  const worst: Cost = { steps: 0, degree: 1, pump: { prefix: '', pump: '', other: '' } };
  for (const pump of pumpsOf(counter, literal, [...new Set([...named, ...PROBES])])) {
    for (const end of new Set([...ENDS, pump.other])) {
      const short = counter.count(textOf(pump, end, SHORT));
      if (short < FEW * SHORT && worst.steps > 0) continue;
      const long = counter.count(textOf(pump, end, LONG));
      const degree = long >= CAP ? 9 : Math.max(1, Math.log2(long / short));
      const steps = long * (length / LONG) ** (degree < 1.3 ? 1 : degree);
      if (steps > worst.steps) Object.assign(worst, { steps, degree, pump });
    }
    if (worst.degree === 9) break;
  }
  return worst;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Literals, the texts given to `RegExp`, and the patterns of schemas. */
function* literalsIn(node: unknown): Generator<{ source: string; flags: string; start: number }> {
  if (Array.isArray(node)) for (const one of node) yield* literalsIn(one);
  if (!isRecord(node) || Array.isArray(node)) return;
  const { type, regex, start, callee, arguments: given, key, value } = node;
  const at = typeof start === 'number' ? start : 0;
  if (type === 'Literal' && isRecord(regex))
    yield { source: String(regex['pattern']), flags: String(regex['flags']), start: at };
  if (type === 'NewExpression' && isRecord(callee) && callee['name'] === 'RegExp' && Array.isArray(given)) {
    const [source, flags]: unknown[] = given;
    if (isRecord(source) && typeof source['value'] === 'string')
      yield { source: source['value'], flags: isRecord(flags) ? String(flags['value']) : '', start: at };
  }
  if (
    type === 'Property' &&
    isRecord(key) &&
    key['name'] === 'pattern' &&
    isRecord(value) &&
    typeof value['value'] === 'string'
  )
    yield { source: value['value'], flags: 'u', start: at };
  for (const child of Object.values(node)) if (typeof child === 'object') yield* literalsIn(child);
}

/**
 * The patterns of a file. A comment in its line or the one above may say how long their texts are ("at most 500 characters"), or that they are
 * "our own text".
 */
export const patternsIn = (file: string, code: string): Pattern[] => {
  const { program } = parseSync(file, code);
  const lines = code.split('\n');
  return [...literalsIn(program)].map(({ source, flags, start }) => {
    const line = code.slice(0, start).split('\n').length;
    const bound = [lines[line - 1], lines[line - 2]].map((text) => BOUND.exec(text ?? '')?.[1]).find(Boolean);
    const isOwn = [lines[line - 1], lines[line - 2]].some((text) => text?.includes('// our own text'));
    const maxLength = isOwn ? 0 : bound === undefined ? LONGEST : Number(bound.replaceAll(/[_,]/g, ''));
    return { where: `${file}:${line}`, source, flags, maxLength };
  });
};

const sourcesIn = async (root: string): Promise<string[]> => {
  const found: string[] = [];
  for (const folder of FOLDERS)
    for (const entry of await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = path.relative(root, path.join(entry.parentPath, entry.name));
      const isSource = /\.tsx?$/.test(file) && !/\.test(?:-d)?\.tsx?$/.test(file);
      if (entry.isFile() && isSource && !/(?:^|\/)(?:node_modules|testing|__fixtures__)\//.test(file)) found.push(file);
    }
  return found.toSorted();
};

/** Every pattern of the product takes a time that grows with its text, not with the square of it. */
export const checkPatterns = async (root: string): Promise<Issue[]> => {
  const issues: Issue[] = [];
  const known = new Map<string, Cost>();
  for (const file of await sourcesIn(root)) {
    for (const { where, source, flags, maxLength } of patternsIn(file, await readFile(path.join(root, file), 'utf8'))) {
      const key = `${flags}/${maxLength}/${source}`;
      const cost = known.get(key) ?? worstCost(source, flags, maxLength);
      known.set(key, cost);
      if (cost.steps <= BUDGET) continue;
      const { prefix, pump } = cost.pump;
      const growth = cost.degree === 9 ? 'exponentially' : `with the power ${cost.degree.toFixed(1)}`;
      const text = `${JSON.stringify(prefix)} and ${JSON.stringify(pump)} again and again`;
      issues.push({ where, what: `/${source}/ takes time that grows ${growth} of the length of ${text}` });
    }
  }
  return issues;
};
