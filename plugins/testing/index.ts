export { checkpointStoreContract, type CheckpointStoreSetup } from './contracts/checkpoint-store-contract.ts';
export { sessionStoreContract, type SessionStoreSetup } from './contracts/session-store-contract.ts';
export { FakeClock, fakeClock } from './fake-clock.ts';
export { fakeIds } from './fake-ids.ts';
export { FakeProcesses, fakeProcesses, type CommandScript, type ScriptedCommand } from './fake-processes.ts';
export { fileSystemContract, type FileSystemTrial } from './file-system-contract.ts';
export {
  contractCommands,
  processRunnerContract,
  type ProcessRunnerTrial,
} from './process-runner-contract.ts';
export { MemoryCheckpoints, memoryCheckpoints } from './memory-checkpoints.ts';
export { MemorySessions, memorySessions } from './memory-sessions.ts';
export { MemoryFiles, memoryFiles, type MemoryFilesOptions } from './memory-files.ts';
export { testProvider, type ProviderContractOptions, type ProviderTrial } from './provider-contract.ts';
export { shellParserContract } from './shell-parser-contract.ts';
export {
  ScriptedProvider,
  scriptedProvider,
  type ResponseScript,
  type ScriptedResponse,
} from './scripted-provider.ts';
export type { TestKit } from './test-kit.ts';
export { testTool } from './test-tool.ts';
export { fakeFreshness, ToolBench, type ToolBenchOptions } from './tool-bench.ts';
