export interface RecordedGateway {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** An API token with the ADMIN role. */
  readonly token: string;
  /** The number of events in its log. */
  readonly eventCount: number;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/** Starts the gateway as people do, as a process of its own from `dist`, on a fresh embedded database that holds the recorded log. */
export function startRecordedGateway(): Promise<RecordedGateway>;
