import { describe, expect, test } from 'vitest';
import { inChunks } from '../../testing/samples.ts';
import { readXml, rootName, type XmlRecord, type XmlShape } from './xml.ts';

const SHAPE: XmlShape = { root: 'issues', namespace: '', records: ['host/issue'], heads: ['host'], tool: 'Example' };
const DECLARING: XmlShape = { ...SHAPE, declaresElements: true };

async function read(text: string, shape = SHAPE): Promise<XmlRecord[]> {
  const records: XmlRecord[] = [];
  for await (const record of readXml(inChunks(Buffer.from(text), 11), shape, new AbortController().signal))
    records.push(record);
  return records;
}

const BODY = '<issues><host name="a"><issue>1</issue></host><host name="b"/></issues>';
const declared = (inner: string) => `<?xml version="1.0"?><!DOCTYPE issues ${inner}>${BODY}`;

describe('elements around records', () => {
  test('are handed out as they open, also without a record in them', async () => {
    const found = await read(BODY);
    expect(found.map(({ path, isHead, element }) => [path, isHead, element.attributes.get('name')])).toEqual([
      ['host', true, 'a'],
      ['host/issue', false, undefined],
      ['host', true, 'b'],
    ]);
  });
});

describe('document types', () => {
  const harmless = '[\n<!ELEMENT issues (host*)>\n<!ATTLIST host name CDATA "">\n]';

  test('are refused, but for tools that declare their elements', async () => {
    await expect(read(declared(harmless))).rejects.toMatchObject({ code: 'report_malformed' });
    expect(await read(declared(harmless), DECLARING)).toHaveLength(3);
  });

  test.each([
    ['an entity', '[<!ENTITY a "x">]'],
    ['an entity in small letters', '[<!entity a "x">]'],
    ['an entity behind elements', '[<!ELEMENT a (#PCDATA)><!ENTITY a SYSTEM "file:///etc/passwd">]'],
    ['a parameter entity', '[<!ELEMENT a (#PCDATA)> %x;]'],
    ['an outer file', 'SYSTEM "http://example.com/a.dtd"'],
    ['an outer file beside elements', 'SYSTEM "a.dtd" [<!ELEMENT a (#PCDATA)>]'],
    ['a public name', 'PUBLIC "-//X//Y" "a.dtd"'],
    ['a notation', '[<!NOTATION n SYSTEM "x">]'],
  ])('that hold %s are refused everywhere', async (_what, inner) => {
    await expect(read(declared(inner), DECLARING)).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('make no entity that could be used', async () => {
    const text = declared(harmless).replace('<issue>1', '<issue>&a;');
    await expect(read(text, DECLARING)).rejects.toMatchObject({ code: 'report_malformed' });
  });
});

test('the name of a root element', () => {
  expect(rootName('<?xml version="1.0"?><!-- a --><x:report a="1">')).toBe('report');
  expect(rootName(`${'<!---->'.repeat(60)}x`)).toBeUndefined();
});
