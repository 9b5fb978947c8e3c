import { redact } from '../../../domain/text/secrets/redact.ts';
import { type ErrorKinds, PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Proxy } from '../http/http-proxy.ts';
import type { ClassifyContext } from './classify.ts';
import { addressOf, remedyFor, settingOf } from './remedy.ts';

interface Fault {
  kind: ErrorKinds['provider'];
  message: string;
  remedy: string;
  retryable: boolean;
}

/** A connection that could not be made, or broke off before its answer began. */
export function connectionError(
  error: unknown,
  context: ClassifyContext,
  proxy: Proxy | null | undefined,
): ProviderError {
  const { code, text } = causeOf(error);
  const { kind, message, remedy, retryable } = faultOf(
    code,
    redact(text, context.secrets),
    context,
    proxy ?? null,
  );
  return new PortError('provider', kind, `${context.provider}: ${message}`, {
    retryable,
    remedy,
    ...(kind === 'server' && { unreachable: true as const }),
  });
}

function faultOf(code: string, text: string, context: ClassifyContext, proxy: Proxy | null): Fault {
  const { provider, endpoint } = context;
  const { host } = endpoint;
  const setting = settingOf(provider);
  const server = (message: string, remedy: string, retryable: boolean): Fault => ({
    kind: 'server',
    message,
    remedy,
    retryable,
  });
  if (proxy && !/^https?:$/.test(proxy.url.protocol)) {
    const remedy = `Use an http:// address in ${proxy.variable}, or let this host go without it: export NO_PROXY=${nameOf(host)}`;
    return server(`${named(proxy)} is none that larik can speak to`, remedy, false);
  }
  switch (code) {
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      if (proxy)
        return server(`${named(proxy)} does not answer`, proxyRemedy(proxy, host), !isOwn(proxy.url.host));
      return server(
        `nothing answers at ${host}`,
        `Start the server, or check the network and ${setting} (now ${addressOf(endpoint)}).`,
        !isOwn(host),
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      if (proxy)
        return server(
          `the name of ${named(proxy)} cannot be found`,
          proxyRemedy(proxy, host),
          isUnanswered(code),
        );
      return server(
        `the name ${host} cannot be found`,
        `Check the network and ${setting} (now ${addressOf(endpoint)}).`,
        isUnanswered(code),
      );
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE': {
      const message = `the connection to ${host}${proxy ? ` through ${named(proxy)}` : ''} broke off`;
      return { kind: 'stream_cut', message, remedy: remedyFor('stream_cut', context), retryable: true };
    }
    default:
      break;
  }
  if (certificateCodes.test(code)) {
    return server(
      `no secure connection to ${host}: its certificate is not trusted (${code}): ${text}`,
      "If it is your own or your company's, name the file of its authority: export NODE_EXTRA_CA_CERTS=/path/ca.pem",
      false,
    );
  }
  if (/^ERR_(SSL|TLS)|^EPROTO$/.test(code)) {
    return server(
      `no secure connection to ${host}: what answers there does not speak TLS as it should (${tlsReason(text) ?? code})`,
      `If the server speaks plain http, write http:// in ${setting} (now ${addressOf(endpoint)}).`,
      false,
    );
  }
  if (code.startsWith('HPE_')) {
    return server(
      `what answers at ${host} is no HTTP (${code})`,
      `If the server speaks TLS, write https:// in ${setting} (now ${addressOf(endpoint)}).`,
      false,
    );
  }
  if (code === '' && proxy)
    return server(
      `no connection to ${host} through ${named(proxy)}: ${text}`,
      proxyRemedy(proxy, host),
      true,
    );
  return server(
    `no connection to ${host}: ${text}`,
    `Check the network and ${setting}, then try again.`,
    true,
  );
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;

/** OpenSSL's words, out of a text such as `…:SSL routines:ssl3_get_record:wrong version number:../deps/…`. */
function tlsReason(text: string): string | null {
  return /:SSL routines:[^:]*:([^:]+)/.exec(text)?.[1] ?? null;
}

function named({ url, variable }: Proxy): string {
  return `the proxy ${url.protocol}//${url.host} (${variable})`;
}

function proxyRemedy({ variable }: Proxy, host: string): string {
  return `Start it, correct or unset ${variable}, or let this host go without it: export NO_PROXY=${nameOf(host)}`;
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** No name server answered; `ENOTFOUND` is an answer, which seconds do not change. */
function isUnanswered(code: string): boolean {
  return code === 'EAI_AGAIN';
}

/** Nobody listening on this machine will not change by itself. */
function isOwn(host: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(host);
}

/** The system's own error, which SDKs wrap in others, or what is innermost. */
export function causeOf(error: unknown): { code: string; text: string } {
  if (typeof error !== 'object' || error === null) return { code: '', text: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code !== 'string' && typeof cause === 'object' && cause !== null) return causeOf(cause);
  return { code: typeof code === 'string' ? code : '', text: error instanceof Error ? error.message : '' };
}
