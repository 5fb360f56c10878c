/** Where text goes. */
export interface TextOutput {
  /** Writes a text; settles when it is handed on, rejects when nobody reads any more (`EPIPE`) or nothing can be written. */
  write(text: string): Promise<void>;
}

/** All that the command line has of the world around it. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  /** Whether stdout is a terminal. */
  readonly isTTY: boolean;
  /** The width of the terminal in columns, at this moment; 0 where it is not known. */
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person at the terminal has had enough. */
  readonly signal: AbortSignal;
  /** A clock in milliseconds that never goes back. */
  now(): number;
  /** Waits some milliseconds, or until the signal aborts; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}
