import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import type { AnyConnectorCode } from '../../server.ts';
import { CAPABILITY_SHAPE, FUNCTION, LIST_SHAPES, type MemberKind, type Shape } from './capability-shape.ts';
import { isSound } from './judge-value.ts';
import { STAND } from './messages.ts';
import { ownerOf } from './owners.ts';
import type { ProcessPool } from './process-pool.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether something is the `Ctx` of a call. */
function isCtx(value: unknown): value is Ctx<CredentialSchema> {
  return isObject(value) && ['http', 'store', 'log', 'reveal', 'signal'].every((name) => name in value);
}

export interface CodeOptions {
  readonly pool: ProcessPool;
  /** The host's clock stands still: for the kit. */
  readonly isClockStill?: boolean;
}

/** What the host calls in place of a connector's code: the same members, each of which runs in the process of the plugin. */
export function isolatedCode(connectorId: string, description: unknown, options: CodeOptions): AnyConnectorCode {
  if (!isObject(description)) return {};
  const path = ['connectors', connectorId];
  const lists = Object.entries(LIST_SHAPES).flatMap(([name, shape]): [string, unknown][] => {
    const items: unknown = description[name];
    if (!Array.isArray(items) || items.length === 0) return [];
    const parts = items.map((item: unknown, index) => {
      const place: Place = { path: [...path, name, String(index)], member: name };
      return membersOf(item, shape, { ...place, ...options });
    });
    return [[name, parts]];
  });
  const members = membersOf(description, CAPABILITY_SHAPE, { path, member: '', ...options });
  return codeOf({ ...members, ...Object.fromEntries(lists) });
}

/** The members were made by `CAPABILITY_SHAPE`, which follows the types of the capabilities; each answer is judged when it comes. */
function codeOf(members: object): AnyConnectorCode {
  return members;
}

interface Place {
  readonly path: readonly string[];
  /** `scm.write.comment`, for what judges its answers. */
  readonly member: string;
}

function membersOf(description: unknown, shape: Shape, place: Place & CodeOptions): Record<string, unknown> {
  if (!isObject(description)) return {};
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, kind]): [string, unknown][] => {
      const described = Object.hasOwn(description, name) ? description[name] : undefined;
      if (described === undefined || described === null) return [];
      const here = {
        ...place,
        path: [...place.path, name],
        member: place.member === '' ? name : `${place.member}.${name}`,
      };
      if (kind === 'data') return [[name, described]];
      if (kind === 'call' || kind === 'stream')
        return described === FUNCTION ? [[name, remoteFunction(kind, here)]] : [];
      const members = membersOf(described, kind, here);
      return Object.keys(members).length === 0 ? [] : [[name, members]];
    }),
  );
}

function remoteFunction(kind: Exclude<MemberKind, 'data'>, place: Place & CodeOptions) {
  const { path, member, pool, isClockStill = false } = place;
  const orderOf = (args: readonly unknown[]) => {
    const ctx = args.find(isCtx);
    const sent = args.map((one) => (isCtx(one) ? { [STAND]: 'ctx' } : one));
    return {
      ctx,
      order: { path, args: sent, isClockStill, ...(ctx === undefined ? {} : { ctx, signal: ctx.signal }) },
    };
  };
  if (kind === 'stream') {
    return (...args: unknown[]) => {
      const { ctx, order } = orderOf(args);
      return judged(member, pool.stream(ctx === undefined ? '' : ownerOf(ctx), order));
    };
  }
  return async (...args: unknown[]) => {
    const { ctx, order } = orderOf(args);
    const answer = ctx === undefined ? await pool.callAlone(order) : await pool.call(ownerOf(ctx), order);
    if (!isSound(member, answer)) throw new TypeError(`${member} answers something that its type does not say`);
    return answer;
  };
}

/** Records, of which none has another form than its type says. */
export async function* judged(member: string, records: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const record of records) {
    if (!isSound(member, record)) throw new TypeError(`${member} gives a record that its type does not say`);
    yield record;
  }
}
