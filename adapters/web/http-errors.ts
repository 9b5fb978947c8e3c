import { oneLine } from '../../domain/text/one-line.ts';
import { errorText, PortError, type ErrorKinds } from '../../ports/errors.ts';

/** What went wrong, as a clause; `errorOf` makes the port's error of it. */
export class HttpProblem extends Error {
  constructor(
    readonly kind: ErrorKinds['http'],
    text: string,
  ) {
    super(text);
  }
}

interface Circumstances {
  url: string;
  aborted: boolean;
  /** Milliseconds, once the time was over. */
  timedOutAfter: number | null;
}

const byCode: Readonly<Record<string, { kind: ErrorKinds['http']; text: string }>> = {
  ENOTFOUND: { kind: 'not_found', text: 'the name of the host is not known; check its spelling' },
  EAI_AGAIN: {
    kind: 'not_found',
    text: 'the name of the host could not be looked up; is this machine online?',
  },
  EAI_FAIL: { kind: 'not_found', text: 'the name of the host could not be looked up' },
  ECONNREFUSED: {
    kind: 'refused',
    text: 'nothing listens there; is the server running, and the port right?',
  },
  ETIMEDOUT: { kind: 'timeout', text: 'no connection came about in time' },
  EPROTO: { kind: 'tls', text: 'no encrypted connection came about; does the server speak https there?' },
  ERR_INVALID_CHAR: { kind: 'invalid', text: 'a header holds a character that none may' },
  ERR_INVALID_HTTP_TOKEN: { kind: 'invalid', text: 'the method or the name of a header is not valid' },
};

const certificates = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** The port's error for anything that was thrown while `url` was asked for. */
export function errorOf(error: unknown, { url, aborted, timedOutAfter }: Circumstances): PortError<'http'> {
  const { kind, text } = told(error, aborted, timedOutAfter);
  const shown = oneLine(url).slice(0, 200);
  return new PortError('http', kind, `${shown} was not fetched: ${text}.`, { url });
}

function told(
  error: unknown,
  aborted: boolean,
  timedOutAfter: number | null,
): { kind: ErrorKinds['http']; text: string } {
  if (aborted) return { kind: 'aborted', text: 'it was interrupted' };
  if (error instanceof HttpProblem) return { kind: error.kind, text: error.message };
  if (timedOutAfter !== null) {
    return { kind: 'timeout', text: `there was no whole answer within ${timedOutAfter / 1000} s` };
  }
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = byCode[code];
  if (known !== undefined) return known;
  if (certificates.test(code)) return { kind: 'tls', text: `its certificate is not trusted (${code})` };
  return { kind: 'io', text: `the connection failed (${code || oneLine(errorText(error)).slice(0, 200)})` };
}
