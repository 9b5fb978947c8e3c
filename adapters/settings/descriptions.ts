const variables =
  '`${NAME}` and `${NAME:-default}` are replaced by variables of the environment, `$$` by a dollar sign.';
const ignoredInShared = "Ignored in a project's shared settings.";

/**
 * What each key of the settings is (spec: settings-and-trust, "Keys"), for editors and `larik config
 * explain`; `*` stands for a name of the user's choosing. Apart from the schema, since a run needs
 * the one and not the other.
 */
export const keyDescriptions: Readonly<Record<string, string>> = {
  $schema: 'Address of the JSON Schema of this file, for editors; larik does not read it.',
  model: `The model, as provider/model or a role. ${ignoredInShared}`,
  effort: `How much the model reasons, as far as it can be told. ${ignoredInShared}`,
  mode: `The permission mode of a run: what is asked before it is done. ${ignoredInShared}`,
  roles: `Names for models, such as smart or compact, usable wherever a model is. ${ignoredInShared}`,
  'roles.*': 'A model, as provider/model.',
  fallbacks: `Models to ask where one fails before it has shown anything, by its role or as provider/model. ${ignoredInShared}`,
  'fallbacks.*': 'Models or roles, in the order in which they are asked.',
  providers: `Endpoints, by a built-in provider's id or a name of your own. ${ignoredInShared}`,
  'providers.*': 'One endpoint.',
  'providers.*.type': 'The protocol, such as anthropic or openai-compatible.',
  'providers.*.preset': 'A known server that speaks Chat Completions, such as vllm.',
  'providers.*.base_url': `The address of the endpoint. ${variables}`,
  'providers.*.api_key_env': 'The name of the variable that holds the key.',
  'providers.*.api_key_command': `A program with its arguments; the first line that it prints is the key. ${variables}`,
  'providers.*.api_key': `The key itself. ${variables}`,
  'providers.*.headers': 'Headers that are sent with each request.',
  'providers.*.headers.*': `The value of the header. ${variables}`,
  'providers.*.stall_timeout': 'Seconds without a byte after which an answer counts as stalled.',
  models: `What the catalog does not know of a model, or not rightly, by provider/model. ${ignoredInShared}`,
  'models.*': 'One model.',
  'models.*.context_window': 'Tokens that the model takes, with its answer.',
  'models.*.max_output': 'Tokens of the longest answer.',
  'models.*.images': 'The model takes images.',
  'models.*.tools': 'The model can call tools; one that cannot is told of none.',
  'models.*.prices': 'USD per million tokens.',
  'models.*.prices.input': 'USD per million tokens of input.',
  'models.*.prices.output': 'USD per million tokens of output.',
  'models.*.prices.cache_read':
    'USD per million tokens of input that were read from the cache; as input if absent.',
  'models.*.prices.cache_write':
    'USD per million tokens of input that were put into the cache; as input if absent.',
  permissions: 'Rules, as tool or tool(pattern), of all files together. Deny wins over ask, ask over allow.',
  'permissions.allow': `What is done without asking. ${ignoredInShared}`,
  'permissions.ask': 'What is always asked.',
  'permissions.deny': 'What is refused, in every mode.',
  sandbox: "Where commands run. A project's shared settings may not loosen it.",
  'sandbox.type':
    'auto takes what works here; a name, such as bubblewrap, insists on that one; none runs commands as they are.',
  'sandbox.writable': `Folders beside the project that commands may write to. ${variables}`,
  'sandbox.deny_read': `Files and folders that neither commands in the sandbox nor the read tools see. ${variables}`,
  'sandbox.env': 'Names of variables that commands get beside the usual ones.',
  'sandbox.network': 'Commands may use the network.',
  'sandbox.allowed_domains':
    'Hosts that commands reach by HTTP and HTTPS while network is off: example.com with its subdomains, *.example.com those alone, either with a port as in example.com:8443.',
  limits: "Where a run stops. A project's shared settings may only lower these.",
  'limits.max_steps': 'Model requests of one turn.',
  'limits.budget_usd': 'USD that a session may cost; null is no limit.',
  'limits.tool_output_bytes': "Bytes of one tool's result that reach the model.",
  'limits.bash_timeout': 'Seconds that a command may run unless the model says otherwise.',
  theme: `The colours of the screen: a theme's name, or auto, which goes by the terminal. ${ignoredInShared}`,
  keys: `What is pressed for an action, by the action's name. ${ignoredInShared}`,
  'keys.*': 'A key such as ctrl+t, or a list of keys; an empty list takes all away.',
  status_line: `A command whose first line of output stands in the status line. ${ignoredInShared}`,
  'status_line.type': 'command, the only one there is.',
  'status_line.command':
    'A command line for the shell; it gets JSON about the session on its standard input.',
  'status_line.padding': 'Blanks before the line.',
  'status_line.refresh': 'Seconds after which it runs again though nothing has changed.',
  mouse: `The screen takes the wheel and clicks; text is then selected with shift held. ${ignoredInShared}`,
  notifications: `The terminal tells when a turn ends or a question waits while it has no focus. ${ignoredInShared}`,
  checkpoint_retention_days: `Days for which the files of undo are kept. ${ignoredInShared}`,
};
