interface Sites {
  locations: string[];
}

/** What an organisation says of itself. Source: specification §3 "Client detail". */
export interface Company {
  information: {
    legal_name: string;
    parent_company: string;
    global_entity_identifier: string;
    category: string;
    url_company: string;
  };
  structure: {
    headquarters: { coordinate: { lat: number; long: number } | null; locations: string[] };
    subsidiary: Sites;
    branch: Sites;
    service: Sites;
    data_processing: Sites;
  };
  regulations: { applicable_regulations: string[] };
}

/** As stored: only what was ever said. */
export type StoredCompany = { [Part in keyof Company]?: Partial<Company[Part]> };

const NOTHING_SAID: Company = {
  information: { legal_name: '', parent_company: '', global_entity_identifier: '', category: '', url_company: '' },
  structure: {
    headquarters: { coordinate: null, locations: [] },
    subsidiary: { locations: [] },
    branch: { locations: [] },
    service: { locations: [] },
    data_processing: { locations: [] },
  },
  regulations: { applicable_regulations: [] },
};

/** Everything, with empty values for what was never said. */
export const fullCompany = (stored: StoredCompany): Company => ({
  information: { ...NOTHING_SAID.information, ...stored.information },
  structure: { ...NOTHING_SAID.structure, ...stored.structure },
  regulations: { ...NOTHING_SAID.regulations, ...stored.regulations },
});

/** What is stored after a change: fields left out stay. */
export const changeCompany = (stored: StoredCompany, change: StoredCompany): StoredCompany => ({
  information: { ...stored.information, ...change.information },
  structure: { ...stored.structure, ...change.structure },
  regulations: { ...stored.regulations, ...change.regulations },
});

/** Which parts say anything: information, headquarters, other locations, regulations. */
export const companyParts = ({ information, structure, regulations }: Company): boolean[] => {
  const { headquarters, subsidiary, branch, service, data_processing } = structure;
  return [
    Object.values(information).some((text) => text !== ''),
    headquarters.coordinate !== null || headquarters.locations.length > 0,
    [subsidiary, branch, service, data_processing].some(({ locations }) => locations.length > 0),
    regulations.applicable_regulations.length > 0,
  ];
};
