import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { scannedFiles } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { rootName, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { readXmlReport } from '../../lib/formats/xml-report.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type ReaderOf, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, label } from '../../lib/values/read.ts';
import { type Alert, alertCheck, alertFindings } from './alert.ts';

const NAME = 'ZAP';
const ROOT = 'OWASPZAPReport';

const XML: XmlShape = {
  root: ROOT,
  namespace: '',
  records: ['site/alerts/alertitem'],
  heads: ['site'],
  tool: NAME,
};

const SITE = { '@name': 'value', alerts: 'records' } as const;
const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    '@programName': 'value',
    '@version': 'value',
    '@generated': 'value',
    created: 'value',
    site: { each: SITE },
  },
};

function recogniseZap(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return rootName(start) === ROOT ? 0.98 : 0;
  const sketch = sketchJson(head);
  return hasKeys(sketch, '@version', '@generated') && !hasKeys(sketch, 'runs') ? 0.97 : 0;
}

/** @throws ReportError */
const parseZap = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(
    report,
    (start) => (whole) =>
      start.startsWith('<') ? readXml(whole, options) : readJson(whole, options, FORMAT, createReader),
  );

const readXml = (report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncIterable<ReportRecord> =>
  readXmlReport(
    report,
    {
      shape: XML,
      check: alertCheck,
      record: ({ element }) => alertOf(element),
      head: ({ element }) => scannedFiles([element.attributes.get('name')]),
    },
    signal,
    (alert: Alert, { above }: XmlRecord) => alertFindings(alert, label(above.at(1)?.get('name'))),
  );

/** Names that the two formats spell otherwise. */
const JSON_NAMES: Readonly<Record<string, string>> = {
  requestheader: 'request-header',
  requestbody: 'request-body',
  responseheader: 'response-header',
  responsebody: 'response-body',
};

/** An alert as the JSON report writes it. */
function alertOf(element: XmlElement): Record<string, unknown> {
  const instances = element.child('instances')?.all('instance') ?? [];
  return { ...element.texts, instances: instances.map(({ texts }) => renamed(texts)) };
}

const renamed = (texts: Readonly<Record<string, string | undefined>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [JSON_NAMES[name] ?? name, value]));

/** The name of a site stands before its alerts, or is waited for. */
const alertsOf: ReaderOf = (node) => {
  if (node === undefined) throw wrongTool(NAME, 'it has no “site”');
  const site = label(node.values.get('@name'));
  if (site === undefined && !node.isClosed) return LATER;
  return { check: alertCheck, read: (alert: Alert) => alertFindings(alert, site) };
};

const createReader = (): StreamReader => ({
  lists: {
    alerts: alertsOf,
    report: () => {
      throw wrongTool(NAME, 'it has no “site”');
    },
  },
  *document(document) {
    const sites = document.children.get('site');
    if (sites === undefined) throw wrongTool(NAME, 'it has no “site”');
    yield reportInfo(document);
    yield* scannedFiles(sites.map((site) => site.values.get('@name')));
  },
});

const reportInfo = ({ values }: JsonNode) =>
  defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: label(values.get('@version')),
    date: isoDate(values.get('created')),
  });

export const zap: ReportParser = {
  tool: 'zap',
  aliases: ['owasp-zap'],
  formats: ['xml', 'json'],
  reads: {
    part: {},
    files: 'name of every site, as the folder of its addresses',
    failure: [],
    identity: 'rule, method, address and parameter',
  },
  recognise: recogniseZap,
  parse: advised(parseZap, 'zap.sh -cmd -quickurl <address> -quickout report.json'),
};
