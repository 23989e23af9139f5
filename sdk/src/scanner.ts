/** What a scanner can look at. */
export type ScanTarget =
  | { readonly kind: 'repository'; readonly folder: string }
  | { readonly kind: 'image'; readonly reference: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'cloud'; readonly account: string };

/** A program to start: never a shell line. The host refuses what it did not find by `detect`. */
export interface ScanCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to an otherwise empty environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the program writes its report, below the work folder that the host gives. */
  readonly reportPath: string;
  readonly limits: { readonly timeoutMs: number; readonly memoryMb: number };
  /** Exit codes that mean "done" besides 0: many scanners answer 1 when they found something. */
  readonly okExitCodes?: readonly number[];
}

/** What a scanner may ask of the machine. */
export interface ScanHost {
  /** Output of `<file> <args>`, or null where the program is not installed. */
  run(file: string, args: readonly string[]): Promise<string | null>;
}

/** A scanner that the host can start itself. Pure but for `detect`: it says what to run, the host runs it. */
export interface Scanner {
  readonly targets: readonly ScanTarget['kind'][];
  /** Version of the installed program, or null where there is none. */
  detect(host: ScanHost): Promise<{ readonly version: string } | null>;
  command(target: ScanTarget, options: { readonly workFolder: string }): ScanCommand;
}
