import { readdir, readFile } from 'node:fs/promises';
import { FINDING_TYPES, POSTURE_CHECKS } from '@breakwater/sdk';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OneOf } from '../../../platform/api/envelope.ts';
import { createFrameworks, type Framework, type Frameworks } from '../../model/frameworks.ts';
import { deliveredData } from './reference-data.ts';

const FOLDER = new URL('../../../../data/frameworks/', import.meta.url);

const strict = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const Weaknesses = Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 }));

const FrameworkFile = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]+$' }),
    name: Text,
    edition: Text,
    publisher: Text,
    source: Type.String({ pattern: '^https://' }),
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    aliases: Type.Array(Type.String({ pattern: '^[a-z0-9 ]+$' }), { minItems: 1 }),
    controls: Type.Array(
      Type.Object(
        {
          id: Text,
          text: Type.Object({ en: Text, de: Text }, strict),
          rules: Type.Array(
            Type.Object(
              { families: Type.Array(OneOf(FINDING_TYPES), { minItems: 1 }), cwe: Weaknesses, exactCwe: Weaknesses },
              strict,
            ),
          ),
          checks: Type.Optional(Type.Array(OneOf(POSTURE_CHECKS), { minItems: 1 })),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
);

const readFramework = async (name: string): Promise<Framework> =>
  Value.Parse(FrameworkFile, JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')));

const load = async (): Promise<Frameworks> => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const [list, { weaknesses }] = await Promise.all([Promise.all(names.map(readFramework)), deliveredData()]);
  return createFrameworks(
    [...list].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    weaknesses,
  );
};

let loading: Promise<Frameworks> | undefined;

/** The files of `core/data/frameworks`, read once per process. */
export const loadFrameworks = (): Promise<Frameworks> => {
  loading ??= load();
  return loading;
};
