-- What a finding means for the supply chain: SLSA v1.0 threats (A-H) and OWASP CI/CD risks (CICD-SEC-1..10).
alter table finding_definitions
  add column slsa_threats text[] not null default '{}',
  add column owasp_cicd text[] not null default '{}';
