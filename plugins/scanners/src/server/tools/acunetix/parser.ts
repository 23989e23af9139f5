import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { originOf } from '../../lib/findings/addresses.ts';
import { scanFailure, scannedFiles } from '../../lib/findings/coverage.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readXml, rootName, type XmlShape } from '../../lib/formats/xml.ts';
import { type JsonFormat, Tally, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label } from '../../lib/values/read.ts';
import { vulnerabilityCheck, vulnerabilityFinding, vulnerabilityOfItem } from './finding.ts';

const NAME = 'Acunetix';
const ROOT = 'ScanGroup';
const XML: XmlShape = {
  root: ROOT,
  namespace: '',
  records: ['Scan/StartURL', 'Scan/Aborted', 'Scan/ReportItems/ReportItem'],
  heads: ['Scan/Crawler'],
  tool: NAME,
};
const FORMAT: JsonFormat = { name: NAME, shape: { Generated: 'value', Target: 'value', Vulnerabilities: 'records' } };

function recogniseAcunetix(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return rootName(start) === ROOT ? 0.97 : 0;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'Generated', 'Target', 'Vulnerabilities')) return 0.97;
  return innerHas(sketch, 'Vulnerabilities', 'LookupId', 'Severity') ? 0.9 : 0;
}

/** @throws ReportError */
const parseAcunetix = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => (whole) => {
    return start.startsWith('<') ? parseXml(whole, options) : readJson(whole, options, FORMAT, createReader);
  });

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let origin = '';
  let index = 0;
  yield { kind: 'report', toolName: NAME };
  for await (const { path, element, isHead } of readXml(report, XML, signal)) {
    if (isHead || path === 'Scan/StartURL') {
      // The address of the crawler has its scheme.
      const address = isHead ? element.attributes.get('StartUrl') : element.text;
      origin = originOf(address) ?? (origin === '' ? (address ?? '') : origin);
      if (isHead) yield* scannedFiles([origin]);
    } else if (path === 'Scan/Aborted') {
      if (/^true$/i.test(element.text)) yield scanFailure('The scan was aborted.');
    } else {
      const record = vulnerabilityOfItem(element, origin);
      if (vulnerabilityCheck.accepts(record)) {
        tally.readable += 1;
        yield vulnerabilityFinding(record);
      } else yield* tally.addUnreadable(`ReportItem[${index}]`, vulnerabilityCheck.issue());
      index += 1;
    }
  }
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

const createReader = (): StreamReader => {
  const reader = { check: vulnerabilityCheck, read: vulnerabilityFinding };
  return {
    lists: { Vulnerabilities: () => reader, report: () => reader },
    *document(document) {
      if (!document.lists.has('Vulnerabilities')) throw wrongTool(NAME, 'it has no “Vulnerabilities”');
      yield { kind: 'report', toolName: NAME };
      const address = label(fields(document.values.get('Target')).Url);
      yield* scannedFiles([originOf(address) ?? address]);
    },
  };
};

export const acunetix: ReportParser = {
  tool: 'acunetix',
  aliases: ['acunetix360', 'invicti'],
  formats: ['xml', 'json'],
  reads: {
    part: {},
    files: 'server of the address that was scanned',
    failure: ['`Aborted` is True in the XML'],
    identity: 'vulnerability, address and parameter',
  },
  recognise: recogniseAcunetix,
  parse: advised(parseAcunetix, 'Export, JSON'),
};
