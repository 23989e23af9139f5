import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const CALL = 'alert(1)';

/** Texts that run a script wherever they are taken for markup, an address or a template. Each calls alert. */
export const PAYLOADS: readonly string[] = [
  `<script>${CALL}</script>`,
  `<SCRIPT SRC=data:text/javascript,${CALL}></SCRIPT>`,
  `"><script>${CALL}</script>`,
  `'><script>${CALL}</script>`,
  `</textarea><script>${CALL}</script>`,
  `</title><script>${CALL}</script>`,
  `</style><script>${CALL}</script>`,
  `</script><script>${CALL}</script>`,
  `--><script>${CALL}</script>`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<script>/*\n*/${CALL}</script>`,
  `<script type="module">${CALL}</script>`,
  `<img src=x onerror=${CALL}>`,
  `<img src=x onerror="${CALL}">`,
  `"><img src=x onerror=${CALL}>`,
  `<img src="x\` \`<script>${CALL}</script>"\` \`>`,
  `<img/src/onerror=${CALL}>`,
  `<img src=x:${CALL} onerror=eval(src.slice(2))>`,
  `<image src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg/onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${CALL}"><text x="20" y="20">go</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${CALL}'/></svg>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CALL}>`,
  `<math href="javascript:${CALL}">go</math>`,
  `<body onload=${CALL}>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<iframe onload=${CALL}></iframe>`,
  `<object data="javascript:${CALL}"></object>`,
  `<object data="data:text/html,<script>parent.${CALL}</script>"></object>`,
  `<embed src="javascript:${CALL}">`,
  `<video><source onerror=${CALL}></video>`,
  `<audio src=x onerror=${CALL}>`,
  `<details open ontoggle=${CALL}>`,
  `<input autofocus onfocus=${CALL}>`,
  `<select autofocus onfocus=${CALL}>`,
  `<textarea autofocus onfocus=${CALL}>`,
  `<marquee onstart=${CALL}>`,
  `<div style="animation:x 1s" onanimationstart=${CALL}>`,
  `<style>@keyframes x{}</style><b style="animation-name:x" onanimationend=${CALL}></b>`,
  `<link rel=stylesheet href="javascript:${CALL}">`,
  `<link rel=import href="data:text/html,<script>${CALL}</script>">`,
  `<meta http-equiv=refresh content="0;url=javascript:${CALL}">`,
  `<base href="javascript:${CALL}//">`,
  `<form action="javascript:${CALL}"><button autofocus>go</button></form>`,
  `<button formaction="javascript:${CALL}">go</button>`,
  `<isindex action="javascript:${CALL}">`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<a href="javascript:${CALL}">go</a>`,
  `[go](javascript:${CALL})`,
  `[go](JaVaScRiPt:${CALL})`,
  `[go](java\tscript:${CALL})`,
  `[go](&#106;avascript:${CALL})`,
  `[go](\u0001javascript:${CALL})`,
  `[go](vbscript:msgbox(1))`,
  `[go](data:text/html,<script>${CALL}</script>)`,
  `[go](file:///etc/passwd)`,
  `![x](javascript:${CALL})`,
  `![x](x"onerror="${CALL})`,
  `<javascript:${CALL}>`,
  `[x]: javascript:${CALL}\n\n[x]`,
  `<https://example.org/"onmouseover="${CALL}>`,
  `\`\`\`html\n<script>${CALL}</script>\n\`\`\``,
  `<p>a</p>\n\n<script>${CALL}</script>`,
  `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`,
  `#{${CALL}}`,
  `<%= ${CALL} %>`,
  `javascript:${CALL}`,
  `\u202e<script>${CALL}</script>`,
  `\ufeff<script>${CALL}</script>`,
  `%3Cscript%3E${CALL}%3C/script%3E`,
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
];

const encode = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

/** Every payload in every text of an opengrep report. */
export const hostileCodeReport = (): Uint8Array<ArrayBuffer> =>
  encode({
    version: '1.6.0',
    errors: [],
    paths: { scanned: [] },
    results: PAYLOADS.map((payload, index) => ({
      check_id: `rule.${index}.${payload}`,
      path: `src/${index}/${payload}`,
      start: { line: index + 1, col: 1, offset: 0 },
      end: { line: index + 1, col: 9, offset: 9 },
      extra: {
        message: payload,
        severity: 'ERROR',
        fingerprint: `hostile-${index}`,
        lines: payload,
        fix: payload,
        metadata: {
          category: payload,
          cwe: [`CWE-79: ${payload}`],
          references: [payload, `https://example.org/${encodeURIComponent(payload)}`, `javascript:${CALL}`],
          shortlink: payload,
          technology: [payload],
          message: payload,
        },
      },
    })),
  });

/** Every payload in the texts of a SARIF report, as plain text and as Markdown. */
export const hostileSarif = (): Uint8Array<ArrayBuffer> =>
  encode({
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [
      {
        tool: {
          driver: {
            name: `<b>${CALL}</b>`,
            informationUri: `javascript:${CALL}`,
            rules: PAYLOADS.map((payload, index) => ({
              id: `HOSTILE-${index}`,
              name: payload,
              shortDescription: { text: payload },
              fullDescription: { text: payload, markdown: payload },
              help: { text: payload, markdown: payload },
              helpUri: `javascript:${CALL}`,
              properties: { tags: [payload] },
            })),
          },
        },
        results: PAYLOADS.map((payload, index) => ({
          ruleId: `HOSTILE-${index}`,
          ruleIndex: index,
          level: 'error',
          message: { text: payload, markdown: payload },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `src/${index}/${encodeURIComponent(payload)}` },
                region: { startLine: index + 1, snippet: { text: payload } },
                contextRegion: { startLine: index + 1, snippet: { text: payload } },
              },
              message: { text: payload },
            },
          ],
        })),
      },
    ],
  });

