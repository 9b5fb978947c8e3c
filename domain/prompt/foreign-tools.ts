/** What other agents call the tools that larik may have too. */
const foreignNames: Readonly<Record<string, string>> = {
  read: 'read_file read_many_files readfile view view_file cat open_file list_dir list_directory list_files ls',
  write: 'write_file write_to_file create_file createfile new_file save_file',
  edit:
    'apply_patch apply_diff patch str_replace str_replace_editor str_replace_based_edit_tool replace ' +
    'replace_in_file search_replace edit_file insert_edit_into_file update_file',
  multi_edit: 'multiedit multi_replace',
  bash:
    'shell sh run exec exec_command execute execute_command run_command run_shell_command run_terminal_cmd ' +
    'run_in_terminal local_shell terminal powershell',
  bash_output: 'bashoutput get_terminal_output read_output',
  bash_stop: 'kill kill_shell killbash',
  grep:
    'search search_files search_code search_file_content grep_search text_search semantic_search ' +
    'codebase_search ripgrep rg',
  glob: 'find find_files file_search glob_search',
  todo_write: 'todo todos todowrite write_todos update_plan manage_todo_list task_list',
  exit_plan_mode: 'exitplanmode submit_plan plan',
  task: 'agent subagent spawn_agent delegate new_task',
  web_fetch: 'fetch fetch_url fetch_webpage webfetch open_url curl',
  web_search: 'websearch search_web google_web_search',
};

/** A tool's name as models mean it: without a prefix (`functions.read`), whatever its case. */
export function plainName(name: string): string {
  return name
    .replace(/^.*[.:/]/, '')
    .trim()
    .toLowerCase();
}

/** The one of `names` that does what another agent's tool of this (lower-case) name does, or null. */
export function toolFor(foreign: string, names: readonly string[]): string | null {
  return names.find((name) => foreignNames[name]?.split(' ').includes(foreign)) ?? null;
}
