import type { AnyConnector } from '../../../connector.ts';
import type { Ctx, Json } from '../../../context.ts';
import type { CredentialSchema } from '../../../credentials.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { Calls } from '../../fixtures.ts';

/** Something that code of a connector does with its service. */
export interface Operation {
  /** `check`, `findings.sync`, `GET /projects`. */
  readonly name: string;
  run(ctx: Ctx<CredentialSchema>): Promise<unknown>;
}

/** Everything of a connector that reads, with what the fixture gives to call it. */
export function operationsOf(code: AnyConnectorCode, calls: Calls = {}): Operation[] {
  return [
    ...(code.check ? [{ name: 'check', run: code.check.bind(code) }] : []),
    ...syncOf(code),
    ...cloudOf(code),
    ...scmOf(code, calls),
    ...remediatorOf(code, calls),
    ...routesOf(code, calls),
  ];
}

function syncOf({ findings }: AnyConnectorCode): Operation[] {
  return findings ? [{ name: 'findings.sync', run: (ctx) => collect(findings.sync(ctx)) }] : [];
}

function cloudOf({ cloud }: AnyConnectorCode): Operation[] {
  if (!cloud) return [];
  return [
    { name: 'cloud.identity', run: (ctx) => cloud.identity(ctx) },
    ...(cloud.inventory
      ? [{ name: 'cloud.inventory', run: (ctx: Ctx<CredentialSchema>) => collect(cloud.inventory?.(ctx) ?? nothing()) }]
      : []),
  ];
}

function scmOf({ scm }: AnyConnectorCode, calls: Calls): Operation[] {
  if (!scm) return [];
  const { repository, file } = calls.scm ?? {};
  return [
    { name: 'scm.user', run: (ctx) => scm.user(ctx) },
    { name: 'scm.listRepositories', run: (ctx) => collect(scm.listRepositories(ctx)) },
    ...(repository === undefined
      ? []
      : [
          { name: 'scm.listBranches', run: (ctx: Ctx<CredentialSchema>) => collect(scm.listBranches(ctx, repository)) },
        ]),
    ...(repository === undefined || file === undefined || !scm.readFile
      ? []
      : [
          {
            name: 'scm.readFile',
            run: async (ctx: Ctx<CredentialSchema>) => scm.readFile?.(ctx, { repository, ...file }),
          },
        ]),
  ];
}

function remediatorOf({ remediator }: AnyConnectorCode, calls: Calls): Operation[] {
  if (!remediator) return [];
  const { model = 'test', prompt = 'Say yes.' } = calls.remediator ?? {};
  const request = { model, messages: [{ role: 'user', content: prompt }] } as const;
  return [
    { name: 'remediator.models', run: (ctx) => remediator.models(ctx) },
    { name: 'remediator.complete', run: (ctx) => collect(remediator.complete(ctx, request)) },
  ];
}

function routesOf({ routes = [] }: AnyConnectorCode, calls: Calls): Operation[] {
  return routes.map((route) => {
    const name = `${route.method} ${route.path}`;
    const input: Json = calls.routes?.[name] ?? {};
    return { name, run: (ctx) => route.handle(ctx, input) };
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function* nothing(): AsyncGenerator<never> {}

/** What the kit cannot call, because the fixture says too little. In words. */
export function missingCalls(connector: AnyConnector, code: AnyConnectorCode, calls: Calls = {}): string[] {
  if (!code.scm) return [];
  const place = `connectors.${connector.id}.calls.scm`;
  if (calls.scm === undefined) return [`${place}: name a repository, so that its branches can be read`];
  return code.scm.readFile && calls.scm.file === undefined
    ? [`${place}.file: name a file, so that it can be read`]
    : [];
}
