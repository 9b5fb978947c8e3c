/** Exit codes of a run (spec: cli, "Exit codes"). */
const exitCodes = `Exit codes of a run:
    0  done
    1  error
    2  bad usage or settings
    3  refused, or denied what was needed (with --fail-on-deny)
    4  a limit was reached: tokens, steps, budget or time
  130  interrupted
  143  terminated
Other commands use 0, 1 and 2.

Example:
  larik -p "fix the lint errors" --fail-on-deny || echo "ended with $?"
`;

const environment = `Variables that larik reads; no .env file is ever read.

  LARIK_HOME          keeps settings, sessions and cache in this folder
  LARIK_MODEL         as --model
  LARIK_EFFORT        as --effort
  LARIK_MODE          as --mode
  LARIK_BUDGET        as --budget
  LARIK_DEBUG         1 is --debug
  ANTHROPIC_API_KEY   key of anthropic
  CEREBRAS_API_KEY    key of cerebras
  DEEPSEEK_API_KEY    key of deepseek
  FIREWORKS_API_KEY   key of fireworks
  GEMINI_API_KEY      key of gemini, or GOOGLE_API_KEY
  GROQ_API_KEY        key of groq
  MISTRAL_API_KEY     key of mistral
  NVIDIA_API_KEY      key of nvidia-nim, or NVIDIA_NIM_API_KEY
  OPENAI_API_KEY      key of openai
  OPENROUTER_API_KEY  key of openrouter
  TOGETHER_API_KEY    key of together
  XAI_API_KEY         key of xai
  ANTHROPIC_BASE_URL  another address for anthropic; likewise OPENAI_BASE_URL for openai,
                      GOOGLE_GEMINI_BASE_URL for gemini
  OLLAMA_HOST         where Ollama is, if not at its usual port here
  HTTPS_PROXY         proxy for https addresses; this machine is always reached directly
  HTTP_PROXY          proxy for http addresses
  NO_PROXY            hosts that are reached without a proxy

A flag goes before its variable, and a variable before the settings. Settings can name
other variables for keys, with "api_key_env" under "providers".

Example:
  LARIK_MODE=plan larik -p "what would you change?"
`;

const modes = `Permission modes, for --mode, LARIK_MODE or "mode" in the settings:

  default       reading runs; edits and commands are asked about, harmless commands run
  accept-edits  edits in the working folder run too
  plan          for looking and planning: edits and commands are denied
  auto          edits run as above; a model judges what would be asked, and what it does not allow
                is asked; needs "mode": "auto" or "roles": {"auto": MODEL} in your settings
  yolo          everything runs, but for what deny rules and path rules forbid

With -p nobody can be asked, so a question is a denial; --allow RULE lets through what a rule
covers. Deny rules hold in every mode.

Example:
  larik permissions explain 'bash(npm test)' --mode accept-edits
`;

const rules = `Rules of permission: TOOL or TOOL(PATTERN), as --allow RULE, --deny RULE, or in the settings
under "permissions", as "allow", "ask" and "deny".

  bash                   every command
  bash(npm test*)        commands that begin so; * stands for anything, both ends count
  edit(src/**)           files under src of the folder in which larik works
  read(~/notes/*.md)     a path may begin with ~/ or /
  edit(**/*.lock)        ** stands for any folders

An allow rule covers a line of commands only if rules cover each of them, and nothing in the line
hides from that: no $(…), no > FILE. A deny rule holds for a command wherever it stands in the
line, and in every mode; one for edit or write holds for all tools that write files.
Deny goes before all others, then ask, then allow. Rules guard against mistakes; what a command
does once it runs is the sandbox's affair (larik help sandbox).

Example, which runs nothing:
  larik permissions explain 'bash(npm test && rm -rf dist)' --allow 'bash(npm test*)'
`;

const settings = `Settings are JSON with comments. Later files win, rules add up:

  config/config.json        yours; config.yaml will do as well
  .larik/settings.json      the project's, shared: may forbid and lower limits, not allow
  config/projects/ID.json   yours, for one project

larik config path shows where they are here. Variables and flags stand above all files.

  "model", "effort", "mode"    as the flags (larik help modes, larik help models)
  "permissions"                {"allow": [], "ask": [], "deny": []} (larik help rules)
  "guard"                      "off": nothing is asked only because it cannot be taken back
  "sandbox"                    larik help sandbox
  "providers", "models"        servers, keys, sizes and prices (larik help models)
  "roles"                      names of your own for models: {"cheap": "groq/MODEL"}
  "fallbacks"                  models to ask where one fails: {"smart": ["groq/MODEL"]}
  "limits"                     max_steps, budget_usd, tool_output_bytes, bash_timeout (seconds)
  "checkpoint_retention_days"  how long larik undo can reach back
  "theme", "keys", "status_line", "mouse", "notifications"  what the screen looks like and takes

Example:
  larik config get limits.max_steps
`;

