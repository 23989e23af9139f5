import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

/**
 * Scanners whose reports can be uploaded. One importer may stand behind several cards: each card takes the importer's findings as
 * one family. Ids, titles, categories and families are those of the product's catalogue (specification §9).
 */
const connectors = [
  defineConnector({
    id: 'opengrep',
    title: 'OpenGrep',
    category: 'sast',
    image: monogram('Op'),
    description: 'Finds insecure code by pattern and data flow in more than 30 languages.',
    documentation: 'https://github.com/opengrep/opengrep',
    parser: { tool: 'opengrep', family: 'SAST' },
  }),
  defineConnector({
    id: 'grype',
    title: 'Grype',
    category: 'container-security',
    image: monogram('Gr'),
    description: 'Finds known vulnerabilities in the packages of container images and file systems.',
    documentation: 'https://github.com/anchore/grype',
    parser: { tool: 'grype', family: 'Container' },
  }),
  defineConnector({
    id: 'trivy-container',
    title: 'Trivy Container',
    category: 'container-security',
    image: monogram('Tr'),
    description: 'Finds known vulnerabilities in the system packages and libraries of container images.',
    documentation: 'https://trivy.dev/latest/docs/target/container_image/',
    parser: { tool: 'trivy', family: 'Container' },
  }),
  defineConnector({
    id: 'owasp-dependency-check',
    title: 'OWASP Dependency-Check',
    category: 'sca',
    image: monogram('DC'),
    description:
      "Finds a project's dependencies that have published vulnerabilities in the National Vulnerability Database.",
    documentation: 'https://dependency-check.github.io/DependencyCheck/',
    parser: { tool: 'owasp-dependency-check', family: 'SCA' },
  }),
  defineConnector({
    id: 'trivy-sca',
    title: 'Trivy SCA',
    category: 'sca',
    image: monogram('Tr'),
    description: "Finds known vulnerabilities in a project's dependencies from its lock files.",
    documentation: 'https://trivy.dev/latest/docs/scanner/vulnerability/',
    parser: { tool: 'trivy', family: 'SCA' },
  }),
  defineConnector({
    id: 'trivy-sbom',
    title: 'Trivy SBOM',
    category: 'sbom',
    image: monogram('Tr'),
    description: 'Lists every component with its licences and dependencies, as a CycloneDX inventory.',
    documentation: 'https://trivy.dev/latest/docs/supply-chain/sbom/',
    parser: { tool: 'cyclonedx', family: 'SBOM' },
  }),
  defineConnector({
    id: 'gitleaks',
    title: 'Gitleaks',
    category: 'secrets-pii-scan',
    image: monogram('Gl'),
    description: 'Finds passwords, keys and tokens in the files and the history of Git repositories.',
    documentation: 'https://github.com/gitleaks/gitleaks',
    parser: { tool: 'gitleaks', family: 'Secrets' },
  }),
  defineConnector({
    id: 'trivy-secrets',
    title: 'Trivy Secrets',
    category: 'secrets-pii-scan',
    image: monogram('Tr'),
    description: 'Finds passwords, keys and tokens in container images, file systems and repositories.',
    documentation: 'https://trivy.dev/latest/docs/scanner/secret/',
    parser: { tool: 'trivy', family: 'Secrets' },
  }),
  defineConnector({
    id: 'trivy-license',
    title: 'Trivy License',
    category: 'license',
    image: monogram('Tr'),
    description: 'Finds packages and files whose licences are risky or not allowed.',
    documentation: 'https://trivy.dev/latest/docs/scanner/license/',
    parser: { tool: 'trivy', family: 'License' },
  }),
] as const;

/** Manifest of the scanners. Reading it runs no importer. */
export const plugin = definePlugin({
  id: 'scanners',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors,
  importers: [
    { tool: 'opengrep', title: 'OpenGrep' },
    { tool: 'grype', title: 'Grype' },
    { tool: 'trivy', title: 'Trivy' },
    { tool: 'owasp-dependency-check', title: 'OWASP Dependency-Check' },
    { tool: 'gitleaks', title: 'Gitleaks' },
    { tool: 'cyclonedx', title: 'CycloneDX' },
    { tool: 'sarif', title: 'SARIF' },
    { tool: 'syft', title: 'Syft' },
    { tool: 'spdx', title: 'SPDX' },
    { tool: 'gitlab', title: 'GitLab' },
  ],
});
