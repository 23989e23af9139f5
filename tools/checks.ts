/** Something that breaks a house rule. */
export interface Fault {
  /** File, or file and line. */
  where: string;
  what: string;
}

/** One line a fault, for a person. */
export const describeFaults = (faults: readonly Fault[]): string =>
  faults.map((fault) => `${fault.where}: ${fault.what}`).join('\n');
