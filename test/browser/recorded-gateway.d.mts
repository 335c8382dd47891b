export interface RecordedGateway {
  /** The URL of the gateway, without a trailing slash. */
  readonly url: string;
  /** An API token with the ADMIN role. */
  readonly token: string;
  /** The number of events in its log. */
  readonly eventCount: number;
  /** Stops the process and removes its data. */
  stop(): Promise<void>;
}

/** Starts the built gateway as a separate process, on a new embedded database with the recorded log. */
export function startRecordedGateway(): Promise<RecordedGateway>;

export interface DemoGateway extends Omit<RecordedGateway, 'eventCount'> {
  /** Runs a command on the data of the gateway. Returns what it prints. */
  runCommand(...args: string[]): Promise<string>;
}

/** Starts the demo as a separate process, with a new sample log. */
export function startDemo(): Promise<DemoGateway>;

/** Starts a gateway as a separate process, with an empty log. */
export function startEmptyGateway(env?: Readonly<Record<string, string>>): Promise<DemoGateway>;
