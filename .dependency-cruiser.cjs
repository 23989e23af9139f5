// The import rule of ARCHITECTURE.md as a failing check. `tools/commands/check-boundaries.ts` runs it, guards it against
// finding nothing, and adds what needs the whole graph (cycles between slices).
// Paths are matched from the repository's root; the planted violations in tools/__fixtures__ are cruised from theirs,
// from where the real packages are some `../` away.

const ROOT = '^(?:\\.\\./)*';
const at = (pattern) => `${ROOT}${pattern}`;

/** Tests may reach anywhere. `sdk/src/testing` is shipped to authors and is no test. */
const TESTS = '\\.test\\.tsx?$|\\.test-d\\.ts$|/__fixtures__/|^(?:core|app)/src/testing/';

const OURS = at('(?:sdk|core|host-server|app|cli|plugins|e2e|benchmarks|tools)/');
const SDK = at('sdk/src/');

/** `from` a room, everything of ours is forbidden but the listed places. `$1` is the slice that `from` captured. */
const room = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TESTS },
  to: { path: OURS, pathNot: allowed },
});

module.exports = {
  forbidden: [
    room('sdk', 'sdk imports nothing of ours', '^sdk/', [at('sdk/')]),
    room('plugins', 'a plugin imports itself and sdk', '^plugins/([^/]+)/', [at('plugins/$1/'), SDK]),
    room('core-model', 'model imports models and sdk', '^core/src/[^/]+/model/', [at('core/src/[^/]+/model/'), SDK]),
    room('core-api', 'api imports its own api, models, platform/api and sdk', '^core/src/([^/]+)/api/', [
      at('core/src/$1/api/'),
      at('core/src/platform/api/'),
      at('core/src/[^/]+/model/'),
      SDK,
    ]),
    room(
      'core-server',
      'server imports its own slice, others through server/index.ts, platform and sdk',
      '^core/src/([^/]+)/server/',
      [
        at('core/src/$1/(?:model|api|server)/'),
        at('core/src/[^/]+/server/index\\.ts$'),
        at('core/src/platform/(?:model|api|server)/'),
        at('core/data/'),
        SDK,
      ],
    ),
    room(
      'core-ui',
      'ui imports its own slice, others through ui/index.ts, shell, platform and sdk',
      '^core/src/([^/]+)/ui/',
      [
        at('core/src/$1/(?:model|api|ui)/'),
        at('core/src/[^/]+/ui/index\\.ts$'),
        at('core/src/platform/(?:model|api|ui)/'),
        at('core/src/shell/'),
        SDK,
      ],
    ),
    room('core-shell', 'shell imports platform, other slices through ui/index.ts, and sdk', '^core/src/shell/', [
      at('core/src/shell/'),
      at('core/src/[^/]+/ui/index\\.ts$'),
      at('core/src/platform/(?:model|api|ui)/'),
      SDK,
    ]),
    room(
      'host-server',
      'host-server imports core (model, api, server), the plugin registry and sdk',
      '^host-server/(?!src/plugins/)',
      [at('host-server/'), at('core/src/[^/]+/(?:model|api|server)/'), at('core/src/shell/plugins/'), SDK],
    ),
    room('host-server-loader', 'only the loader of host-server imports plugins', '^host-server/src/plugins/', [
      at('host-server/'),
      at('core/src/[^/]+/(?:model|api|server)/'),
      at('core/src/shell/plugins/'),
      at('plugins/'),
      SDK,
    ]),
    room(
      'app-report-reader',
      'the worker that reads reports imports core (model), the report tools, importers and sdk',
      '^app/report-reader/',
      [
        at('app/report-reader/'),
        at('core/src/[^/]+/model/'),
        at('core/src/shell/plugins/'),
        at('plugins/scanners/'),
        SDK,
      ],
    ),
    room('app', 'app imports core (model, api, ui, shell) and sdk', '^app/(?!report-reader/)', [
      at('app/'),
      at('core/src/[^/]+/(?:model|api|ui)/'),
      at('core/src/shell/'),
      SDK,
    ]),
    room('cli', 'the command-line client is installed alone: it imports nothing of ours', '^cli/', [at('cli/')]),
    {
      name: 'platform-serves-all',
      comment: 'what every slice stands on imports no slice',
      severity: 'error',
      from: { path: '^core/src/platform/', pathNot: TESTS },
      to: { path: at('core/src/'), pathNot: at('core/src/platform/') },
    },
    {
      name: 'superadmin-is-a-leaf',
      comment: 'nobody imports superadmin but the composition roots',
      severity: 'error',
      from: { path: '^(?:sdk|core|plugins)/', pathNot: ['^core/src/superadmin/', TESTS] },
      to: { path: at('core/src/superadmin/') },
    },
    {
      name: 'inversify-in-containers',
      comment: 'dependency injection lives in core/shell, host-server and app',
      severity: 'error',
      from: { path: '^(?:sdk|plugins|core/src/(?!shell/))', pathNot: TESTS },
      to: { path: 'node_modules/(?:inversify|reflect-metadata)/' },
    },
    {
      name: 'sdk-neutral',
      comment:
        'what every author imports runs in a browser; Node code of the sdk lives in sdk/src/host and sdk/src/testing',
      severity: 'error',
      from: { path: '^sdk/src/(?!host/|testing/)', pathNot: TESTS },
      to: { path: [at('sdk/src/(?:host|testing)/'), 'node_modules/undici/'] },
    },
    {
      name: 'neutral-rooms',
      comment: 'model, api and the sdk but its host run in server and browser: no Node, no DOM library, no driver',
      severity: 'error',
      from: {
        path: '^core/src/[^/]+/(?:model|api)/|^plugins/[^/]+/src/plugin\\.ts$|^sdk/src/(?!host/|testing/)',
        pathNot: TESTS,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'neutral-libraries',
      comment: 'model and api need schemas and machines only',
      severity: 'error',
      from: { path: '^core/src/[^/]+/(?:model|api)/', pathNot: TESTS },
      to: { path: 'node_modules/(?:react|react-dom|mobx|express|pg|kysely|pino|@blueprintjs)/' },
    },
    {
      name: 'browser-has-no-server',
      comment: 'ui, shell screens and app run in a browser',
      severity: 'error',
      from: { path: '^core/src/[^/]+/ui/|^core/src/shell/ui/|^app/src/', pathNot: TESTS },
      to: { path: 'node_modules/(?:express|pg|kysely|pino|pg-boss|piscina|undici)/' },
    },
    {
      name: 'browser-has-no-node',
      comment: 'ui and app run in a browser',
      severity: 'error',
      from: { path: '^core/src/[^/]+/ui/|^core/src/shell/ui/|^app/src/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-has-no-screen',
      comment: 'the server renders nothing',
      severity: 'error',
      from: { path: '^core/src/[^/]+/server/|^host-server/', pathNot: TESTS },
      to: { path: 'node_modules/(?:react|react-dom|react-router-dom|@blueprintjs|mobx|echarts)/' },
    },
    {
      name: 'no-cycle',
      comment: 'no file imports itself through others',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { circular: true, path: OURS },
    },
    {
      name: 'resolvable',
      comment: 'an import that leads nowhere also escapes every other rule',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^virtual:', '\\.css$'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|/__fixtures__/|\\.wasm$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.jsx', '.json', '.css', '.node'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default', 'require'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
