import { SaxesParser } from 'saxes';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from './cannot-fix.ts';

/** An element by offsets of its text. */
export interface XmlElement {
  readonly name: string;
  readonly parent: XmlElement | undefined;
  /** Where its start tag begins. */
  readonly start: number;
  /** What lies between its tags. */
  readonly contentStart: number;
  contentEnd: number;
  readonly children: XmlElement[];
}

/** A document without a type, so that there are no entities but those of XML itself. @throws CannotFix */
const checkXml = (text: string, path: string): void => {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new CannotFix('manifest_unreadable', say('{path} declares a document type, which is not read.', { path }));
  }
  const parser = new SaxesParser();
  let problem: Error | undefined;
  parser.on('error', (error) => {
    problem ??= error;
  });
  parser.write(text).close();
  if (problem !== undefined)
    throw new CannotFix('manifest_unreadable', say('{path} is not well-formed XML.', { path }));
};

/** What is no element: from where it begins to where it ends. */
const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Where the tag at an offset ends, behind its `>`; a `>` inside of quotes is none. */
const tagEnd = (text: string, start: number): number => {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at + 1;
  }
  return text.length;
};

/** Tags of a well-formed text in order, each with its offsets. */
function* tagsOf(text: string): Generator<{ start: number; end: number; markup: string }> {
  let at = text.indexOf('<');
  while (at !== -1) {
    const opaque = OPAQUE.find(([opening]) => text.startsWith(opening, at));
    const end =
      opaque === undefined ? tagEnd(text, at) : text.indexOf(opaque[1], at + opaque[0].length) + opaque[1].length;
    if (opaque === undefined) yield { start: at, end, markup: text.slice(at, end) };
    at = text.indexOf('<', end);
  }
}

/** A text without its comments. */
const withoutComments = (text: string): string => {
  let rest = text;
  for (let start = rest.indexOf('<!--'); start !== -1; start = rest.indexOf('<!--', start)) {
    const end = rest.indexOf('-->', start);
    if (end === -1) return rest;
    rest = rest.slice(0, start) + rest.slice(end + 3);
  }
  return rest;
};

/** The root element of a well-formed text, with offsets. Does not recurse. @throws CannotFix */
export const readXml = (text: string, path: string): XmlElement => {
  checkXml(text, path);
  let root: XmlElement | undefined;
  let open: XmlElement | undefined;
  for (const { start, end, markup } of tagsOf(text)) {
    if (markup.startsWith('</')) {
      if (open !== undefined) open.contentEnd = start;
      open = open?.parent;
      continue;
    }
    const name = /^<([^\s/>]+)/.exec(markup)?.[1] ?? '';
    const element: XmlElement = { name, parent: open, start, contentStart: end, contentEnd: end, children: [] };
    open?.children.push(element);
    root ??= element;
    if (!markup.endsWith('/>')) open = element;
  }
  if (root === undefined) throw new CannotFix('manifest_unreadable', say('{path} has no element.', { path }));
  return root;
};

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** Text of an element without comments, trimmed; '' where there is none. */
export const textOf = (text: string, element: XmlElement | undefined): string =>
  element === undefined ? '' : withoutComments(text.slice(element.contentStart, element.contentEnd)).trim();
