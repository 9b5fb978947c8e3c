import { token } from './token.ts';

export interface HttpRequest {
  /** http or https, without a user name. */
  url: string;
  /** Default GET. */
  method?: string;
  /**
   * Written by the tool's own code, never by the model (spec: threats, E3). Those that belong to the
   * connection (`host`, `cookie`, `content-length` and their like) are refused.
   */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Bytes that the answer's body may have once unpacked; default 5 MiB. */
  maxBytes?: number;
  /** Milliseconds for all of it, redirects included; default 30,000. */
  timeoutMs?: number;
}

export interface HttpAnswer {
  /** What answered, after the redirects that were followed. */
  url: string;
  status: number;
  /** Names in lower case; what stands several times is joined with a comma. */
  headers: Record<string, string>;
  /** Unpacked. */
  body: Uint8Array;
  /** Where the answer points to and nothing was asked: another host, or without encryption. Else null. */
  redirectedTo: string | null;
  /**
   * The variable that named the proxy it went through, which looks names up by itself: only what this
   * machine knows of the name was checked. Null for a connection of larik's own.
   */
  proxy: string | null;
}

/**
 * HTTP for tools (spec: web). Each address is checked and then connected to as it was checked, on every
 * hop; link-local, metadata, multicast and unspecified addresses are `blocked`. A redirect of a GET or
 * HEAD on the same host is followed, five times at most. A status is an answer, whichever it is. No
 * cookies, no cache. Throws only `PortError<'http'>`, `aborted` once `signal` has.
 */
export interface Http {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}
export const Http = token<Http>('Http');
