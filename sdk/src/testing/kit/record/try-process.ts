import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { PluginError } from '../../../plugin.ts';
import { CommandError } from '../commands/command-error.ts';
import { type TriedDocument, tryDocument } from './try-document.ts';

/** What the process answers on its standard output. */
export type TryAnswer = { readonly tried: TriedDocument } | { readonly failed: string };

const Order = Type.Object({
  document: Type.Unknown(),
  values: Type.Record(Type.String(), Type.String()),
  allowPrivateHosts: Type.Boolean(),
  baseUrl: Type.Optional(Type.String()),
  sends: Type.Boolean(),
  report: Type.Optional(Type.String()),
});

async function answer(): Promise<TryAnswer> {
  const order: unknown = JSON.parse(await text(process.stdin));
  const { document, values, allowPrivateHosts, baseUrl, sends, report } = Value.Parse(Order, order);
  const baseUrlOverride = baseUrl === undefined ? undefined : new URL(baseUrl);
  const trusted = baseUrlOverride === undefined ? [] : [baseUrlOverride.host];
  try {
    return {
      tried: await tryDocument({ document, values, allowPrivateHosts, trusted, baseUrlOverride, sends, report }),
    };
  } catch (error) {
    if (error instanceof CommandError || error instanceof PluginError) return { failed: error.message };
    throw error;
  }
}

/** Tries one document in this process: credentials come by standard input, so that they stand in no list of processes and no environment. */
process.stdout.write(JSON.stringify(await answer()));
