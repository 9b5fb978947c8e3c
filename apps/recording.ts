import { fileTracer, traceFile } from '../adapters/trace/file-tracer.ts';
import { PrefixAudit } from '../adapters/trace/prefix/audit.ts';
import { tracedLog } from '../adapters/trace/traced-log.ts';
import { tracedModels } from '../adapters/trace/traced-models.ts';
import type { AgentPorts } from '../domain/scope.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { Folder } from './folder/folder.ts';
import { headersOf } from './folder/known-secrets.ts';

/** Names of headers that the user has requests carry. */
function ownHeaders({ settings }: Folder): string[] {
  const lines = [process.env['ANTHROPIC_CUSTOM_HEADERS'], process.env['OPENAI_CUSTOM_HEADERS']];
  const configured = Object.values(settings.providers).map(({ headers }) => headers ?? {});
  return [...lines.map(headersOf), ...configured].flatMap((headers) => Object.keys(headers));
}

/** An agent's ports with a tracer that records all that goes through them (spec: server, "--debug"). */
export function recorded(
  ports: AgentPorts,
  folder: Folder,
  larik: string,
): { ports: AgentPorts; tracer: Tracer } {
  const { log, models, clock } = ports;
  const tracer = fileTracer({ path: traceFile(log.path), clock, secrets: folder.secrets });
  tracer.record({ type: 'start', larik, session: log.id });
  const audit = new PrefixAudit();
  const traced = {
    models: tracedModels(models, { tracer, audit, ownHeaders: ownHeaders(folder) }),
    log: tracedLog(log, tracer, audit),
  };
  return { ports: { ...ports, ...traced }, tracer };
}
