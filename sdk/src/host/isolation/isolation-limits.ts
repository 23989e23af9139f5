/** What the process of a plugin may take. */
export interface IsolationLimits {
  /** From its start until it has loaded its plugin. */
  readonly startMs: number;
  /** Without an answer to a ping: an endless loop. */
  readonly unresponsiveMs: number;
  /** A call that waits for nothing of the host and says nothing. */
  readonly silentMs: number;
  /** The same between two records of a sync or list, where a service may be asked again later. */
  readonly recordMs: number;
  /** After it was told to stop. */
  readonly stopMs: number;
  /** For a process to be ready that is to judge the first bytes of a report: a busy machine takes seconds for it. */
  readonly recogniseStartMs: number;
  /** From then on: the first bytes are judged by one parser. */
  readonly recogniseMs: number;
  /** Of a processor in any second, once it is loaded; one that takes more runs by turns from then on. */
  readonly greedyMs: number;
  /** Objects of JavaScript. */
  readonly heapMb: number;
  /** All that the process may write to, which is twice what Node takes by itself. Where the machine can limit it. */
  readonly dataMb: number;
  /** One message. */
  readonly frameBytes: number;
  /** Records of one call. */
  readonly records: number;
  /** Questions of one call that wait for the host at the same time. */
  readonly asks: number;
  /** Processes of one plugin, each for one organisation. */
  readonly processes: number;
  /** A process without work is ended after this time. */
  readonly idleMs: number;
}

/** Source: design of the sdk, "Limits by default"; safety 27: contained within 10 s. */
export const ISOLATION_LIMITS: IsolationLimits = {
  startMs: 9_000,
  unresponsiveMs: 6_000,
  silentMs: 8_000,
  recordMs: 60_000,
  stopMs: 1_500,
  recogniseStartMs: 7_000,
  recogniseMs: 2_000,
  greedyMs: 300,
  heapMb: 128,
  dataMb: 1_000,
  frameBytes: 16 * 1024 * 1024,
  records: 1_000_000,
  asks: 64,
  processes: 8,
  idleMs: 60_000,
};
