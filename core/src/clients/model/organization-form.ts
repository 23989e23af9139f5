import { msg } from '../../platform/model/message.ts';
import type { Company } from './company.ts';

/** What the form of an organisation shows and changes, as `GET /client` says it and `PUT /client` takes it. */
export interface OrganizationDetail {
  organization_name: string;
  address: string | null;
  company: Company | null;
}

/** As typed, by field. Lists have one entry a line. */
export type OrganizationDraft = Record<OrganizationField, string>;

const SITES = ['subsidiary', 'branch', 'service', 'data_processing'] as const;
const INFORMATION = ['legal_name', 'parent_company', 'global_entity_identifier', 'category', 'url_company'] as const;

type InformationField = `company.information.${(typeof INFORMATION)[number]}`;
type SiteField = `company.structure.${(typeof SITES)[number] | 'headquarters'}.locations`;
const LATITUDE = 'company.structure.headquarters.coordinate.lat';
const LONGITUDE = 'company.structure.headquarters.coordinate.long';
const REGULATIONS = 'company.regulations.applicable_regulations';

/** Named as the place of its errors. */
export type OrganizationField =
  | 'organization_name'
  | 'address'
  | InformationField
  | SiteField
  | typeof LATITUDE
  | typeof LONGITUDE
  | typeof REGULATIONS;

interface FieldText {
  id: OrganizationField;
  label: string;
  help?: string;
  /** Several lines. */
  isLong?: boolean;
}

/** The form, section by section. Source: specification §3 "Client detail". */
export const ORGANIZATION_SECTIONS: readonly { title: string; fields: readonly FieldText[] }[] = [
  {
    title: msg('Company information'),
    fields: [
      {
        id: 'organization_name',
        label: msg('Name in Breakwater'),
        help: msg('People see it at the top of every page.'),
      },
      { id: 'company.information.legal_name', label: msg('Legal name') },
      { id: 'company.information.parent_company', label: msg('Parent company') },
      {
        id: 'company.information.global_entity_identifier',
        label: msg('Legal entity identifier'),
        help: msg('LEI (ISO 17442), or another number by which registers know the company.'),
      },
      { id: 'company.information.category', label: msg('Industry') },
      { id: 'company.information.url_company', label: msg('Website'), help: msg('Begins with https://') },
      { id: 'address', label: msg('Postal address'), isLong: true },
    ],
  },
  {
    title: msg('Headquarters'),
    fields: [
      { id: LATITUDE, label: msg('Latitude'), help: msg('Degrees, north is positive: 53.55') },
      { id: LONGITUDE, label: msg('Longitude'), help: msg('Degrees, east is positive: 9.99') },
      {
        id: 'company.structure.headquarters.locations',
        label: msg('Locations'),
        help: msg('One a line.'),
        isLong: true,
      },
    ],
  },
  {
    title: msg('Other locations'),
    fields: [
      {
        id: 'company.structure.subsidiary.locations',
        label: msg('Subsidiaries'),
        help: msg('One a line.'),
        isLong: true,
      },
      { id: 'company.structure.branch.locations', label: msg('Branches'), help: msg('One a line.'), isLong: true },
      {
        id: 'company.structure.service.locations',
        label: msg('Where services run'),
        help: msg('One a line.'),
        isLong: true,
      },
      {
        id: 'company.structure.data_processing.locations',
        label: msg('Where data is processed'),
        help: msg('One a line.'),
        isLong: true,
      },
    ],
  },
  {
    title: msg('Regulations'),
    fields: [
      {
        id: REGULATIONS,
        label: msg('Regulations that apply'),
        help: msg('One a line, such as GDPR, NIS2, DORA, PCI DSS 4.0.'),
        isLong: true,
      },
    ],
  },
];

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const textOf = (degrees: number | undefined): string => (degrees === undefined ? '' : String(degrees));

