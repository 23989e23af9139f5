import type { ReportParser } from '../report-parser.ts';

const text = (content: string) => new TextEncoder().encode(content);

/** Beginnings of files that are no report of any tool. */
const STRANGE_HEADS: readonly [string, Uint8Array][] = [
  ['an empty file', new Uint8Array()],
  ['one space', text(' ')],
  ['an empty object', text('{}')],
  ['a half object', text('{"a": ')],
  ['a web page', text('<!doctype html><html><head><title>502 Bad Gateway</title></head></html>')],
  ['prose', text('Nothing to see here.\n')],
  ['bytes that are no text', Uint8Array.from({ length: 512 }, (_, index) => (index * 89) % 256)],
  ['a byte-order mark and no more', Uint8Array.of(0xef, 0xbb, 0xbf)],
];

/** What is wrong with a parser before it has parsed anything: its names, and what it takes for a report of its own. */
export function checkParser(parser: ReportParser): string[] {
  const names = [parser.tool, ...(parser.aliases ?? [])];
  return [
    ...names.filter((name) => !/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(name)).map((name) => `"${name}" is no tool name`),
    ...(parser.formats.length === 0 ? ['reads no format'] : []),
    ...STRANGE_HEADS.flatMap(([what, head]) => checkRecognise(parser, what, head)),
  ];
}

/** Neither strange content nor a fitting file name makes a report; and asking must never throw. */
function checkRecognise(parser: ReportParser, what: string, head: Uint8Array): string[] {
  return [undefined, `${parser.tool}-report.${parser.formats[0] ?? 'json'}`].flatMap((name) => {
    const situation = name === undefined ? what : `${what} named ${name}`;
    try {
      const sureness = name === undefined ? parser.recognise(head) : parser.recognise(head, name);
      if (!(sureness >= 0 && sureness <= 1)) return [`recognise answers ${sureness} to ${situation}, not 0 to 1`];
      return sureness >= 0.5 ? [`recognise takes ${situation} for a report`] : [];
    } catch (error) {
      return [`recognise throws on ${situation}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
