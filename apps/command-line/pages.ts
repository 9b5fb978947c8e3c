/** Exit codes of a run (spec: cli, "Exit codes"). */
const exitCodes = `Exit codes of a run:
    0  done
    1  error
    2  bad usage or settings
    3  refused, or denied what was needed (with --fail-on-deny)
    4  a limit was reached: tokens, steps, budget, time, or calls that repeat
  130  interrupted
  143  terminated
Other commands use 0, 1 and 2.
`;

const environment = `Variables that larik reads; no .env file is ever read.

  LARIK_HOME          keeps settings, sessions and cache in this folder
  LARIK_MODEL         as --model
  LARIK_EFFORT        as --effort
  LARIK_MODE          as --mode
  LARIK_BUDGET        as --budget
  ANTHROPIC_API_KEY   key of anthropic
  ANTHROPIC_BASE_URL  another address for anthropic
  CEREBRAS_API_KEY    key of cerebras
  DEEPSEEK_API_KEY    key of deepseek
  FIREWORKS_API_KEY   key of fireworks
  GROQ_API_KEY        key of groq
  MISTRAL_API_KEY     key of mistral
  NVIDIA_API_KEY      key of nvidia-nim, or NVIDIA_NIM_API_KEY
  OPENROUTER_API_KEY  key of openrouter
  TOGETHER_API_KEY    key of together
  XAI_API_KEY         key of xai
  HTTPS_PROXY         proxy for https addresses; this machine is always reached directly
  HTTP_PROXY          proxy for http addresses
  NO_PROXY            hosts that are reached without a proxy

A flag goes before its variable, and a variable before the settings. Settings can name
other variables for keys, with "api_key_env" under "providers".
`;

const modes = `Permission modes, for --mode, LARIK_MODE or "mode" in the settings:

  default       reading runs; edits and commands are asked about, harmless commands run
  accept-edits  edits in the working folder run too
  plan          for looking and planning: edits and commands are denied
  yolo          everything runs, but for what deny rules and path rules forbid

With -p nobody can be asked, so a question is a denial; --allow RULE lets through what a rule
covers. Deny rules hold in every mode. See what would happen, without running anything:
larik permissions explain 'bash(npm test)' --mode accept-edits
`;

/** Pages of help that belong to no command: name to text. */
export const pages: Readonly<Record<string, string>> = {
  environment,
  'exit-codes': exitCodes,
  modes,
};