/** Every payload as a component of an inventory. */
export const hostileInventory = (): Uint8Array<ArrayBuffer> =>
  encode({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: `<i>${CALL}</i>`, 'bom-ref': 'root' } },
    components: PAYLOADS.map((payload, index) => ({
      type: 'library',
      'bom-ref': `component-${index}`,
      name: payload,
      version: payload,
      group: payload,
      description: payload,
      purl: `pkg:npm/${encodeURIComponent(payload)}@1.0.${index}`,
      licenses: [{ license: { name: payload, url: `javascript:${CALL}` } }],
    })),
    dependencies: [{ ref: 'root', dependsOn: ['component-0'] }],
  });

/** A report as opengrep writes it, with `count` results that all differ in place or rule. The same seed gives the same report. */
export const generatedReport = (count: number, seed = 1): Uint8Array<ArrayBuffer> => {
  const results = Array.from({ length: count }, (_, index) => {
    const line = 1 + ((index * 7 + seed) % 900);
    return {
      check_id: `javascript.generated.rule-${index % 37}`,
      path: `src/module-${index % 211}/file-${index}.ts`,
      start: { line, col: 1, offset: 0 },
      end: { line: line + 1, col: 2, offset: 40 },
      extra: {
        message: `Generated result ${index}: user input reaches a sink without being checked.`,
        severity: ['ERROR', 'WARNING', 'INFO'][index % 3],
        metadata: { cwe: [`CWE-${[79, 89, 22, 798][index % 4]}: generated`], category: 'security', confidence: 'HIGH' },
        lines: `const value${index} = request.query.value;`,
        fingerprint: `generated-${seed}-${index}`,
        is_ignored: false,
        engine_kind: 'OSS',
      },
    };
  });
  return new TextEncoder().encode(JSON.stringify({ version: '1.6.0', results, errors: [], paths: { scanned: [] } }));
};

/** Texts that are hard to lay out: a title of 5,000 characters with and without spaces, right-to-left script, emoji and combining marks. */
const LONG_TEXTS: readonly string[] = [
  'User input reaches the query without being checked. '.repeat(97).slice(0, 5000),
  'com.example.'.repeat(417).slice(0, 5000),
  'حقن إس كيو إل في معالجة تسجيل الدخول: يصل إدخال المستخدم إلى الاستعلام دون تحقق',
  'הזרקת SQL בטופס הכניסה (login.ts) מאפשרת עקיפת הרשאות',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘ 👩🏽‍🚀👨‍👩‍👧‍👦 漢字かな交じり文の題名',
];

/** An opengrep report whose texts are hard to lay out. */
export const longTextReport = (): Uint8Array<ArrayBuffer> =>
  encode({
    version: '1.6.0',
    errors: [],
    paths: { scanned: [] },
    results: LONG_TEXTS.map((text, index) => ({
      check_id: `layout.rule-${index}.${text.slice(0, 200)}`,
      path: `src/${text.slice(0, 120).replaceAll('/', '-')}/${'deep/'.repeat(20)}file-${index}.ts`,
      start: { line: index + 1, col: 1, offset: 0 },
      end: { line: index + 1, col: 9, offset: 9 },
      extra: {
        message: text,
        severity: 'ERROR',
        fingerprint: `long-${index}`,
        lines: `const value = "${text}";`,
        metadata: {
          cwe: ['CWE-89: SQL Injection'],
          category: 'security',
          confidence: 'HIGH',
          references: [`https://example.org/${'a'.repeat(900)}`],
        },
      },
    })),
  });

const FOLDER = path.join(import.meta.dirname, '../../core/data/demo-juice-shop');

/** The five reports of the demo: file name and full path. */
export const demoFiles = async (): Promise<{ name: string; file: string }[]> =>
  (await readdir(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, file: path.join(FOLDER, name) }));

/** A report of the demo, as bytes. */
export const demoReport = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(path.join(FOLDER, name)));
