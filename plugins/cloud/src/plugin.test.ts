import type { CredentialField } from '@breakwater/sdk';
import { checkPlugin } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from './plugin.ts';
import { server } from './server/index.ts';

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

/** Whether a value passes the pattern of a field, as the form judges it. */
function fits(id: string, name: string, value: string): boolean {
  const field = plugin.connectors.find((connector) => connector.id === id)?.credentials.properties;
  const pattern = Object.entries(field ?? {}).find(([key]) => key === name)?.[1];
  if (pattern?.type !== 'string' || !('pattern' in pattern)) throw new Error(`${id}.${name} has no pattern`);
  return new RegExp(pattern.pattern, 'u').test(value);
}

it.each([
  ['aws', 'access_key_id', 'AKIAIOSFODNN7EXAMPLE', 'ASIA_TEMPORARY'],
  ['azure', 'tenant_id', '11111111-1111-4111-8111-111111111111', 'contoso.onmicrosoft.com'],
  ['gcp', 'project_id', 'acme-prod-123', '415104041262'],
  ['oracle_oci', 'tenancy_id', 'ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4j', 'acme'],
  ['oracle_oci', 'compartment_id', 'ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4j', 'ocid1.user.oc1..aaaaaaaaba3pv6wkcr4j'],
  ['oracle_oci', 'region', 'ap-hyderabad-1', 'Frankfurt'],
])('%s: %s is judged before it is saved', (id, name, right, wrong) => {
  expect(fits(id, name, right)).toBe(true);
  expect(fits(id, name, wrong)).toBe(false);
});

it('judges no secret by its look: what is wrong with one is said in words by the check', () => {
  for (const { credentials } of plugin.connectors) {
    for (const field of Object.values<CredentialField>(credentials.properties)) {
      if (field.type === 'string' && field.writeOnly === true) expect(field.pattern).toBeUndefined();
    }
  }
});
