export { z } from 'zod';
export { defineTool, type ToolDefinition } from './define-tool.ts';
export { errorText, isPortError, PortError } from '../../ports/errors.ts';
export type { ErrorFacts, ErrorKinds } from '../../ports/errors.ts';
export type {
  FileContent,
  FileKind,
  FileStat,
  FileSystem,
  FolderEntry,
  ResolvedPath,
  WriteOptions,
} from '../../ports/filesystem.ts';
export type { Http, HttpAnswer, HttpRequest } from '../../ports/http.ts';
export type { Block, ImageBlock, Message } from '../../ports/message.ts';
export type { Mode } from '../../ports/mode.ts';
export type { BackgroundOutput, CommandResult, CommandSpec, ProcessRunner } from '../../ports/process.ts';
export type { JsonSchema, ToolSpec } from '../../ports/provider.ts';
export type {
  Freshness,
  ParsedInput,
  Tool,
  ToolContext,
  ToolEffect,
  ToolResult,
  ToolSubject,
} from '../../ports/tool.ts';
