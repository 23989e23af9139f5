import { expect, test } from 'vitest';
import { fullCompany } from './company.ts';
import {
  changeOf,
  coordinateOf,
  draftIssues,
  draftOf,
  mapPosition,
  ORGANIZATION_SECTIONS,
} from './organization-form.ts';

const empty = draftOf({ organization_name: 'Harbour', address: null, company: null });
const LAT = 'company.structure.headquarters.coordinate.lat';
const LONG = 'company.structure.headquarters.coordinate.long';

test('what is shown is what is sent: nothing is lost on the way through the form', () => {
  const company = fullCompany({
    information: { legal_name: 'Harbour Ltd', url_company: 'https://harbour.example' },
    structure: {
      headquarters: { coordinate: { lat: 53.55, long: -9.99 }, locations: ['Hamburg'] },
      data_processing: { locations: ['Dublin', 'Frankfurt'] },
    },
    regulations: { applicable_regulations: ['GDPR'] },
  });
  const detail = { organization_name: 'Harbour', address: 'Quay 1\nHamburg', company };
  expect(changeOf(draftOf(detail))).toEqual(detail);
  expect(changeOf(empty).company).toEqual(fullCompany({}));
});

test('every field stands in the form once', () => {
  const ids = ORGANIZATION_SECTIONS.flatMap(({ fields }) => fields.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(Object.keys(empty).toSorted());
});

test.each([
  ['', '', null, []],
  ['53,5', ' 9.9 ', { lat: 53.5, long: 9.9 }, []],
  ['91', '0', undefined, [LAT]],
  ['0', '-181', undefined, [LONG]],
  ['1', '', undefined, [LONG]],
  ['north', 'east', undefined, [LAT, LONG]],
])('latitude "%s" and longitude "%s" mean %j', (lat, long, coordinate, issues) => {
  const draft = { ...empty, [LAT]: lat, [LONG]: long };
  expect(coordinateOf(draft)).toEqual(coordinate);
  expect(Object.keys(draftIssues(draft))).toEqual(issues);
});

test('an empty name is refused', () => {
  expect(draftIssues({ ...empty, organization_name: ' ' })).toEqual({ organization_name: 'Enter a name.' });
});

test.each([
  [
    { lat: 84, long: -180 },
    { left: 0, top: 0 },
  ],
  [
    { lat: 13, long: 0 },
    { left: 50, top: 50 },
  ],
  [
    { lat: -90, long: 180 },
    { left: 100, top: 100 },
  ],
])('%j lies at %j', (point, place) => {
  expect(mapPosition(point)).toEqual(place);
});
