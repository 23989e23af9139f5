import { FINDING_TYPES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Item, OneOf } from '../../platform/api/envelope.ts';

const Titled = Type.Object({ data: Type.Array(Item(Type.Object({ title: Type.String() }))) });
const access = { permission: 'account.use', tenant: false } as const;

export const listOwasps = route({
  method: 'GET',
  path: '/owasps',
  tag: 'findings',
  summary: 'OWASP Top 10 categories; the edition of 2025 unless asked for another',
  access,
  query: Type.Object({ edition: Type.Optional(OneOf(['2025', '2021'])) }, { additionalProperties: false }),
  response: Titled,
});

export const listSlsaThreats = route({
  method: 'GET',
  path: '/slsa_threats',
  tag: 'findings',
  summary: 'SLSA v1.0 threats, A-H',
  access,
  response: Titled,
});

export const listFindingTypes = route({
  method: 'GET',
  path: '/finding_types',
  tag: 'findings',
  summary: 'Types of findings',
  access,
  response: Type.Object({ data: Type.Array(Item(Type.Object({ title: OneOf(FINDING_TYPES) }))) }),
});

export const listSupplyChains = route({
  method: 'GET',
  path: '/supply_chains',
  tag: 'findings',
  summary: 'Categories of the supply chain with their SLSA threats',
  access,
  response: Type.Object({
    data: Type.Array(Item(Type.Object({ title: Type.String(), slsa_threats: Type.Array(Type.String()) }))),
  }),
});
