import { expect, test } from 'vitest';
import { accessText } from './access-text.ts';

const CLIENT = '01a21b7a-73d2-7c6a-b465-707991c3d91d';
const ID = '01a21b7a-d4a6-7002-9932-563d4710a388';

test.each([
  [`/manage-clients/findings/${CLIENT}?filters[status]=ready&total=later`, 'Findings'],
  [`/manage-clients/findings/${CLIENT}/${ID}`, 'One finding'],
  [`/manage-clients/findings/${CLIENT}/${ID}/history`, 'History of a finding'],
  [`/manage-clients/findings/${CLIENT}/groups?by=rule`, 'Groups of findings'],
  [`/manage-clients/findings/${CLIENT}/download_csv`, 'Findings as a file'],
  [`/filter/findings?client_id=${CLIENT}&filter_key=tool`, 'Values of a filter'],
  [`/manage-clients/repositories/${CLIENT}`, 'Repositories'],
  [`/manage-clients/repositories/${CLIENT}/${ID}`, 'One repository'],
  [`/manage-clients/charts/${CLIENT}/owasp_chart`, 'Charts'],
  [`/manage-clients/frameworks/${CLIENT}/pci-dss-4`, 'Frameworks'],
  [`/manage-clients/audit/${CLIENT}`, 'Audit log'],
  [`/manage-clients/${CLIENT}`, 'Overview'],
  ['/something/else', undefined],
])('%s is read as %s', (address, text) => {
  expect(accessText(address)).toBe(text);
});
