import { expect, test } from 'vitest';
import { suggestApplication } from './suggest-application.ts';

const TOOLS = ['grype', 'trivy', 'opengrep', 'semgrep', 'owasp-dependency-check', 'gitleaks'];

test.each([
  [['juice-shop-grype.json', 'juice-shop.sarif'], 'juice-shop'],
  [['webshop_trivy_2026.json'], 'webshop'],
  [['payments-api.cdx.json', 'gitleaks-report.json'], 'payments-api'],
  [['grype.json', 'opengrep.semgrep-json.json', 'sbom.cyclonedx-1.2.json', 'trivy-secrets.json'], undefined],
  [['one.json', 'two.json'], undefined],
  [[], undefined],
])('%j are of %s', (names, expected) => {
  expect(suggestApplication(names, TOOLS)).toBe(expected);
});