/** What else there is to know of a command; stands beneath its options. */
export const details: Readonly<Record<string, string>> = {
  models: `A model is named PROVIDER/MODEL, as in anthropic/claude-opus-5-5; what stands behind the first
slash goes to the provider as it is, also a model that is not listed. Without --model, LARIK_MODEL
or "model" in the settings, a run takes the current model of the first vendor with a key in the
environment, else a model of a running Ollama or LM Studio, else demo/demo, which needs no key and
is no language model.

window and output are tokens; $in/$out is USD per million of them, ? where it is not known; img
means that the model takes images. FILTER is a provider, or a part of a name.

Providers: anthropic, openai, gemini, openrouter, groq, deepseek, xai, mistral, together,
nvidia-nim, cerebras, fireworks; on this machine ollama, lmstudio, llamacpp and vllm. Which of them
can be used: larik providers. Keys: larik help environment. Any other server that speaks one of
their APIs gets a name of yours in the settings:

  "providers": {"mine": {"type": "openai-compatible", "base_url": "http://host:8000/v1",
                         "api_key_env": "MINE_KEY"}}

and is used as --model mine/MODEL.
`,
  providers: `Alone it lists where each provider is reached, where its key is found (never the key), whether a
server on this machine runs, and which model is taken where none is named; it asks no server but
those on this machine.
`,
  permissions: `explain takes a call as TOOL(INPUT): for bash the line, for file tools the path, for web_fetch the
address; or the whole input as JSON: 'bash({"command": "npm install", "sandbox": false})'. Without
a call, --json reads cases from standard input, one a line. test compares cases with what each
expects; your own rules do not count there. Rules: larik help rules.
`,
  trust: `.mcp.json, .larik/settings.json and .claude/settings.json of a project can name hooks, MCP
servers and plugins; ~/.claude/settings.json can name hooks. Nothing of it runs before you approve
it, and this version runs none of it at all. An approval holds for one project and what was shown,
with the files of the project that it names; any change takes it away. NAME is what list shows;
hooks go by their file: larik trust approve .claude/settings.json. Without NAME approve asks for
each; --yes asks nothing. Approvals lie in approvals.json in the folder of your settings.
`,
  sandbox: `Alone it shows whether commands of the model run in a sandbox here, and what they may do. With
run it runs CMD in it, as the model would, with the terminal's input and output, and ends with its
exit code; where the sandbox does not work it runs nothing and ends with 1.

The sandbox lets commands read files, but write only in the project, a temporary folder of their
own, and the folders that the settings name. It is bubblewrap on Linux and the system's own on
macOS; where there is none commands ask, and run with your rights. larik doctor tells more. CMD is
a program and its words; for a line of several: larik sandbox run -- bash -c 'a && b'

Settings, all under "sandbox" of your own settings file:

  "type"        auto (default), bubblewrap or seatbelt (no command runs without it), or none
  "writable"    more folders to write to, such as ["~/.cache/pip"]
  "deny_read"   files and folders that nothing may read, such as ["~/.ssh"]
  "env"         variables that commands get beside the usual ones, with the sockets that they lead
                to, such as SSH_AUTH_SOCK; keys are never among the usual ones
  "network"     true lets commands reach the network
  "allowed_domains"  hosts that they reach all the same, such as ["registry.npmjs.org"]

A project's shared settings can switch it on and hide more, not loosen it.
`,
  sessions: `A session is one file in the data folder (larik doctor shows it); nothing in it is ever rewritten.
To go on with the latest: larik -p -c "…"; with another: larik -p --resume ID "…". --no-session
keeps none. What a turn did to files is taken back by larik undo.
`,
  trace: `Without ID it is the latest session that was recorded. Numbers are of requests in a run; > is
what was sent, < what came. --json prints all that was recorded, with bodies, as one array; keys are
left out. --cache shows where a request does not extend the one before it, and so costs more: bytes
of tools, system prompt and messages, and tokens as the server counts them. The record lies in a
folder beside the session's file, and is yours to remove.
`,
  undo: `Without ID it is the latest session that changed something. Called again it goes back one turn
more; larik redo takes it back. A file that was changed since then is left, and named; --force
restores it too. Outside the project nothing is touched.
`,
};

/** Pages of help that belong to no command: name to text. */
export const pages: Readonly<Record<string, string>> = {
  environment,
  'exit-codes': exitCodes,
  modes,
  rules,
  settings,
};
