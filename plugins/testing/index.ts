export { testCheckpointStore, type CheckpointStoreSetup } from './contracts/checkpoint-store-contract.ts';
export { testSessionStore, type SessionStoreSetup } from './contracts/session-store-contract.ts';
export { FakeClock, fakeClock } from './fakes/fake-clock.ts';
export { FakeHttp, fakeHttp, type HttpPage } from './fakes/fake-http.ts';
export { fakeIds } from './fakes/fake-ids.ts';
export { FakeImages, fakeImages } from './fakes/fake-images.ts';
export {
  FakeProcesses,
  fakeProcesses,
  type CommandScript,
  type ScriptedCommand,
} from './fakes/fake-processes.ts';
export { fakeSandbox } from './fakes/fake-sandbox.ts';
export { testFileSystem, type FileSystemTrial } from './contracts/file-system-contract.ts';
export { contractPages, testHttp, type HttpTrial } from './contracts/http-contract.ts';
export {
  contractCommands,
  testProcessRunner,
  type ProcessRunnerTrial,
} from './contracts/process-runner-contract.ts';
export { playedSession, testFrontEnd, type SessionRecord } from './contracts/front-end-contract.ts';
export { MemoryCheckpoints, memoryCheckpoints } from './memory-checkpoints.ts';
export { MemorySessions, memorySessions } from './memory-sessions.ts';
export { MemoryFiles, memoryFiles, type MemoryFilesOptions } from './memory-files.ts';
export {
  testProvider,
  type ProviderContractOptions,
  type ProviderTrial,
} from './contracts/provider-contract.ts';
export { testSandbox, type SandboxTrial } from './contracts/sandbox-contract.ts';
export { testShellParser } from './contracts/shell-parser-contract.ts';
export {
  ScriptedProvider,
  scriptedProvider,
  type ResponseScript,
  type ScriptedResponse,
} from './scripted-provider.ts';
export type { TestKit } from './test-kit.ts';
export { testTool } from './test-tool.ts';
export { fakeFreshness, ToolBench, type ToolBenchOptions } from './tool-bench.ts';
