import type { Importer } from '@breakwater/sdk';

/** Report formats that are read. A card whose importer is not in this list says that it comes later, see `cards/report-card.ts`. */
export const importers: readonly Importer[] = [
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
  { tool: 'checkov', title: 'Checkov' },
  { tool: 'github', title: 'GitHub' },
  { tool: 'dependabot', title: 'Dependabot' },
  { tool: 'kics', title: 'KICS' },
  { tool: 'bandit', title: 'Bandit' },
  { tool: 'nuclei', title: 'Nuclei' },
  { tool: 'checkmarx', title: 'Checkmarx' },
  { tool: 'prowler', title: 'Prowler' },
  { tool: 'trufflehog', title: 'TruffleHog' },
  { tool: 'fortify', title: 'Fortify' },
  { tool: 'hadolint', title: 'Hadolint' },
  { tool: 'tflint', title: 'TFLint' },
  { tool: 'terrascan', title: 'Terrascan' },
];
