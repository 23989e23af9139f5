/** One weakness of the Common Weakness Enumeration. */
export interface CweEntry {
  id: number;
  name: string;
  /** How likely it is exploited, as MITRE says; absent where MITRE does not. */
  likelihood?: 'High' | 'Medium' | 'Low';
  parents: readonly number[];
  /** OWASP Top 10 category, own or of the nearest ancestor: `A03:2021`. */
  owasp2021?: string;
  owasp2025?: string;
}

/** One entry of CISA's catalogue of known exploited vulnerabilities. Dates are ISO days. */
export interface KevEntry {
  cve: string;
  name: string;
  dateAdded: string;
  dueDate: string;
  requiredAction: string;
  isRansomware: boolean;
}

/** Exploit prediction for one CVE. Probability and percentile are 0-1; the date is an ISO day. */
export interface EpssEntry {
  probability: number;
  percentile?: number;
  date?: string;
}

/** Look-ups in the reference data. CVE ids are matched in upper case. */
export interface ReferenceData {
  /** Grows when EPSS or KEV is replaced; 0 is the delivered data. */
  readonly version: number;
  /** ISO day of the EPSS data. */
  readonly epssDate: string;
  readonly epssModel: string | undefined;
  /** ISO day of the KEV catalogue. */
  readonly kevDate: string;
  cwe(id: number): CweEntry | undefined;
  kev(cve: string): KevEntry | undefined;
  epss(cve: string): EpssEntry | undefined;
  /** Title of an OWASP Top 10 category: `A05:2025` is "Injection". */
  owaspTitle(id: string): string | undefined;
  /** Title of an SLSA v1.0 threat (`E`) or an OWASP CI/CD risk (`CICD-SEC-4`). */
  supplyChainTitle(id: string): string | undefined;
}