/** What stands in the fields before somebody types. */
export const draftOf = ({ organization_name, address, company }: OrganizationDetail): OrganizationDraft => {
  const { information, structure, regulations } = company ?? {};
  const { lat, long } = structure?.headquarters.coordinate ?? {};
  const places = (site: (typeof SITES)[number] | 'headquarters') => structure?.[site].locations.join('\n') ?? '';
  return {
    organization_name,
    address: address ?? '',
    'company.information.legal_name': information?.legal_name ?? '',
    'company.information.parent_company': information?.parent_company ?? '',
    'company.information.global_entity_identifier': information?.global_entity_identifier ?? '',
    'company.information.category': information?.category ?? '',
    'company.information.url_company': information?.url_company ?? '',
    'company.structure.headquarters.locations': places('headquarters'),
    [LATITUDE]: textOf(lat),
    [LONGITUDE]: textOf(long),
    'company.structure.subsidiary.locations': places('subsidiary'),
    'company.structure.branch.locations': places('branch'),
    'company.structure.service.locations': places('service'),
    'company.structure.data_processing.locations': places('data_processing'),
    [REGULATIONS]: regulations?.applicable_regulations.join('\n') ?? '',
  };
};

const degreesOf = (text: string, most: number): number | undefined => {
  const degrees = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Math.abs(degrees) <= most ? degrees : undefined;
};

/** Where the headquarters are; null for nowhere, undefined where it cannot be read. */
export const coordinateOf = (draft: OrganizationDraft): { lat: number; long: number } | null | undefined => {
  if (draft[LATITUDE].trim() === '' && draft[LONGITUDE].trim() === '') return null;
  const lat = degreesOf(draft[LATITUDE], 90);
  const long = degreesOf(draft[LONGITUDE], 180);
  return lat === undefined || long === undefined ? undefined : { lat, long };
};

/** What keeps the form from being sent, by field. */
export const draftIssues = (draft: OrganizationDraft): Partial<Record<OrganizationField, string>> => ({
  ...(draft.organization_name.trim() === '' ? { organization_name: msg('Enter a name.') } : {}),
  ...(coordinateOf(draft) === undefined && degreesOf(draft[LATITUDE], 90) === undefined
    ? { [LATITUDE]: msg('Degrees from -90 to 90, or leave both empty.') }
    : {}),
  ...(coordinateOf(draft) === undefined && degreesOf(draft[LONGITUDE], 180) === undefined
    ? { [LONGITUDE]: msg('Degrees from -180 to 180, or leave both empty.') }
    : {}),
});

/** The body of `PUT /client`. Of a draft without issues. */
export const changeOf = (draft: OrganizationDraft) => ({
  organization_name: draft.organization_name.trim(),
  address: draft.address.trim(),
  company: {
    information: {
      legal_name: draft['company.information.legal_name'].trim(),
      parent_company: draft['company.information.parent_company'].trim(),
      global_entity_identifier: draft['company.information.global_entity_identifier'].trim(),
      category: draft['company.information.category'].trim(),
      url_company: draft['company.information.url_company'].trim(),
    },
    structure: {
      headquarters: {
        coordinate: coordinateOf(draft) ?? null,
        locations: linesOf(draft['company.structure.headquarters.locations']),
      },
      subsidiary: { locations: linesOf(draft['company.structure.subsidiary.locations']) },
      branch: { locations: linesOf(draft['company.structure.branch.locations']) },
      service: { locations: linesOf(draft['company.structure.service.locations']) },
      data_processing: { locations: linesOf(draft['company.structure.data_processing.locations']) },
    },
    regulations: { applicable_regulations: linesOf(draft[REGULATIONS]) },
  },
});

const NORTH = 84;
const SOUTH = -58;

/** Where a point lies on the outline of the world (`/assets/world.svg`, equirectangular, 84° north to 58° south), in percent. */
export const mapPosition = ({ lat, long }: { lat: number; long: number }): { left: number; top: number } => ({
  left: ((long + 180) / 360) * 100,
  top: ((NORTH - Math.min(NORTH, Math.max(SOUTH, lat))) / (NORTH - SOUTH)) * 100,
});
