import { connectorAddress } from '@breakwater/sdk';
import { checkPlugin } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from './plugin.ts';
import { parsers } from './server/index.ts';

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { parsers })).toEqual([]);
});

/** Specification §9: tool id, address of the card, family, importer. */
it('has the cards of the catalogue that its importers serve', () => {
  const cards = plugin.connectors.map(({ id, category, title, parser }) => [
    id,
    connectorAddress(category, title),
    parser?.family,
    parser?.tool,
  ]);
  expect(cards).toEqual([
    ['opengrep', 'sast/opengrep', 'SAST', 'opengrep'],
    ['grype', 'container-security/grype', 'Container', 'grype'],
    ['trivy-container', 'container-security/trivycontainer', 'Container', 'trivy'],
    ['owasp-dependency-check', 'sca/owaspdependency-check', 'SCA', 'owasp-dependency-check'],
    ['trivy-sca', 'sca/trivysca', 'SCA', 'trivy'],
    ['trivy-sbom', 'sbom/trivysbom', 'SBOM', 'cyclonedx'],
    ['gitleaks', 'secrets-pii-scan/gitleaks', 'Secrets', 'gitleaks'],
    ['trivy-secrets', 'secrets-pii-scan/trivysecrets', 'Secrets', 'trivy'],
    ['trivy-license', 'license/trivylicense', 'License', 'trivy'],
  ]);
});

it('reads SARIF without a card of its own', () => {
  expect(plugin.importers).toContainEqual({ tool: 'sarif', title: 'SARIF' });
  expect(plugin.connectors.map((connector) => connector.parser?.tool)).not.toContain('sarif');
});
