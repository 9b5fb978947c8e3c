/**
 * What other agents, and older habits, call our fields. Used only where the tool has our field, has
 * none of the other name, and ours is missing (spec: prompting, "Input as models really send it").
 */
export const fieldAliases: Readonly<Record<string, readonly string[]>> = {
  path: [
    'file_path',
    'filePath',
    'filepath',
    'file_name',
    'filename',
    'absolute_path',
    'target_file',
    'directory',
    'dir_path',
    'dir',
    'folder',
  ],
  old_string: ['old_str', 'oldString', 'oldStr', 'old_text', 'oldText', 'old', 'search'],
  new_string: ['new_str', 'newString', 'newStr', 'new_text', 'newText', 'new', 'replace', 'replacement'],
  replace_all: ['replaceAll', 'all'],
  content: ['contents', 'file_text', 'fileText', 'file_content', 'text'],
  edits: ['changes', 'replacements'],
  command: ['cmd', 'script', 'bash_command', 'shell_command'],
  run_in_background: ['background', 'is_background', 'runInBackground'],
  offset: ['start_line', 'startLine', 'line'],
  limit: ['num_lines', 'line_count', 'max_lines'],
  pattern: ['regex', 'regexp', 'query', 'glob_pattern', 'search_pattern', 'glob'],
  glob: ['include', 'include_pattern', 'file_pattern'],
  type: ['file_type', 'fileType'],
  mode: ['output_mode', 'outputMode'],
  context: ['context_lines', '-C'],
  ignore_case: ['case_insensitive', 'ignoreCase', '-i'],
  head_limit: ['headLimit', 'max_results', 'limit'],
  items: ['todos', 'todo_list', 'todoList'],
  id: ['bash_id', 'shell_id', 'task_id', 'process_id'],
  plan: ['plan_text', 'planText'],
};
